"""What a calibration and a probe are worth on families that nothing was fitted on.

Every figure comes with an interval from resampling whole families, since siblings share a plot.
What it does not know: models and files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from heron.contracts import Record
from heron.errors import InputError
from heron.eval.calibration.fit import Table, probabilities, probe_scores, table
from heron.eval.calibration.measures import (
    Flags,
    Values,
    auroc,
    brier,
    ece,
    share_useful,
    stream_cost,
)
from heron.eval.calibration.scores import Scores
from heron.eval.calibration.streams import Stream
from heron.eval.resampling import DRAWS, Interval, cluster_draws, interval_of
from heron.observer.calibration import Calibration
from heron.observer.decide import Thresholds
from heron.seeds import EVALUATION

RATES: Final = (0.05, 0.1, 0.2)
"""Shares of the observations at which probe and score are compared at equal rates of offers."""


class Figure(Record):
    """One figure."""

    name: str
    value: float | None
    """``None``: not defined on these streams."""
    interval: Interval | None = None


class Assessment(Record):
    """A calibration's worth on some streams."""

    name: str
    """The model."""
    part: str
    in_sample: bool
    """The families are those that calibrations are fitted on: nothing is proved."""
    seeds: tuple[int, ...]
    scenarios: int
    families: int
    observations: int
    """Those at which an offer was possible."""
    useful: float
    """Share of them at which one was of use."""
    form: str
    """Of the curve."""
    threshold: float
    """Of the calibrated probability."""
    break_even: float
    figures: tuple[Figure, ...]

    def value(self, name: str) -> float | None:
        """Of a figure."""
        return next(figure.value for figure in self.figures if figure.name == name)


@dataclass(frozen=True)
class _Policy:
    """Probabilities and decisions of one way to decide."""

    name: str
    speaks: Flags
    probability: Values | None = None
    score: Values | None = None


def assess(
    scores: Sequence[Scores], calibration: Calibration, thresholds: Thresholds, draws: int = DRAWS
) -> Assessment:
    """Figures with intervals.

    Args:
        scores: of streams under evaluation seeds.
        calibration: to be assessed.
        thresholds: of the observer without calibration.
        draws: resamples for the intervals.

    Raises:
        InputError: a training seed is among the streams, parts are mixed, or no offer is possible.
    """
    part = check_for_assessing([found.stream for found in scores])
    rows = table(scores, contrast=calibration.contrast)
    if not len(rows):
        raise InputError("an offer is possible at no observation: there is nothing to assess")
    policies = list(_policies(rows, calibration, thresholds))
    costs = {policy.name: _costs(rows, policy.speaks, calibration) for policy in policies}
    by_family = _streams_of(rows)
    places = {int(s): np.flatnonzero(rows.stream == s) for s in np.unique(rows.stream)}
    whole = _figures(rows, policies, costs, list(places), places)
    drawn: dict[str, list[float | None]] = {name: [] for name in whole}
    for families in cluster_draws(by_family, 0, draws):
        streams = [stream for family in families for stream in by_family[family]]
        for name, value in _figures(rows, policies, costs, streams, places).items():
            drawn[name].append(value)
    return Assessment(
        name=calibration.name,
        part=part,
        in_sample=part == calibration.sources.part,
        seeds=tuple(sorted({found.stream.seed for found in scores})),
        scenarios=len({found.stream.scenario for found in scores}),
        families=len(by_family),
        observations=len(rows),
        useful=float(rows.useful.mean()),
        form=calibration.gate.curve.form,
        threshold=calibration.gate.threshold,
        break_even=calibration.costs.break_even,
        figures=tuple(
            Figure(
                name=name, value=value, interval=interval_of(drawn[name], clusters=len(by_family))
            )
            for name, value in whole.items()
        ),
    )


def check_for_assessing(streams: Sequence[Stream]) -> str:
    """Refuse what is for fitting; the part that all streams are of.

    Raises:
        InputError: a training seed is among the streams, or they are of several parts or none.
    """
    for stream in streams:
        if stream.seed not in EVALUATION:
            raise InputError(
                f"{stream.scenario}, seed {stream.seed}: calibrations are assessed under "
                f"evaluation seeds, {EVALUATION.start} to {EVALUATION.stop - 1}"
            )
    parts = sorted({stream.part for stream in streams})
    if len(parts) != 1:
        raise InputError(f"streams of one part are needed, and there are {parts or 'none'}")
    return parts[0]


