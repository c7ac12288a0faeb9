"""Replays a reference and compares the phone with the final state of the file that it is from.

Field by field, up to ids that either side generates and times of the run. Left out as well, since
the two phones differ there by what they are:

- an order's total and other amounts by less than a cent: ARE does not round them;
- price, distance and duration of a ride that the run orders: each phone quotes its own;
- that a past ride is still called booked: ARE never ends one by the clock;
- the prefix of a mail's subject when it stands twice, and the quotation in a forwarded mail;
- reminders where the file's state is empty: ARE does not write them down.

What it does not know: episodes, users.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from heron.contracts import Grant
from heron.errors import InputError
from heron.eval.staging import play_forward
from heron.scenarios.are.apps import app_of
from heron.scenarios.are.assembly import MADE_BY
from heron.scenarios.are.book import AGAIN, Book, Row
from heron.scenarios.are.convert import Converted
from heron.scenarios.are.phone import state_of
from heron.scenarios.are.reading import AreApp, AreFile
from heron.scenarios.are.records import RECORDS
from heron.scenarios.are.remarks import Refused
from heron.scenarios.builder import build
from heron.scenarios.replay import LabelledTools
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.sim.tables import AppRecord
from heron.sim.toolset import GrantedTools

GRANT = Grant(grant_id="import", proposal_id="import", turn=0)
CENT = 0.011
MOST = 20
"""Differences that are told one by one."""
_EXTRA: dict[str, tuple[str, ...]] = {
    "email": ("folder", "parent_id", "attachments"),
    "message": ("conversation_id", "sender_id", "attachment"),
    "conversation": ("participant_ids",),
    "note": ("folder", "attachments"),
    "item": ("product_id", "in_cart"),
    "order": ("order_items",),
    "file": ("name", "folder"),
    "participant": ("name",),
    "discount_code": ("discount_code", "item_percentages"),
}
"""Kind → fields that no table of names has and that are compared all the same."""
_UNRECORDED = frozenset({"service", "folder", "note_folder"})
"""Kinds whose records come along with others."""
_QUOTED = ("price", "distance_km", "duration")
_PREFIX = re.compile(r"^(?:(?:re|fwd?|fw)\s*:\s*)+", re.IGNORECASE)


@dataclass(frozen=True)
class Proof:
    """What came of a comparison."""

    records: int = 0
    """Compared."""
    fields: int = 0
    """Compared, within them."""
    differences: tuple[str, ...] = ()
    missing: str = ""
    """Why nothing was compared, if nothing was."""


@dataclass
class _Wanted:
    """A record as the file's final state has it."""

    kind: str
    are_id: str
    fields: Row


def prove(scenario: Scenario, converted: Converted, file: AreFile) -> Proof:
    """Replay the reference and compare.

    Raises:
        InputError: the reference does not run, which a check would have told.
    """
    if file.final is None:
        return Proof(missing="the file has no final state")
    stage = build(scenario, 0)
    ids = _replayed(stage)
    book = Book(start=converted.book.start)
    try:
        wanted = list(_wanted(file, book))
    except Refused as error:
        return Proof(missing=f"the final state cannot be read: {error}")
    if book.refused:
        return Proof(missing=f"the final state cannot be read: {book.refused[0]}")
    comparison = _Comparison(stage, converted, book, ids, {app_of(a.class_name) for a in file.apps})
    found = comparison.run(wanted)
    stage.world.close()
    return found


def _replayed(stage: Stage) -> dict[str, str]:
    """Play to the moment of help, accept, do the reference, and let happen what comes of it.

    Returns:
        labels of the records that the reference makes → ids.
    """
    world = stage.world
    play_forward(stage)
    world.note_answer("accept")
    world.open_grant(GRANT)
    try:
        tools = LabelledTools(GrantedTools(world, GRANT), stage.reference)
        for step in stage.reference:
            result = tools.call(step.call)
            if not result.ok:
                raise InputError(f"{step.call.name}: {result.error}")
    finally:
        world.close_grant(GRANT)
    timed = [event.at or 0.0 for event in world.queue.events]
    later = [event.delay for event in world.queue.events if event.when is not None]
    passed = (world.now - world.clock.start).total_seconds()
    world.advance(max([0.0, *(at - passed for at in timed)]) + max([0.0, *later]) + 1)
    return tools.ids


def _wanted(file: AreFile, book: Book) -> Iterator[_Wanted]:
    """All records of the final state."""
    names = {app.name: app for app in file.apps}
    for name, state in (file.final or {}).items():
        app = names.get(name)
        known = app_of(app.class_name) if app is not None else None
        if app is None or known is None or not isinstance(state, Mapping):
            continue
        if known in ("system", "assistant"):
            continue
        tables = state_of(known, AreApp(name, app.class_name, state), book, None)
        ids = {label: key for key, label in book.labels.items()}
        for rows in tables.values():
            for row in rows:
                if "label" in row:
                    kind, are_id = ids[row["label"]]
                    yield _Wanted(kind, are_id, row)


