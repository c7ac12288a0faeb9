"""Estimates of metrics with intervals: one bootstrap over scenarios for all of them at once.

Ten thousand episodes, a thousand resamples and all metrics take seconds: sums per scenario are made
once, a resample is a vector of weights, and all values on all resamples are a product of matrices.
What it does not know: which figure is shown where.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heron.eval.resampling import DRAWS, LEVEL, Interval, cluster_weights, interval_of
from heron.eval.scoring.columns import Columns, Floats
from heron.eval.scoring.features import Features
from heron.eval.scoring.metric import Largest, Metric, Quantile, Summed


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A metric's value."""

    metric: str
    value: float | None
    reason: str | None = None
    """Why there is no value."""
    interval: Interval | None = None
    """``None`` also where there are fewer than two scenarios, or none was asked for."""


def estimate(features: Sequence[Features] | Columns, metric: Metric) -> Estimate:
    """A metric's value without an interval."""
    columns = features if isinstance(features, Columns) else Columns(features)
    reason = metric.unknown(columns)
    value = None if reason else _whole(columns, metric)
    if value is None:
        reason = reason or metric.why(columns) or metric.empty
        return Estimate(metric=metric.name, value=None, reason=reason)
    return Estimate(metric=metric.name, value=value)


def intervals(
    features: Sequence[Features] | Columns,
    metrics: Iterable[Metric],
    seed: int = 0,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> dict[str, Estimate]:
    """Values with percentile intervals of a bootstrap that resamples scenarios.

    Args:
        features: of one configuration, or of several taken together.
        metrics: which.
        seed: of the resampling.
        draws: how many resamples.
        level: share of the resamples that an interval holds.
    """
    columns = features if isinstance(features, Columns) else Columns(features)
    wanted = tuple(metrics)
    found = {metric.name: estimate(columns, metric) for metric in wanted}
    defined = [metric for metric in wanted if found[metric.name].value is not None]
    weights = cluster_weights(columns.scenarios, seed, draws)
    for name, values in drawn_values(columns, defined, weights).items():
        interval = interval_of(
            [None if np.isnan(value) else float(value) for value in values],
            clusters=len(columns.scenarios),
            level=level,
        )
        value = found[name].value
        found[name] = Estimate(metric=name, value=value, interval=interval)
    return found


def drawn_values(columns: Columns, metrics: Sequence[Metric], weights: Floats) -> dict[str, Floats]:
    """Metric → its values on resamples, NaN where it is not defined; none of a ``Largest``.

    Args:
        columns: of one configuration.
        metrics: which.
        weights: (resamples, scenarios in order of name), from ``resampling.cluster_weights``.
    """
    return {**_summed(columns, metrics, weights), **_quantiles(columns, metrics, weights)}


def _whole(columns: Columns, metric: Metric) -> float | None:
    if not len(columns):
        return None
    if isinstance(metric, Summed):
        value = float(metric.value(metric.sums(columns).sum(axis=1)))
        return None if np.isnan(value) else value
    if isinstance(metric, Quantile):
        values, _ = columns.pooled(metric.of)
        return float(np.quantile(values, metric.at)) if values.size else None
    if isinstance(metric, Largest):
        known = columns.column(metric.of)
        known = known[~np.isnan(known)]
        return float(known.max()) if known.size else None
    raise TypeError(f"{type(metric).__name__} is no kind of metric that is known here")


def _summed(columns: Columns, metrics: Sequence[Metric], weights: Floats) -> dict[str, Floats]:
    """Metric → its values on all resamples."""
    made = [(m, m.sums(columns)) for m in metrics if isinstance(m, Summed)]
    if not made:
        return {}
    drawn = weights @ np.concatenate([sums for _, sums in made]).T
    found, start = {}, 0
    for metric, sums in made:
        found[metric.name] = metric.value(drawn[:, start : start + len(sums)].T)
        start += len(sums)
    return found


def _quantiles(columns: Columns, metrics: Sequence[Metric], weights: Floats) -> dict[str, Floats]:
    asked: dict[str, list[Quantile]] = {}
    for metric in metrics:
        if isinstance(metric, Quantile):
            asked.setdefault(metric.of, []).append(metric)
    found = {}
    for name, own in asked.items():
        values, owner = columns.pooled(name)
        drawn = _weighted_quantiles(values, owner, weights, [m.at for m in own])
        found.update({m.name: column for m, column in zip(own, drawn.T, strict=True)})
    return found


def _weighted_quantiles(
    values: Floats, owner: NDArray[np.intp], weights: Floats, at: Sequence[float]
) -> Floats:
    """(draws, quantiles): NumPy's linear quantile of the values, each as often as its cluster was
    drawn; NaN where a resample holds none.

    Args:
        values: sorted.
        owner: of each value, its cluster.
        weights: (draws, clusters), whole numbers.
        at: between 0 and 1.
    """
    found = np.full((len(weights), len(at)), np.nan)
    for draw, weight in enumerate(weights):
        upto = np.cumsum(weight[owner])
        if not upto[-1]:
            continue
        place = np.array(at) * (upto[-1] - 1)
        low = np.searchsorted(upto, np.floor(place), side="right")
        high = np.searchsorted(upto, np.ceil(place), side="right")
        found[draw] = values[low] + (values[high] - values[low]) * (place - np.floor(place))
    return found
