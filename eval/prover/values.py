"""Other values for an argument: another record, person, time or amount that would be wrong.

Read off the tool's signature and the phone, so a new tool brings its own. What it does not know:
whether the phone takes the value, and whether it is wrong in a scenario.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import JsonValue, NaiveDatetime

from heron.sim.addresses import is_address
from heron.sim.app import Declaration
from heron.sim.changes import plain
from heron.sim.marks import marks_of, ref_kind
from heron.sim.world import World

SHIFTS = (
    timedelta(minutes=30),
    timedelta(minutes=-30),
    timedelta(days=1),
    timedelta(days=-1),
    timedelta(days=7),
)


def others(world: World, tool: Declaration, name: str, value: JsonValue) -> Iterator[JsonValue]:
    """Values that an argument could have instead, the likeliest to be taken first.

    Args:
        world: the phone whose records can be named.
        tool: whose argument it is.
        name: the argument.
        value: what it is now.

    Yields:
        nothing for prose and for yes or no, which no other value is a wrong object of.
    """
    hint = tool.signature.hints[name]
    marks = marks_of(hint)
    kind = ref_kind(marks)
    if any(mark.meaning == "text" for mark in marks) or isinstance(value, bool):
        return
    if isinstance(value, list):
        yield from _in_list(world, tool, name, value, kind)
    elif kind is not None:
        yield from (ref for ref in _refs(world, kind) if ref != value)
    elif isinstance(value, str):
        yield from _instead_of(world, name, value, hint)
    elif isinstance(value, int | float):
        yield from (other for other in (value + 1, value * 2, value - 1) if other != value)


def _in_list(
    world: World, tool: Declaration, name: str, value: list[Any], kind: str | None
) -> Iterator[JsonValue]:
    """The list with another first member."""
    if not value:
        return
    hint = tool.signature.hints[name]
    members = _refs(world, kind) if kind else _instead_of(world, name, str(value[0]), hint)
    for member in members:
        if member not in value:
            yield [member, *value[1:]]


def _refs(world: World, kind: str) -> Iterator[str]:
    for table in world.directory.tables():
        if table.record_type.KIND == kind:
            yield from [record.ref for record in table]


def _instead_of(world: World, name: str, value: str, hint: Any) -> Iterator[str]:
    types_ = _types(hint)
    for option in types_:
        if get_origin(option) is Literal:
            yield from (other for other in get_args(option) if other != value)
            return
    if not {NaiveDatetime, datetime, date}.isdisjoint(types_):
        yield from _shifted(value)
    elif is_address(value):
        yield from _addresses(world, value)
    elif "attachment" in name:
        yield from (path for path in _files(world) if path != value)
    elif re.search(r"\d", value):
        yield re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), value)
    else:
        yield from _namesakes(world, name, value)
        yield f"{value} 2"


def _types(hint: Any) -> list[Any]:
    """The types in an annotation, down to members of optionals and lists."""
    if get_origin(hint) is Annotated:
        return _types(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType, list, tuple):
        return [inner for part in get_args(hint) for inner in _types(part)]
    return [hint]


def _shifted(value: str) -> Iterator[str]:
    if len(value) <= len("2026-01-01"):
        day = date.fromisoformat(value)
        yield from (plain(day + shift) for shift in SHIFTS if shift.days > 0 or shift.seconds == 0)
        return
    moment = datetime.fromisoformat(value)
    yield from (plain(moment + shift) for shift in SHIFTS)


def _addresses(world: World, value: str) -> Iterator[str]:
    """Other people's addresses on this phone, without the owner's."""
    found: dict[str, None] = {}
    for table in world.directory.tables():
        for record in table:
            for field in ("email", "sender"):
                address = getattr(record, field, None)
                if isinstance(address, str) and is_address(address):
                    found.setdefault(address)
    yield from (each for each in found if each not in (value, world.owner.email))


def _files(world: World) -> Iterator[str]:
    """Paths of the files on the phone, and names of what is attached to something."""
    found: dict[str, None] = {}
    for table in world.directory.tables():
        for record in table:
            if table.record_type.KIND == "file":
                found.setdefault(record.path)
            for attached in getattr(record, "attachments", ()):
                found.setdefault(str(attached))
    yield from found


def _namesakes(world: World, name: str, value: str) -> Iterator[str]:
    """What other records have in a field of that name, or people's names."""
    found: dict[str, None] = {}
    for table in world.directory.tables():
        field = name if name in table.record_type.model_fields else ""
        for record in table:
            other = getattr(record, field, None) if field else getattr(record, "name", None)
            if isinstance(other, str) and other.strip() and (field or name == "attendees"):
                found.setdefault(other)
    yield from (each for each in found if each != value)
