"""Ranks, Kendall's tau-b and the same-model bias on figures worked out by hand."""

from __future__ import annotations

import pytest

from heron.eval.ranking import kendall_tau_b, overlapping, ranks, same_model_bias, shared_models
from heron.eval.resampling import Interval

MODELS = {"u:a": "a", "u:b": "b", "scripted": None, "o:a": "a", "o:b": "b", "rules": None}


def interval(low: float, high: float) -> Interval:
    return Interval(low=low, high=high, clusters=5, draws=10)


def test_the_highest_is_first_and_ties_share() -> None:
    assert ranks([0.5, 0.9, 0.5, 0.1]) == (2.5, 1.0, 2.5, 4.0)
    assert ranks([None, 0.2, 0.3]) == (None, 2.0, 1.0)
    assert ranks([None, None]) == (None, None)


def test_tau_of_one_order_and_of_the_opposite() -> None:
    assert kendall_tau_b([0.9, 0.5, 0.1], [0.3, 0.2, 0.1]) == pytest.approx(1)
    assert kendall_tau_b([0.9, 0.5, 0.1], [0.1, 0.2, 0.3]) == pytest.approx(-1)


def test_tau_corrects_for_ties() -> None:
    """Two concordant pairs of three, the third tied on one side: 2 / sqrt(3 · 2)."""
    assert kendall_tau_b([3, 2, 1], [2, 1, 1]) == pytest.approx(2 / 6**0.5)


def test_tau_needs_two_things_with_a_value_and_a_difference() -> None:
    assert kendall_tau_b([1.0], [1.0]) is None
    assert kendall_tau_b([0.5, 0.5, 0.5], [0.1, 0.2, 0.3]) is None
    assert kendall_tau_b([None, 1.0, 2.0], [0.4, None, 0.3]) is None
    assert kendall_tau_b([None, 1.0, 2.0], [0.4, 0.1, 0.3]) == pytest.approx(1)


def test_a_strict_user_and_a_good_observer_are_no_bias() -> None:
    """Additive effects only: the interaction is nought."""
    users, observers = {"u:a": 0.1, "scripted": 0.4}, {"o:a": 0.5, "rules": 0.2}
    rates = {(u, o): x + y for u, x in users.items() for o, y in observers.items()}
    assert same_model_bias(rates, MODELS) == pytest.approx(0)


def test_favour_for_ones_own_is_the_bias() -> None:
    users, observers = {"u:a": 0.1, "scripted": 0.4}, {"o:a": 0.3, "rules": 0.2}
    rates = {(u, o): x + y for u, x in users.items() for o, y in observers.items()}
    rates["u:a", "o:a"] += 0.25
    assert same_model_bias(rates, MODELS) == pytest.approx(0.25)


def test_the_bias_is_the_mean_over_models() -> None:
    rates: dict[tuple[str, str], float | None] = dict.fromkeys(
        [(u, o) for u in ("u:a", "u:b") for o in ("o:a", "o:b")], 0.5
    )
    rates["u:a", "o:a"], rates["u:b", "o:b"] = 0.7, 0.9
    # Each model's own cell and the other's are in one difference: 0.2 + 0.4 both times.
    assert same_model_bias(rates, MODELS) == pytest.approx(0.6)
    assert shared_models(rates, MODELS) == ("a", "b")


def test_without_a_model_on_both_sides_or_a_rate_there_is_no_bias() -> None:
    assert same_model_bias({("scripted", "o:a"): 0.5, ("scripted", "rules"): 0.1}, MODELS) is None
    only_own: dict[tuple[str, str], float | None] = {("u:a", "o:a"): 0.5, ("u:a", "rules"): 0.1}
    assert same_model_bias(only_own, MODELS) is None
    missing = {**only_own, ("scripted", "o:a"): None, ("scripted", "rules"): 0.3}
    assert same_model_bias(missing, MODELS) is None


def test_only_neighbours_count_and_what_has_no_interval_overlaps() -> None:
    intervals = {"a": interval(0.8, 0.9), "b": interval(0.5, 0.7), "c": interval(0.1, 0.5)}
    assert overlapping(intervals, ["a", "b", "c"]) == [("b", "c")]
    assert overlapping({**intervals, "a": None}, ["a", "b", "c"]) == [("a", "b"), ("b", "c")]
