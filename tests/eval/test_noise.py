"""Noise in whole episodes: it is recorded, keeps its rate, and does not change what is scored."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pytest

from heron.contracts import Background, EpisodeConfig, EpisodeRecord, LogEntry
from heron.eval.batch import Bench, Plan
from heron.eval.digest import digest_of
from heron.eval.metrics import events_by_the_way, tool_failure_rate
from heron.scenarios.background.chatter import stir
from heron.scenarios.builder import build
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario

BACKGROUNDS: tuple[Background, ...] = ("bare", "light", "full")


@pytest.fixture(scope="module")
def scenarios() -> tuple[Scenario, ...]:
    """Some of what Heron ships, of all types."""
    return load_suite().scenarios[::9]


def play(scenarios: Iterable[Scenario], runs: int = 1, **config: Any) -> list[EpisodeRecord]:
    """Episodes of the oracles, unless ``config`` says otherwise."""
    parts = {"observer": "oracle", "executor": "oracle", "user": "scripted", **config}
    bench = Bench(Plan(config=EpisodeConfig(**parts), runs=runs))
    return list(bench.episodes(tuple(scenarios)))


def told(episodes: Iterable[EpisodeRecord]) -> dict[tuple[str, int], str]:
    return {(e.scenario, e.seed): e.verdict.outcome for e in episodes}


def calls(episodes: Iterable[EpisodeRecord]) -> list[LogEntry]:
    return [entry for e in episodes for entry in e.log if entry.actor == "assistant"]


@pytest.mark.slow
@pytest.mark.parametrize("background", BACKGROUNDS)
def test_every_reference_passes_on_every_background_with_and_without_noise(
    scenarios: tuple[Scenario, ...], background: Background
) -> None:
    runs = 3 if len(scenarios) < 20 else 1
    quiet = play(scenarios, runs, background=background)
    assert all(episode.verdict.passed for episode in quiet)
    noisy = play(scenarios, runs, background=background, events_per_minute=6.0)
    assert told(noisy) == told(quiet)
    assert events_by_the_way(quiet) == 0
    assert events_by_the_way(noisy) > 20 * len(noisy)
    assert all(e.error is None for episode in noisy for e in episode.log if e.noise == "event")


def test_noise_that_makes_records_does_not_shift_the_ids_of_the_goals() -> None:
    """Chatter opens a chat before the scenario's news opens the one that is to be answered."""
    (scenario,) = load_suite(ids=["trailer_from_two_sellers"]).sound().scenarios
    assert told(play([scenario], 3, events_per_minute=4.0)) == told(play([scenario], 3))


def test_noise_passes_the_scenarios_time_by() -> None:
    """The scenario's own events and the user's steps come when they would come without it.

    Of scenarios in which nobody has to turn pages for the mails that came by the way.
    """
    smoke = load_suite("smoke").scenarios
    quiet, noisy = (play(smoke, events_per_minute=rate) for rate in (0.0, 6.0))
    for still, loud in zip(quiet, noisy, strict=True):
        assert [turn.time for turn in loud.turns] == [turn.time for turn in still.turns]
        own = [(e.name, e.time) for e in loud.log if e.actor == "environment" and not e.noise]
        assert own == [(e.name, e.time) for e in still.log if e.actor == "environment"]


@pytest.mark.parametrize("rate", [2.0, 6.0])
def test_events_by_the_way_keep_their_rate_over_several_apps(
    scenarios: tuple[Scenario, ...], rate: float
) -> None:
    episodes = play(scenarios[:12], 3, events_per_minute=rate)
    minutes = sum((e.log[-1].time - e.turns[0].time).total_seconds() / 60 for e in episodes)
    expected = rate * minutes
    assert abs(events_by_the_way(episodes) - expected) <= 4 * math.sqrt(expected) + len(episodes)
    apps = {e.name.partition(".")[0] for x in episodes for e in x.log if e.noise}
    assert apps == {"email", "messaging", "calendar", "shopping"}


def test_noise_touches_its_own_records_alone(scenarios: tuple[Scenario, ...]) -> None:
    for scenario, episode in zip(
        scenarios, play(scenarios[:12], events_per_minute=6.0), strict=False
    ):
        own: set[tuple[str, str]] = set()
        there = build(scenario, 0).world
        for entry in (entry for entry in episode.log if entry.noise == "event"):
            assert entry.actor == "environment"
            assert not any(there.record(str(value)) for value in entry.arguments.values())
            for change in entry.changes:
                if change.op == "create":
                    own.add((change.kind, change.ref))
                assert (change.kind, change.ref) in own, entry.name


