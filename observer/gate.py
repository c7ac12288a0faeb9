"""A gate before the model: whether what has come since it last read is worth waking it for.

Cheap on purpose: a handful of counts, and either two rules or a dot product over them. What sleeps
is kept (see ``unread``), so a gate decides when the model reads, not what. What it does not know:
the model, and whether an offer may be made at all (see ``restraint``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib import resources
from math import exp, log1p
from pathlib import Path
from typing import Any, Final, Protocol

from pydantic import Field, JsonValue, ValidationError, model_validator

from heron.contracts import (
    ActionSeen,
    AnswerSeen,
    ExecutionSeen,
    NotificationSeen,
    Observation,
    Record,
)
from heron.errors import InputError
from heron.observer.seen import SeenRecords

FEATURES: Final = (
    "notifications",
    "with_record",
    "questions",
    "figures",
    "length",
    "touches",
    "actions",
    "failures",
    "answers",
    "reports",
    "idle",
    "minutes",
)
"""What a linear gate weighs, in this order; see ``SinceWake.features``."""

SHIPPED: Final = "gate.json"

_FIGURE: Final = re.compile(r"\d")


class SinceWake:
    """What has come since the model was last woken, as counts."""

    def __init__(self) -> None:
        self._counts = dict.fromkeys(FEATURES, 0)
        self._began: datetime | None = None
        self._now: datetime | None = None

    def note(self, observation: Observation, seen: SeenRecords) -> None:
        """Count an observation.

        Args:
            observation: what is new.
            seen: the records shown before it.
        """
        self._began = self._began or observation.time
        self._now = observation.time
        for new in observation.new:
            match new:
                case NotificationSeen():
                    self._note_notification(new)
                case ActionSeen():
                    self._counts["actions"] += 1
                    self._counts["failures"] += new.error is not None
                    self._counts["touches"] += _touches(new.arguments, seen)
                case AnswerSeen():
                    self._counts["answers"] += 1
                case ExecutionSeen():
                    self._counts["reports"] += 1
        self._counts["idle"] += not observation.new

    def _note_notification(self, new: NotificationSeen) -> None:
        text = f"{new.title} {new.text}"
        self._counts["notifications"] += 1
        self._counts["with_record"] += new.record is not None
        self._counts["questions"] += "?" in text
        self._counts["figures"] += _FIGURE.search(text) is not None
        self._counts["length"] += len(text)

    def count(self, feature: str) -> int:
        """How often a feature was counted; ``length`` is in characters."""
        return self._counts[feature]

    def features(self) -> tuple[float, ...]:
        """One value per name in ``FEATURES``: ln(1 + count), minutes and characters included."""
        counts: dict[str, float] = {**self._counts}
        if self._began is not None and self._now is not None:
            counts["minutes"] = (self._now - self._began).total_seconds() / 60
        return tuple(log1p(max(counts[name], 0.0)) for name in FEATURES)

    def save(self) -> dict[str, JsonValue]:
        """All of it, as ``load`` takes it."""
        times = (None if time is None else f"{time}" for time in (self._began, self._now))
        return {"counts": {**self._counts}, "times": [*times]}

    def load(self, saved: Mapping[str, Any]) -> None:
        """Go on with what ``save`` gave."""
        self._counts.update(saved["counts"])
        times = (None if time is None else datetime.fromisoformat(time) for time in saved["times"])
        self._began, self._now = times


def _touches(arguments: dict[str, JsonValue], seen: SeenRecords) -> bool:
    values = (value for value in arguments.values() if isinstance(value, str))
    return any(seen.get(value) is not None for value in values)


class Gate(Protocol):
    """Decides whether to wake the model; asked only where an offer may be made."""

    def wakes(self, since: SinceWake) -> bool:
        """Whether what has come since the last wake is worth a look at it by the model."""


class RuleGate:
    """Wakes on a notification, and on an action that names a record shown before.

    It sleeps while the user moves through screens, does nothing, or answers. A notification that
    came while no offer could be made wakes it as soon as one can be.
    """

    def wakes(self, since: SinceWake) -> bool:
        return since.count("notifications") > 0 or since.count("touches") > 0


class LinearGate(Record):
    """Wakes where a logistic regression over ``FEATURES`` reaches a threshold."""

    features: tuple[str, ...]
    weights: tuple[float, ...]
    intercept: float
    threshold: float = Field(gt=0, lt=1)
    sources: dict[str, Any] = Field(default_factory=dict)
    """What it was fitted on."""

    @model_validator(mode="after")
    def _fits(self) -> LinearGate:
        if self.features != FEATURES:
            raise ValueError(f"features are not those of this version: {', '.join(FEATURES)}")
        if len(self.weights) != len(self.features):
            raise ValueError(f"{len(self.weights)} weights for {len(self.features)} features")
        return self

    def probability(self, features: Sequence[float]) -> float:
        """That an offer is of use here."""
        pairs = zip(self.weights, features, strict=True)
        score = self.intercept + sum(weight * value for weight, value in pairs)
        return 1 / (1 + exp(-min(max(score, -50.0), 50.0)))

    def wakes(self, since: SinceWake) -> bool:
        return self.probability(since.features()) >= self.threshold


def read_gate(file: Path) -> LinearGate:
    """A linear gate's file.

    Raises:
        InputError: it cannot be read, or is no gate of this version.
    """
    try:
        return LinearGate.model_validate_json(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"gate {str(file)!r}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "file"
        raise InputError(f"gate {str(file)!r}: {where}: {first['msg']}") from error


def gate_from(options: Mapping[str, str]) -> Gate | None:
    """The gate that an observer's options ask for: ``off``, ``rules``, ``linear`` (Heron's own),
    or a linear gate's file.

    Raises:
        InputError: the file cannot be used.
    """
    name = options.get("gate", "off")
    if name == "off":
        return None
    if name == "rules":
        return RuleGate()
    if name == "linear":
        return _shipped()
    return read_gate(Path(name))


def _shipped() -> LinearGate:
    text = resources.files("heron.observer").joinpath("data", SHIPPED).read_text("utf-8")
    return LinearGate.model_validate_json(text)
