"""Observers before recorded streams and stored episodes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heron.contracts import (
    AnswerSeen,
    EpisodeConfig,
    EpisodeRecord,
    Look,
    MemorySample,
    Observation,
    ObserverAnswer,
    Propose,
    StepCost,
    ToolCall,
    Wait,
)  # fmt: skip
from heron.eval.batch import Bench, Plan
from heron.eval.judging.scenes import Scenes
from heron.eval.replaying.results import Shown, agreement, same_as_recorded, spoken
from heron.eval.replaying.seat import NOT_RECORDED, Seat
from heron.eval.replaying.showing import Showing
from heron.eval.replaying.sources import EpisodeSource, StreamSource
from heron.eval.replaying.trace import trace_in
from heron.eval.replaying.turning import stream_of
from heron.scenarios.loader import load_suite

Make = Callable[[], dict[str, Any]]
SUITE = load_suite(ids=["train_late_for_client", "two_times_one_taken"]).sound().scenarios


class Scripted:
    """An observer that answers what a table says, by turn and step."""

    def __init__(self, script: dict[tuple[int, int], ObserverAnswer]) -> None:
        self._script, self.seen, self.info = script, list[Observation](), dict[str, Any]()

    def begin(self, cue: object, seed: int) -> None:
        """Nothing to make ready."""

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]:
        self.seen.append(observation)
        answer = self._script.get((observation.turn, observation.step), Wait())
        return answer, StepCost(wall_s=0.01)

    def memory(self) -> MemorySample:
        return MemorySample(anonymous=None, file_backed=None, reason="scripted")

    def close(self) -> None:
        """Nothing to end."""


def watch(
    run: Any, script: dict[tuple[int, int], ObserverAnswer], **how: bool
) -> tuple[Scripted, Shown]:
    source = StreamSource(stream_of(trace_in(json.dumps(run))))
    port = Scripted(script)
    seat = Seat(port, source.stream.header, **how)
    done = []
    source.play(lambda moment, looks: done.append(seat.turn(moment, looks)))
    return port, Shown(stream=source.stream, observer="scripted", moments=tuple(done))


def answers(port: Scripted) -> list[tuple[int, str]]:
    return [(o.turn, s.answer) for o in port.seen for s in o.new if isinstance(s, AnswerSeen)]


def test_an_offer_in_the_recorded_ones_turn_gets_its_answer_and_report(made_up: Make) -> None:
    port, shown = watch(made_up(), {(2, 0): Propose(text="Shall I answer Bo?")})
    assert answers(port) == [(3, "accept")]
    assert [seen.type for seen in port.seen[3].new] == ["execution"]
    assert [o.open_proposal for o in port.seen] == [None, None, None, None, None]
    found = agreement([shown], slack=0)
    assert (found.hits, found.proposals, found.accepted, found.misses) == (1, 1, 1, 0)
    assert (found.precision, found.recall, found.f1) == (1.0, 1.0, 1.0)


def test_an_offer_elsewhere_is_answered_by_nobody_and_expires(made_up: Make) -> None:
    port, shown = watch(made_up(), {(1, 0): Propose(text="Shall I wait?")})
    assert answers(port) == [(4, "expired")]
    assert [o.open_proposal for o in port.seen] == [None, "p1", "p1", None, None]
    assert agreement([shown], slack=0).extra == 1
    assert agreement([shown], slack=1).hits == 1
    assert shown.diverged == 1


def test_answers_to_the_recorded_offers_are_shown_only_if_asked_for(made_up: Make) -> None:
    silent, _ = watch(made_up(), {})
    told, _ = watch(made_up(), {}, show_recorded=True)
    assert answers(silent) == []
    assert answers(told) == [(3, "accept")]


def test_a_second_offer_is_refused_while_one_is_open(made_up: Make) -> None:
    offers = {(turn, 0): Propose(text=f"offer {turn}") for turn in (3, 4)}
    port, shown = watch(made_up(), dict(offers))
    assert [each.refused for each in shown.moments] == [False, False, False, True, False]
    assert answers(port) == [(5, "refused")]


def test_a_look_is_answered_from_the_record_or_not_at_all(made_up: Make) -> None:
    known = Look(call=ToolCall(name="email.search_emails", arguments={"query": "book"}))
    other = Look(call=ToolCall(name="email.search_emails", arguments={"query": "heron"}))
    port, shown = watch(made_up(), {(1, 0): known, (2, 0): known, (2, 1): other})
    results = [s.result for o in port.seen for s in o.new if s.type == "look"]
    # In the first turn nobody had looked yet: what comes later is not foretold.
    assert [result.ok for result in results] == [False, True, False]
    assert results[0].error == NOT_RECORDED
    assert [each.not_recorded for each in shown.moments][:2] == [1, 1]


def test_a_threshold_is_counted_on_scores_with_the_same_rule_for_open_offers(made_up: Make) -> None:
    from heron.contracts import Scores

    waits: dict[tuple[int, int], ObserverAnswer] = {
        (turn, 0): Wait(scores=Scores(wait=1 - share, look=0.0, propose=share))
        for turn, share in ((1, 0.2), (2, 0.6), (3, 0.6), (4, 0.1), (5, 0.6))
    }
    _, shown = watch(made_up(), waits)
    assert spoken(shown, 0.5) == [2, 3]
    assert spoken(shown, 0.15) == [1, 5]
    assert spoken(shown) == []


# --- own episodes -------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["rules", "oracle", "always"])
def episodes(request: pytest.FixtureRequest) -> list[EpisodeRecord]:
    config = EpisodeConfig(observer=request.param, executor="oracle", user="scripted")
    bench = Bench(Plan(config=config, runs=1, seed=0, threads=1))
    try:
        return list(bench.episodes(SUITE))
    finally:
        bench.close()


def test_the_same_observer_decides_exactly_what_is_stored(episodes: list[EpisodeRecord]) -> None:
    scenes = Scenes()
    showing = Showing(episodes[0].config.observer)
    for episode in episodes:
        shown = showing.show(EpisodeSource(episode, scenes))
        assert shown.fault is None
        assert [each.answers for each in shown.moments] == [t.observer for t in episode.turns]
        assert shown.diverged is None
        pairs = zip(shown.stream.moments, shown.moments, strict=True)
        assert all(same_as_recorded(moment, own) for moment, own in pairs)


def test_the_phone_answers_looks_in_an_episode(episodes: list[EpisodeRecord]) -> None:
    source = EpisodeSource(episodes[0], Scenes())
    name = next(s.name for s in source.stream.header.brief.tools if s.name.startswith("calendar."))
    port = Scripted({(1, 0): Look(call=ToolCall(name="calendar.read_today_calendar_events"))})
    seat = Seat(port, source.stream.header)
    done = []
    source.play(lambda moment, looks: done.append(seat.turn(moment, looks)))
    looked = [s.result for o in port.seen for s in o.new if s.type == "look"]
    assert name
    assert [result.ok for result in looked] == [True]


@pytest.mark.weights
def test_the_smallest_model_watches_a_recorded_stream(made_up: Make, tmp_path: Path) -> None:
    from heron.errors import HeronError
    from heron.models import store

    model = "smollm2-135m-instruct-q4_1"
    try:
        store.resolve(model)
    except HeronError as missing:
        pytest.skip(str(missing))
    source = StreamSource(stream_of(trace_in(json.dumps(made_up()))))
    showing = Showing(f"gguf:{model}")
    try:
        showing.start([source])
        shown = showing.show(source)
    finally:
        showing.close()
    assert shown.fault is None
    assert len(shown.moments) == len(source.stream.moments)
    assert all(each.score is not None for each in shown.moments)
