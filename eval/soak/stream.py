"""When things happen in a soak: an endless, seeded stream of arrivals.

Events and the user's actions arrive as a Poisson process whose rate may differ from hour to hour;
some events bring others with them at the same moment, as when a phone comes back into coverage.
What it does not know: what happens.
"""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from heron.contracts import Record
from heron.errors import InputError
from heron.eval.usage import Usage
from heron.seeds import stream

BURST: Final = 0.15
"""Probability that an event brings others with it."""
BURST_SIZE: Final = (1, 4)
"""How many others."""
_UNITS: Final = {"s": 1.0, "min": 60.0, "h": 3600.0}


class Arrival(Record):
    """Something is about to happen."""

    number: int
    """From 1 on."""
    at_s: float
    """Seconds from the soak's start."""
    kind: Literal["event", "action"]


@dataclass(frozen=True)
class Rates:
    """How often things happen, per hour of the day, from midnight on."""

    events: tuple[float, ...]
    actions: tuple[float, ...]

    @property
    def any(self) -> bool:
        """Whether anything ever happens."""
        return sum(self.events) + sum(self.actions) > 0


class Coming:
    """Arrivals with a view of those that come next.

    Args:
        arrivals: in order of time.
    """

    def __init__(self, arrivals: Iterator[Arrival]) -> None:
        self._rest = arrivals
        self._ahead: deque[Arrival] = deque()

    @property
    def next(self) -> Arrival:
        """The first that has not been taken."""
        if not self._ahead:
            self._ahead.append(next(self._rest))
        return self._ahead[0]

    def take(self) -> Arrival:
        """Go past it."""
        found = self.next
        self._ahead.popleft()
        return found

    def waiting(self, now: float) -> int:
        """How many are due by ``now``."""
        while not self._ahead or self._ahead[-1].at_s <= now:
            self._ahead.append(next(self._rest))
        return sum(arrival.at_s <= now for arrival in self._ahead)


def rates_of(usage: Usage, per_second: float | None = None) -> Rates:
    """The rates of a usage.

    Args:
        usage: the day.
        per_second: if given, this much happens all day; the usage says what share is events.
    """
    if per_second is None:
        return Rates(events=usage.events, actions=usage.actions)
    total = usage.events_per_day + usage.actions_per_day
    events = per_second * 3600 * usage.events_per_day / total
    return Rates(events=(events,) * 24, actions=(per_second * 3600 - events,) * 24)


def rate_from(text: str) -> float:
    """``6/min`` in things per second.

    Raises:
        InputError: it is no rate.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)/(s|min|h)", text.strip())
    if found is None or not float(found[1]) > 0:
        raise InputError(f"rate {text!r}: write a number per s, min or h, as 6/min")
    return float(found[1]) / _UNITS[found[2]]


def arrivals(seed: int, rates: Rates, start: datetime) -> Iterator[Arrival]:
    """All arrivals, in order of time, for ever.

    Each hour is drawn from a stream of its own, so that where one begins in the middle the rest is
    the same.
    """
    number, hour = 0, 0
    first = start.replace(minute=0, second=0, microsecond=0)
    while True:
        begins = first + timedelta(hours=hour)
        for moment, kind in _hour(seed, hour, rates, begins):
            if moment >= start:
                number += 1
                yield Arrival(number=number, at_s=(moment - start).total_seconds(), kind=kind)
        hour += 1


def _hour(
    seed: int, hour: int, rates: Rates, begins: datetime
) -> list[tuple[datetime, Literal["event", "action"]]]:
    rng = stream(seed, "soak", "hour", hour)
    found: list[tuple[float, Literal["event", "action"]]] = []
    # A burst is one event with others, so that the rate of events stays what it is.
    mean_size = 1 + BURST * sum(BURST_SIZE) / 2
    for at in _poisson(rng, rates.events[begins.hour] / mean_size):
        others = rng.randint(*BURST_SIZE) if rng.random() < BURST else 0
        found += [(at, "event")] * (1 + others)
    for at in _poisson(rng, rates.actions[begins.hour]):
        found.append((at, "action"))
    found.sort(key=lambda pair: pair[0])
    return [(begins + timedelta(seconds=round(at, 3)), kind) for at, kind in found]


def _poisson(rng: random.Random, per_hour: float) -> Iterator[float]:
    """Seconds within an hour."""
    at = 0.0
    while per_hour > 0:
        at += rng.expovariate(per_hour / 3600)
        if at >= 3600:
            return
        yield at
