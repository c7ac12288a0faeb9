"""Intervals: the same as those of the plain bootstrap, and near those of SciPy."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from statistics import quantiles

import numpy as np
import pytest
from scipy.stats import bootstrap
from tests.eval.scoring.played import played

from heron.contracts import EnergySample, EpisodeCosts, MemorySample, StepCost
from heron.eval.resampling import cluster_bootstrap, cluster_draws, cluster_weights
from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.scoring.columns import Columns
from heron.eval.scoring.estimates import estimate, intervals
from heron.eval.scoring.extraction import features_of
from heron.eval.scoring.features import Features
from heron.eval.scoring.metric import OverRuns


def some(scenarios: int = 30, runs: int = 3) -> list[Features]:
    """Episodes whose scenarios differ in how easy they are."""
    rng = random.Random(4)
    found = []
    for scenario in range(scenarios):
        easy = rng.random()
        for seed in range(runs):
            steps = tuple(StepCost(wall_s=rng.expovariate(1 + easy)) for _ in range(4))
            episode = played(
                *(["offer", "yes"] if rng.random() < easy else ["offer", "no"]),
                scenario=f"s{scenario:03}",
                seed=seed,
                outcome="success" if rng.random() < easy else "failure",
                costs=EpisodeCosts(steps=steps),
            )
            found.append(features_of(episode))
    return found


ROWS = some()


def test_weights_are_the_draws() -> None:
    names = ["b", "a", "c"]
    weights = cluster_weights(names, 3, 50)
    for row, drawn in zip(weights, cluster_draws(names, 3, 50), strict=True):
        assert list(row) == [drawn.count(name) for name in "abc"]


def test_a_ratios_interval_is_that_of_the_plain_bootstrap() -> None:
    by_scenario: dict[str, list[Features]] = {}
    for row in ROWS:
        by_scenario.setdefault(row.scenario, []).append(row)
    plain = cluster_bootstrap(
        by_scenario, lambda rows: sum(r.success for r in rows) / len(rows), seed=5, draws=200
    )
    ours = intervals(ROWS, [METRICS["success_rate"]], seed=5, draws=200)["success_rate"].interval
    assert ours is not None
    assert plain is not None
    assert ours.low == pytest.approx(plain.low)
    assert ours.high == pytest.approx(plain.high)
    assert ours.clusters == 30


def test_a_quantiles_interval_is_that_of_the_plain_bootstrap() -> None:
    by_scenario: dict[str, list[float]] = {}
    for row in ROWS:
        by_scenario.setdefault(row.scenario, []).extend(row.wall_s)
    plain = cluster_bootstrap(
        by_scenario, lambda found: float(np.percentile(found, 95)), seed=1, draws=100
    )
    ours = intervals(ROWS, [METRICS["decision_s_p95"]], seed=1, draws=100)["decision_s_p95"]
    assert ours.interval is not None
    assert plain is not None
    assert (ours.interval.low, ours.interval.high) == pytest.approx((plain.low, plain.high))


def test_near_scipys_bootstrap_of_sums_per_scenario() -> None:
    columns = Columns(ROWS)
    sums = METRICS["acceptance_rate"].sums(columns)  # type: ignore[attr-defined]
    theirs = bootstrap(
        (sums[0], sums[1]),
        lambda above, below, axis: above.sum(axis) / below.sum(axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=4000,
        rng=np.random.default_rng(0),
    ).confidence_interval
    ours = intervals(columns, [METRICS["acceptance_rate"]], draws=4000)["acceptance_rate"].interval
    assert ours is not None
    assert ours.low == pytest.approx(theirs.low, abs=0.012)
    assert ours.high == pytest.approx(theirs.high, abs=0.012)


def test_the_order_of_rows_makes_no_difference() -> None:
    shuffled = random.Random(1).sample(ROWS, len(ROWS))
    wanted = [m for m in METRICS.values() if m.name != "decision_s_p50"]
    ours, theirs = intervals(ROWS, wanted, draws=50), intervals(shuffled, wanted, draws=50)
    for name, own in ours.items():
        other = theirs[name]
        assert own.value == (None if other.value is None else pytest.approx(other.value)), name
        if own.interval is not None and other.interval is not None:
            assert own.interval.low == pytest.approx(other.interval.low), name


def test_percentiles_are_numpys() -> None:
    pooled = [value for row in ROWS for value in row.wall_s]
    for percent in (50, 95, 99):
        value = estimate(ROWS, METRICS[f"decision_s_p{percent}"]).value
        assert value == pytest.approx(quantiles(pooled, n=100, method="inclusive")[percent - 1])


def test_unbiased_and_pares_own_differ_where_runs_do() -> None:
    uneven = [
        played(scenario="a", seed=0, outcome="success"),
        played(scenario="a", seed=1),
        played(scenario="a", seed=2),
        played(scenario="b", seed=0, outcome="success"),
    ]
    rows = [features_of(episode) for episode in uneven]
    # k is 1: a succeeds one time in three, b always.
    assert estimate(rows, METRICS["success_at_k"]).value == pytest.approx((1 / 3 + 1) / 2)
    assert estimate(rows, METRICS["success_pow_k"]).value == pytest.approx((1 / 3 + 1) / 2)
    assert estimate(rows, METRICS["pare_success_at_k"]).value == 1.0
    assert estimate(rows, METRICS["pare_success_pow_k"]).value == 0.5
    metric = METRICS["success_at_k"]
    assert isinstance(metric, OverRuns)
    more = replace(metric, k=3)
    assert estimate(rows, more).reason == "a scenario has 1 runs, fewer than 3"


def test_nothing_at_all_gives_no_value_and_a_reason_for_every_metric() -> None:
    for name, metric in METRICS.items():
        found = estimate([], metric)
        assert found.value is None, name
        assert found.reason, name


def test_what_is_not_measured_says_why() -> None:
    energy = EnergySample(joules=None, reason="no counters here")
    memory = MemorySample(anonymous=None, file_backed=None, reason="the process has ended")
    steps = (StepCost(wall_s=1.0, energy=energy),)
    row = features_of(played("-", costs=EpisodeCosts(steps=steps, memory=memory)))
    said = {
        "joules_per_decision": "no counters here",
        "mwh_per_hour": "no counters here",
        "memory_anonymous": "the process has ended",
        "fields_disclosed": "fields that leave the device are not counted yet",
        "tokens_evaluated": "evaluated is not known in 1 of 1 episodes",
    }
    for name, reason in said.items():
        assert estimate([row], METRICS[name]).reason == reason


def test_one_scenario_gives_no_interval() -> None:
    found = intervals([features_of(played(outcome="success"))], METRICS.values())
    assert all(own.interval is None for own in found.values())


def test_ten_thousand_episodes_take_seconds() -> None:
    rows = [
        replace(row, scenario=f"{row.scenario}-{at % 5}", seed=at)
        for at, row in enumerate(ROWS * 112)
    ][:10_000]
    began = time.process_time()
    found = intervals(rows, METRICS.values())
    assert time.process_time() - began < 20
    assert found["success_rate"].interval is not None