def test_noise_needs_the_apps_that_are_there(scenarios: tuple[Scenario, ...]) -> None:
    scenario = scenarios[0]
    for apps, expected in ((("email",), "email.receive"), (("shopping",), "shopping.add_product")):
        stage = build(scenario, 0)
        for name in list(stage.world.apps):
            if name not in apps:
                del stage.world.apps[name]
        stage.world.schedule(())
        assert stir(stage, 6.0, 10.0) > 20
        assert {event.name for event in stage.world.queue.events} == {expected}
    stage = build(scenario, 0)
    stage.world.apps.clear()
    stage.world.schedule(())
    assert stir(stage, 6.0, 10.0) == 0


@pytest.mark.parametrize("p", [0.1, 0.4])
@pytest.mark.parametrize("lasting", [0.0, 0.5])
def test_tools_fail_at_the_rate_that_is_set(
    scenarios: tuple[Scenario, ...], p: float, lasting: float
) -> None:
    episodes = play(scenarios[:12], 12, tool_failure=p, lasting_failures=lasting)
    made = calls(episodes)
    failed = [entry for entry in made if entry.noise]
    bound = 4 * math.sqrt(len(made) * p * (1 - p))
    assert abs(len(failed) - p * len(made)) <= bound
    assert tool_failure_rate(episodes) == len(failed) / len(made)
    assert {entry.noise for entry in failed} == (
        {"transient"} if not lasting else {"transient", "lasting"}
    )
    assert all(entry.error and not entry.changes for entry in failed)


def test_at_probability_one_nothing_is_written(scenarios: tuple[Scenario, ...]) -> None:
    goal = [scenario for scenario in scenarios if scenario.type == "goal"][:12]
    for episode in play(goal, tool_failure=1.0):
        made = calls([episode])
        assert made
        assert all(entry.error and entry.noise and not entry.changes for entry in made)
        assert episode.verdict.outcome == "failure"
        results = [r for t in episode.turns if t.execution for r in t.execution.calls]
        assert results
        assert not any(result.ok for result in results)
        quiet = play([s for s in goal if s.id == episode.scenario], executor="none")
        writes = [e for e in episode.log if e.changes]
        assert [e.name for e in writes] == [e.name for e in quiet[0].log if e.changes]


def test_a_failed_write_leaves_no_trace(scenarios: tuple[Scenario, ...]) -> None:
    """Each failed episode is what its successful calls alone would have made of it."""
    goal = [scenario for scenario in scenarios if scenario.type == "goal"][:12]
    episodes = play(goal, 4, tool_failure=0.5)
    assert {e.verdict.outcome for e in episodes} == {"success", "failure"}
    for episode in episodes:
        checks = {check.name: check.passed for check in episode.verdict.checks}
        assert checks["consent"]
        assert checks["collateral"]
        failed = any(entry.noise and entry.grant_id for entry in calls([episode]))
        assert (episode.verdict.outcome == "failure") == failed


def test_without_a_call_there_is_no_rate() -> None:
    assert tool_failure_rate([]) is None
    assert events_by_the_way([]) == 0


def test_what_was_set_is_recorded_and_the_same_seed_gives_the_same_noise(
    scenarios: tuple[Scenario, ...],
) -> None:
    settings: dict[str, Any] = {
        "background": "light",
        "tool_failure": 0.3,
        "lasting_failures": 0.2,
        "tool_latency_s": 2.0,
        "events_per_minute": 3.0,
    }
    first = play(scenarios[:4], **settings)
    assert all(first[0].config.model_dump()[name] == value for name, value in settings.items())
    assert digest_of(play(scenarios[:4], **settings)) == digest_of(first)
    assert digest_of(play(scenarios[:4], **{**settings, "tool_failure": 0.4})) != digest_of(first)


def test_a_prepared_phone_can_be_played_again_and_again(scenarios: tuple[Scenario, ...]) -> None:
    parts: dict[str, Any] = {"observer": "oracle", "executor": "oracle", "user": "scripted"}
    config = EpisodeConfig(**parts, background="light", events_per_minute=4.0)
    bench = Bench(Plan(config=config))
    for scenario in scenarios[:4]:
        prepared = bench.prepare(scenario, 0)
        digests = {digest_of([bench.play(prepared)]) for _ in range(3)}
        assert digests == {digest_of([bench.episode(scenario, 0)])}
