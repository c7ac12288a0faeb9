"""Figures about probabilities and decisions; pure functions of arrays.

What it does not know: models, streams, files.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from heron.observer.calibration import Bin, Costs, Quality

BINS: Final = 10
NEIGHBOURS: Final = 8
"""Percentiles to either side over which the cost of a threshold is averaged."""
NEVER: Final = 1.01
"""A threshold that no probability reaches."""

Values = NDArray[np.float64]
Flags = NDArray[np.bool_]


def brier(useful: Flags, probability: Values) -> float:
    """Mean squared error of probabilities (Brier 1950). Not defined for none at all."""
    return float(np.mean((probability - useful) ** 2))


def reliability(useful: Flags, probability: Values, bins: int = BINS) -> tuple[Bin, ...]:
    """Rows of the reliability curve: bins of equal width that hold something."""
    place = np.minimum((probability * bins).astype(int), bins - 1)
    rows = []
    for each in range(bins):
        inside = place == each
        if inside.any():
            rows.append(
                Bin(
                    count=int(inside.sum()),
                    predicted=float(probability[inside].mean()),
                    observed=float(useful[inside].mean()),
                )
            )
    return tuple(rows)


def ece(useful: Flags, probability: Values, bins: int = BINS) -> float:
    """Expected calibration error (Naeini et al. 2015): over bins of equal width, the mean distance
    between predicted and observed, weighted by their sizes.
    """
    rows = reliability(useful, probability, bins)
    total = sum(row.count for row in rows)
    return sum(row.count * abs(row.predicted - row.observed) for row in rows) / total


def auroc(useful: Flags, score: Values) -> float | None:
    """Share of pairs of a useful and another observation in the right order; ties count half.

    By ranks (Mann and Whitney 1947). ``None`` where there is but one class.
    """
    positive = int(useful.sum())
    negative = len(useful) - positive
    if not positive or not negative:
        return None
    _, inverse, counts = np.unique(score, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    ranks = middle[inverse]
    return float((ranks[useful].sum() - positive * (positive + 1) / 2) / (positive * negative))


def quality(useful: Flags, probability: Values) -> Quality:
    """All of it."""
    return Quality(
        brier=brier(useful, probability),
        ece=ece(useful, probability),
        auroc=auroc(useful, probability),
        reliability=reliability(useful, probability),
    )


def stream_cost(useful: Flags, speaks: Flags, costs: Costs) -> float:
    """Cost of one stream watched from its beginning.

    Each offer up to the first one of use costs an interruption, and each offer its energy; where
    there was a chance and none was taken, that costs a missed chance, once.

    Args:
        useful: whether an offer is of use, at each observation, in order.
        speaks: whether one is made there.
        costs: of errors and energy.
    """
    taken = np.flatnonzero(useful & speaks)
    end = int(taken[0]) if len(taken) else len(useful)
    disturbed = int((speaks & ~useful)[:end].sum())
    missed = bool(useful.any()) and not len(taken)
    offers = disturbed + bool(len(taken))
    return costs.interruption * disturbed + costs.offer * offers + costs.missed * missed


def mean_cost(useful: Flags, speaks: Flags, stream: NDArray[np.int_], costs: Costs) -> float:
    """Of many streams, whose observations are told apart by a number."""
    each = [stream_cost(useful[stream == s], speaks[stream == s], costs) for s in np.unique(stream)]
    return float(np.mean(each))


def cheapest(useful: Flags, probability: Values, stream: NDArray[np.int_], costs: Costs) -> float:
    """The threshold in the middle of where streams cost least.

    Tried are break-even, the percentiles above it, and never to speak. The cost of each is averaged
    with its neighbours': the lowest cost of all often lies beside a cliff, where scores a little
    lower miss every chance. Of several that cost the same, the middle one is taken.
    """
    levels = np.unique(np.quantile(probability, np.linspace(0, 1, 101)))
    least = costs.break_even
    tried = np.array([least, *levels[levels > least], max(least, NEVER)])
    cost = [mean_cost(useful, probability >= level, stream, costs) for level in tried]
    padded = np.pad(cost, NEIGHBOURS, mode="edge")
    around = np.lib.stride_tricks.sliding_window_view(padded, 2 * NEIGHBOURS + 1).mean(axis=1)
    best = np.flatnonzero(around <= around.min() + 1e-9)
    return float(tried[best[len(best) // 2]])


def share_useful(useful: Flags, score: Values, rate: float) -> float | None:
    """Share of offers that are of use if the highest scores speak, ``rate`` of all observations.

    Of scores that tie at the border each counts for its part. ``None`` where nothing speaks.
    """
    count = round(rate * len(score))
    if not count:
        return None
    border = np.sort(score)[-count]
    above, tied = score > border, score == border
    left = count - int(above.sum())
    return float((useful[above].sum() + left * useful[tied].mean()) / count)
