"""The shipped suite: sound for many seeds, varied, matched in style, told apart by its users."""

from __future__ import annotations

from collections import Counter

import pytest

from heron.scenarios import unaided
from heron.scenarios.builder import build
from heron.scenarios.check import check
from heron.scenarios.coverage import counts, totals, use_of
from heron.scenarios.loader import Suite
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.sim.graph import next_step

SMOKE = [
    "class_move_already_entered",
    "clinic_line_hours",
    "club_session_earlier",
    "colleague_new_number",
    "number_being_looked_up",
    "repair_number_wanted",
    "train_late_for_client",
    "two_times_one_taken",
]


def smoke(suite: Suite) -> dict[str, Scenario]:
    return {s.id: s for s in suite if "smoke" in s.splits}


def to_the_moment(stage: Stage) -> list[unaided.UnaidedTurn]:
    """Play until help is useful."""
    return unaided.play(stage, until=lambda _: unaided.opened(stage))


def writes(stage: Stage) -> int:
    return sum(step.effect == "write" for step in stage.reference)


def test_the_split_smoke(suite: Suite) -> None:
    assert suite.errors == ()
    found = smoke(suite)
    assert sorted(found) == SMOKE
    types = Counter(scenario.type for scenario in found.values())
    assert types == {"goal": 6, "quiet": 2}
    for scenario in found.values():
        other = "full" if scenario.type == "goal" else "quiet"
        assert set(scenario.splits) - {"ablation"} == {other, "smoke"}


def test_the_splits_have_their_sizes(suite: Suite) -> None:
    sizes = Counter(split for scenario in suite for split in scenario.splits)
    assert sizes == {"full": 143, "ablation": 50, "quiet": 37, "restraint": 20, "smoke": 8}
    assert len(suite) == 200


def test_the_ablation_is_a_stratified_part_of_full(suite: Suite) -> None:
    full = Counter(s.kind for s in suite if "full" in s.splits)
    some = Counter(s.kind for s in suite if "ablation" in s.splits)
    assert all("full" in s.splits for s in suite if "ablation" in s.splits)
    assert all(abs(some[kind] - 50 * full[kind] / 143) <= 1.5 for kind in full)


def test_families_have_three_to_six_siblings(suite: Suite) -> None:
    siblings = Counter(scenario.family for scenario in suite)
    assert len(siblings) >= 40
    assert all(3 <= number <= 6 for number in siblings.values())


def test_the_floor_of_what_a_suite_needs(suite: Suite) -> None:
    """At least the means of PARE's scenarios, and more of what makes help hard to time."""
    found = totals([use_of(scenario) for scenario in suite])
    assert found["mean_apps"] >= 2.5
    assert found["mean_writes"] >= 2.1
    assert 1 <= found["fewest_writes"] <= found["most_writes"] <= 7
    assert found["app_combinations"] >= 60
    assert found["two_records_or_more"] >= 60
    assert found["moment_matters"] >= 40
    assert len({scenario.setting for scenario in suite}) >= 12
    assert len({scenario.locale for scenario in suite}) >= 4


def test_every_write_tool_is_of_use_somewhere(suite: Suite) -> None:
    used = counts(use_of(scenario) for scenario in suite)["write"]
    assert [name for name, number in used.items() if not number] == []


def test_the_smoke_scenarios_vary(suite: Suite) -> None:
    found = list(smoke(suite).values())
    assert len({scenario.kind for scenario in found}) == 8
    assert len({scenario.setting for scenario in found}) == 8
    assert len({scenario.locale for scenario in found}) >= 3
    assert len({tuple(sorted(s.phone.content)) for s in found}) >= 3
    for scenario in found:
        stage = build(scenario, 0)
        assert len(scenario.phone.content) >= 2
        assert (1 <= writes(stage) <= 3) == (scenario.type == "goal")


@pytest.mark.parametrize("name", SMOKE)
def test_each_is_sound_for_many_seeds(suite: Suite, name: str) -> None:
    assert [str(problem) for problem in check(smoke(suite)[name], range(25))] == []


@pytest.mark.parametrize("name", SMOKE)
def test_each_can_be_judged_within_six_turns_of_its_trigger(suite: Suite, name: str) -> None:
    for seed in range(10):
        stage = build(smoke(suite)[name], seed)
        turns = to_the_moment(stage)
        assert len(turns) <= 2
        assert len(stage.brief.needs) <= 2
        taken = 0
        for need in stage.brief.needs:
            while need.ref not in stage.world.opened:
                act = next_step(stage.world, need.ref)
                assert act is not None
                stage.world.user_act(act)
                taken += 1
        assert taken <= 6


def test_the_user_alone_does_not_reach_the_goal(suite: Suite) -> None:
    for scenario in smoke(suite).values():
        stage = build(scenario, 3)
        unaided.play(stage)
        own = [e.name for e in stage.world.log if e.actor == "user" and e.effect == "write"]
        assert own == (["messaging.send"] if scenario.id == "number_being_looked_up" else [])


def test_the_need_takes_two_records(suite: Suite) -> None:
    goals = [s for s in smoke(suite).values() if s.type == "goal"]
    assert sum(len(scenario.user.needs) >= 2 for scenario in goals) >= 3


def test_every_text_is_our_own_world(suite: Suite) -> None:
    """Addresses lie in domains that nobody can register."""
    for scenario in suite:
        stage = build(scenario, 1)
        for app in stage.world.apps.values():
            for table in app.tables.values():
                for record in table:
                    email = getattr(record, "email", None) or getattr(record, "sender", "")
                    if "@" in str(email):
                        domain = str(email).rpartition("@")[2]
                        assert domain.endswith((".example", "example.org", "example.com"))
