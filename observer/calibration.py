"""Calibrations: files that turn a model's scores into probabilities that an offer is of use.

A file holds a curve, the threshold that follows from stated costs, what it was fitted on, and a key
of all that the scores depend on: under another key it is refused. What it does not know: how it was
fitted (see ``heron.eval.calibration``), which library runs the model.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from importlib import resources
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field, ValidationError, model_validator

from heron.contracts import Record, Scores
from heron.errors import InputError
from heron.observer.encode import ENCODING
from heron.observer.prompt import prompt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SUFFIX: Final = ".calibration.json"
SMALLEST: Final = 1e-6
"""Shares are kept this far from 0 and 1, so that their log-odds are numbers."""

Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class CalibrationKey(Record):
    """What a model's scores depend on."""

    model: str
    """sha256 of the base file."""
    quantisation: str
    adapter: str | None = None
    """sha256 of the adapter; None: none is loaded."""
    prompt: str
    """Digest of the prompt."""
    encoding: int
    """Version of the line format."""
    window: int
    """Tokens."""
    attention: str
    """Whether flash attention is on."""
    library: str
    """Versions of the binding and of llama.cpp."""

    def differences(self, other: CalibrationKey) -> tuple[str, ...]:
        """What differs, as ``name is … and not …``: this key's value, then the other's."""
        mine, its = self.model_dump(), other.model_dump()
        return tuple(
            f"{name} is {mine[name]!r} and not {its[name]!r}"
            for name in mine
            if mine[name] != its[name]
        )


def key_of(info: Mapping[str, Any]) -> CalibrationKey:
    """The key of a model that runs here.

    Args:
        info: what is known of it, as the room ``models`` tells it.

    Raises:
        InputError: it is not known which file it is.
    """
    sha256 = info.get("base_sha256") or info.get("sha256")
    if not sha256:
        raise InputError("the model's sha256 is not known: a calibration cannot be matched to it")
    return CalibrationKey(
        model=sha256,
        quantisation=info["quantisation"],
        adapter=info.get("adapter"),
        prompt=prompt().digest,
        encoding=ENCODING,
        window=info["window"],
        attention=info["flash_attention"],
        library=info["library"],
    )


class Costs(Record):
    """What is lost by an error, in any one unit."""

    interruption: Amount = 1.0
    """By an offer that is of no use."""
    missed: Amount = 2.0
    """By keeping still where an offer is of use."""
    joule: Amount = 0.0
    """By a joule spent."""
    joules: Amount = 0.0
    """What wording an offer takes: measured or estimated by whoever states the costs."""

    @model_validator(mode="after")
    def _something_costs(self) -> Costs:
        if self.interruption + self.missed <= 0:
            raise ValueError("an interruption and a missed chance cannot both be free")
        return self

    @property
    def offer(self) -> float:
        """Of the energy of one offer."""
        return self.joule * self.joules

    @property
    def break_even(self) -> float:
        """The probability from which on an offer costs less than letting the chance pass.

        An offer costs ``(1 - p) interruption + offer``, keeping still ``p missed`` (Elkan 2001,
        "The Foundations of Cost-Sensitive Learning"). Above 1: an offer is never worth it. Where
        the chance is still there later, waiting costs less than that, so thresholds lie higher.
        """
        return (self.interruption + self.offer) / (self.interruption + self.missed)

    @classmethod
    def parse(cls, text: str, joules: float = 0.0) -> Costs:
        """``"1:2:0"`` is an interruption : a missed chance : a joule.

        Raises:
            InputError: it is not of that form, or a joule costs something and none are stated.
        """
        parts = text.split(":")
        try:
            interruption, missed, joule = map(float, parts)
            found = cls(interruption=interruption, missed=missed, joule=joule, joules=joules)
        except ValueError as error:
            raise InputError(
                f"costs {text!r}: write interruption:missed:joule, numbers from 0 on, as 1:2:0"
            ) from error
        if joule and not joules:
            raise InputError(
                f"costs {text!r}: a joule costs something, so say with --joules what an offer takes"
            )
        return found


class Platt(Record):
    """A logistic curve (Platt 1999)."""

    form: Literal["platt"] = "platt"
    slope: float
    intercept: float

    def probability(self, score: float) -> float:
        """Of a score."""
        return logistic(self.slope * score + self.intercept)


