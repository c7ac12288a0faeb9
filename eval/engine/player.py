"""Plays units in this process, and keeps what the last one's configuration had loaded.

An episode does not depend on what was played before it: harness parts are made anew for each, and
a process is told by an observation's brief to forget everything.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from heron.contracts import EpisodeRecord
from heron.eval.batch import Bench
from heron.eval.engine.unit import Unit

Info = dict[str, Any]
"""Role (observer, user) → what is known of its model."""


class Player:
    """One after the other."""

    def __init__(self) -> None:
        self._bench: Bench | None = None
        self._group = ""

    def play(self, unit: Unit) -> EpisodeRecord:
        """Play one episode; a part that breaks is recorded, not raised.

        Raises:
            HeronError: the unit names what there is not, or cannot be played at all.
        """
        return self.bench(unit).episode(unit.scenario, unit.run)

    def bench(self, unit: Unit) -> Bench:
        """What plays units of this one's group; the last group's is closed."""
        if self._bench is None or self._group != unit.group:
            self.close()
            # Further runs of the group use the same one.
            self._bench = Bench(replace(unit.plan, runs=1))
            self._group = unit.group
        return self._bench

    @property
    def info(self) -> Info:
        """Of the parts that are loaded."""
        if self._bench is None:
            return {"observer": {}, "user": {}}
        return {"observer": self._bench.observer.info, "user": self._bench.user.info}

    def close(self) -> None:
        """End all processes."""
        if self._bench is not None:
            self._bench.close()
            self._bench = None
