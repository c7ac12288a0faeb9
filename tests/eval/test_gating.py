"""What a gate is worth on recorded streams, and fitting one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from heron.cli import app as cli
from heron.contracts import (
    ActionSeen,
    Brief,
    DeviceStatus,
    Evidence,
    NotificationSeen,
    Observation,
    Seen,
)
from heron.errors import InputError
from heron.eval.calibration.streams import Stream, write
from heron.eval.gating import fit_gate, report
from heron.observer.gate import FEATURES, LinearGate, RuleGate, SinceWake, gate_from

START = datetime(2026, 3, 11, 9)
BRIEF = Brief(user_name="Mara Lind", tools=(), write_tools=())
GO_HOME = ActionSeen(app="home", action="go_home", arguments={})
DRIVING = DeviceStatus(activity="driving")


def heron(*arguments: object) -> int:
    """The exit code of ``heron`` with these arguments."""
    with pytest.raises(SystemExit) as end:
        cli.main([str(argument) for argument in arguments])
    assert isinstance(end.value.code, int)
    return end.value.code


class Asleep:
    """A gate that never wakes anybody."""

    def wakes(self, since: SinceWake) -> bool:
        return False


def note(text: str, ref: str = "m1") -> NotificationSeen:
    record = Evidence(ref=ref, kind="email", text=text)
    return NotificationSeen(app="email", title="Anna Berg", text=text, record=record)


def stream(
    *steps: Sequence[Seen],
    useful: Sequence[bool],
    family: str = "f",
    part: str = "dev",
    seed: int = 1000,
    device: DeviceStatus | None = None,
) -> Stream:
    observations = tuple(
        Observation(
            turn=turn,
            step=0,
            time=START + timedelta(minutes=turn),
            new=tuple(new),
            device=device or DeviceStatus(),
            brief=BRIEF if turn == 0 else None,
        )
        for turn, new in enumerate(steps)
    )
    return Stream.model_validate(
        {
            "scenario": "s",
            "scenario_hash": "0",
            "family": family,
            "part": part,
            "type": "goal",
            "seed": seed,
            "observations": observations,
            "useful": tuple(useful),
        }
    )


def test_wakes_and_what_is_slept_through_are_counted() -> None:
    one = stream((GO_HOME,), (note("Ten?"),), (), (GO_HOME,), useful=[False, True, True, False])
    found = report([one], RuleGate())
    assert found.model_dump() == {
        "streams": 1,
        "observations": 4,
        "asked": 3,
        "wakes": 1,
        "useful": 2,
        "slept_useful": 1,
        "chances": 1,
        "missed": 0,
    }
    assert found.wake_rate == 0.25
    asleep = report([one], Asleep())
    assert (asleep.wakes, asleep.slept_useful, asleep.missed_share) == (0, 2, 1.0)


def test_a_chance_that_opens_without_an_event_is_missed_by_the_rules() -> None:
    late = stream((note("Ten?"),), (), (), useful=[False, False, True])
    assert report([late], RuleGate()).missed == 1


def test_moments_at_which_no_offer_may_be_made_are_not_held_against_a_gate() -> None:
    busy = stream((note("Ten?"),), (), useful=[True, True], device=DRIVING)
    found = report([busy], RuleGate())
    assert (found.asked, found.useful, found.chances) == (0, 0, 0)
    assert found.missed_share is None
    assert report([], RuleGate()).wake_rate is None


def training(count: int = 30) -> list[Stream]:
    """Long questions are chances, short notes are none."""
    long = "Could you move the meeting with the people of the club to next Thursday at ten?"
    return [
        stream(
            (note("ok", "m1"),),
            (GO_HOME,),
            (note(long if number % 2 else "hi", "m2"),),
            (),
            useful=[False, False, bool(number % 2), bool(number % 2)],
            family=f"f{number % 6}",
        )
        for number in range(count)
    ]


def test_a_fitted_gate_wakes_as_chances_open_and_hardly_else() -> None:
    gate = fit_gate(training(), command="heron")
    found = report(training(), gate)
    assert (found.missed, found.chances, found.wakes) == (0, 15, 15)
    assert gate.sources["openings"] == 15
    assert gate.sources["command"] == "heron"
    assert LinearGate.model_validate_json(gate.model_dump_json()) == gate


def test_a_gate_is_not_fitted_on_what_is_for_scoring_nor_on_too_little() -> None:
    for_scoring = stream((note("x"),), useful=[True], part="test")
    with pytest.raises(InputError, match="fitted on part 'dev'"):
        fit_gate([*training(), for_scoring])
    with pytest.raises(InputError, match="fitted on part 'dev'"):
        fit_gate([stream((note("x"),), useful=[True], seed=3)])
    with pytest.raises(InputError, match="too few"):
        fit_gate(training(3))


def test_the_shipped_gate_is_one_and_says_what_made_it() -> None:
    gate = gate_from({"gate": "linear"})
    assert isinstance(gate, LinearGate)
    assert gate.features == FEATURES
    assert gate.sources["command"].startswith("heron observer fit-gate --seeds 1000:")
    assert min(gate.sources["seeds"]) >= 1000


def test_the_commands_fit_and_judge_a_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    streams, file = tmp_path / "dev.jsonl", tmp_path / "gate.json"
    write(training(), streams)
    assert heron("observer", "fit-gate", "--streams", streams, "--out", file) == 0
    assert "chances missed whole: 0 of 15 (0.0 %)" in capsys.readouterr().out
    assert heron("observer", "gate", "--streams", streams, "--gate", file, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["gate"]["wakes"] == 15
    assert told["saving"] is None
    assert heron("observer", "gate", "--streams", streams, "--gate", "off") == 2
    assert "always awake" in capsys.readouterr().err
