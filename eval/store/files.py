"""The files of a run's folder as bytes: which there are, their whole lines, and torn ones.

A row is whole if its line ends in a newline. What it does not know: what is in a row.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from heron.errors import InputError

EPISODES = "episodes.jsonl"
SUMMARY = "summary.json"
REPORT = "report.md"
SUPERSEDED = "superseded.jsonl"
"""Rows that a resumed run played again, since scenario or code had changed."""
TORN = ".torn"
"""What is added to a file's name for the bytes of torn rows."""
CHUNK = 1 << 16


class Line(NamedTuple):
    """A line of a file, with where it is."""

    number: int
    """From 1."""
    offset: int
    text: bytes
    """With its newline; without one it is torn."""

    @property
    def whole(self) -> bool:
        """Whether it was written to its end."""
        return self.text.endswith(b"\n")


def file_name(shard: str | None) -> str:
    """The file of a shard (``2/8`` → ``episodes.2-of-8.jsonl``), or of a whole run.

    Raises:
        InputError: it is no shard.
    """
    if shard is None:
        return EPISODES
    number, _, count = shard.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise InputError(f"{shard!r} is no shard; write I/N with I from 1 to N, for example 2/8")
    return f"episodes.{int(number)}-of-{int(count)}.jsonl"


def episode_files(path: Path) -> list[Path]:
    """The files of episodes that ``path`` means, by name: itself, or those of a run's folder.

    Raises:
        InputError: there is none.
    """
    if not path.is_dir():
        if path.exists():
            return [path]
        raise InputError(f"cannot read {path}: there is no such file or folder")
    found = sorted(path.glob("episodes*.jsonl"))
    if not found:
        raise InputError(f"cannot read {path / EPISODES}: the folder holds no episodes")
    return found


def lines_of(file: Path) -> Iterator[Line]:
    """All lines of a file; only the last one can be torn.

    Raises:
        InputError: it cannot be read.
    """
    offset = 0
    try:
        with file.open("rb") as opened:
            for number, text in enumerate(opened, 1):
                yield Line(number, offset, text)
                offset += len(text)
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from error


def mend(file: Path) -> int:
    """Cut a torn row off a file's end and keep its bytes beside it, in ``<file>.torn``.

    Returns:
        how many bytes were cut off; 0 if the file is whole.

    Raises:
        OSError: it cannot be written.
    """
    with file.open("r+b") as opened:
        whole = _whole(opened)
        opened.seek(whole)
        rest = opened.read()
        if not rest:
            return 0
        with file.with_name(file.name + TORN).open("ab") as aside:
            aside.write(rest + b"\n")
            aside.flush()
            os.fsync(aside.fileno())
        opened.truncate(whole)
        os.fsync(opened.fileno())
    return len(rest)


def _whole(opened: BinaryIO) -> int:
    """How many bytes there are up to the last newline."""
    end = opened.seek(0, os.SEEK_END)
    while end > 0:
        begin = max(0, end - CHUNK)
        opened.seek(begin)
        at = opened.read(end - begin).rfind(b"\n")
        if at >= 0:
            return begin + at + 1
        end = begin
    return 0


def sync_folder(folder: Path) -> None:
    """Have a folder's entries on disk, so that a new file is still there after a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
