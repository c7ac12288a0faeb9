"""Correction for many comparisons. What it does not know: what was compared."""

from __future__ import annotations

from collections.abc import Sequence


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted p-values: of m, the i-th smallest times m - i + 1, never falling, at most 1.

    Rejecting where the adjusted value is under alpha keeps the chance of any false finding under
    alpha, whatever hangs together with what (Holm 1979, Scand. J. Statist. 6, 65-70).
    """
    order = sorted(range(len(values)), key=lambda at: values[at])
    adjusted, largest = [0.0] * len(values), 0.0
    for rank, at in enumerate(order):
        largest = max(largest, min(1.0, values[at] * (len(values) - rank)))
        adjusted[at] = largest
    return tuple(adjusted)
