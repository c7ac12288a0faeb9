"""Evaluated prompts on disk, so that a process need not evaluate its constant prefix again.

A saved prefix is llama.cpp's own state file and a sidecar with its sha256 and with everything that
the values in it depend on (``PrefixKey``). A file that is damaged, or that was made by another
model, prompt, build or setting, is never loaded; it is written anew. The values are those of the
evaluation to the bit, so a run that loads and one that evaluates say the same. What it does not
know: llama.cpp, what a prompt says, when one is needed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from pydantic import ValidationError

from heron.contracts import Record
from heron.errors import ModelFault, ModelFileError
from heron.models import store

if TYPE_CHECKING:
    from heron.models.llama_context import LlamaContext

OFF: Final = "off"
"""Value of ``HERON_PREFIXES`` that switches the store off."""

_HEADROOM: Final = 64 << 20
"""Bytes of disk that are left free."""
_STALE_S: Final = 3600.0
"""Age from which a temporary file belongs to nobody."""


class PrefixKey(Record):
    """What the values of an evaluated prefix depend on."""

    format: Literal[1] = 1
    """Of the files; raised when Heron evaluates prefixes in another way."""
    model: str
    """sha256 of the model file."""
    quantisation: str
    adapter: str | None = None
    """sha256 of the adapter file; None: none is loaded."""
    prompt: str
    """sha256 of the tokens, as 32-bit little-endian numbers."""
    length: int
    """Tokens."""
    window: int
    flash_attention: str
    kv_types: str
    """Types of keys and values in the memory."""
    batch: int
    block: int
    library: str
    """Versions of the binding and of llama.cpp."""
    build: str
    """sha256 of llama.cpp's shared libraries."""
    processor: tuple[str, ...]
    """Features that llama.cpp chooses its kernels by."""

    @property
    def name(self) -> str:
        """A name for the files."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:32]


class SavedPrefix(Record):
    """The sidecar of a state file."""

    file: str
    """Name of the model file, for people."""
    bytes: int
    """Size of the state file."""
    sha256: str
    """Of the state file."""
    key: PrefixKey


class PrefixStore:
    """A folder of saved prefixes. Every failure of the disk only means that one is evaluated.

    Args:
        folder: where they lie; made at the first save.
        most: prefixes that are kept; those that were used longest ago go first.
        most_bytes: the same by size.
    """

    def __init__(self, folder: Path, *, most: int = 16, most_bytes: int = 1 << 30) -> None:
        self.folder, self.most, self.most_bytes = folder, most, most_bytes

    def load(self, context: LlamaContext, key: PrefixKey, tokens: Sequence[int]) -> bool:
        """Fill the empty ``context`` with the evaluated ``tokens``, if they are here and sound."""
        state, sidecar = self._files(key)
        try:
            saved = _read(sidecar)
            if saved is None or saved.key != key or state.stat().st_size != saved.bytes:
                return False
            if store.sha256_of(state) != saved.sha256:
                return False
            if not context.load(state, tokens):
                return False
            os.utime(state)
        except (OSError, ModelFileError):
            return False
        return True

    def save(self, context: LlamaContext, key: PrefixKey) -> bool:
        """Keep what ``context`` holds; says whether it is on disk now."""
        state, sidecar = self._files(key)
        fresh = self.folder / f".{key.name}.{os.getpid()}.tmp"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(self.folder).free < context.state_bytes() + _HEADROOM:
                return False
            size = context.save(fresh)
            saved = SavedPrefix(
                file=context.model.path.name,
                bytes=size,
                sha256=store.sha256_of(fresh),
                key=key,
            )
            fresh.replace(state)
            fresh.write_text(saved.model_dump_json(indent=1) + "\n", encoding="utf-8")
            fresh.replace(sidecar)
            self._prune()
        except (OSError, ModelFault, ModelFileError):
            return False
        finally:
            with contextlib.suppress(OSError):
                fresh.unlink(missing_ok=True)
        return True

    def saved(self) -> list[SavedPrefix]:
        """What is here, the one used last first."""
        rows = [(_used(path), path, _read(path)) for path in self.folder.glob("*.json")]
        return [row for _, _, row in sorted(rows, reverse=True, key=lambda r: r[:2]) if row]

    def clear(self) -> int:
        """Remove everything; says how many prefixes went."""
        gone = 0
        for path in (*self.folder.glob("*.json"), *self.folder.glob("*.state")):
            gone += path.suffix == ".state"
            with contextlib.suppress(OSError):
                path.unlink()
        return gone

    def _files(self, key: PrefixKey) -> tuple[Path, Path]:
        return self.folder / f"{key.name}.state", self.folder / f"{key.name}.json"

    def _prune(self) -> None:
        """Remove what is beyond the bounds, and what killed processes left."""
        total = 0
        newest_first = sorted(self.folder.glob("*.state"), key=_used, reverse=True)
        for place, path in enumerate(newest_first):
            total += path.stat().st_size
            # The newest stays, whatever its size: it is the one in use.
            if place and (place >= self.most or total > self.most_bytes):
                path.unlink(missing_ok=True)
                path.with_suffix(".json").unlink(missing_ok=True)
        for path in self.folder.glob(".*.tmp"):
            if time.time() - path.stat().st_mtime > _STALE_S:
                path.unlink(missing_ok=True)


def default_store() -> PrefixStore | None:
    """The user's store: ``HERON_PREFIXES``, or ``heron/prefixes`` in the cache; None if ``off``."""
    chosen = os.environ.get("HERON_PREFIXES")
    if chosen == OFF:
        return None
    cached = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    place = Path(chosen) if chosen else Path(cached) / "heron" / "prefixes"
    return PrefixStore(place.expanduser())


def _read(sidecar: Path) -> SavedPrefix | None:
    try:
        return SavedPrefix.model_validate_json(sidecar.read_bytes())
    except (OSError, ValidationError):
        return None


def _used(path: Path) -> float:
    """When a prefix was last loaded or saved."""
    with contextlib.suppress(OSError):
        return path.with_suffix(".state").stat().st_mtime
    return 0.0
