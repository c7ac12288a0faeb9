"""In what order the events of a file come, and when. What it does not know: what they are."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping

from heron.scenarios.are.reading import AreEvent, AreFile
from heron.scenarios.are.remarks import Refused


def times_of(file: AreFile) -> dict[str, float]:
    """Event → seconds from the file's start."""
    events = {event.id: event for event in file.events}
    for event in file.events:
        for need in event.needs:
            if need not in events:
                raise Refused(f"event {event.id[:60]!r} hangs on {need[:60]!r}, which is none")
    found: dict[str, float] = {}
    for event in _by_needs(file.events):
        done = file.done.get(event.id)
        if done is not None:
            found[event.id] = max(0.0, done.time - file.start)
        elif event.time is not None:
            found[event.id] = max(0.0, event.time - file.start)
        else:
            above = max((found[need] for need in event.needs), default=0.0)
            found[event.id] = above + max(0.0, event.after or 0.0)
    return found


def _by_needs(events: Iterable[AreEvent]) -> list[AreEvent]:
    """Each after all that it hangs on."""
    left = {event.id: event for event in events}
    waiting = {key: set(event.needs) for key, event in left.items()}
    below: dict[str, list[str]] = {}
    for key, needs in waiting.items():
        for need in needs:
            below.setdefault(need, []).append(key)
    ready = [key for key, needs in waiting.items() if not needs]
    made = []
    for key in ready:
        made.append(left[key])
        for other in below.get(key, ()):
            waiting[other].discard(key)
            if not waiting[other]:
                ready.append(other)
    if len(made) < len(left):
        stuck = next(key for key, needs in waiting.items() if needs)
        raise Refused(f"events hang on each other in a circle, {stuck[:60]!r} among them")
    return made


def ordered(file: AreFile, times: Mapping[str, float]) -> list[AreEvent]:
    """In order of time, each after all that it hangs on."""
    place = {event.id: index for index, event in enumerate(file.events)}
    events = {event.id: event for event in file.events}
    waiting = {event.id: set(event.needs) for event in file.events}
    below: dict[str, list[str]] = {}
    for key, needs in waiting.items():
        for need in needs:
            below.setdefault(need, []).append(key)
    ready = [(times[key], place[key], key) for key, needs in waiting.items() if not needs]
    heapq.heapify(ready)
    made = []
    while ready:
        _, _, key = heapq.heappop(ready)
        made.append(events[key])
        for other in below.get(key, ()):
            waiting[other].discard(key)
            if not waiting[other]:
                heapq.heappush(ready, (times[other], place[other], other))
    return made
