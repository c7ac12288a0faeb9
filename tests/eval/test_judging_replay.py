"""Decision points of Heron's own episodes: exported, and put before scripted users again."""

from __future__ import annotations

from typing import Any

import pytest

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.eval.batch import Bench, Plan
from heron.eval.judging.export import first_answers, points_of
from heron.eval.judging.points import DecisionPoint, Moment
from heron.eval.judging.replay import LeftBehind, answer_again, reach
from heron.eval.judging.scenes import Scenes
from heron.eval.staging import staged
from heron.eval.users.scripted import make
from heron.scenarios.loader import load_suite

SMOKE = load_suite("smoke").sound().scenarios
NOISE = {"tool_failure": 0.4, "lasting_failures": 0.3, "events_per_minute": 2.0}


def play(user: str, observer: str, **config: Any) -> list[EpisodeRecord]:
    settings = EpisodeConfig(observer=observer, executor="oracle", user=user, **config)
    bench = Bench(Plan(config=settings))
    try:
        return list(bench.episodes(SMOKE))
    finally:
        bench.close()


@pytest.fixture(scope="module")
def scenes() -> Scenes:
    return Scenes(SMOKE)


@pytest.fixture(scope="module")
def episodes() -> list[EpisodeRecord]:
    return [*play("scripted", "oracle"), *play("scripted:lenient", "always")]


@pytest.fixture(scope="module")
def points(episodes: list[EpisodeRecord], scenes: Scenes) -> list[DecisionPoint]:
    return list(points_of(episodes, scenes))


def again(point: DecisionPoint, scenes: Scenes, persona: str | None = None) -> str:
    own = point.user.partition(":")[2]
    return answer_again(point, own if persona is None else persona, scenes)[0]


def test_each_proposal_that_was_answered_is_a_point(
    episodes: list[EpisodeRecord], points: list[DecisionPoint]
) -> None:
    assert len({p.point_id for p in points}) == len(points)
    assert len(points) == sum(1 for e in episodes for _ in first_answers(e))
    assert {p.decision for p in points} == {"accept", "reject", "gather_context"}
    assert all(p.goal for p in points)


def test_the_context_ends_with_the_moment_of_the_first_answer(
    episodes: list[EpisodeRecord], points: list[DecisionPoint]
) -> None:
    by_id = {(e.config.observer, e.scenario): e for e in episodes}
    for point in points:
        episode = by_id[point.observer, point.scenario]
        last = point.context[-1].turn
        turn = episode.turns[last - 1]
        assert turn.decision is not None
        assert turn.decision.answer == point.decision
        assert point.context[-1].steps == ()
        assert point.context[-1].screen[0].startswith(turn.view.app)
        assert point.replay is not None
        assert len(point.replay.turns) == last - 1
        shown = [t.proposal.text for t in episode.turns[: last - 1] if t.proposal is not None]
        assert shown[-1] == point.proposal


def test_what_came_of_earlier_offers_is_in_the_context(points: list[DecisionPoint]) -> None:
    said = [step.action for p in points for moment in p.context for step in moment.steps]
    assert any(words.startswith("reject the offer “") for words in said)


def test_the_same_user_answers_the_same_again(points: list[DecisionPoint], scenes: Scenes) -> None:
    assert [again(p, scenes) for p in points] == [p.decision for p in points]


@pytest.mark.parametrize("user", ["scripted:tired", "scripted:distracted"])
def test_also_where_chance_and_noise_play_a_part(user: str, scenes: Scenes) -> None:
    noisy = [*play(user, "always", **NOISE), *play(user, "oracle", **NOISE)]
    found = list(points_of(noisy, scenes))
    assert found
    assert [again(p, scenes) for p in found] == [p.decision for p in found]


@pytest.mark.parametrize("persona", ["neutral", "tired"])
def test_the_phone_is_brought_to_where_it_was_whoever_is_asked(
    persona: str, scenes: Scenes
) -> None:
    """Line by line of its log, failed tools and executions included."""
    noisy = [*play("scripted:lenient", "always", **NOISE), *play("scripted", "oracle", **NOISE)]
    assert any(entry.noise in ("transient", "lasting") for e in noisy for entry in e.log)
    of = {(e.config.observer, e.scenario): e for e in noisy}
    with_writes = 0
    for point in points_of(noisy, scenes):
        scenario, replay = scenes.find(point.scenario), point.replay
        assert scenario is not None
        assert replay is not None
        stage = staged(scenario, replay.seed, replay.config)
        reach(stage, replay, make(stage, persona))
        before = len(replay.turns)
        log = [entry.record(stage.world.app_of) for entry in stage.world.log]
        played = [line for line in log if line.turn <= before]
        recorded = of[point.observer, point.scenario].log
        assert played == [line for line in recorded if line.turn <= before]
        with_writes += any(x.actor == "assistant" and x.effect == "write" for x in played)
        stage.world.close()
    assert with_writes


def test_another_user_need_not(points: list[DecisionPoint], scenes: Scenes) -> None:
    changed = [p for p in points if again(p, scenes, "strict") != p.decision]
    assert changed
    assert len(changed) < len(points)


def test_a_moment_that_cannot_be_reached_is_told(
    points: list[DecisionPoint], scenes: Scenes
) -> None:
    point = points[0]
    assert point.replay is not None
    other = point.replay.model_copy(update={"scenario_hash": "0" * 64})
    short = point.replay.model_copy(update={"turns": ()})
    for changes, told in (
        ({"replay": None}, "names no Heron scenario"),
        ({"scenario": "no_such"}, "no scenario 'no_such'"),
        ({"replay": other}, "has changed"),
        ({"replay": short}, "no proposal is open"),
        ({"proposal": "Something else?"}, "another proposal is open"),
        ({"context": (*point.context, Moment(turn=99))}, "another screen is in front"),
    ):
        with pytest.raises(LeftBehind, match=told):
            again(point.model_copy(update=changes), scenes)


def test_a_run_in_which_thinking_took_time_cannot_be_played_again(scenes: Scenes) -> None:
    measured = play("scripted", "oracle", clock="measured")
    found = list(points_of(measured, scenes))
    assert found
    assert all(p.replay is None for p in found)


def test_a_scenario_that_has_changed_lends_no_goal(
    episodes: list[EpisodeRecord], scenes: Scenes
) -> None:
    old = [e.model_copy(update={"scenario_hash": "0" * 64}) for e in episodes]
    assert {p.goal for p in points_of(old, scenes)} == {""}
