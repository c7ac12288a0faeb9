"""Soaks with observers in real processes: bursts, deaths, resuming, leaks."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from heron.errors import Fault, InputError, UnknownName
from heron.eval.observers import WORKER
from heron.eval.soak.measures import summarise
from heron.eval.soak.records import Sample, SoakFolder, SoakPlan
from heron.eval.soak.session import soaking
from heron.models.store import resolve
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario

FAKE = "tests.eval.soak_worker"
SEED = 6
"""With it the user rejects the first proposal."""
MODEL = "smollm2-135m-instruct-q4_1"

Soaking = Callable[..., list[Sample]]


@pytest.fixture(scope="module")
def scenarios() -> Sequence[Scenario]:
    return load_suite("quiet").sound().scenarios[:4]


@pytest.fixture
def soak(tmp_path: Path, scenarios: Sequence[Scenario]) -> Soaking:
    def run(
        spec: str, *, module: str = FAKE, name: str = "soak", resume: bool = False, **plan: Any
    ) -> list[Sample]:
        made = SoakPlan(observer=spec, **{"usage": "heavy", **plan})
        folder = SoakFolder(tmp_path / name)
        with soaking(made, scenarios, folder, resume=resume, module=module) as samples:
            return list(samples)

    return run


def told(samples: Sequence[Sample]) -> list[Any]:
    """What has to be the same whether a soak was interrupted or not."""
    return [(s.observation, s.events, s.at_s, s.answer, s.offer, s.told) for s in samples]


def test_all_events_are_handed_over_and_each_sample_is_on_disk(
    soak: Soaking, tmp_path: Path, scenarios: Sequence[Scenario]
) -> None:
    samples = soak("rules", module=WORKER, events=80)
    assert samples[-1].events == 80
    assert sum(sample.handed for sample in samples) >= 75
    assert all(sample.anonymous for sample in samples)
    assert list(SoakFolder(tmp_path / "soak").samples()) == samples
    plan = SoakPlan(observer="rules", usage="heavy", events=80)
    folder = SoakFolder(tmp_path / "step")
    with soaking(plan, scenarios, folder) as coming:
        for number, _ in enumerate(islice(coming, 3), 1):
            assert len((tmp_path / "step" / "soak.jsonl").read_bytes().splitlines()) == number


def test_while_it_is_busy_events_wait_and_are_handed_over_together(soak: Soaking) -> None:
    samples = soak("takes:60", clock="measured", rate="6/min", events=90)
    found = summarise(samples)
    assert found is not None
    assert found.coalescing.ratio == pytest.approx(6, abs=1.5)
    assert found.coalescing.shared > 10
    assert found.backlog.p50 == pytest.approx(6, abs=2)
    assert 60 <= (found.stale_s.p50 or 0) < 80
    assert (found.oldest_s.p50 or 0) > 90
    assert found.duty_cycle == pytest.approx(1, abs=0.1)


def test_on_the_virtual_clock_nothing_waits(soak: Soaking) -> None:
    found = summarise(soak("takes:60", rate="6/min", events=90))
    assert found is not None
    assert found.coalescing.ratio < 1.5  # type: ignore[operator]
    assert found.stale_s.p50 is None
    assert found.backlog.most == 0


def test_what_is_rejected_is_not_offered_again_by_the_next_process(soak: Soaking) -> None:
    samples = soak("offers", events=80, rate="6/min", kill_every=20, seed=SEED)
    found = summarise(samples)
    assert found is not None
    assert found.kills >= 3
    assert samples[-1].process == found.kills + 1
    assert found.answers["propose"] >= 1
    assert found.told.get("reject")
    assert (found.repeats, found.states_lost, found.faults) == (0, 0, 0)


def test_without_its_state_it_is(soak: Soaking) -> None:
    found = summarise(soak("forgets", events=80, rate="6/min", kill_every=20, seed=SEED))
    assert found is not None
    assert found.repeats > 0
    assert found.states_lost == found.kills > 0


def test_a_death_changes_nothing_that_the_observer_says(soak: Soaking) -> None:
    whole = soak("offers", name="whole", events=60)
    assert told(soak("offers", name="killed", events=60, kill_every=20)) == told(whole)


def test_a_fault_is_counted_and_the_observer_goes_on(soak: Soaking) -> None:
    samples = soak("breaks:20", events=50)
    broken = [sample for sample in samples if sample.faults]
    assert [sample.observation for sample in broken] == [20, 40]
    assert all("not numbers" in sample.faults[0] for sample in broken)
    assert all(sample.answer == "wait" for sample in samples)
    assert all(sample.restart_s is not None for sample in broken)
    assert not any(sample.killed or sample.state_lost for sample in samples)


def test_one_that_never_answers_ends_the_soak_with_the_reason(
    soak: Soaking, tmp_path: Path
) -> None:
    with pytest.raises(Fault, match=r"3 observations in a row broke: .*not numbers"):
        soak("broken", events=50)
    kept = list(SoakFolder(tmp_path / "soak").samples())
    assert [sample.answer for sample in kept] == ["none"] * 3


def test_a_soak_goes_on_where_it_stopped(soak: Soaking, tmp_path: Path) -> None:
    whole = soak("offers", name="whole", events=70)
    first = soak("offers", name="parts", events=30)
    file = tmp_path / "parts" / "soak.jsonl"
    file.write_bytes(file.read_bytes() + b'{"torn": ')
    second = soak("offers", name="parts", resume=True, events=70)
    assert told([*first, *second]) == told(whole)
    assert list(SoakFolder(tmp_path / "parts").samples()) == [*first, *second]
    assert second[0].process == 2
    assert not second[0].state_lost


def test_a_leaking_process_is_found(soak: Soaking) -> None:
    found = summarise(soak("leaks:300000", events=120))
    assert found is not None
    assert found.memory.bytes_per_event == pytest.approx(300_000, rel=0.1)
    steady = summarise(soak("takes:0", name="steady", events=120))
    assert steady is not None
    assert (steady.memory.bytes_per_event or 0) < 1000


def test_an_observer_that_becomes_slower_is_found(soak: Soaking) -> None:
    found = summarise(soak("slows:0.01", events=120))
    assert found is not None
    assert (found.drift_wall.ratio or 0) > 5
    assert (found.drift_cpu.ratio or 0) > 5


def test_a_folder_holds_one_soak(soak: Soaking) -> None:
    soak("takes:0", events=5)
    with pytest.raises(InputError, match="--resume"):
        soak("takes:0", events=5)


def test_names_are_checked_before_anything_begins(soak: Soaking) -> None:
    with pytest.raises(UnknownName, match="unknown observer"):
        soak("rulez", module=WORKER, events=5)
    with pytest.raises(InputError, match="names no model"):
        soak("gguf", module=WORKER, events=5)
    with pytest.raises(UnknownName, match="unknown usage"):
        soak("rules", module=WORKER, events=5, usage="none")


def test_a_folder_that_holds_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no soak"):
        SoakFolder(tmp_path).plan()
    (tmp_path / "soak.jsonl").write_text(json.dumps({"other": 1}) + "\n")
    with pytest.raises(InputError, match=r"soak\.jsonl:1"):
        list(SoakFolder(tmp_path).samples())


@pytest.mark.weights
def test_a_real_model_goes_on_after_its_process_was_killed(soak: Soaking) -> None:
    try:
        resolve(MODEL)
    except InputError as error:
        pytest.skip(str(error))
    samples = soak(
        f"gguf:{MODEL}", module=WORKER, events=60, rate="6/min", window=2048, kill_every=25
    )
    found = summarise(samples)
    assert found is not None
    assert found.events == 60
    assert (found.faults, found.states_lost, found.repeats) == (0, 0, 0)
    assert found.kills == 2
    assert found.evaluated is not None
    after = next(sample for sample in samples if sample.killed)
    # The turns of before are evaluated again, so that it does not begin without a past.
    assert after.evaluated is not None
    assert after.evaluated > 300
