"""Calls of ARE's functions → calls of Heron's tools and happenings.

Arguments go by the table; a few functions are no table row by nature and have a function here. What
it does not know: when a call is due.
"""

# ruff: noqa: ARG001 - functions of a table take the same arguments, whether they need them or not

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from heron.scenarios.are.book import Book, Row, figure, file_name, flag
from heron.scenarios.are.calls import ANY, CARD_FIELDS, Argument, Call
from heron.scenarios.are.reading import filled
from heron.scenarios.are.remarks import Refused, RemarkKind
from heron.scenarios.are.values import Placeholder, plain, read_time, told
from heron.sim.addresses import is_address

DOWNLOADS = "/Downloads"
_BRACKETS = re.compile(r"<([^<>]+)>")
_PHONE = re.compile(r"^\+?[\d\s().-]{3,}$")


class Unturned(Exception):
    """A call cannot be made here; what is said of it."""

    def __init__(self, kind: RemarkKind, detail: str) -> None:
        super().__init__(detail)
        self.kind, self.detail = kind, detail


@dataclass(frozen=True)
class Turned:
    """A call on Heron's side."""

    name: str
    """``app.tool`` or ``app.happening``."""
    arguments: Row
    free: tuple[str, ...] = ()
    """Arguments that the file leaves open."""
    makes: str | None = None
    """Kind of the record that it makes, and that later calls may name."""


@dataclass(frozen=True)
class Turner:
    """Turns calls over, by what a book knows."""

    book: Book
    results: Mapping[str, str]
    """ARE's event → the label of the record that it makes."""

    def turn(self, call: Call, args: Mapping[str, Any], place: str) -> list[Turned]:
        """A call on Heron's side; several, where one of ARE's does what takes several here.

        Raises:
            Unturned: it cannot be made.
            Refused: a value has no counterpart.
        """
        made: Row = {}
        known = {argument.are: argument for argument in call.arguments}
        for name, value in args.items():
            argument = known.get(name)
            if argument is None:
                if name != "self" and filled(value):
                    self.book.refuse(f"{place}: argument {name[:60]!r}")
                continue
            if value is None:
                continue
            turned = self.value(argument, value, f"{place}.{name}")
            if argument.heron is not None and turned is not None:
                made[argument.heron] = turned
        name = f"{call.app}.{call.heron}"
        if call.special is None:
            makes = "message" if name == "messaging.receive" else call.returns
            return [Turned(name, made, makes=makes)]
        return _SPECIAL[call.special](self, args, made, name)

    # --- values ---

    def value(self, argument: Argument, value: Any, place: str) -> Any:
        """An argument's value on Heron's side."""
        form, _, kind = argument.form.partition(":")
        if isinstance(value, Placeholder):
            return self._placeholder(form, value, place)
        if argument.heron is None and form == "text":
            if ANY not in argument.harmless and value not in argument.harmless:
                self.book.refuse(f"{place}: {str(value)[:60]!r}")
            return None
        return _FORMS[form](self, kind, value, place)

    def _placeholder(self, form: str, value: Placeholder, place: str) -> Any:
        found = value.split(self.results)
        if found is None or form not in ("ref", "text"):
            raise Refused(f"{place}: the placeholder {{{{{value.path[:80]}}}}}")
        return f"@{self.results[found[0]]}"

    def ref(self, kind: str, value: Any, place: str) -> str:
        """``@label`` of a record by ARE's id."""
        if isinstance(value, Placeholder):
            return str(self._placeholder("ref", value, place))
        if kind == "path":
            path = absolute(value, place)
            label = self.book.files.get(path)
            if label is None:
                raise Unturned("dangling", f"{place}: no file {path!r}")
            return f"@{label}"
        if kind == "participant" and value == self.book.me and value:
            return "me"
        found = self.book.ref(kind, value)
        if found is None and kind == "participant":
            found = self._stranger(value)
        if found is None:
            raise Unturned("dangling", f"{place}: no {kind} {str(value)[:60]!r}")
        return found

    def _stranger(self, value: Any) -> str | None:
        """Somebody who is known by number alone; cards may have their name."""
        book = self.book
        if book.strangers is None or not isinstance(value, str) or not _PHONE.match(value):
            return None
        cards = [row for row in book.rows.values() if row.get("phone") == plain(value)]
        names = [f"{row.get('first_name', '')} {row.get('last_name', '')}".strip() for row in cards]
        row = {
            "label": book.label("participant", value),
            "name": next((name for name in names if name), plain(value)),
            "phone": plain(value),
        }
        book.rows[row["label"]] = row
        book.strangers.append(row)
        return book.ref("participant", value)

    def address(self, value: Any, place: str) -> str:
        """An email address that a mail can come from and go to."""
        given = str(value).strip()
        if is_address(given):
            return plain(given)
        inside = _BRACKETS.search(given)
        mended = inside[1].strip() if inside else given
        if "@" not in mended:
            raise Unturned("invalid_address", f"{place}: {given[:80]!r}")
        local, _, domain = mended.rpartition("@")
        local = re.sub(r"[^A-Za-z0-9._%+'-]", ".", local)[:64] or "somebody"
        domain = re.sub(r"[^A-Za-z0-9.-]", "", domain).strip(".-")
        parts = [part[:63] for part in domain.split(".") if part][-5:]
        if len(parts) < 2:
            parts = [*(parts or ["unknown"]), "example"]
        mended = f"{local}@{'.'.join(parts)}"
        if not is_address(mended):
            raise Unturned("invalid_address", f"{place}: {given[:80]!r}")
        self.book.note("invalid_address", f"{place}: {given[:80]!r} as {mended!r}")
        return mended


