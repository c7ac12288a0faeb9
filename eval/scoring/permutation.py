"""Paired permutation test over scenarios: would the difference be as large if labels were chance?

Under the hypothesis that two configurations do not differ, what a scenario adds to the difference
could as well have the other sign, as all of its runs could carry each other's labels. So the signs
of whole scenarios are flipped, as runs of one scenario resemble each other: in all ways where there
are few, else in some drawn at random (Fisher 1935; Good, Permutation, Parametric and Bootstrap
Tests of Hypotheses, 2005, chapter 3). What it does not know: which metric it is.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from heron.contracts import Record
from heron.eval.scoring.columns import Floats
from heron.seeds import derive

MOST_EXACT: Final = 14
"""Scenarios that differ, up to which all 2^n flips are tried."""
FLIPS: Final = 9_999
SLACK: Final = 1e-12
"""Relative; so that rounding does not make a flip that changes nothing less extreme."""


class Tested(Record):
    """A two-sided test."""

    p: float
    exact: bool
    """All flips were tried."""
    flips: int
    scenarios: int
    """Those in which the two differ: the others cannot tell."""


def common_ratio_parts(first: Floats, second: Floats) -> Floats | None:
    """What each scenario adds to the difference of two ratios of sums.

    With A / B = r1 and C / D = r2, and r halfway between them, scenario i adds
    (a_i - r b_i) / B - (c_i - r d_i) / D; these add up to r1 - r2, and where the two ratios are
    equal each is as likely to be positive as negative. With the same denominators on both sides it
    is (a_i - c_i) / B, so that flipping a sign is swapping the labels of a scenario.

    Args:
        first: (2, scenarios): numerator and denominator of the first configuration.
        second: the same of the second.

    Returns:
        ``None`` where a ratio is not defined.
    """
    wholes = first.sum(axis=1), second.sum(axis=1)
    if not wholes[0][1] or not wholes[1][1]:
        return None
    middle = sum(whole[0] / whole[1] for whole in wholes) / 2
    parts = (
        (sums[0] - middle * sums[1]) / whole[1]
        for sums, whole in zip((first, second), wholes, strict=True)
    )
    return np.asarray(next(parts) - next(parts), dtype=np.float64)


def permutation_test(parts: Floats, seed: int = 0, flips: int = FLIPS) -> Tested:
    """Test whether a difference is more than chance.

    Args:
        parts: what each scenario adds to it.
        seed: of the flips, where not all are tried.
        flips: how many then.

    Returns:
        With drawn flips the observed signs count as one of them, so that p is never 0 (Phipson and
        Smyth 2010, Stat. Appl. Genet. Mol. Biol. 9).
    """
    # Scenarios that add the same in amount but for rounding are to tie.
    scale = float(np.abs(parts).sum())
    apart = parts[np.abs(parts) > SLACK * scale]
    exact = len(apart) <= MOST_EXACT
    signs = _all(len(apart)) if exact else _drawn(len(apart), seed, flips)
    found = np.abs(signs @ apart)
    hits = int((found >= abs(float(apart.sum())) - SLACK * scale).sum())
    p = hits / len(found) if exact else (hits + 1) / (len(found) + 1)
    return Tested(p=p, exact=exact, flips=len(found), scenarios=len(apart))


def _all(count: int) -> Floats:
    """(2^count, count): every way to choose signs."""
    flipped = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    return np.where(flipped == 1, -1.0, 1.0)


def _drawn(count: int, seed: int, flips: int) -> Floats:
    rng = np.random.Generator(np.random.PCG64(derive(seed, "permutation", count)))
    return np.where(rng.integers(0, 2, size=(flips, count)) == 1, -1.0, 1.0)
