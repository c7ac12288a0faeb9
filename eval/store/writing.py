"""Appends episodes to a run's folder: one row each, on disk before ``append`` returns.

What it does not know: which episodes are to be played.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Self

from heron.contracts import EpisodeRecord
from heron.errors import InputError, Unavailable
from heron.eval.store.files import (
    SUPERSEDED,
    episode_files,
    file_name,
    lines_of,
    mend,
    sync_folder,
)
from heron.eval.store.keys import EpisodeKey, key_of
from heron.eval.store.lock import WriterLock
from heron.eval.store.rows import Row, rows_in, rows_of


class EpisodeStore:
    """An append-only file of episodes with one writer.

    Args:
        folder: where it lies; made if it is not there.
        shard: ``I/N``, for one of several processes that write to one folder, each to its file.
        resume: go on with a file that is there; a torn last row is cut off and kept beside it.

    Raises:
        InputError: the file is there already and is not to be resumed, or a row is damaged.
        Unavailable: another process writes it, or the folder cannot be made or written.
    """

    def __init__(self, folder: Path, *, shard: str | None = None, resume: bool = False) -> None:
        self.path = folder / file_name(shard)
        self._mended: list[str] = []
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file; name a folder for the results")
        if not resume and self.path.exists() and self.path.stat().st_size:
            raise InputError(
                f"{folder} already holds {self.path.name}; choose another folder, or go on with it "
                f"by --resume {folder}"
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = WriterLock(self.path)
        except OSError as error:
            raise Unavailable(f"cannot write to {folder}: {error.strerror}") from error
        try:
            self._open()
            self._done = {row.key for row in self.rows()}
        except BaseException:
            self._lock.release()
            raise

    @property
    def mended(self) -> tuple[str, ...]:
        """Lines that tell of torn rows which were cut off."""
        return tuple(self._mended)

    @property
    def done(self) -> frozenset[EpisodeKey]:
        """The episodes that are stored, those of other shards at the time of opening included."""
        return frozenset(self._done)

    def append(self, episode: EpisodeRecord) -> bool:
        """Write one episode and wait until it is on disk.

        Returns:
            whether it was written; it is not if its key is stored already.

        Raises:
            Unavailable: it cannot be written; what was there before still is.
        """
        key = key_of(episode)
        if key in self._done:
            return False
        try:
            self._write(episode.model_dump_json().encode() + b"\n")
        except OSError as error:
            raise Unavailable(f"cannot write to {self.path}: {error.strerror}") from error
        self._done.add(key)
        return True

    def rows(self) -> list[Row]:
        """All rows of the folder, sorted by key, each once."""
        return rows_of(episode_files(self.path.parent), lambda _: None)

    def set_aside(self, stale: Collection[EpisodeKey]) -> int:
        """Move rows to ``superseded.jsonl``, where no reader of the run looks.

        Killed at any moment, it leaves every row in at least one of the two files.

        Args:
            stale: keys of the rows; those in files of other shards stay.

        Returns:
            how many rows were moved.

        Raises:
            Unavailable: it cannot be written.
        """
        wanted = frozenset(stale)
        moved = {row.number for row in rows_in(self.path, _nobody) if row.key in wanted}
        if not moved:
            return 0
        fresh = self.path.with_name(self.path.name + ".part")
        try:
            with (self.path.parent / SUPERSEDED).open("ab") as aside, fresh.open("wb") as kept:
                for line in lines_of(self.path):
                    (aside if line.number in moved else kept).write(line.text)
                for file in (aside, kept):
                    file.flush()
                    os.fsync(file.fileno())
            os.close(self._file)
            fresh.replace(self.path)
            self._open()
        except OSError as error:
            raise Unavailable(f"cannot write to {self.path}: {error.strerror}") from error
        self._done -= wanted
        return len(moved)

    def close(self) -> None:
        """Let others write."""
        with suppress(OSError):  # closed already
            os.close(self._file)
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> None:
        try:
            if self.path.exists() and (cut := mend(self.path)):
                self._mended.append(
                    f"{self.path}: cut a torn last row off ({cut} bytes, kept in "
                    f"{self.path.name}.torn); its episode is played again"
                )
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
            sync_folder(self.path.parent)
        except OSError as error:
            raise Unavailable(f"cannot write to {self.path}: {error.strerror}") from error

    def _write(self, text: bytes) -> None:
        """All of a row, or nothing of it."""
        before = os.fstat(self._file).st_size
        try:
            left = memoryview(text)
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._file, before)
            raise


def _nobody(_: str) -> None:
    """Told when the file was opened."""
