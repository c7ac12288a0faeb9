"""Text files that are written whole or not at all. What it does not know: their content."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from heron.errors import InputError, Unavailable


def write_whole(target: Path, text: str) -> None:
    """Write beside the file, onto the disk, then move into its place.

    Raises:
        InputError: there is something that is no ordinary file.
        Unavailable: it cannot be written.
    """
    if target.exists() and not target.is_file():
        raise InputError(f"{target} is no ordinary file; name one")
    name: str | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=".heron.", suffix=".part", dir=target.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, 0o644)  # noqa: PTH101 - as any file that is written, not as a temporary one
        Path(name).replace(target)
        name = None
    except OSError as error:
        raise Unavailable(f"{target} cannot be written: {error.strerror}") from error
    finally:
        if name is not None:
            Path(name).unlink(missing_ok=True)
