"""How far places lie apart: as the last known ride says, else derived from their names.

Derived distances are the same in every run and in both directions. What it does not know: where
anything really lies.
"""

from __future__ import annotations

from collections.abc import Iterable

from heron.seeds import derive
from heron.sim.apps.cab.records import Ride

MAP = 0
"""Seed of the map: it does not change from episode to episode."""
NEAREST, FARTHEST = 15, 245
"""Derived distances, in tenths of a kilometre."""
SPEED = 30.0
"""Kilometres per hour."""


def place(name: str) -> str:
    """A place's name as it is compared: in any case and spacing."""
    return " ".join(name.casefold().split())


def distance(start: str, end: str, rides: Iterable[Ride]) -> float:
    """Kilometres between two places."""
    between = {place(start), place(end)}
    known = [r for r in rides if {place(r.start_location), place(r.end_location)} == between]
    if known:
        return known[-1].distance_km
    step = derive(MAP, "distance", *sorted(between)) % (FARTHEST - NEAREST + 1)
    return (NEAREST + step) / 10


def minutes(kilometres: float) -> int:
    """Minutes on the way."""
    return max(3, min(1440, round(kilometres / SPEED * 60)))


def extra_wait(start: str, service_type: str) -> int:
    """Minutes, 0 to 4, that a cab of a service takes to ``start`` beyond the service's least."""
    return derive(MAP, "wait", place(start), service_type) % 5
