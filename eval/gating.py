"""What a gate before the model is worth, and a linear gate fitted: both on recorded streams.

How often it wakes and what it sleeps through needs no model. What it saves is measured, by letting
the model read the same streams twice, always awake and behind the gate; it is not counted as skips
times a mean, since what was skipped is read later, together with something else. What it does not
know: files, the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heron.contracts import Record, StepCost
from heron.errors import InputError
from heron.eval.calibration.fit import check_for_fitting
from heron.eval.calibration.scores import Noting
from heron.eval.calibration.streams import Stream
from heron.observer.gate import FEATURES, Gate, LinearGate, RuleGate, SinceWake
from heron.observer.gguf import GgufObserver
from heron.protocols import DecisionModel, Schema

FOLDS = 5


class GateReport(Record):
    """A gate on some streams of users whom nobody helps."""

    streams: int
    observations: int
    asked: int
    """Observations at which an offer may be made: the gate was asked."""
    wakes: int
    useful: int
    """Of those at which it was asked, those at which an offer is of use."""
    slept_useful: int
    """Of these, those that it slept through."""
    chances: int
    """Streams in which it was asked at a useful moment at least once."""
    missed: int
    """Of these, those in which it woke at none of them."""

    @property
    def wake_rate(self) -> float | None:
        """Wakes per observation."""
        return self.wakes / self.observations if self.observations else None

    @property
    def missed_share(self) -> float | None:
        """Chances that were slept through whole; ``None`` where there were none."""
        return self.missed / self.chances if self.chances else None


class GateSaving(Record):
    """The same streams read twice by one model, which always waits."""

    evaluated_awake: int
    evaluated_gated: int
    """Tokens."""
    cpu_awake_s: float
    cpu_gated_s: float
    decisions_awake: int
    decisions_gated: int


@dataclass(frozen=True)
class _Moment:
    """One observation as a gate met it."""

    woken: bool
    features: tuple[float, ...] | None
    """``None``: it was not asked."""


class _Asked:
    """A gate that notes what it is asked."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self.features: tuple[float, ...] | None = None

    def wakes(self, since: SinceWake) -> bool:
        self.features = since.features()
        return self._gate.wakes(since)


class _NoModel:
    """A ``DecisionModel`` that evaluates nothing, where only waking is of interest."""

    def begin(self, system: str, examples: Sequence[tuple[str, str]] = ()) -> None:
        """Nothing to go back to."""

    def extend(self, text: str, *, keep: bool = False) -> None:
        """Nothing is kept."""

    def option_logprobs(self, options: Sequence[str]) -> tuple[float, ...]:
        return (0.0,) * len(options)

    def choose(self, option: str) -> None:
        """Nothing is kept."""

    def generate(self, schema: Schema, *, opening: str = "", max_tokens: int = 160) -> str:
        raise InputError("an observer that always waits has nothing to word")

    def take_cost(self) -> StepCost:
        return StepCost(wall_s=0.0, reason="no model")


def _moments(stream: Stream, gate: Gate) -> Iterator[_Moment]:
    asked = _Asked(gate)
    observer = GgufObserver(_NoModel(), decider=Noting(reads_hidden=False), gate=asked)
    for observation in stream.observations:
        asked.features = None
        observer.observe(observation)
        yield _Moment(bool(observer.woken), asked.features)


def report(streams: Iterable[Stream], gate: Gate) -> GateReport:
    """How often a gate wakes, and what it sleeps through."""
    counts = dict.fromkeys(GateReport.model_fields, 0)
    for stream in streams:
        found = [
            (moment, is_useful and moment.features is not None)
            for moment, is_useful in zip(_moments(stream, gate), stream.useful, strict=True)
        ]
        useful = [moment for moment, is_useful in found if is_useful]
        counts["streams"] += 1
        counts["observations"] += len(found)
        counts["asked"] += sum(moment.features is not None for moment, _ in found)
        counts["wakes"] += sum(moment.woken for moment, _ in found)
        counts["useful"] += len(useful)
        counts["slept_useful"] += sum(not moment.woken for moment in useful)
        counts["chances"] += bool(useful)
        counts["missed"] += bool(useful) and not any(moment.woken for moment in useful)
    return GateReport(**counts)


