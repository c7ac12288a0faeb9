"""Fits curves and probes: on families to tune on, under seeds for training, and no others.

Everything is chosen by cross-validation in which a family is never on both sides. scikit-learn does
the fitting; what comes out is applied without it. What it does not know: models and files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from heron.errors import InputError
from heron.eval.calibration.measures import (
    Flags,
    Values,
    brier,
    cheapest,
    mean_cost,
    quality,
)
from heron.eval.calibration.scores import Scores
from heron.eval.calibration.streams import Stream
from heron.observer.calibration import (
    Costs,
    Curve,
    Fitted,
    Isotonic,
    Platt,
    Probe,
    Quality,
    Sources,
    gate_score,
    logistic,
)
from heron.observer.decide import shares
from heron.seeds import EVALUATION

FOLDS: Final = 5
STRENGTHS: Final = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
"""Inverse regularisations that a probe is tried with."""
FEWEST: Final = 10
"""Observations of each class that a fit asks for."""

Fitter = Callable[[Values, Flags], Curve]


@dataclass(frozen=True)
class Table:
    """Observations at which an offer is possible, from many streams, one per row."""

    useful: Flags
    score: Values
    """Log-odds of the gate."""
    share: Values
    """The same as a share, which is what stands for a probability where nothing is calibrated."""
    hidden: NDArray[np.float32]
    family: NDArray[np.str_]
    stream: NDArray[np.int_]
    """Number of the stream that it comes from."""

    def __len__(self) -> int:
        return len(self.useful)


def table(scores: Sequence[Scores], *, contrast: bool) -> Table:
    """The decisions in ``scores``.

    Args:
        scores: of streams.
        contrast: compare with ordinary minutes.
    """
    useful, score, hidden, family, place = [], [], [], [], []
    for number, found in enumerate(scores):
        for row in np.flatnonzero(found.may_propose):
            baseline = found.baseline[row].tolist() if contrast else None
            score.append(gate_score(shares(found.logprobs[row].tolist(), baseline)))
            useful.append(found.stream.useful[row])
            hidden.append(found.hidden[row])
            family.append(found.stream.family)
            place.append(number)
    return Table(
        np.array(useful, np.bool_),
        np.array(score, np.float64),
        np.array([logistic(value) for value in score], np.float64),
        np.array(hidden, np.float32),
        np.array(family, np.str_),
        np.array(place, np.int_),
    )


def sources(scores: Sequence[Scores], rows: Table) -> Sources:
    """What a calibration of these is fitted on.

    Raises:
        InputError: a family to score on or a seed for evaluation is among them, or there is too
            little of either class.
    """
    streams = [found.stream for found in scores]
    check_for_fitting(streams)
    positive = int(rows.useful.sum())
    if min(positive, len(rows) - positive) < FEWEST:
        raise InputError(
            f"{positive} of {len(rows)} observations are of use: at least {FEWEST} of either kind "
            f"are needed; take more scenarios or seeds"
        )
    digest = hashlib.sha256("".join(stream.digest for stream in streams).encode()).hexdigest()
    return Sources(
        part="dev",
        seeds=tuple(sorted({stream.seed for stream in streams})),
        scenarios=len({stream.scenario for stream in streams}),
        families=len({stream.family for stream in streams}),
        observations=len(rows),
        useful=float(rows.useful.mean()),
        digest=digest[:16],
    )


def check_for_fitting(streams: Iterable[Stream]) -> None:
    """Refuse what is for scoring.

    Raises:
        InputError: a family to score on or a seed for evaluation is among the streams.
    """
    for stream in streams:
        if stream.part != "dev" or stream.seed in EVALUATION:
            raise InputError(
                f"{stream.scenario}, seed {stream.seed}: part {stream.part!r}; calibrations are "
                f"fitted on part 'dev' under training seeds, from {EVALUATION.stop} on"
            )


def fit_gate(rows: Table, costs: Costs) -> Fitted:
    """The curve of the gate's score: of the two forms, the one with the lower Brier score."""
    return _fitted(rows.score, rows, costs, before=quality(rows.useful, rows.share))


def _fitted(score: Values, rows: Table, costs: Costs, before: Quality | None) -> Fitted:
    curve, held_out = best_curve(score, rows.useful, rows.family)
    found = probabilities(curve, score)
    threshold = cheapest(rows.useful, found, rows.stream, costs)
    cost = _held_out_cost(found, rows, costs)
    after = quality(rows.useful, held_out)
    return Fitted(curve=curve, threshold=threshold, cost=cost, before=before, after=after)


def _held_out_cost(probability: Values, rows: Table, costs: Costs) -> float:
    """What a stream costs under a threshold that was chosen on other families."""
    speaks = np.zeros(len(rows), np.bool_)
    for known, other in folds(rows.family, rows.useful):
        level = cheapest(rows.useful[known], probability[known], rows.stream[known], costs)
        speaks[other] = probability[other] >= level
    return mean_cost(rows.useful, speaks, rows.stream, costs)


