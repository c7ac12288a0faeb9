"""State of ARE's calendar, contacts, notes, reminders and files → records of Heron's.

What it does not know: what happens to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heron.scenarios.are.book import Book, Row, file_name
from heron.scenarios.are.reading import filled, listed, mapping, text, word
from heron.scenarios.are.state_post import Tables, _kept, _only
from heron.scenarios.are.values import plain

ME = "me"
LONGEST_FOLDER = 60


def calendar(book: Book, state: Mapping[str, Any], place: str) -> Tables:
    """Events."""
    _only(book, state, place, ("events",))
    rows = _keyed(book, "event", state.get("events"), place)
    for row in rows:
        row["attendees"] = list(dict.fromkeys(row.get("attendees", ())))
    return {"events": rows}


def contacts(book: Book, state: Mapping[str, Any], place: str) -> Tables:
    """Cards; the owner's own one takes the place of the one that every phone has."""
    _only(book, state, place, ("contacts", "view_limit"))
    rows = _keyed(book, "contact", state.get("contacts"), place)
    own = [row for row in rows if row.pop("is_user", False)]
    for row in own[:1]:
        row |= {"contact_id": ME, "is_user": True}
    for row in own[1:]:
        book.note("approximated", f"{place}: {row.get('first_name')} is a second own card")
    return {"contacts": rows}


def reminder(book: Book, state: Mapping[str, Any], place: str) -> Tables:
    """Reminders; ARE writes copies of those that repeat, of which the first says all."""
    _only(book, state, place, ("reminders", "max_future_datetime", "max_reminder_repetitions"))
    given = mapping(state.get("reminders") or {}, f"{place}.reminders")
    first = {are_id: data for are_id, data in given.items() if "_rep_" not in are_id}
    return {"reminders": _keyed(book, "reminder", first, place)}


def notes(book: Book, state: Mapping[str, Any], place: str) -> Tables:
    """Notes in their folders."""
    _only(book, state, place, ("view_limit", "folders"))
    folders: list[Row] = []
    rows: list[Row] = []
    for name, folder in mapping(state.get("folders") or {}, f"{place}.folders").items():
        where = f"{place}.{name[:40]}"
        data = mapping(folder, where)
        _only(book, data, where, ("folder_name", "notes"))
        if not name.strip() or len(name) > LONGEST_FOLDER:
            book.refuse(f"{place}: folder {name[:80]!r}")
            continue
        if name not in ("Inbox", "Personal", "Work"):
            folders.append({"folder_name": plain(name)})
        inside = _keyed(book, "note", data.get("notes"), where)
        for row in inside:
            row["folder"] = plain(name)
        rows += inside
    return {"folders": folders, "notes": rows} if folders else {"notes": rows}


def _keyed(book: Book, kind: str, given: Any, place: str) -> list[Row]:
    """Records that are kept by their ids."""
    rows = []
    for are_id, item in mapping(given or {}, f"{place}.{kind}s").items():
        where = f"{place}.{are_id[:40]}"
        data = mapping(item, where)
        row = {"label": book.label(kind, are_id), **book.row(kind, data, where)}
        if data.get("attachments"):
            row["attachments"] = book.attachments(data["attachments"], f"{where}.attachments")
        rows.append(_kept(book, row))
    return rows


# --- files --------------------------------------------------------------------------------------


def files(book: Book, state: Mapping[str, Any], place: str) -> Tables:
    """The tree of a file system; ARE keeps the contents elsewhere."""
    _only(book, state, place, ("files", "tmpdir"))
    made: Tables = {"folders": [], "files": []}
    tree = state.get("files")
    book.has_files = True
    if filled(tree):
        _branch(book, mapping(tree, f"{place}.files"), "", place, made)
    empty = sum("content" not in row for row in made["files"])
    if empty:
        book.note("approximated", f"{place}: what {empty} files say is not in the file")
    return {name: rows for name, rows in made.items() if rows}


def _branch(book: Book, node: Mapping[str, Any], above: str, place: str, made: Tables) -> None:
    for index, item in enumerate(listed(node.get("children") or [], f"{place}.children")):
        where = f"{place}.children[{index}]"
        child = mapping(item, where)
        _only(book, child, where, ("name", "type", "children", "content"))
        name = file_name(word(child.get("name"), f"{where}.name"))
        path = f"{above}/{name}"
        if child.get("type") == "directory":
            book.folders.add(path)
            if path not in ("/Documents", "/Downloads", "/Pictures"):
                made["folders"].append({"path": plain(path)})
            _branch(book, child, path, where, made)
            continue
        if child.get("type") != "file":
            book.refuse(f"{where}: a node of type {str(child.get('type'))[:40]!r}")
            continue
        label = book.label("file", path)
        book.files[path] = label
        row: Row = {"label": label, "name": plain(name), "folder": plain(above or "/")}
        content = child.get("content") or book.contents.get(name)
        if filled(content):
            row["content"] = plain(text(content, where))
        made["files"].append(_kept(book, row))
