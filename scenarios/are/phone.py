"""The phone of an ARE file: whose it is, its apps, and their records at the start.

What it does not know: events, the reference.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from heron.scenarios.are import state_desk, state_post, state_trade
from heron.scenarios.are.apps import ASSISTANT, SYSTEM, app_of
from heron.scenarios.are.book import Book, Row, owner_slot
from heron.scenarios.are.reading import AreApp, AreFile, filled
from heron.scenarios.are.state_post import Tables
from heron.scenarios.are.values import plain, told

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
    if name == "cab":
        expected = file is not None and _is_riding(file)
        return state_trade.cab(book, state, app.name, expected=expected)
    if name == "reminder" and app.state is None and file is not None:
        found = {str(row["reminder_id"]): row for row in _recovered(file)}
        for row in found.values():
            book.note("recovered", f"the reminder {str(row.get('title'))[:60]!r}")
        state = {"reminders": found}
    if name == "messaging" and file is not None and app.state is not None:
        state = _with_chats(app, file, book)
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


# --- what a file leaves out ---------------------------------------------------------------------


def _with_chats(app: AreApp, file: AreFile, book: Book) -> Mapping[str, Any]:
    """The state of a messaging app, with conversations that only the final state has.

    PARE makes some between writing down the start and the run.
    """
    state = dict(app.state or {})
    final = (file.final or {}).get(app.name)
    later = final.get("conversations") if isinstance(final, Mapping) else None
    chats = state.get("conversations") or {}
    if not isinstance(later, Mapping) or not isinstance(chats, Mapping):
        return state
    named = {str(e.args.get("conversation_id")) for e in file.events if e.app == app.name}
    went = {str(d.args.get("conversation_id")) for d in file.run if d.exception is None}
    used = named & went
    made = {returned_id(done.value) for done in file.run if "create" in str(done.function)}
    found = {}
    for are_id, chat in later.items():
        new = are_id in used and are_id not in chats and are_id not in made
        if new and isinstance(chat, Mapping):
            book.note("recovered", f"the conversation {are_id!r}")
            found[are_id] = {**chat, "messages": []}
    return {**state, "conversations": {**chats, **found}} if found else state


# --- reminders ----------------------------------------------------------------------------------


def _recovered(file: AreFile) -> Iterator[Row]:
    """Reminders that fell due in the recorded run and that it did not make itself."""
    made = {done.value for done in file.run if done.function == "add_reminder"}
    for done in file.run:
        if done.function in ("get_due_reminders", "get_all_reminders") and done.value:
            for row in _told_reminders(done.value):
                own = str(row.get("reminder_id", "")).partition("_rep_")[0]
                if own and own not in made and row.get("reminder_id") == own:
                    yield row


def _told_reminders(text: str) -> Iterator[Row]:
    """Reminders in a result as Python writes it; what cannot be read is passed over."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            row = {one.arg: _constant(one.value) for one in node.keywords if one.arg}
            if node.func.id == "Reminder" and isinstance(row.get("due_datetime"), str):
                yield {k: v for k, v in row.items() if k != "time_notified" and v is not None}


def _constant(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    numbers = [arg.value for arg in getattr(node, "args", ()) if isinstance(arg, ast.Constant)]
    try:
        return told(datetime(*numbers))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


RETURNED = re.compile(r"^\s*(?:[A-Z]\w*\(.*?\b\w+_id='([^']+)'|Ride ID: (\S+))", re.DOTALL)
"""The id within a record as Python writes it."""


def returned_id(value: str | None) -> str | None:
    """The id in what a call returned."""
    if not value:
        return None
    found = RETURNED.match(value)
    if found is not None:
        return found[1] or found[2]
    return value if len(value) <= 200 else None
