"""Figures about probabilities and decisions, against hand and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, roc_auc_score

from heron.eval.calibration import measures
from heron.observer.calibration import Costs

USEFUL = np.array([True, False, True, False])
COSTS = Costs(interruption=1, missed=2)


def test_brier_by_hand() -> None:
    assert measures.brier(USEFUL, np.array([1.0, 0.0, 0.5, 0.5])) == pytest.approx(0.125)


def test_calibration_error_by_hand() -> None:
    """0.2 with none of two useful, 0.85 with both: (2 · 0.2 + 2 · 0.15) / 4."""
    useful = np.array([False, False, True, True])
    probability = np.array([0.21, 0.19, 0.82, 0.88])
    assert measures.ece(useful, probability, bins=2) == pytest.approx((2 * 0.2 + 2 * 0.15) / 4)
    assert measures.ece(useful, np.array([0.0, 0.0, 1.0, 1.0])) == 0.0


def test_a_constant_at_the_base_rate_has_no_calibration_error() -> None:
    assert measures.ece(USEFUL, np.full(4, 0.5)) == 0.0
    assert measures.ece(USEFUL, np.full(4, 0.8)) == pytest.approx(0.3)


def test_the_reliability_curve_has_a_row_for_each_bin_that_holds_something() -> None:
    rows = measures.reliability(USEFUL, np.array([1.0, 0.05, 0.95, 0.02]))
    assert [(row.count, row.observed) for row in rows] == [(2, 0.0), (2, 1.0)]
    assert rows[1].predicted == pytest.approx(0.975)


def test_against_scikit_learn() -> None:
    rng = np.random.default_rng(3)
    useful = rng.random(300) < 0.4
    probability = np.round(rng.random(300), 2)
    assert measures.auroc(useful, probability) == pytest.approx(roc_auc_score(useful, probability))
    assert measures.brier(useful, probability) == pytest.approx(
        brier_score_loss(useful, probability)
    )


def test_one_class_has_no_auroc() -> None:
    assert measures.auroc(np.array([True, True]), np.array([0.1, 0.2])) is None


@pytest.mark.parametrize(
    ("useful", "speaks", "cost"),
    [
        ("..uu", "....", 2.0),  # a chance missed, once
        ("..uu", "...x", 0.0),  # late, but taken
        ("..uu", "xx.x", 2.0),  # two interruptions, then taken
        ("..uu", "x...", 3.0),  # an interruption and a chance missed
        ("..u.", "..xx", 0.0),  # what follows the first useful offer does not count
        ("....", ".x..", 1.0),
        ("....", "....", 0.0),
    ],
)
def test_what_a_stream_costs(useful: str, speaks: str, cost: float) -> None:
    flags = np.array([mark == "u" for mark in useful]), np.array([mark == "x" for mark in speaks])
    assert measures.stream_cost(*flags, COSTS) == cost


def test_each_offer_costs_its_energy() -> None:
    useful, speaks = np.array([False, True]), np.array([True, True])
    costs = Costs(interruption=1, missed=2, joule=0.1, joules=3)
    assert measures.stream_cost(useful, speaks, costs) == pytest.approx(1.6)


def test_the_cheapest_threshold_waits_where_the_chance_will_still_be_there() -> None:
    """Break-even is 1/3, at which the first observation would speak for nothing."""
    useful, stream = np.tile([False, True], 50), np.repeat(np.arange(50), 2)
    probability = np.stack([np.linspace(0.4, 0.5, 50), np.linspace(0.8, 0.9, 50)], axis=1).ravel()
    threshold = measures.cheapest(useful, probability, stream, COSTS)
    assert 0.45 < threshold <= 0.8
    assert measures.mean_cost(useful, probability >= threshold, stream, COSTS) < 0.2
    assert measures.mean_cost(useful, probability >= 1 / 3, stream, COSTS) == 1.0


def test_the_cheapest_threshold_keeps_away_from_a_cliff() -> None:
    """Speaking costs the less the higher the threshold, up to 0.9, from where on all is missed."""
    useful, stream = np.tile([False, True], 100), np.repeat(np.arange(100), 2)
    early, late = np.linspace(0.4, 0.85, 100), np.full(100, 0.9)
    probability = np.stack([early, late + np.linspace(-0.001, 0.001, 100)], axis=1).ravel()
    threshold = measures.cheapest(useful, probability, stream, COSTS)
    assert 0.7 < threshold < 0.89


def test_no_threshold_lies_below_break_even() -> None:
    useful, stream = np.ones(40, np.bool_), np.arange(40)
    threshold = measures.cheapest(useful, np.linspace(0.1, 0.2, 40), stream, COSTS)
    assert threshold >= COSTS.break_even


def test_where_offers_cost_more_than_chances_it_keeps_still() -> None:
    costs = Costs(interruption=5, missed=0.1)
    useful, stream = np.tile([False, True, False], 10), np.repeat(np.arange(10), 3)
    assert measures.cheapest(useful, np.full(30, 0.9), stream, costs) > 0.9


def test_offers_of_use_among_the_highest_scores() -> None:
    score = np.array([4.0, 3.0, 2.0, 1.0])
    assert measures.share_useful(USEFUL, score, 0.25) == 1.0
    assert measures.share_useful(USEFUL, score, 0.5) == 0.5
    assert measures.share_useful(USEFUL, np.zeros(4), 0.25) == 0.5  # all tie
    assert measures.share_useful(USEFUL, score, 0.0) is None
