"""What a file leaves out of its start and yet has at its end, so that it must have been there.

PARE writes down the start before it hangs files on mails and notes, and makes some conversations
only then; reminders it never writes down. What the recorded run neither made nor changed is put
back, each with a remark. What it does not know: Heron's records.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from heron.scenarios.are.book import AGAIN, Book
from heron.scenarios.are.reading import AreApp, AreFile
from heron.scenarios.are.returned import returned_id
from heron.scenarios.are.values import content_of, told

State = dict[str, Any]
_KEYED = {
    "apartment": "apartments",
    "calendar": "events",
    "contacts": "contacts",
    "shopping": "orders",
}
"""App → the part of its state in which records stand by their ids."""


def completed(name: str, app: AreApp, file: AreFile, book: Book) -> Mapping[str, Any]:
    """An app's state at the start, with what the file leaves out.

    Args:
        name: Heron's app.
        app: as it stands in the file.
        file: with its run and final state.
        book: notes what was put back.
    """
    state = dict(app.state or {})
    if name == "reminder" and app.state is None:
        found = {str(row["reminder_id"]): row for row in _reminders(file)}
        for row in found.values():
            book.note("recovered", f"the reminder {str(row.get('title'))[:60]!r}")
        return {"reminders": found}
    final = (file.final or {}).get(app.name)
    if not isinstance(final, Mapping) or not file.run:
        return state
    return _Recovery(app.name, file, book).completed(name, state, final)


def contents(file: AreFile) -> dict[str, str]:
    """Name of a file → what it says, of all that mails, notes and messages carry in the end."""
    found: dict[str, str] = {}
    level: list[Any] = [file.final, *(app.state for app in file.apps)]
    while level:
        one = level.pop()
        if isinstance(one, Mapping):
            attached = one.get("attachments")
            given = dict(attached) if isinstance(attached, Mapping) else {}
            if isinstance(one.get("attachment_name"), str):
                given[one["attachment_name"]] = one.get("attachment")
            for name, data in given.items():
                content, whole = content_of(data)
                if content and whole:
                    found.setdefault(name, content)
            level += one.values()
        elif isinstance(one, list):
            level += one
    return found


class _Recovery:
    """Puts back what is in the final state and was not made by the run."""

    def __init__(self, app: str, file: AreFile, book: Book) -> None:
        self._book, self._run = book, [done for done in file.run if done.app == app]
        self._made = {returned_id(done.value) for done in file.run}
        self._made |= {_text(done.args.get("email_id")) for done in self._run if _sends(done)}
        self._written = {_text(done.args.get("content")) for done in self._run}
        self._named = {_text(value) for done in self._run for value in done.args.values()}

    def completed(self, name: str, state: State, final: Mapping[str, Any]) -> State:
        if name == "email":
            return self._folders(state, final, self._mails)
        if name == "notes":
            return self._folders(state, final, self._notes)
        if name == "messaging":
            return self._chats(state, final)
        part = _KEYED.get(name)
        return self._records(state, final, part) if part is not None else state

    def _records(self, state: State, final: Mapping[str, Any], part: str) -> State:
        there, later = state.get(part), final.get(part)
        if not isinstance(there, Mapping) or not isinstance(later, Mapping):
            return state
        new = {key: row for key, row in later.items() if self._is_new(key, there)}
        return {**state, part: {**there, **new}} if new else state

    def _is_new(self, key: str, there: Mapping[str, Any]) -> bool:
        new = key not in there and key not in self._made and not key.endswith(AGAIN)
        if new:
            self._book.note("recovered", f"the record {key[:60]!r}")
        return new

    # --- mails and notes ---

    def _folders(self, state: State, final: Mapping[str, Any], inside: Any) -> State:
        there, later = state.get("folders"), final.get("folders")
        if not isinstance(there, Mapping) or not isinstance(later, Mapping):
            return state
        known = _ids(there)
        made = dict(there)
        for name, folder in later.items():
            if isinstance(folder, Mapping):
                old = there.get(name) or {"folder_name": name}
                made[name] = inside(old if isinstance(old, Mapping) else {}, folder, known)
        return {**state, "folders": {n: f for n, f in made.items() if n in there or _full(f)}}

    def _mails(self, old: State, new: Mapping[str, Any], known: set[str]) -> State:
        mails, later = old.get("emails") or [], new.get("emails") or []
        if not isinstance(mails, list) or not isinstance(later, list):
            return old
        rows = [row for row in later if isinstance(row, Mapping)]
        by_id = {_text(row.get("email_id")): row for row in rows}
        kept = [self._with_files(row, by_id.get(_text(_get(row, "email_id")))) for row in mails]
        for row in rows:
            key = _text(row.get("email_id"))
            if key and key not in known and key not in self._made:
                self._book.note("recovered", f"the mail {key[:60]!r}")
                kept.append(row)
        return {**old, "emails": kept}

    def _notes(self, old: State, new: Mapping[str, Any], known: set[str]) -> State:
        notes, later = old.get("notes") or {}, new.get("notes") or {}
        if not isinstance(notes, Mapping) or not isinstance(later, Mapping):
            return old
        kept = {key: self._with_files(row, later.get(key)) for key, row in notes.items()}
        for key, row in later.items():
            if key not in known and key not in self._made and isinstance(row, Mapping):
                self._book.note("recovered", f"the note {key[:60]!r}")
                kept[key] = row
        return {**old, "notes": kept}

    def _with_files(self, row: Any, later: Any) -> Any:
        """A record with the files that it has in the end, where the run attached none to it."""
        files = _get(later, "attachments")
        if not isinstance(row, Mapping) or row.get("attachments") or not files:
            return row
        key = _text(row.get("email_id") or row.get("note_id"))
        if any(
            _text(d.args.get("note_id")) == key and "attach" in str(d.function) for d in self._run
        ):
            return row
        self._book.note("recovered", f"the files of {key[:60]!r}")
        return {**row, "attachments": files}

    # --- messages ---

    def _chats(self, state: State, final: Mapping[str, Any]) -> State:
        there, later = state.get("conversations") or {}, final.get("conversations")
        if not isinstance(there, Mapping) or not isinstance(later, Mapping):
            return state
        made = dict(there)
        for key, chat in later.items():
            if not isinstance(chat, Mapping) or not isinstance(chat.get("messages"), list):
                continue
            old = there.get(key)
            if old is None and (key in self._made or key not in self._named):
                continue
            if old is None:
                self._book.note("recovered", f"the conversation {key[:60]!r}")
                old = {**chat, "messages": []}
            made[key] = self._messages(old, chat["messages"]) if isinstance(old, Mapping) else old
        return {**state, "conversations": made}

    def _messages(self, old: Mapping[str, Any], later: list[Any]) -> Any:
        there = old.get("messages") or []
        if not isinstance(there, list):
            return old
        known = {_text(_get(row, "message_id")) for row in there}
        new = [
            row
            for row in later
            if _text(_get(row, "message_id")) not in known
            and _text(_get(row, "content")) not in self._written
        ]
        for row in new:
            self._book.note("recovered", f"the message {_text(_get(row, 'message_id'))[:60]!r}")
        return {**old, "messages": [*there, *new]} if new else old


def _sends(done: Any) -> bool:
    return "send_email_to_user" in str(done.function)


def _ids(folders: Mapping[str, Any]) -> set[str]:
    """Ids of all mails or notes in folders."""
    found: set[str] = set()
    for folder in folders.values():
        mails, notes = _get(folder, "emails"), _get(folder, "notes")
        rows = mails if isinstance(mails, list) else []
        found |= {_text(_get(row, "email_id")) for row in rows}
        found |= set(notes) if isinstance(notes, Mapping) else set()
    return found


def _full(folder: Any) -> bool:
    return bool(_get(folder, "emails") or _get(folder, "notes"))


def _get(row: Any, key: str) -> Any:
    return row.get(key) if isinstance(row, Mapping) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


# --- reminders ----------------------------------------------------------------------------------


def _reminders(file: AreFile) -> Iterator[State]:
    """Reminders in what the recorded run read, and did not make itself."""
    made = {done.value for done in file.run if done.function == "add_reminder"}
    for done in file.run:
        if done.function in ("get_due_reminders", "get_all_reminders") and done.value:
            for row in _told_reminders(done.value):
                own = str(row.get("reminder_id", "")).partition("_rep_")[0]
                if own and own not in made and row.get("reminder_id") == own:
                    yield row


def _told_reminders(text: str) -> Iterator[State]:
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
