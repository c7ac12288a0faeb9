"""Writes that nobody asked for: one or two of every app, on records that are there.

A table, so that a new app adds its lines. What it does not know: what a scenario wants, and
whether the phone takes a write just now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import timedelta
from typing import Any

from pydantic import JsonValue

from heron.contracts import ToolCall
from heron.sim.changes import plain
from heron.sim.tables import AppRecord
from heron.sim.world import World

TEXT = "Something else"

DELETES: tuple[tuple[str, str, str], ...] = (
    ("calendar.delete_calendar_event", "event_id", "event"),
    ("reminder.delete_reminder", "reminder_id", "reminder"),
    ("notes.delete_note", "note_id", "note"),
    ("contacts.delete_contact", "contact_id", "contact"),
    ("files.delete_file", "file_id", "file"),
    ("email.delete_email", "email_id", "email"),
    ("apartment.remove_saved_apartment", "apartment_id", "apartment"),
    ("shopping.cancel_order", "order_id", "order"),
    ("shopping.remove_from_cart", "item_id", "item"),
)
"""Tool, its argument, kind of record that it takes away."""

CHANGES: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("calendar.edit_calendar_event", "event_id", "event", ("title", "description", "location")),
    ("reminder.update_reminder", "reminder_id", "reminder", ("title", "description")),
    ("notes.update_note", "note_id", "note", ("content", "title")),
    ("contacts.edit_contact", "contact_id", "contact", ("job", "description")),
    ("files.write_file", "file_id", "file", ("content",)),
    ("apartment.save_apartment", "apartment_id", "apartment", ()),
    ("shopping.add_to_cart", "item_id", "item", ()),
)
"""Tool, its argument, kind of record that it alters, arguments that can get a new text."""

REACH = frozenset({"message", "email", "order", "ride", "conversation"})
"""Kinds of records with which the phone reaches other people, or money."""


def sends(world: World, spared: Collection[str]) -> Iterator[ToolCall]:
    """Messages and mails to somebody, and an order of a ride.

    Args:
        world: the phone.
        spared: ids and addresses that are not written to.
    """
    people = [ref for ref in _refs(world, "participant") if ref not in spared]
    if people:
        yield _call("messaging.send_message", user_id=people[0], content=TEXT)
    addresses = [getattr(world.record(ref), "email", None) for ref in _refs(world, "contact")]
    known = [a for a in addresses if isinstance(a, str) and a and a not in spared]
    if "email" in world.apps:
        to: list[JsonValue] = [known[0] if known else "office@example.org"]
        yield _call("email.send_email", recipients=to, subject=TEXT, content=TEXT)


def creates(world: World) -> Iterator[ToolCall]:
    """New records of the owner's own."""
    later = world.now.replace(minute=0, second=0, microsecond=0) + timedelta(days=2)
    start, end = plain(later), plain(later + timedelta(hours=1))
    yield _call("reminder.add_reminder", title=TEXT, due_datetime=start)
    yield _call("notes.create_note", title=TEXT)
    span = {"start_datetime": start, "end_datetime": end}
    yield _call("calendar.add_calendar_event", title=TEXT, **span)
    yield _call("contacts.add_new_contact", first_name="Somebody", last_name="Else")
    yield _call("files.create_file", name="Something else.txt")


def deletes(world: World, spared: Collection[str]) -> Iterator[tuple[str, ToolCall]]:
    """Kind and call, for each kind of record of which there is one to take away."""
    for tool, argument, kind in DELETES:
        for ref in _refs(world, kind):
            if ref not in spared:
                yield kind, ToolCall(name=tool, arguments={argument: ref})


def changes(world: World, spared: Collection[str]) -> Iterator[tuple[str, ToolCall]]:
    """Kind and call, for each record that can be altered."""
    for tool, argument, kind, texts in CHANGES:
        for ref in _refs(world, kind):
            if ref not in spared:
                more: dict[str, JsonValue] = {texts[0]: TEXT} if texts else {}
                yield kind, ToolCall(name=tool, arguments={argument: ref, **more})


def texts_of(kind: str, ref: str, spared: Collection[str]) -> Iterator[ToolCall]:
    """Calls that give a record another text, in fields that are not spared."""
    for tool, argument, altered, texts in CHANGES:
        for text in texts if altered == kind else ():
            if text not in spared:
                yield ToolCall(name=tool, arguments={argument: ref, text: TEXT})


def of_each_app(world: World) -> Iterator[tuple[str, ToolCall]]:
    """App and call: everything above by app, what takes away first."""
    calls = [
        *(call for _, call in deletes(world, ())),
        *(call for _, call in changes(world, ())),
        *sends(world, ()),
        *creates(world),
        *_rides(world),
    ]
    for call in calls:
        app = call.name.partition(".")[0]
        if app in world.apps:
            yield app, call


def _rides(world: World) -> Iterator[ToolCall]:
    yield _call("cab.user_cancel_ride")
    places = _places(world)
    for ref in _refs(world, "service"):
        if len(places) > 1:
            yield _call(
                "cab.order_ride",
                start_location=places[0],
                end_location=places[1],
                service_type=ref,
            )


def _places(world: World) -> list[str]:
    """Places that the phone's own records name, and two that any town has."""
    own = [place for ref in _refs(world, "ride") for place in _ends(world.record(ref))]
    return list(dict.fromkeys([*own, "Station", "Market Square"]))


def _ends(ride: AppRecord | None) -> tuple[str, ...]:
    ends = (getattr(ride, "start_location", ""), getattr(ride, "end_location", ""))
    return tuple(end for end in ends if end)


def _refs(world: World, kind: str) -> list[str]:
    tables = [t for t in world.directory.tables() if t.record_type.KIND == kind]
    return [record.ref for table in tables for record in table if not _own_card(record)]


def _own_card(record: Any) -> bool:
    return bool(getattr(record, "is_user", False))


def _call(tool: str, /, **arguments: JsonValue) -> ToolCall:
    return ToolCall(name=tool, arguments=arguments)
