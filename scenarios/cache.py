"""Keeps loaded scenarios from one start to the next, so that only new or changed files are read.

One file in the user's cache, named by the code that made it: other code makes another one. An
entry is known by its file's path and content. Whatever is wrong with the cache, the scenario is
read from its file; files with problems are never kept. A pickle can run code, so one that another
user could have written is not opened. What it does not know: what a scenario is.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from heron.scenarios.loader import Reader, load_file, uncollected
from heron.scenarios.schema import Scenario

KEPT_FORMS = 3
"""Cache files of so many states of the code are kept."""


Kept = dict[tuple[str, bytes], Scenario]
"""Path and hash of the content → what the file holds."""


@contextmanager
def cached(folder: Path | None = None) -> Iterator[Reader]:
    """A reader for ``load_suite`` that takes what it knows from the cache, and keeps the rest.

    Args:
        folder: of the cache files; ``heron/scenarios`` in the user's cache if not given.
    """
    folder = folder or default_folder()
    file = folder / f"{_code()}.pickle"
    with uncollected():
        kept = _read(file)
    known = len(kept)

    def reader(path: Path) -> Scenario:
        key = _key(path)
        scenario = kept.get(key)
        if scenario is None:
            scenario = load_file(path)
            kept[key] = scenario
        return scenario

    yield reader
    if len(kept) > known:
        with suppress(OSError):
            _write(file, kept)


def default_folder() -> Path:
    """Where the cache is kept unless something else is said."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "heron" / "scenarios"


def _key(path: Path) -> tuple[str, bytes]:
    try:
        content = path.read_bytes()
    except OSError:
        content = b""
    return str(path.absolute()), hashlib.sha256(content).digest()


def _code() -> str:
    """Names the code that reads scenarios: the sources of the rooms that take part."""
    here = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    for room in (here, here.parent / "sim"):
        for source in sorted(room.rglob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _read(file: Path) -> Kept:
    try:
        about = file.stat()
        if about.st_uid != os.getuid() or about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return {}
        kept = pickle.loads(file.read_bytes())  # noqa: S301
    except Exception:  # noqa: BLE001  (a cache that cannot be read is an empty one)
        return {}
    return kept if isinstance(kept, dict) else {}


def _write(file: Path, kept: Kept) -> None:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_suffix(f".{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        pickle.dump(kept, out, protocol=5)
    draft.replace(file)
    others = sorted(file.parent.glob("*.pickle"), key=lambda f: f.stat().st_mtime)
    for old in others[:-KEPT_FORMS]:
        old.unlink(missing_ok=True)