@dataclass
class _Comparison:
    stage: Stage
    converted: Converted
    book: Book
    made: Mapping[str, str]
    apps: set[str | None]
    told: list[str] = field(default_factory=list)
    fields: int = 0
    overwritten: set[str] = field(default_factory=set)
    """Ids of records that the file's own run overwrote with others."""
    twice: set[tuple[str, str]] = field(default_factory=set)
    """Kinds and ids that two records of the file have."""
    keys: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Label in the final state → kind and ARE's id."""
    known: dict[tuple[str, str], str] = field(default_factory=dict)
    """Kind and ARE's id → this phone's."""

    def run(self, wanted: list[_Wanted]) -> Proof:
        """Pair records by id, the rest by what they say."""
        world = self.stage.world
        self.known = self._known()
        compared = {one.kind for one in wanted}
        actual = {
            record.ref: record
            for app in world.apps.values()
            for table in app.tables.values()
            for record in table
            if app.NAME in self.apps and app.NAME not in self._silent()
        }
        for _ in range(2):
            # New records may name each other: once those with ids are paired, the rest is told.
            self._pair(wanted, actual)
        left = [w for w in wanted if (w.kind, w.are_id) not in self.known]
        self._compare(wanted, actual)
        for one in left:
            self.told.append(f"{one.kind} {_told(one.fields)} is not there")
        named = {(one.kind, one.are_id) for one in wanted}
        mapped = {ref for key, ref in self.known.items() if key in named} | self.overwritten
        for ref, record in actual.items():
            if ref not in mapped and record.KIND not in _UNRECORDED and not self._usual(record):
                self.told.append(f"{record.KIND} {record.line()[:80]} is there and should not be")
        self.told += self._refused()
        more = len(self.told) - MOST
        told = self.told[:MOST] + ([f"and {more} more"] if more > 0 else [])
        return Proof(len([w for w in wanted if w.kind in compared]), self.fields, tuple(told))

    # --- pairing ---

    def _known(self) -> dict[tuple[str, str], str]:
        """Kind and ARE's id → Heron's id, of records that have been there or were named."""
        labels = {**self.stage.labels, **self.made}
        found = {}
        for (kind, are_id), label in self.converted.labels.items():
            if label in labels and not are_id.startswith(MADE_BY):
                found[kind, are_id] = labels[label]
        for kind, are_id in [key for key in found if key[1].endswith(AGAIN)]:
            old = are_id.removesuffix(AGAIN)
            if (kind, are_id) in self.book.labels:
                # Two have the id; what they say tells which is which.
                self.twice |= {(kind, old), (kind, are_id)}
                found.pop((kind, old), None)
                found.pop((kind, are_id), None)
            elif (kind, old) in found:
                # The file keeps records by their ids, so that the new one overwrote the old.
                self.overwritten.add(found[kind, old])
                found[kind, old] = found.pop((kind, are_id))
        return found

    def _silent(self) -> set[str]:
        """Apps of which the final state says nothing."""
        return {name for name in ("reminder",) if not self._says(name)}

    def _says(self, name: str) -> bool:
        return any(kind == name for kind, _ in self.book.labels)

    def _pair(self, wanted: Sequence[_Wanted], actual: Mapping[str, AppRecord]) -> None:
        named = {(one.kind, one.are_id) for one in wanted}
        # A file that was moved has another id in ARE, its path, and is the same here.
        taken = {ref for key, ref in self.known.items() if key in named} | self.overwritten
        for one in wanted:
            key = (one.kind, one.are_id)
            if self.known.get(key) in actual or key in self.known:
                continue
            free = [r for ref, r in actual.items() if ref not in taken and r.KIND == one.kind]
            ranked = sorted(free, key=lambda record: len(self._differ(one, record)))
            if ranked and self._alike(one, ranked[0]):
                self.known[key] = ranked[0].ref
                taken.add(ranked[0].ref)

    def _alike(self, one: _Wanted, record: AppRecord) -> bool:
        """Whether a record may be the wanted one: it differs in less than half of its fields."""
        names = [name for name in self._names(one) if name in one.fields]
        return len(self._differ(one, record)) * 2 <= max(1, len(names))

    # --- comparing ---

    def _compare(self, wanted: Iterable[_Wanted], actual: Mapping[str, AppRecord]) -> None:
        for one in wanted:
            ref = self.known.get((one.kind, one.are_id))
            if ref is None:
                continue
            record = actual.get(ref)
            if record is None:
                self.told.append(f"{one.kind} {_told(one.fields)} is gone")
                continue
            if getattr(record, "withdrawn", False):
                self.told.append(f"{one.kind} {_told(one.fields)} is withdrawn")
            self.fields += len(self._names(one))
            self.told += self._differ(one, record)

    def _names(self, one: _Wanted) -> list[str]:
        fields = RECORDS.get(one.kind, ())
        names = [f.heron for f in fields if f.heron is not None and not f.volatile]
        if one.kind == "ride" and (one.kind, one.are_id) not in self.converted.labels:
            names = [name for name in names if name not in _QUOTED]
        if one.kind == "ride" and self._ordered(one):
            names = [name for name in names if name not in _QUOTED]
        return [*names, *_EXTRA.get(one.kind, ())]

    def _ordered(self, one: _Wanted) -> bool:
        """Whether the reference ordered this ride."""
        return self.converted.labels.get((one.kind, one.are_id)) in self.made

    def _differ(self, one: _Wanted, record: AppRecord) -> list[str]:
        found = []
        for name in self._names(one):
            given, there = self._given(one, name), getattr(record, name, None)
            if not self._same(one, record, name, given, there):
                told = f"{given!r:.80} in the file, {there!r:.80} here"
                found.append(f"{one.kind} {record.ref} {name}: {told}")
        return found

    def _given(self, one: _Wanted, name: str) -> Any:
        return self._resolved(one.fields.get(name))

    def _resolved(self, value: Any) -> Any:
        """A value of the final state, its labels replaced by this phone's ids."""
        if isinstance(value, str):
            if value.startswith("@") and not value.startswith("@@"):
                key = self._key(value[1:])
                if key is None:
                    return value
                new = f"new {key}"
                return new if key in self.twice else self.known.get(key, new)
            bare = value[1:] if value.startswith("@@") else value
            return bare.replace("{{", "{").replace("}}", "}")
        if isinstance(value, list):
            return [self._resolved(item) for item in value]
        if isinstance(value, dict):
            return {self._resolved(k): self._resolved(item) for k, item in value.items()}
        return value

    def _key(self, label: str) -> tuple[str, str] | None:
        if len(self.keys) != len(self.book.labels):
            self.keys = {known: key for key, known in self.book.labels.items()}
        return self.keys.get(label)

    def _same(self, one: _Wanted, record: AppRecord, name: str, given: Any, there: Any) -> bool:
        if isinstance(given, str) and given.startswith("new ("):
            return there is not None
        if one.kind == "email" and name == "content" and bool(getattr(record, "quoted", False)):
            return _equal(given, there) or str(given or "").startswith("> ")
        if one.kind == "conversation" and name == "title" and not getattr(record, "group", True):
            return True
        if name in _AS:
            return bool(_AS[name](given) == _AS[name](there))
        field_ = type(record).model_fields.get(name)
        if given is None and field_ is not None and not field_.is_required():
            given = field_.get_default(call_default_factory=True)
        return _equal(given, there)

    # --- what is there besides ---

    def _usual(self, record: AppRecord) -> bool:
        """What every phone has, or what stays here and goes there."""
        if record.KIND == "contact" and record.ref == "me":
            return True
        return bool(getattr(record, "withdrawn", False))

    def _refused(self) -> list[str]:
        return [
            f"{entry.name} is refused: {entry.error}"
            for entry in self.stage.world.log
            if entry.actor == "environment" and entry.error is not None
        ]


