"""What is known while a file is being taken over: labels of records, remarks, refusals.

What it does not know: apps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from heron.scenarios.are.reading import filled, text
from heron.scenarios.are.records import CHOICES, NEAREST, RECORDS, Field
from heron.scenarios.are.remarks import Refused, Remark, RemarkKind
from heron.scenarios.are.values import content_of, plain, read_time, ref, told
from heron.scenarios.people import ATTRIBUTES

Row = dict[str, Any]

_WORDS = {
    "email": "mail",
    "conversation": "chat",
    "participant": "person",
    "contact": "card",
    "item": "variant",
}
"""Kind → the word in labels, where it is another."""
LONGEST_NAME = 120
AGAIN = "#again"
"""Is put behind an id that is given a second time."""


@dataclass
class Book:
    """Labels, remarks and refusals of one file."""

    start: datetime
    """The phone's clock when it begins."""
    remarks: list[Remark] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    """Kind and ARE's id → label."""
    rows: dict[str, Row] = field(default_factory=dict)
    """Label → the record, as it is at the start."""
    me: str = ""
    """ARE's id of the phone's owner among those who write messages."""
    own_email: str = ""
    strangers: list[Row] | None = None
    """Where people go whom nobody knows by name, if they can be written to."""
    rides: list[str] = field(default_factory=list)
    """ARE's ids of rides, in the order of their history."""
    contents: dict[str, str] = field(default_factory=dict)
    """Name of a file → what it says, where the file at hand tells."""
    cancels: bool = False
    """Whether a ride is cancelled in the course of it."""
    help_at: float = 0.0
    """Seconds from the phone's start at which help is of use."""
    files: dict[str, str] = field(default_factory=dict)
    """Path → label of a file."""
    folders: set[str] = field(default_factory=set)
    has_files: bool = False
    _numbers: Counter[str] = field(default_factory=Counter)

    # --- what is said ---

    def note(self, kind: RemarkKind, detail: str) -> None:
        """Remark on something, once."""
        remark = Remark(kind, " ".join(detail.split())[:300])
        if remark not in self.remarks:
            self.remarks.append(remark)

    def refuse(self, name: str) -> None:
        """Something has no counterpart."""
        if name not in self.refused:
            self.refused.append(name)

    # --- labels ---

    def label(self, kind: str, are_id: str) -> str:
        """The label of a record; a new one at the first time."""
        found = self.labels.get((kind, are_id))
        if found is None:
            word = _WORDS.get(kind, kind)
            self._numbers[word] += 1
            found = self.labels[kind, are_id] = f"{word}_{self._numbers[word]}"
        return found

    def another(self, kind: str, are_id: str, what: str) -> str:
        """The label of a record whose id another one has already."""
        self.note("id_reused", f"{what}: {kind} {are_id[:60]!r}")
        key = are_id
        while (kind, key) in self.labels:
            key += AGAIN
        return self.label(kind, key)

    def find(self, kind: str, are_id: Any) -> str | None:
        """The label of a record, if it is known."""
        return self.labels.get((kind, are_id)) if isinstance(are_id, str) else None

    def ref(self, kind: str, are_id: Any) -> str | None:
        """``@label`` of a record, if it is known."""
        found = self.find(kind, are_id)
        return None if found is None else ref(found)

    # --- values ---

    def row(self, kind: str, data: Mapping[str, Any], place: str) -> Row:
        """A record's fields, by the table of its kind."""
        known = {one.are: one for one in RECORDS[kind]}
        made: Row = {}
        for name, value in data.items():
            one = known.get(name)
            if one is None:
                if filled(value):
                    self.refuse(f"{place}: field {name[:60]!r}")
                continue
            if one.heron is None or value is None:
                continue
            turned = self.value(kind, one, value, f"{place}.{name}")
            if turned is not None:
                made[one.heron] = turned
        return made

    def value(self, kind: str, one: Field, value: Any, place: str) -> Any:
        """A field's value on the phone's side."""
        turn = _FORMS.get(one.form)
        if turn is not None:
            return turn(value, place)
        if one.form == "count":
            return self.whole(value, place)
        if one.form == "options":
            return self.options(value, place)
        return self.choice(kind, one.are, value, place) if one.form == "choice" else None

    def whole(self, value: Any, place: str) -> int:
        """A whole number; another is rounded, with a remark."""
        found = figure(value, place)
        if found != round(found):
            self.note("approximated", f"{place}: {found:g} as a whole number")
        return round(found)

    def choice(self, kind: str, name: str, value: Any, place: str) -> str | None:
        """One of a closed set of words."""
        given = text(value, place).strip()
        bare = given.rpartition(".")[2] if given.count(".") == 1 else given
        known = {word.casefold(): found for word, found in CHOICES[kind, name].items()}
        if not bare or bare.casefold() in known:
            return known.get(bare.casefold())
        near = NEAREST.get((kind, name), {}).get(bare.casefold())
        if near is None:
            self.refuse(f"{place}: {given[:60]!r}")
        else:
            self.note("approximated", f"{place}: {given[:60]!r} as {near!r}")
        return near

    def options(self, value: Any, place: str) -> dict[str, Any]:
        """What sets a variant apart: words and figures by name."""
        if not isinstance(value, Mapping):
            raise Refused(f"{place} is no object")
        made: dict[str, Any] = {}
        for name, item in value.items():
            if item is None:
                continue
            if isinstance(item, bool) or (isinstance(item, int) and abs(item) < 10**15):
                made[name] = item
            elif isinstance(item, float):
                made[name] = figure(item, place)
            elif isinstance(item, list) and all(isinstance(one, str) for one in item):
                made[name] = [plain(text(one, place)) for one in item]
            else:
                if not isinstance(item, str):
                    self.note("approximated", f"{place}.{name[:60]} is told as a text")
                made[name] = plain(text(str(item), place))
        return made

    def attachments(self, value: Any, place: str) -> list[Any]:
        """Files that come with something, from ARE's name → content."""
        if not isinstance(value, Mapping):
            raise Refused(f"{place} is no object")
        return [self.attachment(name, data, place) for name, data in value.items()]

    def attachment(self, name: str, data: Any, place: str) -> Any:
        """One file, with what it says if that is known."""
        content, whole = content_of(data)
        if not whole:
            self.note("approximated", f"{place}: {file_name(name)} is told in words")
        bare = plain(file_name(text(name, place)))
        return {"name": bare, "content": plain(text(content, place))} if content else bare


