"""Episodes on disk: one JSON line each, on disk before the next episode begins.

A last line that was torn off in mid-write is no episode and is not read. What it does not know:
scores.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from heron.contracts import EpisodeRecord
from heron.errors import InputError, Unavailable

EPISODES = "episodes.jsonl"
SUMMARY = "summary.json"
REPORT = "report.md"


class EpisodeStore:
    """An append-only file of episodes.

    Args:
        folder: where it lies; made if it is not there.

    Raises:
        Unavailable: the folder cannot be made or written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / EPISODES
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab")
        except OSError as error:
            raise Unavailable(f"cannot write to {folder}: {error.strerror}") from error

    def append(self, episode: EpisodeRecord) -> None:
        """Write one episode and wait until it is on disk."""
        try:
            self._file.write(episode.model_dump_json().encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise Unavailable(f"cannot write to {self.path}: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # a full disk: ``append`` has told it, and closing tries again
            self._file.close()


def read_episodes(path: Path) -> Iterator[EpisodeRecord]:
    """The episodes of a file, or of a run's folder.

    Raises:
        InputError: it is not there, or a line is no episode.
    """
    file = path / EPISODES if path.is_dir() else path
    try:
        lines = file.open("rb")
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from error
    with lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield EpisodeRecord.model_validate_json(line)
            except ValidationError as error:
                first = error.errors(include_url=False, include_context=False)[0]
                where = ".".join(map(str, first["loc"]))
                raise InputError(f"{file}:{number}: no episode: {where}: {first['msg']}") from error
