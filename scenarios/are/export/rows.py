"""Heron's records → rows of ARE's state, by the tables of ``records``.

What it does not know: where rows lie in an app's state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from heron.scenarios.are.export.ledger import Ledger
from heron.scenarios.are.records import ID_FIELDS, RECORDS, Field
from heron.scenarios.are.values import encoded, epoch
from heron.sim.app import App
from heron.sim.tables import AppRecord

State = dict[str, Any]

_ELSEWHERE: dict[str, frozenset[str]] = {
    "email": frozenset({"attachments", "enclosed", "parent_id", "folder", "quoted"}),
    "message": frozenset({"conversation_id", "sender_id", "sender", "attachment", "enclosed"}),
    "conversation": frozenset({"participant_ids", "names", "group"}),
    "note": frozenset({"folder", "attachments", "enclosed"}),
    "reminder": frozenset({"already_notified"}),
    "ride": frozenset({"ride_time", "delay_history", "picked_up_at", "ended_at"}),
    "item": frozenset({"product_id", "name", "in_cart"}),
    "order": frozenset({"order_items"}),
    "discount_code": frozenset({"percentage", "item_percentages"}),
}
"""Kind → fields that no row of a table has, and that the file tells all the same."""


def records(app: App, kind: str) -> Iterator[Any]:
    """An app's records of one kind, in order."""
    table = app.table_of(kind)
    if table is not None:
        yield from table


def row(kind: str, record: AppRecord, ledger: Ledger) -> State:
    """A record's fields under ARE's names; what it has beside them is noted."""
    made: State = {}
    for one in RECORDS[kind]:
        if one.heron is not None:
            made[one.are] = _value(one, getattr(record, one.heron))
    if kind in ID_FIELDS:
        made[ID_FIELDS[kind]] = record.ref
    note_rest(kind, record, ledger)
    return made


def note_rest(kind: str, record: AppRecord, ledger: Ledger) -> None:
    """Note which fields of a record hold something that its row cannot say."""
    told = {one.heron for one in RECORDS.get(kind, ())} | _ELSEWHERE.get(kind, frozenset())
    for name, info in type(record).model_fields.items():
        if name in told or name == type(record).ID or info.is_required():
            continue
        usual = info.get_default(call_default_factory=True)
        if getattr(record, name) != usual:
            ledger.note(f"field {kind}.{name}")


def _value(one: Field, value: Any) -> Any:
    if value is None:
        return None
    turn = _FORMS.get(one.form)
    return value if turn is None else turn(value)


def listed(values: Iterable[Any]) -> list[Any]:
    """As JSON has it."""
    return list(values)


def _options(value: Any) -> dict[str, Any]:
    return {key: listed(item) if isinstance(item, tuple) else item for key, item in value.items()}


def seconds(value: datetime) -> float:
    """A time in a state."""
    return epoch(value)


def zoned(value: datetime) -> str:
    """A time where ARE keeps a text."""
    return f"{value.isoformat()}+00:00"


_FORMS: dict[str, Callable[[Any], Any]] = {
    "time": seconds,
    "texts": listed,
    "options": _options,
    "number": float,
}


def attached(names: Iterable[str], enclosed: Iterable[Any]) -> dict[str, str]:
    """Files that come with something: name → what it says, as ARE keeps it."""
    said = {one.name: one.content for one in enclosed}
    return {name: encoded(said.get(name, "")) for name in names}
