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
from heron.scenarios.are.calls import ANY, Argument, Call
from heron.scenarios.are.reading import filled
from heron.scenarios.are.remarks import Refused
from heron.scenarios.are.special import SPECIAL
from heron.scenarios.are.turned import DOWNLOADS, Turned, Unturned, absolute
from heron.scenarios.are.values import Placeholder, plain, read_time, told
from heron.sim.addresses import is_address

_BRACKETS = re.compile(r"<([^<>]+)>")
_PHONE = re.compile(r"^\+?[\d\s().-]{3,}$")


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
        return SPECIAL[call.special](self, args, made, name)

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
