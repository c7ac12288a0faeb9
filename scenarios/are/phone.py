"""The phone of an ARE file: whose it is, its apps, and their records at the start.

What it does not know: events, the reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heron.scenarios.are import state_desk, state_post, state_trade
from heron.scenarios.are.apps import ASSISTANT, SYSTEM, app_of
from heron.scenarios.are.book import Book, Row, owner_slot
from heron.scenarios.are.reading import AreApp, AreFile, filled
from heron.scenarios.are.recovery import completed, contents
from heron.scenarios.are.state_post import Tables
from heron.scenarios.are.values import plain

NAMELESS = ("John", "Doe")
"""Whose phone it is where the file does not say; PARE's usual owner."""
NO_ADDRESS = "owner@example.org"
_RIDING = (
    "cancel_ride",
    "end_ride",
    "update_ride_status",
    "user_cancel_ride",
    "get_current_ride_status",
)
_STATES = {
    "email": state_post.email,
    "messaging": state_post.messaging,
    "calendar": state_desk.calendar,
    "contacts": state_desk.contacts,
    "reminder": state_desk.reminder,
    "notes": state_desk.notes,
    "files": state_desk.files,
    "apartment": state_trade.apartment,
    "shopping": state_trade.shopping,
}


def phone_of(file: AreFile, book: Book) -> tuple[Row, Row]:
    """The owner's slot, and the section ``phone``.

    Raises:
        Refused: the state of an app is not what it should be.
    """
    content: dict[str, Tables] = {}
    book.contents = contents(file)
    book.cancels = any(
        event.function in ("user_cancel_ride", "cancel_ride") for event in file.events
    )
    installed = []
    states = {app_of(app.class_name): app for app in file.apps}
    for name, app in states.items():
        if name is None or name in (SYSTEM, ASSISTANT):
            continue
        installed.append(name)
        tables = state_of(name, app, book, file)
        if tables:
            content[name] = tables
    phone: Row = {"owner": "me", "start": book.start.strftime("%Y-%m-%d %H:%M")}
    phone["apps"] = installed
    return _owner(states.get("messaging"), content, book), {**phone, **content}


def state_of(name: str, app: AreApp, book: Book, file: AreFile | None) -> Tables:
    """An app's records; of reminders, which ARE does not write down, those that the run tells of.

    Args:
        name: Heron's app.
        app: as it stands in the file.
        book: notes labels and remarks.
        file: with the recorded run; ``None`` for a state after it.
    """
    state: Mapping[str, Any] = app.state or {}
    if file is not None:
        state = completed(name, app, file, book)
    if name == "cab":
        riding = file is not None and _is_riding(file)
        return state_trade.cab(book, state, app.name, expected=riding)
    if not filled(state) and name != "files":
        return {}
    return _STATES[name](book, state, app.name)


def _is_riding(file: AreFile) -> bool:
    """Whether the run finds a ride under way that it has not ordered itself."""
    for done in file.run:
        if done.exception is None and done.function == "order_ride":
            return False
        if done.exception is None and done.function in _RIDING:
            return True
    return False


def _owner(messages: AreApp | None, content: Mapping[str, Tables], book: Book) -> Row:
    cards = content.get("contacts", {}).get("contacts", [])
    card = next((row for row in cards if row.get("is_user")), {})
    first, last = card.get("first_name", ""), card.get("last_name", "")
    told_name = (messages.state or {}).get("current_user_name") if messages is not None else None
    if not f"{first}{last}".strip() and isinstance(told_name, str):
        first, _, last = plain(told_name.strip()).partition(" ")
    if not f"{first}{last}".strip():
        first, last = NAMELESS
    email = plain(book.own_email) or card.get("email") or NO_ADDRESS
    return {"person": owner_slot(first, last, email, card.get("phone") or "")}
