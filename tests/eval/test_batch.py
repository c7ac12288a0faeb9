"""Whole runs on the committed scenarios with the baselines, and with an observer that breaks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from heron.contracts import Answered, EpisodeConfig, EpisodeRecord, Idle, UserStep, UserView
from heron.errors import InputError, UnknownName
from heron.eval import metrics
from heron.eval.batch import Bench, Plan
from heron.eval.digest import digest_of
from heron.eval.observers import ProcessObserver
from heron.eval.story import tell
from heron.eval.users.ports import HarnessUser
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario

SMOKE = load_suite("smoke").sound().scenarios


def plan(observer: str, executor: str = "oracle", **more: int) -> Plan:
    config = EpisodeConfig(observer=observer, executor=executor, user="scripted")
    return Plan(config=config, **more)


def run(observer: str, executor: str = "oracle", **more: int) -> list[EpisodeRecord]:
    bench = Bench(plan(observer, executor, **more))
    try:
        return list(bench.episodes(SMOKE))
    finally:
        bench.close()


def test_the_oracle_reaches_every_goal_and_stays_silent_where_nothing_is_wanted() -> None:
    episodes = run("oracle", runs=3)
    assert [e.scenario for e in episodes if not e.verdict.passed] == []
    assert metrics.success_rate(episodes) == 1.0
    assert metrics.silence_rate(episodes) == 1.0
    assert metrics.acceptance_rate(episodes) == 1.0


def test_never_reaches_nothing_and_disturbs_nobody() -> None:
    episodes = run("never")
    assert metrics.success_rate(episodes) == 0.0
    assert metrics.silence_rate(episodes) == 1.0
    assert metrics.proposal_rate(episodes) == 0.0


def test_always_is_not_accepted_on_quiet_scenarios() -> None:
    episodes = run("always")
    assert metrics.acceptance_rate(metrics.quiet_ones(episodes)) == 0.0
    assert metrics.silence_rate(episodes) == 0.0


def test_without_an_executor_an_accept_leads_to_nothing() -> None:
    episodes = run("oracle", "none")
    assert metrics.acceptance_rate(episodes) == 1.0
    assert metrics.success_rate(episodes) == 0.0


def test_all_turns_are_played_also_after_success() -> None:
    assert {len(e.turns) for e in run("oracle")} == {10}


def test_every_write_of_the_assistant_lies_under_a_grant_that_an_accept_minted() -> None:
    for episode in run("oracle"):
        accepted = [t.turn for t in episode.turns if t.decision and t.decision.answer == "accept"]
        for entry in episode.log:
            if entry.actor == "assistant" and entry.effect == "write":
                assert entry.grant_id is not None
                assert entry.turn in accepted


def test_a_grant_is_spent_when_its_execution_ends() -> None:
    bench = Bench(plan("oracle"))
    prepared = bench.prepare(next(s for s in SMOKE if s.type == "goal"), 0)
    assert bench.play(prepared).verdict.passed
    grants = prepared.stage.world.grants
    assert (grants.waiting, grants.spent) == ((), ("g1",))


def test_the_user_sees_twenty_characters_and_goes_to_look_before_it_answers() -> None:
    episodes = metrics.goals(run("oracle"))
    previews = [p.preview for e in episodes for t in e.turns for p in t.previews]
    assert previews
    assert max(map(len, previews)) <= 21
    assert metrics.gather_context_share(episodes) == 1.0


def test_episodes_survive_json_and_can_be_told() -> None:
    for episode in run("oracle"):
        again = EpisodeRecord.model_validate_json(episode.model_dump_json())
        assert digest_of([again]) == digest_of([episode])
        assert list(tell(again)) == list(tell(episode))


DIGEST = """
from tests.eval.test_batch import run
from heron.eval.digest import digest_of
print(digest_of(run("rules")), digest_of(run("oracle")))
"""


def test_the_same_seed_gives_the_same_digest_whatever_the_hash_salt() -> None:
    found = [
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": salt},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for salt in ("1", "2")
    ]
    assert found[0] == found[1]
    assert digest_of(run("rules")) in found[0]
    assert digest_of(run("rules", seed=1)) not in found[0]


def test_seeds_for_training_are_refused() -> None:
    with pytest.raises(InputError, match="not all for evaluation"):
        plan("never", seed=1000)
    with pytest.raises(InputError, match="not all for evaluation"):
        plan("never", seed=998, runs=3)


def test_unknown_parts_are_refused_before_anything_runs() -> None:
    with pytest.raises(UnknownName, match="did you mean 'never'"):
        Bench(plan("nevr"))
    with pytest.raises(UnknownName, match="unknown executor"):
        Bench(plan("never", "robot"))


# --- an observer in a process ---


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    made = Bench(plan("never"))
    made.observer = ProcessObserver(request.param, module="tests.eval.scripted_worker")
    yield made
    made.close()


def play(bench: Bench, scenarios: tuple[Scenario, ...] = SMOKE[:2]) -> list[EpisodeRecord]:
    return list(bench.episodes(scenarios))


@pytest.mark.parametrize("bench", ["die@4", "fault@4"], indirect=True)
def test_an_observer_that_breaks_is_a_fault_and_the_run_goes_on(bench: Bench) -> None:
    episodes = []
    for scenario in SMOKE[:2]:
        episodes.append(bench.episode(scenario, 0))
        # The next episode gets a process of its own.
        assert isinstance(bench.observer, ProcessObserver)
        assert bench.observer.pid is None
    assert [e.fault.part for e in episodes if e.fault] == ["observer", "observer"]
    assert [len(e.turns) for e in episodes] == [4, 4]
    assert not any(e.verdict.passed for e in episodes)
    assert metrics.turns(episodes) == 20


@pytest.mark.parametrize("bench", ["propose@2"], indirect=True)
def test_one_process_serves_all_episodes_and_each_begins_with_a_brief(bench: Bench) -> None:
    episodes = play(bench)
    offers = [t.proposal.text for e in episodes for t in e.turns if t.proposal]
    assert offers == ["Shall I, in episode 1?", "Shall I, in episode 2?"]
    steps = episodes[0].costs.steps
    assert (len(steps), steps[0].evaluated, steps[0].reused) == (10, 3, 5)
    memory = episodes[0].costs.memory
    assert memory is not None
    assert memory.anonymous


class Idler:
    """Does nothing, and accepts at turn 3 whether or not anything was offered."""

    def step(self, view: UserView) -> UserStep:
        assert "accept" not in {offer.name for offer in view.actions}
        return UserStep(move=Answered(answer="accept") if view.turn == 3 else Idle())


def test_idling_lets_time_pass_and_an_accept_of_nothing_opens_no_grant() -> None:
    made = Bench(plan("never"))
    made.user = HarnessUser(lambda _stage, _argument: Idler())
    episode = made.episode(SMOKE[0], 0)
    times = [turn.time for turn in episode.turns]
    assert times == sorted(set(times))
    assert [entry for entry in episode.log if entry.actor != "environment"] == []
    assert all(t.decision is None and t.execution is None for t in episode.turns)
