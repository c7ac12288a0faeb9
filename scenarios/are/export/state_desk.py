"""Heron's calendar, contacts, notes, reminders and files → state of ARE's apps.

What it does not know: other apps.
"""

from __future__ import annotations

from heron.scenarios.are.export.ledger import Ledger
from heron.scenarios.are.export.rows import State, attached, records, row, zoned
from heron.sim.app import App

_DAY = "%A, %Y-%m-%d %H:%M:%S"
NOTE_FOLDERS = ("Inbox", "Personal", "Work")


def calendar(app: App, ledger: Ledger) -> State:
    """Events."""
    made: State = {}
    for event in records(app, "event"):
        fields = row("event", event, ledger)
        fields["start_strftime"] = event.start_datetime.strftime(_DAY)
        fields["end_strftime"] = event.end_datetime.strftime(_DAY)
        made[event.ref] = fields
    return {"events": made}


def contacts(app: App, ledger: Ledger) -> State:
    """Cards."""
    cards = {card.ref: row("contact", card, ledger) for card in records(app, "contact")}
    return {"contacts": cards, "view_limit": 10}


def reminder(app: App, ledger: Ledger) -> State:
    """Reminders; ARE's own export leaves them out, its reader takes no notice of them."""
    made: State = {}
    for one in records(app, "reminder"):
        fields = row("reminder", one, ledger)
        fields["due_datetime"] = zoned(one.due_datetime)
        made[one.ref] = fields
    return {"reminders": made}


def notes(app: App, ledger: Ledger) -> State:
    """Notes in their folders."""
    names = [*NOTE_FOLDERS, *(one.folder_name for one in records(app, "note_folder"))]
    folders: State = {name: {"folder_name": name, "notes": {}} for name in dict.fromkeys(names)}
    for note in records(app, "note"):
        fields = row("note", note, ledger)
        fields["attachments"] = attached(note.attachments, note.enclosed)
        folder = folders.setdefault(note.folder, {"folder_name": note.folder, "notes": {}})
        folder["notes"][note.ref] = fields
    return {"view_limit": 5, "folders": folders}


def files(app: App, _: Ledger) -> State:
    """The tree; contents stand beside the names, where ARE's reader takes no notice of them."""
    root: State = {"name": "", "type": "directory", "children": []}
    nodes = {"": root}
    for folder in records(app, "folder"):
        _branch(nodes, folder.path)
    for file in records(app, "file"):
        above = _branch(nodes, file.folder)
        leaf = {"name": file.name, "type": "file"}
        above["children"].append({**leaf, "content": file.content} if file.content else leaf)
    return {"files": root, "tmpdir": "/tmp"}  # noqa: S108 - a word of the format's, no folder


def _branch(nodes: dict[str, State], path: str) -> State:
    """The node of a folder, made with all above it."""
    path = path.rstrip("/")
    if path not in nodes:
        above, _, name = path.rpartition("/")
        nodes[path] = {"name": name, "type": "directory", "children": []}
        _branch(nodes, above)["children"].append(nodes[path])
    return nodes[path]
