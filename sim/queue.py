"""The event queue: what will happen to the phone, when, and on what conditions.

An event is due at a fixed second, a while after another event, or a while after a condition
first holds; ``depends_on`` holds it back until the named events have happened. Equal times keep
the order in which the events were declared. What it does not know: what an event does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from pydantic import Field

from heron.contracts import Arguments, Record
from heron.errors import InputError


class Condition(Record):
    """Something that the log can tell."""

    type: Literal["user_did", "assistant_did", "answered", "opened"]
    """``user_did``/``assistant_did``: a successful call named ``value`` (``email.send``);
    ``answered``: a proposal was answered with ``value``; ``opened``: the user has had the record
    ``value`` on the screen in full."""
    value: str


class Event(Record):
    """Something that will happen to the phone."""

    key: str
    """Name within the scenario."""
    name: str
    """``app.happening``."""
    arguments: Arguments = Field(default_factory=dict)
    at: float | None = None
    """Seconds from the start."""
    after: str | None = None
    """Key of the event that it follows by ``delay`` seconds."""
    when: Condition | None = None
    """It follows the moment at which this first holds, by ``delay`` seconds."""
    delay: float = 0.0
    depends_on: tuple[str, ...] = ()
    reserve: tuple[str, str] | None = None
    """Kind and id (from ``Table.reserve``) that the first record of this kind which it creates
    gets, so that others can refer to the record before it is there."""
    noise: bool = False
    """It has nothing to do with the scenario: nobody waits for it, and idling passes it over."""


@dataclass(slots=True)
class QueueState:
    """What has happened so far; copied by snapshots."""

    fired: dict[str, datetime] = field(default_factory=dict)
    held: dict[str, datetime] = field(default_factory=dict)
    """Event → when its condition first held."""
    noise: int = 0
    """How many events of noise have happened."""

    def copy(self) -> QueueState:
        """An independent copy."""
        return QueueState(dict(self.fired), dict(self.held), self.noise)


class EventQueue:
    """Events in waiting.

    Args:
        events: in declared order, which breaks ties.
        start: the time at which the episode begins.

    Raises:
        InputError: a key twice, an unknown key, no or several triggers, or a circle; or noise
            that waits for something.
    """

    def __init__(self, events: Iterable[Event], start: datetime) -> None:
        self.events = tuple(events)
        self.start = start
        self.state = QueueState()
        self._own = tuple(event for event in self.events if not event.noise)
        _check(self._own)
        # Noise comes in hundreds, so it is sorted once instead of searched at every step.
        timed = [(_seconds(event), event) for event in self.events if event.noise]
        self._noise = sorted(timed, key=lambda pair: pair[0])

    def note_conditions(self, holds: Callable[[Condition], bool], now: datetime) -> None:
        """Look whether conditions of waiting events hold for the first time."""
        state = self.state
        for event in self._own:
            if event.when is None or event.key in state.held or event.key in state.fired:
                continue
            if holds(event.when):
                state.held[event.key] = now

    def next(self, *, noise: bool = True) -> tuple[datetime, Event] | None:
        """The event that comes next and its time, of those whose time is known.

        Args:
            noise: whether noise counts.
        """
        best: tuple[datetime, Event] | None = None
        for event in self._own:
            if event.key in self.state.fired:
                continue
            due = self._due(event)
            if due is not None and (best is None or due < best[0]):
                best = (due, event)
        if noise and self.state.noise < len(self._noise):
            seconds, event = self._noise[self.state.noise]
            due = self.start + timedelta(seconds=seconds)
            if best is None or due < best[0]:
                best = (due, event)
        return best

    def fire(self, event: Event, now: datetime) -> None:
        """Note that an event has happened."""
        if event.noise:
            self.state.noise += 1
        else:
            self.state.fired[event.key] = now

    def _due(self, event: Event) -> datetime | None:
        fired = self.state.fired
        if any(key not in fired for key in event.depends_on):
            return None
        if event.at is not None:
            base, delay = self.start, event.at
        elif event.after is not None:
            if event.after not in fired:
                return None
            base, delay = fired[event.after], event.delay
        elif event.key in self.state.held:
            base, delay = self.state.held[event.key], event.delay
        else:
            return None
        due = base + timedelta(seconds=delay)
        return max([due, *(fired[key] for key in event.depends_on)])


def _seconds(event: Event) -> float:
    """When an event of noise happens, in seconds from the start."""
    if event.at is None or event.depends_on:
        raise InputError(f"event {event.key!r} is noise and needs a time of its own: at")
    return event.at


def _check(events: tuple[Event, ...]) -> None:
    keys = [event.key for event in events]
    for event in events:
        if keys.count(event.key) > 1:
            raise InputError(f"event key {event.key!r} stands twice")
        triggers = (event.at is not None) + (event.after is not None) + (event.when is not None)
        if triggers != 1:
            raise InputError(f"event {event.key!r} needs exactly one of at, after, when")
        for key in _needs(event):
            if key not in keys:
                raise InputError(f"event {event.key!r} waits for {key!r}, which does not exist")
    _check_circles(events)


def _needs(event: Event) -> tuple[str, ...]:
    return event.depends_on + ((event.after,) if event.after else ())


def _check_circles(events: tuple[Event, ...]) -> None:
    done: set[str] = set()
    left = list(events)
    while left:
        ready = [event for event in left if all(key in done for key in _needs(event))]
        if not ready:
            raise InputError(f"events wait for each other: {', '.join(e.key for e in left)}")
        done.update(event.key for event in ready)
        left = [event for event in left if event not in ready]
