"""Intervals by the bootstrap: pure functions over numbers, seeded.

Episodes of one scenario resemble each other, so whole scenarios are drawn, not episodes (cluster
bootstrap, percentile interval: Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
chapters 8 and 13). What it does not know: episodes, metrics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from heron.contracts import Record
from heron.seeds import derive

DRAWS = 2000
LEVEL = 0.95

Pairs = Mapping[str, Sequence[tuple[float, float]]]
"""Cluster → pairs of values that were measured on the same thing."""


class Interval(Record):
    """An estimate with its interval."""

    estimate: float
    low: float
    high: float
    clusters: int
    values: int

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval lies on one side of zero."""
        return self.low > 0 or self.high < 0


def paired_difference(
    pairs: Pairs, seed: int = 0, *, draws: int = DRAWS, level: float = LEVEL
) -> Interval | None:
    """Mean of first minus second over all pairs, clusters drawn with replacement.

    Args:
        pairs: by cluster; clusters weigh by their number of pairs.
        seed: of the drawing.
        draws: how often.
        level: share of the drawn means that lies within the interval.

    Returns:
        ``None`` if there is no pair.
    """
    clusters = {name: values for name, values in sorted(pairs.items()) if values}
    return clustered_mean(
        {name: [a - b for a, b in values] for name, values in clusters.items()},
        seed,
        draws=draws,
        level=level,
    )


def clustered_mean(
    values: Mapping[str, Sequence[float]],
    seed: int = 0,
    *,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Interval | None:
    """Mean over all values, clusters drawn with replacement; arguments as above.

    Returns:
        ``None`` if there is no value.
    """
    clusters = [list(own) for _, own in sorted(values.items()) if own]
    if not clusters:
        return None
    sums = np.array([sum(own) for own in clusters], dtype=float)
    counts = np.array([len(own) for own in clusters], dtype=float)
    size = len(clusters)
    generator = np.random.default_rng(derive(seed, "bootstrap"))
    drawn = generator.multinomial(size, np.full(size, 1 / size), size=draws)
    means = (drawn @ sums) / (drawn @ counts)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(
        estimate=float(sums.sum() / counts.sum()),
        low=float(low),
        high=float(high),
        clusters=size,
        values=int(counts.sum()),
    )