# --- values -------------------------------------------------------------------------------------


def _equal(given: Any, there: Any) -> bool:
    if isinstance(there, datetime) and isinstance(given, str):
        return abs((datetime.fromisoformat(given) - there).total_seconds()) < 1
    if isinstance(given, bool) or isinstance(there, bool):
        return given is there
    if isinstance(given, int | float) and isinstance(there, int | float):
        return abs(given - there) < CENT
    if isinstance(there, tuple | list) or isinstance(given, list):
        return sorted(map(str, given or ())) == sorted(map(str, there or ()))
    if isinstance(there, dict) and isinstance(given, dict):
        return given.keys() == there.keys() and all(_equal(given[k], there[k]) for k in given)
    return str(given or "").strip() == str(there or "").strip()


def _bare(subject: Any) -> str:
    return _PREFIX.sub("", str(subject or "")).strip()


def _name(attachment: Any) -> str:
    return str(attachment["name"] if isinstance(attachment, dict) else attachment)


def _lines(items: Iterable[Any] | None) -> list[tuple[str, int, float]]:
    rows = [item if isinstance(item, dict) else item.model_dump() for item in items or ()]
    return sorted((str(i["item_id"]), i["quantity"], round(i["price"], 2)) for i in rows)


_AS: dict[str, Callable[[Any], Any]] = {
    "subject": _bare,
    "attachments": lambda value: sorted(map(_name, value or ())),
    "attachment": lambda value: _name(value) if value else "",
    "order_items": _lines,
    "folder": lambda value: "" if value in (None, "INBOX", "Inbox", "/") else value,
    **dict.fromkeys(("is_user", "saved", "pinned"), bool),
    "in_cart": lambda value: value or 0,
}
"""Field → what of it is compared."""


def _told(fields: Row) -> str:
    for name in ("title", "subject", "name", "first_name", "content", "end_location"):
        if fields.get(name):
            return repr(str(fields[name])[:60])
    return str(fields.get("label"))
