"""One writer per file: a lock that ends with its process, and says who has it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from heron.errors import Unavailable

LOCK = ".lock"
"""What is added to a file's name for its lock."""


class WriterLock:
    """The right to write to a file.

    The kernel lets go of it when the process ends, however it ends.

    Args:
        file: what is written to.

    Raises:
        Unavailable: another process has it.
        OSError: the lock's file cannot be made.
    """

    def __init__(self, file: Path) -> None:
        place = file.with_name(file.name + LOCK)
        self._lock = FileLock(place, blocking=False, is_singleton=False)
        try:
            self._lock.acquire()
        except Timeout as error:
            raise Unavailable(
                f"{file} is being written by {_holder(place)}; wait until it has ended, or choose "
                f"another folder"
            ) from error
        place.write_text(f"{os.getpid()}\n", encoding="utf-8")

    def release(self) -> None:
        """Let others write."""
        self._lock.release()


def _holder(place: Path) -> str:
    with suppress(OSError, ValueError):
        return f"process {int(place.read_text(encoding='utf-8'))}"
    return "another process"
