"""Puts what was measured of an episode on one line of time: decisions and executions, in order.

An episode stores how long each answer of a model took, not when it was asked. So the durations are
laid end to end from the episode's beginning, in the order in which things happened: in a turn first
the execution of an accepted offer, then the observer's answers. What lies between them (the
harness, the simulated user) is not told apart; it stands at the end. A tool's own time is not
measured: its calls share their execution's end. What it does not know: formats.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heron.contracts import (
    EpisodeRecord,
    Execution,
    LogEntry,
    ObserverTurn,
    StepCost,
    TurnRecord,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer of the observer."""

    turn: TurnRecord
    given: ObserverTurn
    cost: StepCost | None
    """``None``: the row holds none for it."""
    looked: LogEntry | None
    """For a look: what the phone's log says of it. What the look brought up is not stored."""
    begin: float
    """Seconds since the episode began."""
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """An execution, or a part of one that went on after a question."""

    turn: TurnRecord
    execution: Execution
    cost: StepCost | None
    """Of all of it; ``None``: the row holds none for it."""
    begin: float
    end: float


Moment = Answered | Executed


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """An episode on a line of time."""

    moments: tuple[Moment, ...]
    seconds: float
    """From its beginning to its end."""


def layout_of(episode: EpisodeRecord) -> Layout:
    """Lay out an episode."""
    moments = tuple(_Laying(episode).moments())
    end = moments[-1].end if moments else 0.0
    return Layout(moments=moments, seconds=max(end, episode.costs.wall_s))


class _Laying:
    def __init__(self, episode: EpisodeRecord) -> None:
        self._episode = episode
        self._costs = iter(episode.costs.steps)
        self._executor = iter(episode.costs.executor)
        self._looks: dict[int, list[LogEntry]] = {}
        for entry in episode.log:
            if entry.actor == "assistant" and entry.grant_id is None and entry.effect == "read":
                self._looks.setdefault(entry.turn, []).append(entry)
        self._now = 0.0

    def moments(self) -> Iterator[Moment]:
        for turn in self._episode.turns:
            if turn.execution is not None:
                yield self._executed(turn, turn.execution)
            for given in turn.observer:
                yield self._answered(turn, given)

    def _executed(self, turn: TurnRecord, execution: Execution) -> Executed:
        cost = next(self._executor, None)
        begin, self._now = self._after(cost)
        return Executed(turn=turn, execution=execution, cost=cost, begin=begin, end=self._now)

    def _answered(self, turn: TurnRecord, given: ObserverTurn) -> Answered:
        cost = next(self._costs, None)
        begin, self._now = self._after(cost)
        looked = None
        if given.answer.type == "look":
            there = self._looks.get(turn.turn, [])
            looked = there.pop(0) if there and there[0].name == given.answer.call.name else None
        return Answered(
            turn=turn, given=given, cost=cost, looked=looked, begin=begin, end=self._now
        )

    def _after(self, cost: StepCost | None) -> tuple[float, float]:
        """Begin and end of what comes next; before it begins it may have waited its turn."""
        if cost is None:
            return self._now, self._now
        begin = self._now + (cost.queued_s or 0.0)
        return begin, begin + cost.wall_s
