"""Two configurations on the same scenarios and seeds: difference, interval, test, what is missed.

The same resamples of scenarios are drawn for both, so that what is common to both (a hard scenario,
an unlucky seed) takes no part in the difference. What it does not know: names of configurations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heron.eval.resampling import Interval, interval_of
from heron.eval.scoring.columns import Columns, Floats
from heron.eval.scoring.estimates import drawn_values, estimate
from heron.eval.scoring.metric import Metric, OverRuns, Ratio
from heron.eval.scoring.permutation import FLIPS, Tested, common_ratio_parts, permutation_test
from heron.eval.scoring.power import Detectable, detectable


@dataclass(frozen=True, kw_only=True)
class Paired:
    """First minus second."""

    difference: float | None
    reason: str | None = None
    """Why there is none."""
    interval: Interval | None = None
    test: Tested | None = None
    """``None`` where the metric is no ratio of sums, such as a percentile."""
    detectable: Detectable | None = None
    """``None`` where the metric is no plain ratio."""


def paired(
    first: Columns,
    second: Columns,
    metric: Metric,
    weights: Floats,
    *,
    seed: int = 0,
    flips: int = FLIPS,
    runs: int | None = None,
) -> Paired:
    """Compare two configurations.

    Args:
        first: rows in the same order of (scenario, seed) as those of ``second``.
        second: the other's.
        metric: which figure.
        weights: resamples, from ``resampling.cluster_weights`` over the same scenarios.
        seed: of the permutation test.
        flips: of the same, where not all are tried.
        runs: for which number of runs to tell the minimum detectable difference; the one played,
            if not given.
    """
    values = [estimate(side, metric) for side in (first, second)]
    missing = [found.reason for found in values if found.value is None]
    if values[0].value is None or values[1].value is None:
        return Paired(difference=None, reason=missing[0])
    drawn = [drawn_values(side, [metric], weights).get(metric.name) for side in (first, second)]
    interval = None
    if drawn[0] is not None and drawn[1] is not None:
        interval = difference_interval(drawn[0] - drawn[1], len(first.scenarios))
    return Paired(
        difference=values[0].value - values[1].value,
        interval=interval,
        test=_tested(first, second, metric, seed, flips),
        detectable=_detectable(first, second, metric, runs),
    )


def difference_interval(values: Floats, clusters: int) -> Interval | None:
    """The interval of values on resamples, NaN where they are not defined."""
    return interval_of(
        [None if np.isnan(value) else float(value) for value in values], clusters=clusters
    )


def influence(columns: Columns, metric: Ratio, used: NDArray[np.bool_]) -> Floats:
    """How far each episode moves a ratio: numbers whose mean is the ratio.

    For a ratio of sums r = A / B over n episodes, r + (a - r b) n / B: its linearisation (the delta
    method). Where every b is the same, that is a / b.

    Args:
        columns: of one configuration.
        metric: the ratio.
        used: which episodes it is about.
    """
    above, below = (
        sum(weight * columns.column(name)[used] for name, weight in terms.items())
        for terms in (metric.above, metric.below)
    )
    whole = np.sum(above) / np.sum(below)
    moved = (above - whole * below) * used.sum() / np.sum(below)
    return np.asarray(metric.scale * (whole + moved), dtype=np.float64)


def _tested(
    first: Columns, second: Columns, metric: Metric, seed: int, flips: int
) -> Tested | None:
    if not isinstance(metric, Ratio | OverRuns):
        return None
    parts = common_ratio_parts(metric.sums(first), metric.sums(second))
    return None if parts is None else permutation_test(parts, seed, flips)


def _detectable(
    first: Columns, second: Columns, metric: Metric, runs: int | None
) -> Detectable | None:
    if not isinstance(metric, Ratio):
        return None
    # A goal's metric is not about quiet episodes: all of its fields are 0 there.
    used = np.zeros(len(first), dtype=bool)
    for side in (first, second):
        for name in metric.fields:
            used |= side.column(name) != 0
    apart = influence(first, metric, used) - influence(second, metric, used)
    by_scenario: dict[str, list[float]] = {}
    for at, value in zip(np.flatnonzero(used), apart, strict=True):
        by_scenario.setdefault(first.rows[at].scenario, []).append(float(value))
    return detectable(by_scenario, runs)
