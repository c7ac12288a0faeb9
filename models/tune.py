"""Suits a model file to this processor: requantises it to a type that llama.cpp has a fast kernel
for here.

The type is chosen by rule (see ``tuned_type``). The tuned file lies beside its origin as
``NAME@TYPE.gguf``, with both hashes in a sidecar, and is used as ``gguf:NAME@TYPE``. The same input
gives the same bytes. What it does not know: how fast anything is.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast

from filelock import FileLock
from pydantic import ValidationError

from heron.contracts import Record
from heron.errors import InputError, ModelFault, ModelFileError, Unavailable, UnknownName
from heron.models import store
from heron.models.assembly import disk_errors
from heron.models.catalog import CATALOG, find
from heron.models.gguf_file import GgufInfo, check_gguf
from heron.models.machine import environment
from heron.models.machine_files import features
from heron.models.store import TUNED_TYPES, sealed_sha256, tuned_path
from heron.models.tuned_type import Choice, TunedType, choose
from heron.models.wheels import DiskFull

_BITS: Final = {"q4_0": 6.6, "q8_0": 8.6}
"""Bits per value that a file takes at most; at 4 bits the embeddings are kept at 6."""
_HEADROOM: Final = 32 << 20


class Tuned(Record):
    """The sidecar of a tuned file."""

    base: str
    """Name of the file that it was made from."""
    base_sha256: str
    type: TunedType
    sha256: str
    bytes: int
    why: str
    processor: tuple[str, ...]
    """Features of the processor that it was made for."""


class Tuning(Record):
    """What ``tune`` did, or would do."""

    base: Path
    base_sha256: str | None
    """``None``: it was not hashed, as nothing is to be made."""
    type: TunedType | None
    why: str
    path: Path | None
    """The tuned file."""
    sha256: str | None = None
    bytes: int | None = None
    made: bool = False
    """It was made now."""


def tune(
    target: str, kind: str | None = None, *, dry_run: bool = False, threads: int = 1
) -> Tuning:
    """Make the file that suits this processor, unless it is there.

    Args:
        target: name of the catalogue, or path.
        kind: ``q4_0`` or ``q8_0``; by default as ``choose`` says.
        dry_run: only say what would be done.
        threads: of the work; they change no byte.

    Raises:
        UnknownName: neither a name of the catalogue nor a file.
        InputError: no such type, the model is not here, or it is a tuned one.
        ModelFileError: the file cannot be used, or is not the catalogue's.
        ModelFault: llama.cpp could not write the file.
        Unavailable: there is no room, or the folder cannot be written to.
    """
    base = store.resolve(target)
    if base.stem.rpartition("@")[2] in TUNED_TYPES:
        raise InputError(f"{base}: a tuned file; tune the one that it was made from")
    if kind is not None and kind not in TUNED_TYPES:
        raise InputError(f"type {kind!r}: {' or '.join(TUNED_TYPES)}")
    info = check_gguf(base)
    choice = choose(info, features())
    if kind is not None:
        choice = Choice(type=cast(TunedType, kind), why="asked for")
    plan = Tuning(base=base, base_sha256=None, type=choice.type, why=choice.why, path=None)
    if choice.type is None:
        return plan
    path = tuned_path(base, choice.type)
    if dry_run:
        return plan.model_copy(update={"path": path})
    digest = _checked_sha256(target, base)
    with _alone(path):
        tuned = read_tuned(path)
        made = tuned is None or tuned.base_sha256 != digest
        if tuned is None or made:
            tuned = _make(base, digest, path, choice, info, threads)
    return plan.model_copy(
        update={
            "base_sha256": digest,
            "path": path,
            "sha256": tuned.sha256,
            "bytes": tuned.bytes,
            "made": made,
        }
    )


def read_tuned(path: Path) -> Tuned | None:
    """The sidecar of a tuned file, if the file is still the one that was made."""
    try:
        tuned = Tuned.model_validate_json(_sidecar(path).read_bytes())
    except (OSError, ValidationError):
        return None
    seal = store.read_seal(path)
    return tuned if seal is not None and seal.sha256 == tuned.sha256 else None


def tuned_files() -> list[tuple[Path, Tuned | None]]:
    """The tuned files in the store; None: it was changed since it was made."""
    found = [path for kind in TUNED_TYPES for path in store.folder().glob(f"*@{kind}.gguf")]
    return [(path, read_tuned(path)) for path in sorted(found)]


def _checked_sha256(target: str, base: Path) -> str:
    digest = sealed_sha256(base)
    try:
        wanted = find(target).sha256
    except UnknownName:
        return digest
    if digest != wanted:
        raise ModelFileError(f"{base}: not the catalogue's file; pull it again with --force")
    return digest


def _make(
    base: Path, digest: str, path: Path, choice: Choice, info: GgufInfo, threads: int
) -> Tuned:
    need = int(info.parameters * _BITS[str(choice.type)] / 8) + _HEADROOM
    free = shutil.disk_usage(path.parent).free
    if free < need:
        raise DiskFull(
            f"{path.name} needs {need / 1e6:,.0f} MB and {path.parent} has "
            f"{free / 1e6:,.0f} MB free"
        )
    fresh = path.with_name(f".{path.name}.tmp")
    try:
        with disk_errors(path):
            fresh.unlink(missing_ok=True)
            _quantise(base, fresh, str(choice.type), threads)
            check_gguf(fresh)
            tuned = Tuned(
                base=base.name,
                base_sha256=digest,
                type=cast(TunedType, choice.type),
                sha256=store.sha256_of(fresh),
                bytes=fresh.stat().st_size,
                why=choice.why,
                processor=features().flags,
            )
            fresh.replace(path)
            fresh.write_text(tuned.model_dump_json(indent=1) + "\n", encoding="utf-8")
            fresh.replace(_sidecar(path))
            store.write_seal(path, tuned.sha256)
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
    return tuned


def _quantise(base: Path, fresh: Path, kind: str, threads: int) -> None:
    """Run the program; an interruption ends it at once, since C code would not hear of it."""
    command = [sys.executable, "-m", "heron.models.quantise", str(base), str(fresh), kind]
    # An interruption waits until there is a child to be ended.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        child = subprocess.Popen(
            [*command, str(threads)],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            _, said = child.communicate()
        except BaseException:
            child.kill()
            child.communicate()
            raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if child.returncode < 0:
        name = signal.Signals(-child.returncode).name
        raise ModelFault(f"{base.name}: llama.cpp was ended by {name} while requantising")
    if child.returncode:
        lines = said.strip().splitlines() or [f"exit status {child.returncode}"]
        raise ModelFault(f"{base.name}: requantising failed: {lines[-1][:300]}")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let one process at a time make a file. A killed holder's lock is free."""
    lock = path.with_name(f".{path.name}.lock")
    if not os.access(path.parent, os.W_OK):
        raise Unavailable(f"{path.parent}: cannot be written to; copy the model elsewhere")
    with FileLock(lock):
        yield


def _sidecar(path: Path) -> Path:
    return path.with_name(f"{path.name}.tuned.json")


def spec_of(path: Path) -> str:
    """What to write behind ``gguf:`` to use a tuned file."""
    base = path.stem.rpartition("@")[0]
    known = any(base == entry.name for entry in CATALOG)
    return path.stem if known and path.parent == store.folder() else str(path)
