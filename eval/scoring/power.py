"""How small a difference a comparison could show: the minimum detectable difference.

A paired comparison rests on one number per scenario: the mean difference over its runs. Its
variance is that between scenarios, which more runs do not lower, plus that within them divided by
the runs; both are estimated from the runs there are (one-way random effects by the method of
moments: Searle, Casella and McCulloch, Variance Components, 1992, chapter 3). The minimum
detectable difference is the true difference that a two-sided paired t-test over the scenarios
shows with the stated power (Bloom 1995, Evaluation Review 19, 547-556). What it does not know:
metrics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from heron.contracts import Record

POWER: Final = 0.8
ALPHA: Final = 0.05
LARGEST_EFFECT: Final = 1e3


class Variances(Record):
    """What differences vary by."""

    between: float
    """Of a scenario's true difference."""
    within: float | None
    """Of one run's difference about its scenario's; ``None`` where no scenario has two runs, and
    then ``between`` holds both."""
    scenarios: int


class Detectable(Record):
    """The smallest difference that would be found."""

    difference: float | None
    """In the units of the metric; ``None``: see ``reason``."""
    runs: int
    scenarios: int
    power: float = POWER
    alpha: float = ALPHA
    reason: str | None = None


def variances(differences: Mapping[str, Sequence[float]]) -> Variances | None:
    """Variance components of differences per run that come in scenarios.

    Returns:
        ``None`` of fewer than two scenarios.
    """
    groups = [np.asarray(values, dtype=np.float64) for values in differences.values() if values]
    count, sizes = len(groups), np.array([len(group) for group in groups], dtype=np.float64)
    if count < 2:
        return None
    total = sizes.sum()
    means = np.array([group.mean() for group in groups])
    if total == count:
        return Variances(between=float(means.var(ddof=1)), within=None, scenarios=count)
    squares = sum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    within = squares / (total - count)
    grand = float((sizes * means).sum() / total)
    among = float((sizes * (means - grand) ** 2).sum() / (count - 1))
    evenly = (total - (sizes**2).sum() / total) / (count - 1)
    between = max(0.0, (among - within) / float(evenly))
    return Variances(between=between, within=float(within), scenarios=count)


def detectable(
    differences: Mapping[str, Sequence[float]],
    runs: int | None = None,
    power: float = POWER,
    alpha: float = ALPHA,
) -> Detectable:
    """The minimum detectable difference.

    Args:
        differences: scenario → difference of each of its runs.
        runs: for so many per scenario; as many as there are (the mean, rounded), if not given.
        power: chance of finding it.
        alpha: of a false finding, two-sided.
    """
    played = [len(values) for values in differences.values() if values]
    own = max(1, round(sum(played) / len(played))) if played else 1
    wanted = runs or own
    found = variances(differences)
    if found is None:
        return _unknown(wanted, len(played), "fewer than two scenarios")
    if found.within is None:
        if wanted > own:
            reason = "one run per scenario does not tell what more of them would bring"
            return _unknown(wanted, found.scenarios, reason)
        spread = found.between
    else:
        spread = found.between + found.within / wanted
    if spread == 0:
        return _unknown(wanted, found.scenarios, "the two did the same everywhere")
    return Detectable(
        difference=_effect(found.scenarios, power, alpha) * float(np.sqrt(spread)),
        runs=wanted,
        scenarios=found.scenarios,
        power=power,
        alpha=alpha,
    )


def _unknown(runs: int, scenarios: int, reason: str) -> Detectable:
    return Detectable(difference=None, runs=runs, scenarios=scenarios, reason=reason)


@lru_cache(maxsize=256)
def _effect(count: int, power: float, alpha: float) -> float:
    """The effect size (difference / standard deviation) that a paired t-test of so many finds."""
    from scipy.optimize import brentq
    from scipy.stats import nct, t

    bound = float(t.isf(alpha / 2, count - 1))

    def lacks(effect: float) -> float:
        shift = effect * count**0.5
        # Far out on the other side SciPy has no figure; what lies there is nothing.
        other = np.nan_to_num(nct.cdf(-bound, count - 1, shift))
        return float(nct.sf(bound, count - 1, shift) + other) - power

    high = 1.0
    while lacks(high) < 0 and high < LARGEST_EFFECT:
        high *= 2
    return float(brentq(lacks, 1e-9, high))
