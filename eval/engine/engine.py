"""What all engines have in common, and the one that plays in this process.

What it does not know: processes, clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, Self

from heron.contracts import EpisodeRecord
from heron.eval.engine.player import Info, Player
from heron.eval.engine.unit import Unit
from heron.eval.store.keys import config_hash

Starts = Callable[[Unit], None]
"""Told before a unit is played."""


def nobody(_unit: Unit) -> None:
    """Told in vain."""


class Engine(Protocol):
    """Plays units, one or several at a time. Use it in a ``with`` block, or close it."""

    info: dict[str, Info]
    """``config_hash`` of a configuration → what is known of its parts' models."""

    def play(self, units: Iterable[Unit], starts: Starts = nobody) -> Iterator[EpisodeRecord]:
        """Play all of them; episodes come as they end.

        Args:
            units: those of a group are best given together.
            starts: told before a unit is played; twice, if its worker died.

        Raises:
            HeronError: a unit cannot be played at all. Episodes that were being played have come
                before that.
        """

    def close(self) -> None:
        """End everything that was started; harmless if done before."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class LocalEngine:
    """Plays one after the other in this process."""

    def __init__(self) -> None:
        self._player = Player()
        self.info: dict[str, Info] = {}

    def play(self, units: Iterable[Unit], starts: Starts = nobody) -> Iterator[EpisodeRecord]:
        """In their order."""
        for unit in units:
            starts(unit)
            episode = self._player.play(unit)
            self.info[config_hash(unit.config)] = self._player.info
            yield episode

    def close(self) -> None:
        """End the parts' processes."""
        self._player.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