def absolute(value: Any, place: str) -> str:
    """A path in the form that a phone has.

    Raises:
        Refused: it has a part that is no name.
    """
    parts = [part for part in str(value).replace("\\", "/").split("/") if part not in ("", ".")]
    if not isinstance(value, str) or ".." in parts:
        raise Refused(f"{place}: the path {str(value)[:60]!r}")
    return "/" + "/".join(file_name(part) for part in parts)


# --- forms --------------------------------------------------------------------------------------

_Form = Callable[[Turner, str, Any, str], Any]


def _text(turner: Turner, _: str, value: Any, place: str) -> Any:
    if isinstance(value, bool | dict | list):
        raise Refused(f"{place}: {str(value)[:60]!r} is no text")
    return plain(str(value))


def _texts(turner: Turner, _: str, value: Any, place: str) -> Any:
    given = value if isinstance(value, list) else [value]
    return [_text(turner, "", one, place) for one in given]


def _flag(_: Turner, __: str, value: Any, place: str) -> Any:
    return flag(value, place)


def _options(turner: Turner, _: str, value: Any, place: str) -> Any:
    return turner.book.options(value, place)


def _choice(turner: Turner, kind: str, value: Any, place: str) -> Any:
    record, _, name = kind.partition(".")
    return turner.book.choice(record, name, str(value), place)


def _folder(turner: Turner, _: str, value: Any, place: str) -> Any:
    name = str(value).rpartition(".")[2].upper()
    if name not in ("INBOX", "SENT", "DRAFT", "TRASH"):
        turner.book.refuse(f"{place}: folder {str(value)[:40]!r}")
    return name


def _refs(turner: Turner, kind: str, value: Any, place: str) -> Any:
    given = value if isinstance(value, list) else [value]
    found = [turner.ref(kind, one, place) for one in given]
    return [one for one in dict.fromkeys(found) if one != "me"]


def _addresses(turner: Turner, _: str, value: Any, place: str) -> Any:
    given = value if isinstance(value, list) else [value]
    return [turner.address(one, place) for one in given] or None


def _path(turner: Turner, _: str, value: Any, place: str) -> Any:
    return plain(absolute(value, place))


def _paths(turner: Turner, _: str, value: Any, place: str) -> Any:
    given = value if isinstance(value, list) else [value]
    return [_path(turner, "", one, place) for one in given] or None


def _enclosed(turner: Turner, _: str, value: Any, place: str) -> Any:
    given = value if isinstance(value, list) else [value]
    made: list[Any] = []
    for one in given:
        path = absolute(one, place)
        row = turner.book.rows.get(turner.book.files.get(path, ""), {})
        name = plain(file_name(path))
        content = row.get("content")
        made.append({"name": name, "content": content} if content else name)
    return made or None


def _downloads(turner: Turner, _: str, value: Any, place: str) -> Any:
    path = absolute(value, place)
    if path != DOWNLOADS:
        turner.book.note("approximated", f"{place}: saved to {DOWNLOADS} instead of {path}")


def _recipients(turner: Turner, _: str, value: Any, place: str) -> Any:
    given = value if isinstance(value, list) else [value]
    if given and turner.book.own_email not in given:
        turner.book.note("approximated", f"{place}: the mail comes to the owner")


def _nth(turner: Turner, kind: str, value: Any, place: str) -> Any:
    number, rides = turner.book.whole(value, place), turner.book.rides
    if not 0 <= number < len(rides):
        raise Unturned("dangling", f"{place}: no ride number {number}")
    return turner.book.ref(kind, rides[number])


_FORMS: dict[str, _Form] = {
    "text": _text,
    "texts": _texts,
    "number": lambda _, __, value, place: figure(value, place),
    "count": lambda turner, _, value, place: turner.book.whole(value, place),
    "flag": _flag,
    "time": lambda _, __, value, place: told(read_time(value, place)),
    "options": _options,
    "choice": _choice,
    "folder": _folder,
    "ref": lambda turner, kind, value, place: turner.ref(kind, value, place),
    "refs": _refs,
    "nth": _nth,
    "address": lambda turner, _, value, place: turner.address(value, place),
    "addresses": _addresses,
    "path": _path,
    "paths": _paths,
    "enclosed": _enclosed,
    "downloads": _downloads,
    "recipients": _recipients,
}


# --- functions that are no row of the table -----------------------------------------------------

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


_SPECIAL: dict[str, Callable[[Turner, _Args, Row, str], list[Turned]]] = {
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
