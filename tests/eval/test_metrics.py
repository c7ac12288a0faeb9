"""Metrics against cases computed by hand."""

from __future__ import annotations

from itertools import combinations

import pytest
from tests.eval.records import entry, episode, turn

from heron.contracts import EpisodeCosts, StepCost
from heron.eval import metrics
from heron.eval.digest import digest_of
from heron.eval.summary import summarise

MIXED = [
    episode("success", scenario="a", run=0),
    episode("failure", scenario="a", run=1),
    episode("success", scenario="b", run=0),
    episode("success", scenario="b", run=1),
    episode("done_by_user", scenario="c", run=0),
    episode("failure", scenario="c", run=1, fault=True),
    episode("silent", scenario="q", kind="quiet", run=0),
    episode("disturbed", scenario="q", kind="quiet", run=1),
]


def test_success_counts_goal_episodes_and_silence_quiet_ones() -> None:
    assert metrics.success_rate(MIXED) == pytest.approx(3 / 6)
    assert metrics.silence_rate(MIXED) == pytest.approx(1 / 2)


def test_success_at_k_and_pow_k_are_pares_where_runs_equal_k() -> None:
    assert metrics.success_at_k(MIXED, 2) == pytest.approx(2 / 3)
    assert metrics.success_pow_k(MIXED, 2) == pytest.approx(1 / 3)
    assert metrics.success_at_k(MIXED, 1) == pytest.approx(metrics.success_rate(MIXED))


def test_estimators_equal_the_mean_over_all_choices_of_k_runs() -> None:
    results = [True, False, False, True, False]
    runs = [episode("success" if won else "failure", run=i) for i, won in enumerate(results)]
    for k in (1, 2, 3, 5):
        chosen = list(combinations(results, k))
        assert metrics.success_at_k(runs, k) == pytest.approx(
            sum(any(c) for c in chosen) / len(chosen)
        )
        assert metrics.success_pow_k(runs, k) == pytest.approx(
            sum(all(c) for c in chosen) / len(chosen)
        )


def test_empty_denominators_are_none_not_zero() -> None:
    assert metrics.success_rate([]) is None
    assert metrics.silence_rate(MIXED[:2]) is None
    assert metrics.acceptance_rate(MIXED) is None
    assert metrics.first_answers(MIXED) is None
    assert metrics.gather_context_share(MIXED) is None
    assert metrics.success_at_k(MIXED, 3) is None
    assert summarise([], 1)["observer"]["wall_s"] is None


PROPOSED = [
    episode("success", turn(1, proposal="p1"), turn(2, "gather_context"), turn(3, "accept")),
    episode("failure", turn(1, proposal="p1"), turn(2, "ignore"), turn(3, "reject")),
    episode("failure", turn(1, proposal="p1"), turn(2, "ignore"), turn(3, "ignore")),
    episode("failure", turn(1, proposal="p1"), turn(2, "accept"), turn(5, proposal="p2")),
]


def test_rates_of_proposals() -> None:
    assert metrics.proposal_rate(PROPOSED) == pytest.approx(5 / 40)
    assert metrics.acceptance_rate(PROPOSED) == pytest.approx(2 / 5)


def test_first_answers_add_up_to_one_and_ignore_is_the_rest() -> None:
    first = metrics.first_answers(PROPOSED)
    assert first == {"accept": 0.2, "reject": 0.2, "gather_context": 0.2, "ignore": 0.4}


def test_gather_context_share_is_of_proposals_answered_or_looked_at() -> None:
    assert metrics.gather_context_share(PROPOSED) == pytest.approx(1 / 3)


def test_an_episode_cut_short_keeps_its_turns_in_the_denominator() -> None:
    cut = [episode("failure", turn(1, proposal="p1"), fault=True)]
    assert metrics.proposal_rate(cut) == pytest.approx(1 / 10)
    assert metrics.faults(cut) == 1
    assert metrics.success_rate(cut) == 0.0


def test_reads_and_writes_count_the_assistants_successful_calls_only() -> None:
    log = (
        entry("assistant", effect="read"),
        entry("assistant"),
        entry("assistant", error="no"),
        entry("user"),
    )
    assert metrics.read_actions([episode(log=log)]) == 1
    assert metrics.write_actions([episode(log=log)]) == 1


def test_the_digest_leaves_out_what_was_measured_and_the_order_and_nothing_else() -> None:
    slow = EpisodeCosts(steps=(StepCost(wall_s=9.0, cpu_s=8.0),), wall_s=9.0)
    assert digest_of([episode(costs=slow)]) == digest_of([episode()])
    assert digest_of(MIXED) == digest_of(MIXED[::-1])
    assert digest_of(MIXED) != digest_of(MIXED[1:])
    assert digest_of([episode("success")]) != digest_of([episode("failure")])
