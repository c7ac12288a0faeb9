"""Episodes gathered for a viewer in one pass: rows in memory, their content in a temporary file.

What it does not know: the page.
"""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from heron.contracts import EpisodeRecord
from heron.eval.reporting.viewer.compact import Data
from heron.eval.reporting.viewer.model import view_of
from heron.eval.reporting.viewer.packing import to_json
from heron.eval.reporting.viewer.rows import Row, key_of, row_of

Stages = Callable[[EpisodeRecord], Data | None]
"""Says what an episode's scenario is ``about``, if it is at hand."""

QUICK = 3
"""Level of the temporary file's compression."""
IN_A_PACK = 0.55
"""What an episode takes in a pack, base64 included, of what it takes alone: siblings share much of
their text, and about 0.4 was measured on the suite."""


@dataclass(frozen=True, slots=True)
class _Place:
    at: int
    length: int


def no_stage(_: EpisodeRecord) -> None:
    """No episode has one."""


class Collection:
    """Episodes for a viewer; a context manager, as its file has to go.

    Args:
        stages: of an episode, so that the viewer says what the user wanted; see ``stages``.
    """

    def __init__(self, stages: Stages = no_stage) -> None:
        self._stages = stages
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (closed by ``close``)
        self._places: dict[str, _Place] = {}
        self._rows: list[Row] = []
        self._end = 0

    def add(self, episode: EpisodeRecord) -> Row:
        """Take an episode in."""
        key = self._free(key_of(episode))
        packed = zlib.compress(to_json(view_of(episode, self._stages(episode), key)), QUICK)
        self._file.seek(self._end)
        self._file.write(packed)
        self._places[key] = _Place(self._end, len(packed))
        self._end += len(packed)
        row = row_of(episode, key, int(len(packed) * IN_A_PACK))
        self._rows.append(row)
        return row

    @property
    def rows(self) -> Sequence[Row]:
        """One per episode, in the order in which they came."""
        return tuple(self._rows)

    def content(self, key: str) -> bytes:
        """An episode as JSON."""
        place = self._places[key]
        self._file.seek(place.at)
        return zlib.decompress(self._file.read(place.length))

    def close(self) -> None:
        """Drop the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _free(self, key: str) -> str:
        """The key, with a number behind it where another episode has it."""
        if key not in self._places:
            return key
        number = 2
        while f"{key}-{number}" in self._places:
            number += 1
        return f"{key}-{number}"
