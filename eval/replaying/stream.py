"""A recorded observation stream: what an observer could see, and what the one of then did.

On disk JSON lines: a header, then one moment a line. The header says how many moments follow, so
that half a file is told from a whole one. What it does not know: where a stream comes from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from heron.contracts import Brief, DeviceStatus, Record, Seen, ToolResult
from heron.errors import InputError, Unavailable
from heron.eval.projection import phone_seconds

SUFFIX = ".stream.jsonl"
R = TypeVar("R", bound=Record)
Ending = Literal["accept", "reject", "expired", "withdrawn", "open"]


class Offer(Record):
    """A proposal of the recorded assistant's, and how it ended."""

    proposal_id: str
    text: str
    plan: tuple[str, ...] = ()
    answer: Ending = "open"
    """``open``: the record ends first."""
    gathered: bool = False
    """The user went to look before it answered."""
    reason: str = ""


class Done(Record):
    """What the recorded assistant did at a moment."""

    looks: tuple[ToolResult, ...] = ()
    offer: Offer | None = None
    withdrew: bool = False
    absent: bool = False
    """The record has no word of the assistant here, not even that it waited."""


class Moment(Record):
    """A turn as an observer meets it."""

    turn: int
    time: datetime
    new: tuple[Seen, ...]
    """Notifications and the user's actions; then what became of the recorded assistant's offers,
    which a replayed observer is told of only where it made that offer as well."""
    device: DeviceStatus = DeviceStatus()
    done: Done = Done()


class Header(Record):
    """What is known of the whole stream."""

    format: Literal["heron-stream"] = "heron-stream"
    version: Literal[1] = 1
    source: Literal["are", "heron"]
    name: str
    """Of the run: scenario, and what tells its runs apart."""
    assistant: str = ""
    """Who was the assistant: an observer's spec or the names of models."""
    user: str = ""
    """Who was the user: a spec or the name of a model."""
    brief: Brief
    looks: int = 5
    """Looks that an observer has per turn."""
    wanted: bool | None = None
    """Whether help was wanted at all; ``None``: not known."""
    opened: datetime | None = None
    """When help began to be of use; ``None``: never, or not known."""
    closes: datetime | None = None
    """When it stopped being of use; ``None``: not before the end, or not known."""
    ids: dict[str, str] = Field(default_factory=dict)
    """Short id of a record → its id in the source, where they differ."""
    remarks: tuple[str, ...] = ()
    """What differs from the source, in words."""
    moments: int
    """How many follow."""


class RecordedStream(Record):
    """A header and its moments."""

    header: Header
    moments: tuple[Moment, ...]

    @property
    def offers(self) -> tuple[tuple[Moment, Offer], ...]:
        """The recorded assistant's offers, each with its moment."""
        return tuple((m, m.done.offer) for m in self.moments if m.done.offer is not None)

    @property
    def phone_s(self) -> float | None:
        """Seconds on the phone's clock; ``None`` of fewer than two moments."""
        return phone_seconds([moment.time for moment in self.moments])

    @property
    def digest(self) -> str:
        """Names the content."""
        return hashlib.sha256(text_of(self).encode()).hexdigest()[:16]


def text_of(stream: RecordedStream) -> str:
    """The stream as its file has it."""
    lines = (stream.header, *stream.moments)
    return "".join(f"{line.model_dump_json()}\n" for line in lines)


def write_stream(stream: RecordedStream, file: Path) -> None:
    """Write a stream, whole file or nothing.

    Raises:
        Unavailable: it cannot be written.
    """
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_text(text_of(stream), encoding="utf-8")
        part.replace(file)
    except OSError as error:
        raise Unavailable(f"cannot write {file}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


def read_stream(text: str, file: Path | str) -> RecordedStream:
    """The stream in a text.

    Args:
        text: of the file.
        file: for messages.

    Raises:
        InputError: it is none, or not all of it is there.
    """
    lines = list(_lines(text))
    if not lines:
        raise InputError(f"{file}: no recorded stream: it is empty")
    header = _parsed(Header, lines[0], file)
    moments = tuple(_parsed(Moment, line, file) for line in lines[1:])
    if len(moments) != header.moments:
        raise InputError(f"{file}: {len(moments)} moments, and the header says {header.moments}")
    return RecordedStream(header=header, moments=moments)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line


def _parsed(kind: type[R], line: tuple[int, str], file: Path | str) -> R:
    number, text = line
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "line"
        raise InputError(f"{file}:{number}: no recorded stream: {where}: {first['msg']}") from error