# --- values that no record is needed for --------------------------------------------------------


def file_name(path: str) -> str:
    """The name of a file that a phone can have, at the end of a path.

    Raises:
        Refused: there is none.
    """
    bare = path.replace("\\", "/").rstrip("/").rpartition("/")[2].strip()
    if not bare or bare in (".", "..") or not bare.isprintable() or len(bare) > LONGEST_NAME:
        raise Refused(f"the file name {path[:60]!r}")
    return bare


def flag(value: Any, place: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Refused(f"{place} is neither true nor false")
    return value


def figure(value: Any, place: str) -> float:
    """A finite number; also one that is written as a text."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError as error:
            raise Refused(f"{place}: {value[:40]!r} is no number") from error
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused(f"{place} is no number")
    if not -1e15 < value < 1e15:
        raise Refused(f"{place}: {str(value)[:40]} is too large, or no number")
    return float(value)


def texts(value: Any, place: str) -> list[str]:
    """A list of texts."""
    if not isinstance(value, list):
        raise Refused(f"{place} is no list")
    return [text(item, place) for item in value]


def owner_slot(first: str, last: str, email: str, phone: str) -> Row:
    """A person slot that is this very person whatever the seed."""
    given = {"first_name": first, "last_name": last, "email": email, "phone": phone}
    return {"fixed": {name: given[name] for name in ATTRIBUTES if given.get(name)}}


_FORMS: dict[str, Callable[[Any, str], Any]] = {
    "text": lambda value, place: plain(text(value, place)),
    "optional": lambda value, place: plain(text(value, place)),
    "time": lambda value, place: told(read_time(value, place)),
    "flag": flag,
    "number": figure,
    "minutes": lambda value, place: round(figure(value, place)),
    "texts": lambda value, place: [plain(item) for item in texts(value, place)],
}