def fit_probe(rows: Table, costs: Costs) -> Probe:
    """A probe, and the curve of its score.

    The strength of regularisation is the one with the lowest Brier score; the curve is fitted on
    held-out scores, since those of the training rows are too sure.
    """
    tried = {strength: _held_out_scores(rows, strength) for strength in STRENGTHS}
    losses = {
        strength: brier(rows.useful, best_curve(score, rows.useful, rows.family)[1])
        for strength, score in tried.items()
    }
    strength = min(losses, key=lambda each: (losses[each], each))
    weights, intercept = _regression(rows.hidden, rows.useful, strength)
    return Probe(
        weights=tuple(float(f"{weight:.7g}") for weight in weights),
        intercept=intercept,
        strength=strength,
        fitted=_fitted(tried[strength], rows, costs, before=None),
    )


def best_curve(score: Values, useful: Flags, family: NDArray[np.str_]) -> tuple[Curve, Values]:
    """The better of the two forms, fitted on everything, and its held-out probabilities."""
    held_out = {fitter: _held_out(score, useful, family, fitter) for fitter in (platt, isotonic)}
    chosen = min(held_out, key=lambda fitter: brier(useful, held_out[fitter]))
    return chosen(score, useful), held_out[chosen]


def platt(score: Values, useful: Flags) -> Curve:
    """A logistic curve. A falling one is made level: a higher score never speaks against."""
    spread = float(score.std()) or 1.0
    scaled = ((score - score.mean()) / spread)[:, None]
    model = LogisticRegression(C=1e6, max_iter=1000).fit(scaled, useful)
    slope = float(model.coef_[0, 0])
    if slope <= 0:
        share = float(useful.mean())
        return Platt(slope=0.0, intercept=float(np.log(share / (1 - share))))
    start = float(model.intercept_[0]) - slope * float(score.mean()) / spread
    return Platt(slope=slope / spread, intercept=start)


def isotonic(score: Values, useful: Flags) -> Curve:
    """A centred isotonic regression. No probability is 0 or 1: with n observations, they keep
    1 / (n + 2) away from both.
    """
    found = IsotonicRegression(out_of_bounds="clip").fit_transform(score, useful.astype(float))
    levels, block = np.unique(found, return_inverse=True)
    centres = [float(score[block == place].mean()) for place in range(len(levels))]
    margin = 1 / (len(score) + 2)
    kept = np.clip(levels, margin, 1 - margin)
    return Isotonic(scores=tuple(centres), probabilities=tuple(float(value) for value in kept))


def probabilities(curve: Curve, score: Values) -> Values:
    """Of many scores."""
    return np.array([curve.probability(value) for value in score.tolist()], np.float64)


def probe_scores(probe: Probe, hidden: NDArray[np.float32]) -> Values:
    """Of many hidden states."""
    return np.asarray(hidden.astype(np.float64) @ np.array(probe.weights) + probe.intercept)


def _held_out(score: Values, useful: Flags, family: NDArray[np.str_], fitter: Fitter) -> Values:
    found = np.empty(len(score))
    for known, other in folds(family, useful):
        found[other] = probabilities(fitter(score[known], useful[known]), score[other])
    return found


def _held_out_scores(rows: Table, strength: float) -> Values:
    found = np.empty(len(rows))
    for known, other in folds(rows.family, rows.useful):
        weights, intercept = _regression(rows.hidden[known], rows.useful[known], strength)
        found[other] = rows.hidden[other].astype(np.float64) @ weights + intercept
    return found


def _regression(
    hidden: NDArray[np.float32], useful: Flags, strength: float
) -> tuple[Values, float]:
    """A logistic regression on standardised states, as weights for states as they come."""
    scaler = StandardScaler().fit(hidden.astype(np.float64))
    model = LogisticRegression(C=strength, max_iter=2000)
    model.fit(scaler.transform(hidden.astype(np.float64)), useful)
    weights = model.coef_[0] / scaler.scale_
    return weights, float(model.intercept_[0] - weights @ scaler.mean_)


def folds(
    family: NDArray[np.str_], useful: Flags
) -> list[tuple[NDArray[np.int_], NDArray[np.int_]]]:
    """Cuts into (known, held out) rows, no family in both.

    Raises:
        InputError: there are not two families, or one of them alone holds a class.
    """
    count = len(np.unique(family))
    if count < 2:
        raise InputError("a calibration needs scenarios of at least two families")
    splitter = GroupKFold(n_splits=min(FOLDS, count))
    cuts = list(splitter.split(family, groups=family))
    if any(useful[known].all() or not useful[known].any() for known, _ in cuts):
        raise InputError("useful or other observations come from too few families; take more")
    return cuts
