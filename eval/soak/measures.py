"""What the samples of a soak say: pure functions.

The slope of memory is Theil and Sen's (the median of all pairwise slopes; Sen 1968, with its
interval), so that single jumps of the allocator do not make it. It is taken within one process, the
one that lived longest, after that has warmed up. What it does not know: how samples are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Final

import numpy as np

from heron.contracts import Record
from heron.eval.projection import total
from heron.eval.soak.records import Sample

MOST_POINTS: Final = 1000
"""Samples that a slope is taken from, evenly spaced: the pairs are as many squared."""
FEWEST_POINTS: Final = 10
FEWEST_IN_TENTH: Final = 5
LEVEL: Final = 0.95


class Spread(Record):
    """Percentiles of a figure; all ``None`` with the reason where it was not measured."""

    p50: float | None
    p95: float | None
    most: float | None
    reason: str | None = None


class Slope(Record):
    """How the process's own memory grows."""

    bytes_per_event: float | None
    low: float | None = None
    high: float | None = None
    """Interval of 95 %, as if the samples were independent."""
    samples: int = 0
    events: int = 0
    """Over how many events."""
    after_trim: bool = False
    """The window had been filled before; if not, its first filling counts as growth."""
    reason: str | None = None


class Drift(Record):
    """Seconds per observation in the first and the last tenth."""

    first: Spread
    last: Spread
    ratio: float | None
    """Median of the last tenth by that of the first."""


class Coalescing(Record):
    """How bursts were handed over."""

    observations: int
    shared: int
    """Observations that handed over several events."""
    ratio: float | None
    """Events per observation."""
    most: int
    """Events in one observation."""


class SoakSummary(Record):
    """The figures of a soak."""

    events: int
    observations: int
    hours: float
    """Of the phone's time."""
    answers: dict[str, int]
    looks: int
    told: dict[str, int]
    """How proposals ended."""
    repeats: int
    """Proposals in words that the user had answered before."""
    coalescing: Coalescing
    stale_s: Spread
    oldest_s: Spread
    backlog: Spread
    wall_s: Spread
    """Per observation, looks included."""
    drift_wall: Drift
    drift_cpu: Drift
    memory: Slope
    file_backed: int | None
    """Bytes, at the end."""
    anonymous: int | None
    evaluated: int | None
    """Tokens, trims included."""
    generated: int | None
    trims: int | None
    again: int | None
    """Tokens of turns evaluated once more after trims."""
    recoveries: int | None
    cpu_per_event_s: float | None
    duty_cycle: float | None
    """Share of the phone's time in which the observer was busy."""
    faults: int
    kills: int
    restarts: int
    states_lost: int
    restart_s: Spread
    fault_messages: tuple[str, ...] = ()


def summarise(samples: Sequence[Sample]) -> SoakSummary | None:
    """All figures; ``None`` without a sample."""
    if not samples:
        return None
    last = samples[-1]
    cpu = [sample.cpu_s for sample in samples]
    known_cpu = [value for value in cpu if value is not None]
    messages = [message for sample in samples for message in sample.faults]
    return SoakSummary(
        events=last.events,
        observations=len(samples),
        hours=last.at_s / 3600,
        answers=_counts([sample.answer for sample in samples]),
        looks=sum(sample.looks for sample in samples),
        told=_counts([told for sample in samples for told in sample.told]),
        repeats=sum(sample.repeats for sample in samples),
        coalescing=coalescing(samples),
        stale_s=_timed([sample.stale_s for sample in samples]),
        oldest_s=_timed([sample.oldest_s for sample in samples]),
        backlog=spread([sample.backlog for sample in samples]),
        wall_s=spread([sample.wall_s for sample in samples]),
        drift_wall=drift([s.wall_s for s in samples if s.restart_s is None]),
        drift_cpu=drift([s.cpu_s for s in samples if s.restart_s is None]),
        memory=memory_slope(samples),
        file_backed=last.file_backed,
        anonymous=last.anonymous,
        evaluated=total([sample.evaluated for sample in samples]),
        generated=total([sample.generated for sample in samples]),
        trims=counted(samples, [sample.trims for sample in samples]),
        again=counted(samples, [sample.again for sample in samples]),
        recoveries=counted(samples, [sample.recoveries for sample in samples]),
        cpu_per_event_s=sum(known_cpu) / last.events if len(known_cpu) == len(cpu) else None,
        duty_cycle=sum(s.wall_s for s in samples) / last.at_s if last.at_s else None,
        faults=len(messages),
        kills=sum(sample.killed for sample in samples),
        restarts=sum(sample.restart_s is not None for sample in samples),
        states_lost=sum(sample.state_lost for sample in samples),
        restart_s=spread([s.restart_s for s in samples if s.restart_s is not None]),
        fault_messages=tuple(dict.fromkeys(messages))[:5],
    )


