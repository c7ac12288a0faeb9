"""The observers without a model."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.observer.moments import START, Episode, answered, did, looked, note, record
from tests.observer.streams import streams

from heron.contracts import DeviceStatus, Look, Propose, ToolCall, Wait
from heron.observer.baselines.always import AlwaysObserver
from heron.observer.baselines.never import NeverObserver
from heron.observer.baselines.oracle import Cue, OracleObserver
from heron.observer.registry import OBSERVERS, runs_in_harness
from heron.observer.setup import Setup


def test_the_table_names_where_each_runs() -> None:
    known = ["always", "calibrated", "gguf", "never", "oracle", "probe", "rules"]
    assert [name for name in OBSERVERS.names() if name in known] == known
    own_process = [name for name in known if not runs_in_harness(name)]
    assert own_process == ["calibrated", "gguf", "probe"]
    assert not runs_in_harness("plugged_in")


@pytest.mark.parametrize("name", ["always", "never", "oracle", "rules"])
def test_a_baseline_answers_every_stream_and_each_episode_anew(name: str) -> None:
    """The same observer on the same episode twice says the same twice."""
    made = OBSERVERS.get(name)(Setup(cue=Cue(text="Shall I?", not_before=2)))
    for stream in streams():
        runs = []
        for _ in range(2):
            told = [made.observe(stream.observation(i)) for i in range(len(stream.steps))]
            runs.append(told)
        assert runs[0] == runs[1]


def test_never_waits() -> None:
    assert NeverObserver().observe(Episode().next(note("Please call me!"))) == Wait()


def test_always_offers_at_every_chance() -> None:
    episode, always = Episode(), AlwaysObserver()
    nothing = always.observe(episode.next())
    acting = always.observe(episode.next(did("email.open_email")))
    topic = always.observe(episode.next(note("hi", title="Anna Berg: Lunch", ref="m4")))
    waiting = always.observe(episode.next(open_proposal="p1"))
    again = always.observe(episode.next(answered("reject"), device=DeviceStatus(activity="asleep")))
    assert nothing == Propose(text="Can I help you with what you are doing?")
    assert acting == Propose(text="Can I help you with what you are doing in email?")
    assert topic == Propose(text="Shall I take care of 'Anna Berg: Lunch' for you?", refs=("m4",))
    assert waiting == Wait()
    assert again == topic


def test_always_stays_within_the_length() -> None:
    answer = AlwaysObserver().observe(Episode().next(note("x", title="very " * 99)))
    assert isinstance(answer, Propose)
    assert len(answer.text) <= 160


CUE = Cue(text="Shall I move it?", plan=("calendar.edit_calendar_event",), refs=("m4", "e3"))


def test_the_oracle_proposes_at_turn_n() -> None:
    episode = Episode()
    oracle = OracleObserver(CUE.model_copy(update={"not_before": 3}))
    answers = [oracle.observe(episode.next()) for _ in range(4)]
    assert [answer.type for answer in answers] == ["wait", "wait", "propose", "wait"]
    assert answers[2] == Propose(text=CUE.text, plan=CUE.plan, refs=CUE.refs)


def test_the_oracle_waits_for_its_trigger_and_for_room() -> None:
    episode = Episode()
    oracle = OracleObserver(CUE.model_copy(update={"after": ("m4", "e3")}))
    assert oracle.observe(episode.next(note("x", ref="m4"))).type == "wait"
    found = looked(record("e3", "Dentist", "event"))
    assert oracle.observe(episode.next(found, open_proposal="p0")).type == "wait"
    assert oracle.observe(episode.next()).type == "propose"


def test_the_oracle_knows_the_clock() -> None:
    episode = Episode()
    opens, closes = START + timedelta(minutes=1), START + timedelta(minutes=2)
    oracle = OracleObserver(CUE.model_copy(update={"opens": opens, "closes": closes}))
    assert oracle.observe(episode.next()).type == "wait"
    assert oracle.observe(episode.next()).type == "propose"
    assert oracle.observe(episode.next(answered("expired"))).type == "propose"
    assert oracle.observe(episode.next(answered("expired"))).type == "wait"


def test_the_oracle_looks_first() -> None:
    look = ToolCall(name="calendar.get_calendar_event", arguments={"event_id": "e3"})
    oracle, episode = OracleObserver(CUE.model_copy(update={"looks": (look,)})), Episode()
    assert oracle.observe(episode.next(looks_left=1)) == Look(call=look)
    assert oracle.observe(episode.next(looked())).type == "propose"


@pytest.mark.parametrize(
    ("ending", "after"),
    [("accept", "wait"), ("reject", "wait"), ("expired", "propose"), ("refused", "propose")],
)
def test_the_oracle_repeats_only_what_was_not_answered(ending: str, after: str) -> None:
    oracle, episode = OracleObserver(CUE), Episode()
    assert oracle.observe(episode.next()).type == "propose"
    assert oracle.observe(episode.next(open_proposal="p1")).type == "wait"
    assert oracle.observe(episode.next(answered(ending))).type == after


def test_the_oracle_of_a_quiet_scenario_is_silent() -> None:
    assert OracleObserver(None).observe(Episode().next(note("x"))) == Wait()