def saving(model: DecisionModel, streams: Sequence[Stream], gate: Gate) -> GateSaving:
    """Read the streams always awake, then behind the gate; the prompt is evaluated before.

    Raises:
        ModelFault: the model failed.
    """
    for observation in streams[0].observations[:1] if streams else ():
        GgufObserver(model, decider=Noting(reads_hidden=False)).observe(observation)
    awake, gated = (_read(model, streams, each) for each in (None, gate))
    return GateSaving(
        evaluated_awake=awake[0],
        evaluated_gated=gated[0],
        cpu_awake_s=awake[1],
        cpu_gated_s=gated[1],
        decisions_awake=awake[2],
        decisions_gated=gated[2],
    )


def _read(
    model: DecisionModel, streams: Sequence[Stream], gate: Gate | None
) -> tuple[int, float, int]:
    """Tokens evaluated, CPU seconds, decisions."""
    noting = Noting(reads_hidden=False)
    observer = GgufObserver(model, decider=noting, gate=gate)
    model.take_cost()
    for stream in streams:
        for observation in stream.observations:
            observer.observe(observation)
    cost = model.take_cost()
    return cost.evaluated or 0, cost.cpu_s or 0.0, len(noting.readings)


def fit_gate(streams: Sequence[Stream], keep: float = 0.98, command: str = "") -> LinearGate:
    """A linear gate that wakes as the given share of chances open, on held-out families.

    It is taught to tell a moment at which a chance opens from one at which there is none. The rest
    of an open chance is left out: nothing need happen in it, and to have woken once is enough.

    Features are those that the rules meet: counts since *they* last woke the model. A gate that
    wakes more rarely meets larger ones.

    Args:
        streams: of part ``dev`` under training seeds.
        keep: share of the chances to wake for as they open.
        command: what made it, for the file.

    Raises:
        InputError: streams that are for scoring, or too few.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict

    check_for_fitting(streams)
    rows, useful, family = _table(streams)
    if len(set(family)) < FOLDS or not 0 < sum(useful) < len(useful):
        raise InputError(
            f"{len(set(family))} families with {sum(useful)} chances in {len(useful)} moments are "
            f"too few: a gate is fitted on moments of both kinds in {FOLDS} families or more"
        )
    model = LogisticRegression(C=1.0, max_iter=2000)
    held_out = cross_val_predict(
        model, rows, useful, groups=family, cv=GroupKFold(FOLDS), method="predict_proba"
    )[:, 1]
    threshold = float(np.quantile(held_out[np.array(useful)], 1 - keep, method="lower"))
    model.fit(rows, useful)
    return LinearGate(
        features=FEATURES,
        weights=tuple(round(float(weight), 6) for weight in model.coef_[0]),
        intercept=round(float(model.intercept_[0]), 6),
        threshold=min(max(threshold, 1e-6), 1 - 1e-6),
        sources={
            "streams": len(streams),
            "families": len(set(family)),
            "seeds": sorted({stream.seed for stream in streams}),
            "moments": len(useful),
            "openings": int(sum(useful)),
            "keep": keep,
            "command": command,
        },
    )


def _table(streams: Sequence[Stream]) -> tuple[NDArray[np.float64], list[bool], list[str]]:
    """Features of the moments at which the gate is asked, whether a chance opens, and family."""
    rows, opens, family = [], [], []
    for stream in streams:
        is_open = False
        for moment, is_useful in zip(_moments(stream, RuleGate()), stream.useful, strict=True):
            if moment.features is None:
                continue
            if not (is_open and is_useful):
                rows.append(moment.features)
                opens.append(is_useful)
                family.append(stream.family)
            is_open = is_useful
    return np.array(rows, np.float64), opens, family
