"""Reads stored episodes, also while they are being written."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from heron.contracts import EpisodeRecord
from heron.errors import InputError
from heron.eval.store.rows import Row, Tell, episode_in, rows_of

_LOG = logging.getLogger(__name__)


def log_line(line: str) -> None:
    """Tell a line as a warning of this package's log, which Python shows on stderr."""
    _LOG.warning("%s", line)


def read_episodes(*paths: Path, tell: Tell = log_line) -> Iterator[EpisodeRecord]:
    """The episodes of files and of runs' folders, sorted by key, each once.

    The order of files, and of the rows in them, makes no difference. Only one episode is held at
    a time.

    Args:
        paths: files, or folders with ``episodes*.jsonl``.
        tell: told of torn rows and of episodes that are there twice and differ; in the log, unless
            given.

    Raises:
        InputError: a file is not there, or a line is no episode.
    """
    yield from episodes_in(rows_of(paths, tell))


def episodes_in(rows: list[Row]) -> Iterator[EpisodeRecord]:
    """The episodes of some rows, in their order.

    Raises:
        InputError: a row is damaged.
    """
    opened: dict[Path, BinaryIO] = {}
    try:
        for row in rows:
            file = opened.get(row.file) or opened.setdefault(row.file, row.file.open("rb"))
            file.seek(row.offset)
            yield episode_in(row, file.read(row.length))
    except OSError as error:
        raise InputError(f"cannot read {error.filename}: {error.strerror}") from error
    finally:
        for file in opened.values():
            file.close()
