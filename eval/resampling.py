"""Intervals of any statistic by a bootstrap that resamples scenarios, seeded; pure functions.

Episodes of one scenario resemble each other, so whole scenarios (clusters) are drawn, with
replacement, as many as there are; an interval is between percentiles of the statistic over the
draws (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 8 and 13). What it
does not know: what a statistic means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from heron.contracts import Record
from heron.seeds import stream

T = TypeVar("T")

DRAWS = 1000
LEVEL = 0.95


class Interval(Record):
    """Where a statistic probably lies."""

    low: float
    high: float
    level: float = LEVEL
    clusters: int
    """What was resampled."""
    draws: int
    """Resamples on which the statistic is defined."""
    undefined: int = 0
    """Resamples on which it is not; they are left out."""


def cluster_bootstrap(
    values_by_cluster: Mapping[str, Sequence[T]],
    statistic: Callable[[Sequence[T]], float | None],
    seed: int = 0,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Interval | None:
    """Interval of a statistic over values that come in clusters.

    Args:
        values_by_cluster: cluster → its values.
        statistic: of the values of all drawn clusters; ``None`` where it is not defined.
        seed: of the draws.
        draws: how many resamples.
        level: share of the resamples that the interval holds.

    Returns:
        ``None`` if there are fewer than two clusters, or the statistic is defined on fewer than
        half of the resamples.
    """
    found = [
        statistic([value for name in drawn for value in values_by_cluster[name]])
        for drawn in cluster_draws(values_by_cluster, seed, draws)
    ]
    return interval_of(found, clusters=len(values_by_cluster), level=level)


def cluster_draws(clusters: Iterable[str], seed: int, draws: int = DRAWS) -> Iterator[list[str]]:
    """Resamples of clusters: each as many names as there are, drawn with replacement.

    The same names and seed give the same draws, in whatever order the names come.
    """
    names = sorted(clusters)
    rng = stream(seed, "bootstrap", len(names))
    for _ in range(draws):
        yield rng.choices(names, k=len(names)) if names else []


def cluster_weights(clusters: Iterable[str], seed: int, draws: int = DRAWS) -> NDArray[np.float64]:
    """The same resamples as (draws, clusters in order of name): how often each was drawn.

    A statistic that is a function of sums over clusters is, on all resamples at once, that
    function of ``weights @ sums``.
    """
    names = sorted(clusters)
    place = {name: at for at, name in enumerate(names)}
    rows = [[place[name] for name in drawn] for drawn in cluster_draws(names, seed, draws)]
    weights = np.zeros((draws, len(names)))
    if names:
        np.add.at(weights, (np.arange(draws)[:, None], np.array(rows)), 1.0)
    return weights


def interval_of(
    values: Sequence[float | None], *, clusters: int, level: float = LEVEL
) -> Interval | None:
    """The interval between percentiles of a statistic's values over resamples.

    Returns:
        ``None`` if there are fewer than two clusters, or more than half of the values are ``None``.
    """
    defined = [value for value in values if value is not None]
    if clusters < 2 or not defined or len(defined) * 2 < len(values):
        return None
    tail = 50 * (1 - level)
    low, high = np.percentile(defined, [tail, 100 - tail])
    return Interval(
        low=float(low),
        high=float(high),
        level=level,
        clusters=clusters,
        draws=len(defined),
        undefined=len(values) - len(defined),
    )
