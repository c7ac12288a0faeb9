"""Calls that are no row of the table by nature, each turned over by a function of its own.

What it does not know: when a call is due.
"""

# ruff: noqa: ARG001 - functions of a table take the same arguments, whether they need them or not

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from heron.scenarios.are.book import Row, figure
from heron.scenarios.are.calls import CARD_FIELDS
from heron.scenarios.are.remarks import Refused
from heron.scenarios.are.turned import DOWNLOADS, Turned, Unturned, absolute
from heron.scenarios.are.values import plain, read_time, told

if TYPE_CHECKING:
    from heron.scenarios.are.turning import Turner

_Args = Mapping[str, Any]


def _default_times(turner: Turner, made: Row) -> tuple[str, ...]:
    """ARE takes an event without times to be an hour from now; here any time will do then."""
    left = tuple(name for name in ("start_datetime", "end_datetime") if name not in made)
    if left:
        turner.book.note("approximated", f"an event without {' and '.join(left)}")
        start = read_time(made.get("start_datetime", told(turner.book.start)), "start_datetime")
        made.setdefault("start_datetime", told(start))
        hour_later = start.replace(minute=0, hour=(start.hour + 1) % 24)
        made.setdefault("end_datetime", told(max(start, hour_later)))
    return left


def _add_event(turner: Turner, _: _Args, made: Row, name: str) -> list[Turned]:
    made.setdefault("title", "Event")
    return [Turned(name, made, _default_times(turner, made), makes="event")]


def _add_by_attendee(turner: Turner, _: _Args, made: Row, name: str) -> list[Turned]:
    who = made.get("who", "")
    prefix = f"Event created by {who}"
    made["title"] = f"{prefix}: {made.get('title', 'Event')}"
    about = made.get("description")
    made["description"] = f"{prefix}: {about}" if about else prefix
    _default_times(turner, made)
    return [Turned(name, made, makes="event")]


def _edit_event(turner: Turner, _: _Args, made: Row, name: str) -> list[Turned]:
    kept = {key: value for key, value in made.items() if value not in ("", [])}
    if "start_datetime" in kept and "end_datetime" not in kept:
        # Here a new start alone moves the end as well.
        row = turner.book.rows.get(str(kept.get("event_id", ""))[1:], {})
        if "end_datetime" in row:
            kept["end_datetime"] = row["end_datetime"]
    return [Turned(name, kept)]


def _edit_contact(turner: Turner, args: _Args, made: Row, name: str) -> list[Turned]:
    updates = args.get("updates")
    if not isinstance(updates, Mapping):
        raise Refused(f"{name}.updates is no object")
    for key, value in updates.items():
        argument = CARD_FIELDS.get(key)
        if argument is None:
            turner.book.refuse(f"{name}.updates: field {key[:60]!r}")
        elif argument.form in ("text", "address") and value in (None, ""):
            made[key] = ""
        elif value is not None:
            made[key] = turner.value(argument, value, f"{name}.updates.{key}")
    return [Turned(name, made)]


def _send_email(turner: Turner, _: _Args, made: Row, name: str) -> list[Turned]:
    for key in ("subject", "content"):
        made.setdefault(key, "")
    return [Turned(name, made, makes="email")]


def _receive(turner: Turner, _: _Args, made: Row, name: str) -> list[Turned]:
    for key in ("subject", "content"):
        made.setdefault(key, "")
    return [Turned(name, made, makes="email")]


def _move_email(turner: Turner, _: _Args, made: Row, name: str) -> list[Turned]:
    made.setdefault("dest_folder_name", "DRAFT")
    return [Turned(name, made)]


def _send_message(turner: Turner, args: _Args, made: Row, name: str) -> list[Turned]:
    if "conversation_id" not in args:
        return [Turned(name, made)]
    # ARE's first messaging app writes into conversations, whoever is in them.
    chat = turner.ref("conversation", args["conversation_id"], f"{name}.conversation_id")
    row = turner.book.rows.get(chat[1:], {})
    people = row.get("participant_ids", [])
    if len(people) == 1 and not row.get("group"):
        return [Turned(name, {"user_id": people[0], **made})]
    group = "messaging.send_message_to_group_conversation"
    return [Turned(group, {"conversation_id": chat, **made})]