class Isotonic(Record):
    """A line through the centres of an isotonic regression's blocks, level beyond the outer ones.

    It rises between two centres, where the regression proper is a step and would tie scores
    (centred isotonic regression: Oron and Flournoy 2017).
    """

    form: Literal["isotonic"] = "isotonic"
    scores: tuple[float, ...] = Field(min_length=1)
    """Ascending."""
    probabilities: tuple[float, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _monotone(self) -> Isotonic:
        if len(self.scores) != len(self.probabilities):
            raise ValueError("as many scores as probabilities are needed")
        if list(self.scores) != sorted(set(self.scores)):
            raise ValueError("scores must ascend")
        if list(self.probabilities) != sorted(self.probabilities):
            raise ValueError("probabilities must not descend")
        return self

    def probability(self, score: float) -> float:
        """Of a score."""
        place = bisect_right(self.scores, score)
        if place == 0:
            return self.probabilities[0]
        if place == len(self.scores):
            return self.probabilities[-1]
        left, right = self.scores[place - 1], self.scores[place]
        low, high = self.probabilities[place - 1], self.probabilities[place]
        return low + (high - low) * (score - left) / (right - left)


Curve = Annotated[Platt | Isotonic, Field(discriminator="form")]


class Bin(Record):
    """A row of a reliability curve."""

    count: int
    predicted: float
    """Mean of the probabilities."""
    observed: float
    """Share in which an offer was of use."""


class Quality(Record):
    """How good probabilities are."""

    brier: float
    ece: float
    """Expected calibration error, ten bins of equal width."""
    auroc: float | None
    """``None`` where there is but one class."""
    reliability: tuple[Bin, ...] = ()
    """Bins that hold something."""


class Fitted(Record):
    """A curve with what it does on the streams it comes from."""

    curve: Curve
    threshold: float
    """The probability from which on to speak: of all from the costs' break-even on, the one amid
    those under which the streams cost least."""
    cost: float
    """What a stream costs on the mean, under thresholds chosen on other families."""
    before: Quality | None
    """Of the raw shares; ``None`` for a probe, whose raw score is no probability."""
    after: Quality
    """Cross-validated over families: no family's probabilities come from a curve that saw it."""

    def speaks(self, score: float) -> bool:
        """Whether an offer is worth it at a score."""
        return self.curve.probability(score) >= self.threshold


class Probe(Record):
    """A logistic regression on the model's last hidden state."""

    weights: tuple[float, ...]
    """Standardisation is in them."""
    intercept: float
    strength: float
    """Inverse of the regularisation (scikit-learn's ``C``), chosen by cross-validation."""
    fitted: Fitted

    def score(self, hidden: NDArray[np.float32]) -> float:
        """Log-odds before calibration.

        Raises:
            InputError: the state is of another width.
        """
        if len(hidden) != len(self.weights):
            raise InputError(
                f"the probe wants {len(self.weights)} numbers and the model gives {len(hidden)}"
            )
        return float(hidden.astype("f8") @ self.weights) + self.intercept


class Sources(Record):
    """What a calibration was fitted on."""

    part: str
    seeds: tuple[int, ...]
    scenarios: int
    families: int
    observations: int
    """Those at which an offer was possible."""
    useful: float
    """Share of them at which one was of use: the base rate that the probabilities assume."""
    digest: str
    """Of the streams."""


class Calibration(Record):
    """A calibration file."""

    version: Literal[1] = 1
    name: str
    """The model, for people."""
    key: CalibrationKey
    contrast: bool
    """The score is compared with that of ordinary minutes."""
    costs: Costs
    gate: Fitted
    probe: Probe | None = None
    sources: Sources
    command: str
    """That made it."""

    def check(self, key: CalibrationKey, where: str) -> None:
        """Refuse to serve another model or setting.

        Raises:
            InputError: says what differs.
        """
        differs = self.key.differences(key)
        if differs:
            raise InputError(
                f"{where}: fitted under other conditions: its {'; its '.join(differs)}; "
                f"run heron observer calibrate {self.name}, or use gguf:{self.name}"
            )


def gate_score(shares: Scores) -> float:
    """Log-odds of what opens the gate: the share of look or of propose, whichever is larger."""
    share = min(max(shares.look, shares.propose, SMALLEST), 1 - SMALLEST)
    return log(share / (1 - share))


def logistic(value: float) -> float:
    """The inverse of log-odds, without overflow."""
    if value >= 0:
        return 1 / (1 + exp(-value))
    return exp(value) / (1 + exp(value))


def read_calibration(file: Path) -> Calibration:
    """The calibration in a file.

    Raises:
        InputError: there is no such file, or it is none.
    """
    try:
        return Calibration.model_validate_json(file.read_bytes())
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "file"
        raise InputError(f"{file}: no calibration: {where}: {first['msg']}") from error


def shipped(name: str) -> Path:
    """Where Heron's own calibration of a model of the catalogue lies, if there is one."""
    folder = resources.files("heron.observer").joinpath("data", "calibrations")
    return Path(str(folder)) / f"{name}{SUFFIX}"


def find_calibration(name: str, folder: Path | None) -> Path:
    """The file for a model: beside it, else Heron's own.

    Args:
        name: of the catalogue, or a model file's path.
        folder: of the model file.

    Raises:
        InputError: there is none.
    """
    stem = Path(name).name.removesuffix(".gguf")
    beside = [] if folder is None else [folder / f"{stem}{SUFFIX}"]
    for file in (*beside, shipped(stem)):
        if file.is_file():
            return file
    raise InputError(
        f"there is no calibration of {stem}: run heron observer calibrate {name}, "
        f"or name a file: calibrated:{name}?calibration=FILE"
    )