def _policies(rows: Table, calibration: Calibration, thresholds: Thresholds) -> Iterator[_Policy]:
    """Ways to decide: none at all, raw shares, the calibration, the probe."""
    gate, count = calibration.gate, len(rows)
    yield _Policy("never", np.zeros(count, np.bool_))
    yield _Policy("always", np.ones(count, np.bool_))
    yield _Policy("raw", rows.share >= thresholds.propose, rows.share, rows.score)
    yield _Policy("raw_at_break_even", rows.share >= calibration.costs.break_even)
    found = probabilities(gate.curve, rows.score)
    yield _Policy("calibrated", found >= gate.threshold, found, found)
    yield _Policy("constant", np.zeros(count, np.bool_), np.full(count, calibration.sources.useful))
    probe = calibration.probe
    if probe is not None:
        score = probe_scores(probe, rows.hidden)
        found = probabilities(probe.fitted.curve, score)
        yield _Policy("probe", found >= probe.fitted.threshold, found, score)


def _costs(rows: Table, speaks: Flags, calibration: Calibration) -> dict[int, float]:
    """Cost of each stream."""
    return {
        int(s): stream_cost(
            rows.useful[rows.stream == s], speaks[rows.stream == s], calibration.costs
        )
        for s in np.unique(rows.stream)
    }


def _streams_of(rows: Table) -> dict[str, list[int]]:
    found: dict[str, set[int]] = {}
    for family, stream in zip(rows.family.tolist(), rows.stream.tolist(), strict=True):
        found.setdefault(family, set()).add(stream)
    return {family: sorted(streams) for family, streams in found.items()}


def _figures(
    rows: Table,
    policies: Sequence[_Policy],
    costs: dict[str, dict[int, float]],
    streams: Sequence[int],
    places: dict[int, NDArray[np.int_]],
) -> dict[str, float | None]:
    """All figures over some streams, each as often as it is named."""
    at = np.concatenate([places[stream] for stream in streams])
    useful = rows.useful[at]
    found: dict[str, float | None] = {}
    for policy in policies:
        found[f"cost_{policy.name}"] = float(np.mean([costs[policy.name][s] for s in streams]))
        found[f"rate_{policy.name}"] = float(policy.speaks[at].mean())
        if policy.probability is not None:
            found[f"brier_{policy.name}"] = brier(useful, policy.probability[at])
            found[f"ece_{policy.name}"] = ece(useful, policy.probability[at])
        if policy.score is not None:
            found[f"auroc_{policy.name}"] = auroc(useful, policy.score[at])
    by_name = {policy.name: policy for policy in policies}
    del found["cost_constant"], found["rate_constant"]
    found |= _differences(found)
    probe, raw = by_name.get("probe"), by_name["raw"]
    rates = (*RATES, float(by_name["calibrated"].speaks.mean()))
    for rate, label in zip(rates, (*map(str, RATES), "calibrated_rate"), strict=True):
        found[f"useful_at_{label}_score"] = _share(useful, raw, at, rate)
        if probe is not None:
            found[f"useful_at_{label}_probe"] = _share(useful, probe, at, rate)
            found[f"useful_at_{label}_difference"] = _less(
                found[f"useful_at_{label}_probe"], found[f"useful_at_{label}_score"]
            )
    return found


def _differences(found: dict[str, float | None]) -> dict[str, float | None]:
    """What the comparisons rest on: differences have intervals of their own."""
    wanted = {
        "brier": ("calibrated", "raw"),
        "cost": ("calibrated", "raw"),
        "auroc": ("calibrated", "raw"),
        "ece": ("calibrated", "raw"),
    }
    rows = {
        f"{measure}_{one}_less_{other}": _less(
            found[f"{measure}_{one}"], found[f"{measure}_{other}"]
        )
        for measure, (one, other) in wanted.items()
    }
    if "cost_probe" in found:
        rows["cost_probe_less_calibrated"] = _less(found["cost_probe"], found["cost_calibrated"])
    return rows


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _share(useful: Flags, policy: _Policy, at: NDArray[np.int_], rate: float) -> float | None:
    return None if policy.score is None else share_useful(useful, policy.score[at], rate)