def _group_created(turner: Turner, _: _Args, made: Row, name: str) -> list[Turned]:
    people = made.pop("user_ids", [])
    if len(people) < 2:
        raise Unturned("environment_refused", f"{name}: a group needs two others")
    rows = [turner.book.rows.get(one[1:], {}) for one in people]
    usual = ", ".join(sorted(str(row.get("name", "")) for row in rows))
    title = made.get("title") or usual
    made = {"by": people[0], "user_ids": people[1:], "title": title}
    return [Turned(name, made, makes="conversation")]


def _group_renamed(turner: Turner, _: _Args, made: Row, name: str) -> list[Turned]:
    row = turner.book.rows.get(str(made.get("conversation_id", ""))[1:], {})
    people = row.get("participant_ids", [])
    if not people:
        raise Unturned("environment_refused", f"{name}: nobody else is in the group")
    return [Turned(name, {**made, "by": people[0]})]


def _create_note(turner: Turner, _: _Args, made: Row, name: str) -> list[Turned]:
    if not str(made.get("title", "")).strip() and made.get("content"):
        made["title"] = made["content"][:50]
    for key in ("title", "content"):
        made.setdefault(key, "")
    return [Turned(name, made, makes="note")]


def _update_note(turner: Turner, _: _Args, made: Row, name: str) -> list[Turned]:
    kept = {key: value for key, value in made.items() if str(value).strip()}
    return [Turned(name, kept)]


def _move_note(turner: Turner, _: _Args, made: Row, name: str) -> list[Turned]:
    return [Turned(name, {"source_folder_name": "Inbox", "dest_folder_name": "Personal", **made})]


def _add_code(turner: Turner, args: _Args, made: Row, name: str) -> list[Turned]:
    codes = args.get("discount_code")
    if not isinstance(codes, Mapping) or not codes:
        raise Refused(f"{name}.discount_code is no object of codes")
    turned = []
    for code, off in codes.items():
        rate = figure(off, f"{name}.discount_code")
        if not 0 < rate <= 100 or not code.strip():
            raise Refused(f"{name}: the code {code[:40]!r} takes {rate:g} per cent off")
        fields = {
            "discount_code": plain(code.strip()),
            "percentage": rate,
            "item_ids": [made["item_id"]] if "item_id" in made else [],
        }
        turned.append(Turned(name, fields, makes="discount_code"))
    return turned


def _move_file(turner: Turner, args: _Args, made: Row, _: str) -> list[Turned]:
    old = absolute(args.get("path1", ""), "files.mv.path1")
    new = absolute(args.get("path2", ""), "files.mv.path2")
    if old in turner.book.folders:
        turner.book.refuse("files.mv of a folder")
        return []
    file = turner.ref("path", old, "files.mv.path1")
    above, _, name = old.rpartition("/")
    if new in (*turner.book.folders, "/", "/Documents", DOWNLOADS, "/Pictures"):
        new = f"{'' if new == '/' else new}/{name}"
    folder, _, other = new.rpartition("/")
    steps = []
    if folder != above:
        steps.append(Turned("files.move_file", {"file_id": file, "folder": plain(folder or "/")}))
    if other != name:
        steps.append(Turned("files.rename_file", {"file_id": file, "name": plain(other)}))
    return steps


def _remove_path(turner: Turner, args: _Args, made: Row, name: str) -> list[Turned]:
    path = absolute(args.get("path", ""), "files.rm.path")
    if path in turner.book.folders:
        given = {"path": plain(path), "recursive": bool(args.get("recursive"))}
        return [Turned("files.delete_folder", given)]
    return [Turned(name, {"file_id": turner.ref("path", path, "files.rm.path")})]


SPECIAL: dict[str, Callable[[Turner, _Args, Row, str], list[Turned]]] = {
    "add_calendar_event": _add_event,
    "add_by_attendee": _add_by_attendee,
    "edit_calendar_event": _edit_event,
    "edit_contact": _edit_contact,
    "send_email": _send_email,
    "receive_email": _receive,
    "move_email": _move_email,
    "send_message": _send_message,
    "group_created": _group_created,
    "group_renamed": _group_renamed,
    "create_note": _create_note,
    "update_note": _update_note,
    "move_note": _move_note,
    "add_discount_code": _add_code,
    "move_file": _move_file,
    "remove_path": _remove_path,
}
