"""The records that an observer has been shown, so that it can name them and nothing else.

What it does not know: the phone; a record that was changed without being shown is old here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import JsonValue

from heron.contracts import (
    ActionSeen,
    Evidence,
    LookSeen,
    NotificationSeen,
    Observation,
    ToolSpec,
)

LIMIT = 64
"""Records kept; what was shown longest ago is forgotten first."""


class SeenRecords:
    """Records by id, in the order in which they were last shown.

    Beside them it keeps the ids of records that the user has touched and that were never shown:
    they can be looked at, not proposed on. An action's argument counts as such an id if a read
    tool has a reference parameter of the same name, which is also how its kind is known.

    Args:
        tools: the read tools of the brief.
        limit: how many records, and how many touched ids, are kept.
        per_look: records of one look that count: those that the model gets to read.
    """

    def __init__(
        self, tools: Iterable[ToolSpec] = (), *, limit: int = LIMIT, per_look: int = LIMIT
    ) -> None:
        self._limit, self._per_look = limit, per_look
        self._kinds = _reference_parameters(tools)
        self._shown: dict[str, Evidence] = {}
        self._touched: dict[str, str] = {}

    def note(self, observation: Observation) -> None:
        """Take in what an observation shows."""
        for seen in observation.new:
            match seen:
                case NotificationSeen(record=Evidence() as record):
                    self._show(record)
                case LookSeen():
                    for record in seen.result.shown[: self._per_look]:
                        self._show(record)
                case ActionSeen(error=None):
                    self._touch(seen)

    def _show(self, record: Evidence) -> None:
        self._shown.pop(record.ref, None)
        self._touched.pop(record.ref, None)
        self._shown[record.ref] = record
        while len(self._shown) > self._limit:
            del self._shown[next(iter(self._shown))]

    def _touch(self, seen: ActionSeen) -> None:
        for name, value in seen.arguments.items():
            kind = self._kinds.get(name)
            if kind is None or not isinstance(value, str) or value in self._shown:
                continue
            self._touched.pop(value, None)
            self._touched[value] = kind
            while len(self._touched) > self._limit:
                del self._touched[next(iter(self._touched))]

    @property
    def has_any(self) -> bool:
        """Whether there is anything that could be spoken about or looked at."""
        return bool(self._shown or self._touched)

    def get(self, ref: str) -> Evidence | None:
        """The record as it was last shown."""
        return self._shown.get(ref)

    def refs(self) -> tuple[str, ...]:
        """Ids of all records shown, the latest last."""
        return tuple(self._shown)

    def candidates(self, kind: str) -> tuple[str, ...]:
        """Ids of ``kind`` that a look may name: shown or touched, the latest shown last."""
        touched = (ref for ref, its in self._touched.items() if its == kind)
        shown = (ref for ref, record in self._shown.items() if record.kind == kind)
        return (*touched, *shown)

    def save(self) -> dict[str, JsonValue]:
        """What was shown and touched, as ``load`` takes it."""
        return {
            "shown": [record.model_dump(mode="json") for record in self._shown.values()],
            "touched": dict(self._touched),
        }

    def load(self, saved: Mapping[str, Any]) -> None:
        """Go back to what ``save`` gave."""
        records = [Evidence.model_validate(record) for record in saved["shown"]]
        self._shown = {record.ref: record for record in records}
        self._touched = dict(saved["touched"])


def _reference_parameters(tools: Iterable[ToolSpec]) -> dict[str, str]:
    kinds: dict[str, str] = {}
    for tool in tools:
        properties = tool.parameters.get("properties")
        for name, schema in properties.items() if isinstance(properties, Mapping) else ():
            kind = schema.get("x-ref") if isinstance(schema, Mapping) else None
            if isinstance(kind, str):
                kinds.setdefault(name, kind)
    return kinds
