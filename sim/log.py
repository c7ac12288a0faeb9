"""The log's entries: who did what to which records. An entry never changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from heron.contracts import Actor, Effect, LogEntry, NoiseKind
from heron.sim.changes import net_changes, plain
from heron.sim.tables import Write


@dataclass(frozen=True, slots=True)
class Entry:
    """One call, as the world keeps it: with the records' versions themselves."""

    seq: int
    time: datetime
    turn: int
    actor: Actor
    name: str
    effect: Effect
    arguments: Mapping[str, Any]
    error: str | None
    grant_id: str | None
    writes: tuple[Write, ...]
    noise: NoiseKind | None = None

    def record(self, app_of: dict[int, str]) -> LogEntry:
        """As stored with an episode; ``app_of`` maps ``id(table)`` to its app's name."""
        return LogEntry.model_construct(
            seq=self.seq,
            time=self.time,
            turn=self.turn,
            actor=self.actor,
            name=self.name,
            effect=self.effect,
            arguments=plain(self.arguments),
            error=self.error,
            grant_id=self.grant_id,
            changes=net_changes(app_of, self.writes) if self.writes else (),
            noise=self.noise,
        )
