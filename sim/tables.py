"""Where apps keep their records: tables of frozen records over one journal.

Every change goes through ``put`` or ``delete`` and lands in the journal, so that a refused call
is undone, a call's changes are known without comparing states, and a snapshot is a copy of
pointers. What it does not know: apps, screens, actors.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict

from heron.contracts import Evidence
from heron.errors import IllegalCall


class AppRecord(BaseModel):
    """Base of what apps store: frozen, nothing undeclared, with an id and a kind."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    KIND: ClassVar[str]
    """``email``, ``event``, …: unique over all apps."""
    ID: ClassVar[str]
    """Name of the field that holds the id."""

    @property
    def ref(self) -> str:
        """The record's id."""
        return str(getattr(self, self.ID))

    def line(self) -> str:
        """The record in one line, for screens, looks and evidence."""
        raise NotImplementedError

    def route(self, parameter: str) -> Any:
        """What leads to this record where an action takes ``parameter`` (a day, a folder, …).

        Returns:
            the value, or ``None`` where the parameter is no help in getting here.
        """
        return None

    def evidence(self) -> Evidence:
        """The record as something that was shown."""
        return Evidence.model_construct(ref=self.ref, kind=self.KIND, text=self.line())


R = TypeVar("R", bound=AppRecord)


@dataclass(frozen=True, slots=True)
class Write:
    """One journal line: a record before and after, ``None`` where it is not there."""

    table: Table[Any]
    ref: str
    before: AppRecord | None
    after: AppRecord | None
    counter: int
    """The table's counter before."""
    position: int = -1
    """Where a deleted record stood."""


Journal = list[Write]


def undo(journal: Journal, mark: int) -> None:
    """Take back, exactly, everything written since the journal had ``mark`` lines."""
    while len(journal) > mark:
        write = journal.pop()
        write.table.take_back(write)


@dataclass(frozen=True, slots=True)
class TableState(Generic[R]):
    """A table's content at one moment; the records are shared, being frozen."""

    rows: dict[str, R]
    counter: int


class Table(Generic[R]):
    """Records of one type by id, in order of insertion.

    Args:
        record_type: the type.
        prefix: of new ids: ``e`` gives ``e1``, ``e2``, …
        journal: where changes are written.
    """

    def __init__(self, record_type: type[R], prefix: str, journal: Journal) -> None:
        self.record_type, self.prefix, self._journal = record_type, prefix, journal
        self._rows: dict[str, R] = {}
        self._counter = 0
        self._promised: str | None = None

    def __iter__(self) -> Iterator[R]:
        return iter(self._rows.values())

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, ref: object) -> bool:
        return ref in self._rows

    @property
    def counter(self) -> int:
        """The last number given out."""
        return self._counter

    def find(self, ref: str) -> R | None:
        """The record, or ``None``."""
        return self._rows.get(ref)

    def get(self, ref: str) -> R:
        """The record.

        Raises:
            IllegalCall: there is none; the message names a few that there are.
        """
        row = self._rows.get(ref)
        if row is None:
            kind, known = self.record_type.KIND, list(self._rows)[-5:]
            there = f"there are {', '.join(known)}" if known else f"there is no {kind} at all"
            raise IllegalCall(f"no {kind} {ref!r}; {there}")
        return row

    def put(self, row: R) -> R:
        """Store a new record or a new version of one."""
        ref = row.ref
        self._journal.append(Write(self, ref, self._rows.get(ref), row, self._counter))
        self._rows[ref] = row
        if ref == self._promised:
            self._promised = None
        number = ref.removeprefix(self.prefix)
        if number.isdecimal():
            self._counter = max(self._counter, int(number))
        return row

    def change(self, ref: str, **fields: Any) -> R:
        """Store a version of a record in which ``fields`` are other; no change writes nothing."""
        row = self.get(ref)
        if all(getattr(row, name) == value for name, value in fields.items()):
            return row
        return self.put(row.model_copy(update=fields))

    def delete(self, ref: str) -> R:
        """Remove a record."""
        row = self.get(ref)
        position = list(self._rows).index(ref)
        self._journal.append(Write(self, ref, row, None, self._counter, position))
        del self._rows[ref]
        return row

    def new_id(self) -> str:
        """The next free id; it is taken when a record with it is put."""
        return self._promised or f"{self.prefix}{self._counter + 1}"

    def reserve(self) -> str:
        """Take the next free id out of circulation, for a record that is still to come."""
        self._counter += 1
        return f"{self.prefix}{self._counter}"

    @contextmanager
    def promised(self, ref: str) -> Iterator[None]:
        """Within the block the first new record gets ``ref``, an id reserved before."""
        self._promised = ref
        try:
            yield
        finally:
            self._promised = None

    def take_back(self, write: Write) -> None:
        """Undo one journal line; lines must be taken back newest first."""
        if write.before is None:
            del self._rows[write.ref]
        elif write.after is not None:
            self._rows[write.ref] = cast(R, write.before)
        else:
            rows = list(self._rows.items())
            rows.insert(write.position, (write.ref, cast(R, write.before)))
            self._rows = dict(rows)
        self._counter = write.counter

    def state(self) -> TableState[R]:
        """Content now."""
        return TableState(dict(self._rows), self._counter)

    def load(self, state: TableState[R]) -> None:
        """Go back to a content."""
        self._rows, self._counter = dict(state.rows), state.counter
