"""Says whether a model file is what it should be: by checksum if the catalogue knows it, and by
whether it is a complete GGUF file in any case.

What it does not know: whether the model is any good.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from heron.contracts import Record
from heron.errors import ModelFileError, UnknownName
from heron.models import store
from heron.models.catalog import CATALOG, ModelEntry, find
from heron.models.gguf_file import GgufInfo, check_gguf


class Finding(Record):
    """What was found out about one file."""

    target: str
    """As it was asked for."""
    path: Path
    ok: bool
    problem: str | None = None
    """Why not, unless ``ok``."""
    model: str | None = None
    """The catalogue's model that these bytes are; ``None`` for another file."""
    sha256: str | None = None
    """``None``: the file is no complete GGUF file, so it was not hashed."""
    gguf: GgufInfo | None = None


def verify(target: str, tick: Callable[[int], None] = lambda _done: None) -> Finding:
    """Read all of a file and check it.

    Args:
        target: a name of the catalogue or a path.
        tick: told the bytes hashed so far.

    Raises:
        UnknownName: neither a name of the catalogue nor a file.
    """
    try:
        entry: ModelEntry | None = find(target)
    except UnknownName:
        entry = None
    try:
        path = store.path_of(entry) if entry else store.resolve(target)
        if entry and not path.is_file():
            return _bad(target, path, f"not here; fetch it with: heron models pull {entry.alias}")
        info = check_gguf(path)
        digest = store.sha256_of(path, tick)
    except UnknownName:
        raise
    except ModelFileError as error:
        place = store.path_of(entry) if entry else Path(target)
        return _bad(target, place, str(error).removeprefix(f"{place}: "))
    known = next((known for known in CATALOG if known.sha256 == digest), None)
    if entry:
        store.write_seal(path, digest)
    ok = entry is None or known is entry
    return Finding(
        target=target,
        path=path,
        ok=ok,
        problem=None if ok else "its sha256 is not the catalogue's; pull it again with --force",
        model=known.name if known else None,
        sha256=digest,
        gguf=info,
    )


def _bad(target: str, path: Path, problem: str) -> Finding:
    return Finding(target=target, path=path, ok=False, problem=problem)