def spread(values: Sequence[float | None], missing: str = "nothing was measured") -> Spread:
    """Percentiles of what is there."""
    known = [value for value in values if value is not None]
    if not known:
        return Spread(p50=None, p95=None, most=None, reason=missing)
    p50, p95 = (float(value) for value in np.percentile(known, [50, 95]))
    return Spread(p50=p50, p95=p95, most=float(max(known)))


def _timed(values: Sequence[float | None]) -> Spread:
    return spread(values, "thinking takes no time on the virtual clock")


def coalescing(samples: Sequence[Sample]) -> Coalescing:
    """How many events shared an observation."""
    handed = [sample.handed for sample in samples]
    return Coalescing(
        observations=len(samples),
        shared=sum(count > 1 for count in handed),
        ratio=sum(handed) / len(samples) if samples else None,
        most=max(handed, default=0),
    )


def drift(seconds: Sequence[float | None]) -> Drift:
    """The first tenth against the last.

    Args:
        seconds: per observation, in order, those after a restart left out.
    """
    known = [value for value in seconds if value is not None]
    size = len(known) // 10
    if size < FEWEST_IN_TENTH:
        reason = f"{len(known)} observations: at least {10 * FEWEST_IN_TENTH} are needed"
        return Drift(first=spread([], reason), last=spread([], reason), ratio=None)
    first, last = spread(known[:size]), spread(known[-size:])
    ratio = last.p50 / first.p50 if first.p50 and last.p50 is not None else None
    return Drift(first=first, last=last, ratio=ratio)


def memory_slope(samples: Sequence[Sample]) -> Slope:
    """Bytes of the process's own memory per event."""
    # Not at the top: scipy takes a second to import.
    from scipy.stats import theilslopes

    lives = [list(life) for _, life in groupby(samples, key=lambda sample: sample.process)]
    life = max(lives, key=len, default=[])
    known = [sample for sample in life if sample.anonymous is not None]
    settled, after_trim = _settled(known)
    if len(settled) < FEWEST_POINTS:
        reason = f"{len(settled)} samples of one settled process: {FEWEST_POINTS} are needed"
        return Slope(bytes_per_event=None, samples=len(settled), reason=reason)
    places = np.unique(np.linspace(0, len(settled) - 1, MOST_POINTS).astype(int))
    points = [settled[place] for place in places]
    found = theilslopes(
        [point.anonymous for point in points], [point.events for point in points], alpha=LEVEL
    )
    return Slope(
        bytes_per_event=float(found.slope),
        low=float(found.low_slope),
        high=float(found.high_slope),
        samples=len(points),
        events=settled[-1].events - settled[0].events,
        after_trim=after_trim,
    )


def _settled(life: Sequence[Sample]) -> tuple[Sequence[Sample], bool]:
    """Without a process's first tenth, and from its first trim on if that leaves half of it."""
    start = len(life) // 10
    trimmed = next((n for n, sample in enumerate(life) if sample.trims), None)
    after_trim = trimmed is not None and trimmed <= len(life) // 2
    return life[max(start, trimmed if after_trim and trimmed is not None else 0) :], after_trim


def counted(samples: Sequence[Sample], values: Sequence[int | None]) -> int | None:
    """What a counter that begins anew with every process came to."""
    if all(value is None for value in values):
        return None
    total, pairs = 0, list(zip(samples, values, strict=True))
    for (one, value), (other, _) in pairwise(pairs):
        total += (value or 0) if one.process != other.process else 0
    return total + (pairs[-1][1] or 0)


def _counts(words: Sequence[str]) -> dict[str, int]:
    return {word: words.count(word) for word in sorted(set(words))}
