"""Where model files lie on this machine, and what is known about them without reading them.

The store is one folder: ``HERON_MODELS``, or ``heron/models`` in the user's cache. Beside a
checked file lies a small seal (``NAME.gguf.sha256.json``) with the size, modification time and
sha256 found when the file was last hashed, so that a gigabyte is not hashed at every start. What
this file does not know: how a model gets here (see ``pull``), or what is in it (``gguf_file``).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from heron.contracts import Record
from heron.errors import InputError, ModelFileError, Unavailable, UnknownName
from heron.models.catalog import CATALOG, ModelEntry, find

CHUNK = 1 << 20
"""Bytes that are read at once."""

TUNED_TYPES = ("q4_0", "q8_0")
"""Types that ``heron models tune-for-cpu`` makes; a tuned file is called ``NAME@TYPE``."""

State = Literal["absent", "partial", "damaged", "unverified", "verified"]
"""``partial``: a pull was interrupted. ``damaged``: the size is wrong, or the hash was when it was
last taken. ``unverified``: the size is right and nobody has hashed it since it was written."""


class Seal(Record):
    """What a file was when it was last hashed."""

    bytes: int
    mtime_ns: int
    sha256: str


def folder() -> Path:
    """The store's folder; it need not exist."""
    if chosen := os.environ.get("HERON_MODELS"):
        return Path(chosen).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "heron" / "models"


def path_of(entry: ModelEntry) -> Path:
    """Where the finished file of ``entry`` lies or would lie."""
    return folder() / entry.file_name


def part_path_of(entry: ModelEntry) -> Path:
    """Where the file of ``entry`` is put together."""
    return folder() / f"{entry.file_name}.part"


def resolve(spec: str | Path) -> Path:
    """The file that ``spec`` means: a name of the catalogue, with ``@TYPE`` behind it for the file
    that was tuned for this processor, or a path to a GGUF file.

    The size is compared with the catalogue's; the contents are not read.

    Raises:
        UnknownName: neither a name of the catalogue nor a file.
        InputError: the model is in the catalogue but not in the store.
        ModelFileError: the file has not the catalogue's size, or is not a file.
    """
    text = str(spec)
    base, _, kind = text.rpartition("@")
    if base and kind in TUNED_TYPES:
        return _tuned(base, kind)
    try:
        entry = find(text)
    except UnknownName:
        return _existing(text)
    path = path_of(entry)
    if not path.is_file():
        raise InputError(f"model {text!r} is not here; fetch it with: heron models pull {text}")
    if (size := path.stat().st_size) != entry.bytes:
        raise ModelFileError(
            f"{path}: {size:,} bytes instead of {entry.bytes:,}; "
            f"fetch it again with: heron models pull {text} --force"
        )
    return path


def tuned_path(path: Path, kind: str) -> Path:
    """Where the file lies that is made of ``path`` in the type ``kind``."""
    return path.with_name(f"{path.name.removesuffix('.gguf')}@{kind}.gguf")


def _tuned(base: str, kind: str) -> Path:
    try:
        origin = path_of(find(base))
    except UnknownName:
        origin = Path(base).expanduser()
        if os.sep not in base and not origin.exists():
            raise
    path = tuned_path(origin, kind)
    if not path.is_file():
        raise InputError(
            f"model '{base}@{kind}' is not here; make it with: "
            f"heron models tune-for-cpu {base} --type {kind}"
        )
    return path


def _existing(text: str) -> Path:
    path = Path(text).expanduser()
    if path.is_file():
        return path
    if path.is_dir():
        raise ModelFileError(f"{path}: a folder; give the .gguf file in it")
    if os.sep in text or text.endswith(".gguf"):
        raise ModelFileError(f"{path}: no such file")
    find(text)  # raises UnknownName with what is near
    raise AssertionError(text)


def state_of(entry: ModelEntry) -> State:
    """What is known about the file of ``entry``, without reading it."""
    path = path_of(entry)
    if not path.is_file():
        return "partial" if part_path_of(entry).is_file() else "absent"
    if path.stat().st_size != entry.bytes:
        return "damaged"
    seal = read_seal(path)
    if seal is None:
        return "unverified"
    return "verified" if seal.sha256 == entry.sha256 else "damaged"


def size_of(target: str) -> int | None:
    """Bytes of the file that ``target`` (a name or a path) means; ``None`` if it is not there."""
    try:
        path = path_of(find(target))
    except UnknownName:
        path = Path(target).expanduser()
    return path.stat().st_size if path.is_file() else None


def present() -> list[ModelEntry]:
    """The models whose file is in the store, whatever its state."""
    return [entry for entry in CATALOG if path_of(entry).is_file()]


def sha256_of(path: Path, tick: Callable[[int], None] = lambda _done: None) -> str:
    """Hash a file.

    Args:
        path: the file.
        tick: told the bytes hashed so far, every MiB.

    Raises:
        ModelFileError: it cannot be read.
    """
    digest, done = hashlib.sha256(), 0
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
                done += len(chunk)
                tick(done)
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be read: {error.strerror or error}") from error
    return digest.hexdigest()


def read_seal(path: Path) -> Seal | None:
    """The seal of ``path``, if it has one and the file has not been written to since."""
    try:
        seal = Seal.model_validate_json(_seal_path(path).read_bytes())
        found = path.stat()
    except (OSError, ValidationError):
        return None
    return seal if (seal.bytes, seal.mtime_ns) == (found.st_size, found.st_mtime_ns) else None


def sealed_sha256(path: Path) -> str:
    """The sha256 of ``path``: from its seal, or else by hashing it now and sealing it.

    Raises:
        ModelFileError: it cannot be read.
    """
    seal = read_seal(path)
    if seal is not None:
        return seal.sha256
    digest = sha256_of(path)
    write_seal(path, digest)
    return digest


def write_seal(path: Path, sha256: str) -> None:
    """Note what ``path`` was found to be. A store that cannot be written to goes without."""
    found = path.stat()
    seal = Seal(bytes=found.st_size, mtime_ns=found.st_mtime_ns, sha256=sha256)
    fresh = _seal_path(path).with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        fresh.write_text(seal.model_dump_json() + "\n", encoding="utf-8")
        fresh.replace(_seal_path(path))


def make_folder() -> Path:
    """The store's folder, made if need be.

    Raises:
        Unavailable: it cannot be made.
    """
    place = folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(
            f"the model store {place} cannot be made: {error.strerror}; set HERON_MODELS"
        ) from error
    return place


def _seal_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256.json")
