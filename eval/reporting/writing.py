"""Files of a report, each written whole or not at all. What it does not know: their content."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from heron.errors import InputError, Unavailable


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all.

    Raises:
        Unavailable: it cannot be written.
    """
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside ``path`` that takes its place when it is finished, and goes if it is not.

    Raises:
        InputError: ``path`` is a folder, or a device or the like.
        Unavailable: it cannot be written.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file")
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is no ordinary file; name one")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise Unavailable(f"cannot write {path}: {error.strerror}") from error
    part = Path(name)
    try:
        yield part
        part.chmod(0o666 & ~_mask())
        part.replace(path)
    except OSError as error:
        raise Unavailable(f"cannot write {path}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _mask() -> int:
    """Which rights new files do not get here; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
