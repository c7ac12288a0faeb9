"""A gate before the model: when it sleeps, and that nothing is lost by it."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.observer.moments import Episode, PlayedModel, answered, did, looked, note, record
from tests.observer.streams import BRIEF

from heron.contracts import DeviceStatus, Observation, ObserverState
from heron.errors import InputError
from heron.observer.decide import Option, Reading
from heron.observer.gate import FEATURES, LinearGate, RuleGate, SinceWake, gate_from, read_gate
from heron.observer.gguf import GgufObserver
from heron.observer.seen import SeenRecords
from heron.observer.settings import GgufSettings
from heron.observer.unread import MOST_OBSERVATIONS

WAIT, PROPOSE, LOOK = (0.9, 0.05, 0.05), (0.1, 0.1, 0.8), (0.1, 0.8, 0.1)
PLAIN = GgufSettings(look_first=False)
DRIVING = DeviceStatus(activity="driving")


def gated(model: PlayedModel, gate: Any = None) -> GgufObserver:
    return GgufObserver(model, PLAIN, gate=gate or RuleGate())


class Never:
    def wakes(self, since: SinceWake) -> bool:
        return False


def test_it_sleeps_through_screens_and_idle_minutes_and_reads_them_later() -> None:
    model, episode = PlayedModel(WAIT), Episode()
    watching, woken = gated(model), []
    for new in [
        (did("home.open_app", app="email"),),
        (),
        (),
        (note("Thursday at ten?", ref="m4"),),
        (did("home.go_home"),),
        (did("email.open_email", email_id="m4"),),
    ]:
        assert watching.observe(episode.next(*new)).type == "wait"
        woken.append(watching.woken)
    assert woken == [False, False, False, True, False, True]
    first = "Wed 2026-03-11 09:03 phone of Mara Lind\nuser home.open_app email"
    assert model.extended == [
        f'{first}\n09:06 email m4 "Anna Berg" Thursday at ten?',
        "09:07 user home.go_home\n09:08 user email.open_email m4",
    ]
    assert model.kept == model.extended[:1]
    assert model.answers == ["wait", "wait"]


def test_news_that_came_while_nobody_was_to_be_disturbed_wakes_it_afterwards() -> None:
    model, episode = PlayedModel(PROPOSE), Episode()
    watching = gated(model)
    driving = episode.next(note("Thursday?"), device=DRIVING)
    assert (watching.observe(driving).type, watching.woken) == ("wait", False)
    assert (watching.observe(episode.next()).type, watching.woken) == ("propose", True)
    first = "Wed 2026-03-11 09:03 phone of Mara Lind\ndevice driving"
    assert model.extended == [f'{first}\nemail m4 "Anna Berg" Thursday?\n09:04 device free']


def test_a_decision_is_told_of_notifications_that_were_slept_through() -> None:
    class Noting:
        reads_hidden = False

        def decide(self, reading: Reading) -> Option:
            noted.append(reading.has_note)
            return "wait"

    noted: list[bool] = []
    watching = GgufObserver(PlayedModel(WAIT), PLAIN, decider=Noting(), gate=RuleGate())
    episode = Episode()
    watching.observe(episode.next(note("Thursday?"), device=DRIVING))
    watching.observe(episode.next())
    assert noted == [True]


def test_while_an_offer_is_open_it_sleeps() -> None:
    model, episode = PlayedModel(PROPOSE), Episode()
    watching = gated(model)
    assert watching.observe(episode.next(note("Thursday?"))).type == "propose"
    watching.observe(episode.next(note("More", ref="m5"), open_proposal="p1"))
    assert watching.woken is False


def test_what_it_looked_up_is_always_read() -> None:
    model, episode = PlayedModel(LOOK, WAIT), Episode()
    watching = gated(model)
    assert watching.observe(episode.next(note("Thursday?"), looks_left=2)).type == "look"
    watching.observe(episode.next(looked(record("e3", kind="event")), looks_left=1))
    assert watching.woken is True


def test_it_reads_up_after_a_while_whatever_it_is() -> None:
    model, episode = PlayedModel(PROPOSE), Episode()
    watching = gated(model, Never())
    woken = []
    for _ in range(2 * MOST_OBSERVATIONS):
        watching.observe(episode.next(did("home.go_home")))
        woken.append(watching.woken)
    assert [place for place, is_awake in enumerate(woken) if is_awake] == [
        MOST_OBSERVATIONS - 1,
        2 * MOST_OBSERVATIONS - 1,
    ]
    assert sum(text.count("user home.go_home") for text in model.extended) == len(woken)


def test_without_a_gate_it_does_not_say_whether_it_woke() -> None:
    watching = GgufObserver(PlayedModel(WAIT), PLAIN)
    watching.observe(Episode().next(note("x")))
    assert watching.woken is None


stories = st.lists(
    st.tuples(st.sampled_from(["note", "touch", "act", "idle", "busy", "reject"]), st.booleans()),
    max_size=20,
)


def told(story: list[tuple[str, bool]]) -> list[Observation]:
    episode = Episode()
    made = []
    for number, (kind, is_open) in enumerate(story):
        new = {
            "note": (note(f"words{number}", ref=f"m{number}"),),
            "touch": (did("email.open_email", email_id="m0"),),
            "act": (did(f"home.act{number}"),),
            "reject": (answered("reject"),),
        }.get(kind, ())
        device = DRIVING if kind == "busy" else DeviceStatus()
        made.append(episode.next(*new, device=device, open_proposal="p0" if is_open else None))
    return made


def lines(model: PlayedModel) -> list[str]:
    """All that was read, without stamps and idle minutes."""
    kept = [line for text in model.extended for line in text.split("\n")]
    bare = [line.split(" ", 3)[-1] if line.startswith("Wed") else line for line in kept]
    bare = [line[6:] if line[2:3] == ":" else line for line in bare]
    return [line for line in bare if line != "idle"]


@given(stories)
def test_everything_is_read_in_order_sooner_or_later(story: list[tuple[str, bool]]) -> None:
    """The model behind a gate has read a beginning of what one that is always awake has."""
    awake_model, model = PlayedModel(WAIT), PlayedModel(WAIT)
    awake, behind = GgufObserver(awake_model, PLAIN), gated(model)
    for seen in told(story):
        awake.observe(seen)
        behind.observe(seen)
        all_read, read = lines(awake_model), lines(model)
        assert read == all_read[: len(read)]
        if behind.woken:
            assert read == all_read


@given(stories)
def test_it_never_sleeps_through_a_notification_on_which_an_offer_could_be_made(
    story: list[tuple[str, bool]],
) -> None:
    behind = gated(PlayedModel(WAIT))
    for seen, (kind, is_open) in zip(told(story), story, strict=True):
        behind.observe(seen)
        if kind == "note" and not is_open:
            assert behind.woken


@given(stories, st.integers(0, 20))
def test_what_is_unread_outlives_the_process(story: list[tuple[str, bool]], place: int) -> None:
    plain, model = PlayedModel(WAIT), PlayedModel(WAIT)
    one, other = gated(plain), gated(model)
    for number, seen in enumerate(told(story)):
        if number == place and number:
            state = ObserverState.model_validate_json(other.save().model_dump_json())
            model = PlayedModel(WAIT)
            other = gated(model)
            other.load(state, BRIEF)
        assert one.observe(seen) == other.observe(seen)
        assert one.woken == other.woken
        assert plain.extended[-1:] == model.extended[-1:]


# --- features and the linear gate ---


def since(*new: Any, minutes: float = 0.0) -> SinceWake:
    counts, records = SinceWake(), SeenRecords()
    episode = Episode()
    first = episode.next(*new)
    counts.note(first, records)
    if minutes:
        later = first.model_copy(
            update={"new": (), "time": first.time + timedelta(minutes=minutes)}
        )
        counts.note(later, records)
    return counts


def test_features_are_counts_since_the_last_wake() -> None:
    counts = since(note("At 10?", ref="m4"), did("home.back", "no way back"), minutes=9)
    found = {name: counts.count(name) for name in FEATURES}
    assert found == {
        "notifications": 1,
        "with_record": 1,
        "questions": 1,
        "figures": 1,
        "length": len("Anna Berg At 10?"),
        "touches": 0,
        "actions": 1,
        "failures": 1,
        "answers": 0,
        "reports": 0,
        "idle": 1,
        "minutes": 0,
    }
    features = dict(zip(FEATURES, counts.features(), strict=True))
    assert features["minutes"] == pytest.approx(2.302585, abs=1e-5)
    assert features["touches"] == 0.0


def linear(threshold: float = 0.5, **weights: float) -> LinearGate:
    return LinearGate(
        features=FEATURES,
        weights=tuple(weights.get(name, 0.0) for name in FEATURES),
        intercept=-1.0,
        threshold=threshold,
    )


def test_a_linear_gate_wakes_from_its_threshold_on() -> None:
    gate = linear(notifications=3.0)
    assert gate.wakes(since(note("x")))
    assert not gate.wakes(since(did("home.back")))
    assert not linear(threshold=0.9, notifications=3.0).wakes(since(note("x")))
    assert linear(notifications=1e9).probability([1.0] * len(FEATURES)) <= 1.0


def test_a_gates_file_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "gate.json"
    file.write_text(linear(notifications=3.0).model_dump_json())
    assert gate_from({"gate": str(file)}) == linear(notifications=3.0)
    assert isinstance(gate_from({"gate": "rules"}), RuleGate)
    assert gate_from({"gate": "off"}) is None
    assert gate_from({}) is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"features": ["notifications"]}, "features are not those of this version"),
        ({"weights": [1.0]}, "1 weights for 12 features"),
        ({"threshold": 1.5}, "threshold"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_in_one_line(
    tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    file = tmp_path / "gate.json"
    file.write_text(json.dumps({**linear().model_dump(mode="json"), **change}))
    with pytest.raises(InputError, match=says) as raised:
        read_gate(file)
    assert "\n" not in str(raised.value)
    assert "gate.json" in str(raised.value)
