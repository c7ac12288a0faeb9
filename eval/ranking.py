"""Rankings of observers and how they compare between users; pure functions over rates.

A rate that is not defined is ``None`` (no proposals, no acceptance). What it does not know: where
rates come from, and intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isnan

from heron.eval.resampling import Interval

Cell = tuple[str, str]
"""(user, observer)."""


def ranks(values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Rank of each value, 1 the highest; equal ones share the mean of their ranks."""
    from scipy.stats import rankdata

    defined = [value for value in values if value is not None]
    found = iter(rankdata([-value for value in defined]))
    return tuple(None if value is None else float(next(found)) for value in values)


def kendall_tau_b(first: Sequence[float | None], second: Sequence[float | None]) -> float | None:
    """Kendall's tau-b of two ratings of the same things, with ties corrected for (Kendall 1945).

    1: one order, -1: the opposite one. Things without a value on either side are left out;
    ``None`` for fewer than two, and where either side rates them all alike.
    """
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    # scipy's is slow to say that there is nothing to say, and warns.
    if len({a for a, _ in pairs}) < 2 or len({b for _, b in pairs}) < 2:
        return None
    from scipy.stats import kendalltau

    tau = float(kendalltau(*zip(*pairs, strict=True), variant="b").statistic)
    return None if isnan(tau) else tau


def same_model_bias(
    rates: Mapping[Cell, float | None], models: Mapping[str, str | None]
) -> float | None:
    """Interaction of user model and observer model in a rate: a difference in differences.

    For each model that is a user's and an observer's::

        (its user on its observer - its user on the others)
        - (the other users on its observer - the other users on the others)

    each the mean over cells that have a rate; then the mean over models. 0: users favour no
    observer for being of their own model, however strict each of them and good each of those is.

    Args:
        rates: of every cell.
        models: of every user and observer that is a model, by its spec.

    Returns:
        ``None`` where no model is on both sides, or a part of the difference has no cell.
    """
    found = [_bias_of(model, rates, models) for model in shared_models(rates, models)]
    return _mean(found) if found and None not in found else None


def shared_models(
    cells: Mapping[Cell, object] | Sequence[Cell], models: Mapping[str, str | None]
) -> tuple[str, ...]:
    """Models that are a user's and an observer's, sorted."""
    users = {models.get(user) for user, _ in cells}
    observers = {models.get(observer) for _, observer in cells}
    return tuple(sorted(model for model in users & observers if model is not None))


def overlapping(intervals: Mapping[str, Interval | None], order: Sequence[str]) -> list[Cell]:
    """Neighbours in an order whose intervals overlap: which of the two is better is not known.

    Args:
        intervals: of each thing; one without counts as overlapping any.
        order: the things, best first.
    """
    return [(a, b) for a, b in pairwise(order) if _overlap(intervals.get(a), intervals.get(b))]


def _overlap(first: Interval | None, second: Interval | None) -> bool:
    if first is None or second is None:
        return True
    return first.low <= second.high and second.low <= first.high


def _bias_of(
    model: str, rates: Mapping[Cell, float | None], models: Mapping[str, str | None]
) -> float | None:
    parts: dict[tuple[bool, bool], list[float | None]] = {}
    for (user, observer), rate in rates.items():
        key = (models.get(user) == model, models.get(observer) == model)
        parts.setdefault(key, []).append(rate)
    own, others_on_it, on_others, neither = (
        _mean(parts.get(key, ()))
        for key in ((True, True), (False, True), (True, False), (False, False))
    )
    if own is None or others_on_it is None or on_others is None or neither is None:
        return None
    return (own - on_others) - (others_on_it - neither)


def _mean(values: Sequence[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None
