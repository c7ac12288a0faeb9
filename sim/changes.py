"""What calls did to the records: journal lines as ``Change`` records, and the state's digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import date, datetime, time
from enum import Enum
from typing import Any

from pydantic import BaseModel

from heron.contracts import Change
from heron.sim.marks import UNTOLD, field_marks
from heron.sim.signature import cached
from heron.sim.tables import AppRecord, Table, Write

_AS_IS = frozenset({str, int, float, bool, type(None)})
"""Types whose values JSON has as they are: by far the most."""


_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def plain(value: Any) -> Any:
    """A field's value as JSON has it; times as ``YYYY-MM-DD HH:MM`` (seconds where not zero)."""
    if type(value) in _AS_IS:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, datetime):
        return value.isoformat(" ", "seconds" if value.second else "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    return _parts(value)


def _parts(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return {name: plain(getattr(value, name)) for name in _fields(type(value))}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(plain(item) for item in value)
    return [plain(item) for item in value]


def told(answer: Any) -> Any:
    """A tool's answer as JSON has it, without the fields of records that nobody is told."""
    if isinstance(answer, AppRecord):
        return {name: plain(getattr(answer, name)) for name in _told_fields(type(answer))}
    if isinstance(answer, dict):
        return {str(key): told(item) for key, item in answer.items()}
    if isinstance(answer, list | tuple):
        return [told(item) for item in answer]
    return plain(answer)


@cached
def _told_fields(record_type: type[AppRecord]) -> tuple[str, ...]:
    marks = field_marks(record_type)
    return tuple(name for name in record_type.model_fields if UNTOLD not in marks[name])


@cached
def _fields(record_type: type[BaseModel]) -> tuple[str, ...]:
    return tuple(record_type.model_fields)


def fields_of(row: AppRecord | None) -> dict[str, Any]:
    """All fields of a record, plain; nothing if there is no record."""
    return {} if row is None else plain(row)


def net_changes(app_of: dict[int, str], writes: Iterable[Write]) -> tuple[Change, ...]:
    """The changes that several writes make together, one per record, in order of first touch.

    Args:
        app_of: ``id(table)`` → the app's name.
        writes: journal lines, oldest first.
    """
    first: dict[tuple[int, str], Write] = {}
    last: dict[tuple[int, str], Write] = {}
    for write in writes:
        key = (id(write.table), write.ref)
        first.setdefault(key, write)
        last[key] = write
    found = []
    for key, write in first.items():
        change = diff(app_of[key[0]], write.before, last[key].after)
        if change is not None:
            found.append(change)
    return tuple(found)


def diff(app: str, before: AppRecord | None, after: AppRecord | None) -> Change | None:
    """What differs between two versions of a record; ``None`` if nothing does."""
    known = after if after is not None else before
    if known is None:
        return None
    old, new = fields_of(before), fields_of(after)
    names = [name for name in type(known).model_fields if old.get(name) != new.get(name)]
    if not names:
        return None
    op = "create" if before is None else "delete" if after is None else "update"
    return Change.model_construct(
        app=app,
        kind=known.KIND,
        ref=known.ref,
        op=op,
        fields={name: (old.get(name), new.get(name)) for name in names},
    )


def digest(value: Any) -> str:
    """sha256 of a value's canonical JSON."""
    return hashlib.sha256(_canonical(plain(value)).encode()).hexdigest()


class Fingerprints:
    """Digests of whole tables, for which each version of a record is read only once.

    Records are frozen, so a record that is the same object has the same digest, also after the
    phone has gone back to a snapshot.
    """

    def __init__(self) -> None:
        self._known: dict[int, dict[str, tuple[AppRecord, str]]] = {}

    def of(self, table: Table[Any]) -> str:
        """sha256 of a table's records, in order."""
        known = self._known.setdefault(id(table), {})
        found = []
        for row in table:
            ref = row.ref
            last = known.get(ref)
            if last is None or last[0] is not row:
                last = known[ref] = (row, digest(row))
            found.append(last[1])
        return hashlib.sha256("\n".join(found).encode()).hexdigest()
