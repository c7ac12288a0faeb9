"""Fits find what was planted, and look at nothing that is for scoring."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from heron.errors import InputError
from heron.eval.calibration import fit
from heron.eval.calibration.assess import assess
from heron.eval.calibration.measures import brier
from heron.eval.calibration.scores import Scores
from heron.eval.calibration.streams import Stream
from heron.observer.calibration import Calibration, CalibrationKey, Costs, Isotonic, Platt
from heron.observer.decide import Thresholds

KEY = CalibrationKey(
    model="m",
    quantisation="q",
    prompt="p",
    encoding=2,
    window=1,
    attention="off",
    library="l",
)


def stream_of(useful: NDArray[np.bool_], family: str, **changed: Any) -> Stream:
    given: dict[str, Any] = {
        "scenario": f"{family}_one",
        "scenario_hash": "0",
        "family": family,
        "part": "dev",
        "type": "goal",
        "seed": 1000,
        "observations": (),
        "useful": tuple(bool(value) for value in useful),
    }
    return Stream(**(given | changed))


def synthetic(
    *, streams: int = 60, length: int = 10, families: int = 12, width: int = 8, **changed: Any
) -> list[Scores]:
    """Useful with the probability that half the gate's log-odds give; one number of the hidden
    state says so outright."""
    rng = np.random.default_rng(5)
    found = []
    for place in range(streams):
        odds = rng.normal(1.0, 2.0, length)
        useful = rng.random(length) < 1 / (1 + np.exp(-(0.5 * odds - 0.4)))
        propose = 1 / (1 + np.exp(-odds))
        logprobs = np.log(np.stack([1 - propose, np.full(length, 1e-9), propose], axis=1))
        hidden = rng.normal(size=(length, width)).astype(np.float32)
        hidden[:, 3] += 3.0 * useful
        found.append(
            Scores(
                stream_of(useful, f"f{place % families}", **changed),
                logprobs.astype(np.float32),
                np.zeros_like(logprobs, np.float32),
                np.ones(length, np.bool_),
                np.ones(length, np.bool_),
                hidden,
                0.1,
            )
        )
    return found


def fitted(scores: list[Scores], *, probe: bool = True) -> Calibration:
    rows, costs = fit.table(scores, contrast=False), Costs()
    return Calibration(
        name="small",
        key=KEY,
        contrast=False,
        costs=costs,
        gate=fit.fit_gate(rows, costs),
        probe=fit.fit_probe(rows, costs) if probe else None,
        sources=fit.sources(scores, rows),
        command="none",
    )


def test_a_logistic_curve_finds_the_planted_one() -> None:
    rows = fit.table(synthetic(streams=400), contrast=False)
    curve = fit.platt(rows.score, rows.useful)
    assert isinstance(curve, Platt)
    assert (curve.slope, curve.intercept) == pytest.approx((0.5, -0.4), abs=0.08)


def test_a_score_that_speaks_against_is_made_to_say_nothing() -> None:
    score, useful = np.arange(40.0), np.arange(40) < 10
    curve = fit.platt(score, useful)
    assert isinstance(curve, Platt)
    assert curve.slope == 0.0
    assert curve.probability(17.0) == pytest.approx(0.25)


def test_an_isotonic_curve_goes_through_the_centres_of_its_blocks() -> None:
    """0, then a pair that falls and is joined, then 1."""
    score = np.array([0.0, 1.0, 2.0, 5.0])
    curve = fit.isotonic(score, np.array([False, True, False, True]))
    assert isinstance(curve, Isotonic)
    assert curve.scores == (0.0, 1.5, 5.0)
    assert curve.probabilities == pytest.approx((1 / 6, 0.5, 5 / 6))


def test_calibration_lowers_the_brier_score_and_keeps_the_order() -> None:
    scores = synthetic(streams=200)
    rows, gate = fit.table(scores, contrast=False), fitted(scores, probe=False).gate
    found = fit.probabilities(gate.curve, rows.score)
    assert gate.before is not None
    assert gate.after.brier < gate.before.brier - 0.02
    assert gate.after.ece < gate.before.ece
    order = roc_auc_score(rows.useful, rows.score)
    assert roc_auc_score(rows.useful, found) == pytest.approx(order, abs=0.01)


def test_a_probe_finds_the_planted_direction_and_is_plain_arithmetic() -> None:
    scores = synthetic()
    rows, calibration = fit.table(scores, contrast=False), fitted(scores)
    probe = calibration.probe
    assert probe is not None
    assert int(np.argmax(np.abs(probe.weights))) == 3
    many = fit.probe_scores(probe, rows.hidden)
    assert probe.score(rows.hidden[7]) == pytest.approx(float(many[7]))
    assert probe.fitted.after.brier < calibration.gate.after.brier


def test_no_family_is_on_both_sides_of_a_cut() -> None:
    family = np.array([f"f{place % 7}" for place in range(70)])
    held_out = np.zeros(70, int)
    for known, other in fit.folds(family, np.arange(70) % 2 == 0):
        assert not set(family[known]) & set(family[other])
        held_out[other] += 1
    assert (held_out == 1).all()


def test_a_probe_that_learns_families_by_heart_gains_nothing_by_it() -> None:
    """Each family has a number of its own in the hidden state, and one class."""
    rng = np.random.default_rng(1)
    family = np.repeat([f"f{place}" for place in range(20)], 10)
    hidden = np.repeat(np.eye(20, dtype=np.float32), 10, axis=0)
    useful = np.repeat(rng.permutation(np.arange(20) % 2 == 0), 10)
    rows = fit.Table(
        useful,
        rng.normal(size=200),
        np.full(200, 0.5),
        hidden,
        family,
        np.repeat(np.arange(20), 10),
    )
    assert fit.fit_probe(rows, Costs()).fitted.after.brier >= 0.24


@pytest.mark.parametrize("changed", [{"seed": 0}, {"seed": 999}, {"part": "test"}])
def test_what_is_for_scoring_is_never_fitted_on(changed: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="fitted on part 'dev' under training seeds, from 1000 on"):
        fitted(synthetic(**changed))


def test_too_little_of_a_class_is_told() -> None:
    scores = synthetic(streams=1, length=5)
    with pytest.raises(InputError, match="at least 10 of either kind"):
        fit.sources(scores, fit.table(scores, contrast=False))
    with pytest.raises(InputError, match="at least two families"):
        fitted(synthetic(families=1))


def test_where_no_offer_is_possible_nothing_is_fitted() -> None:
    scores = synthetic(streams=3)
    scores[0].may_propose[:] = False
    rows = fit.table(scores, contrast=False)
    assert len(rows) == 20
    assert set(rows.stream.tolist()) == {1, 2}


# --- assessment ---------------------------------------------------------------------------------


def test_a_calibration_is_assessed_on_evaluation_seeds_alone() -> None:
    calibration = fitted(synthetic())
    with pytest.raises(InputError, match="under evaluation seeds, 0 to 999"):
        assess(synthetic(part="test"), calibration, Thresholds(), draws=10)
    mixed = [*synthetic(seed=1, part="test"), *synthetic(seed=1)]
    with pytest.raises(InputError, match="one part"):
        assess(mixed, calibration, Thresholds(), draws=10)


def test_an_assessment_says_what_the_calibration_brought() -> None:
    calibration = fitted(synthetic(streams=200))
    other = synthetic(seed=1, part="test")
    result = assess(other, calibration, Thresholds(propose=0.99), draws=100)
    assert not result.in_sample
    assert (result.scenarios, result.families, result.observations) == (12, 12, 600)
    rows = fit.table(other, contrast=False)
    found = fit.probabilities(calibration.gate.curve, rows.score)
    assert result.value("brier_calibrated") == pytest.approx(brier(rows.useful, found))
    names = {figure.name: figure for figure in result.figures}
    gained = names["brier_calibrated_less_raw"]
    assert gained.value is not None
    assert gained.interval is not None
    assert gained.interval.low <= gained.value <= gained.interval.high < 0
    assert result.value("cost_never") == pytest.approx(2.0, abs=0.1)
    assert (result.value("cost_calibrated") or 9) < (result.value("cost_raw") or 0)
    more = names["useful_at_0.2_difference"].interval
    assert more is not None
    assert more.low > 0  # the planted direction is better than the score


def test_families_that_were_fitted_on_are_marked() -> None:
    result = assess(synthetic(seed=1), fitted(synthetic()), Thresholds(), draws=10)
    assert result.in_sample
    assert result.part == "dev"
