"""From measured decisions to an hour and a day of use: pure functions.

A day's cost is the mean cost of what an event brings about times the events of a day, plus the
same for actions; its interval is by resampling scenarios. What it does not know: how costs were
measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeVar

from heron.contracts import EpisodeRecord, Record, StepCost
from heron.eval.resampling import DRAWS, Interval, cluster_draws, interval_of
from heron.eval.usage import Usage

JOULES_PER_MWH: Final = 3.6
HOUR_S: Final = 3600.0

N = TypeVar("N", int, float)

Kind = Literal["event", "action", "idle"]
"""What an observation was about: an event came, if not, the user did something, or neither."""


@dataclass(frozen=True, kw_only=True)
class Unit:
    """What one turn's observation brought about: the decision, its looks, the words of an offer."""

    cluster: str
    """The scenario."""
    kind: Kind
    cpu_s: float | None
    joules: float | None


class Projection(Record):
    """A day's cost. ``None``: it cannot be told, see ``reason``."""

    usage: str
    what: Literal["cpu_s", "mwh"]
    estimate: float | None
    interval: Interval | None = None
    """``None`` also where there are fewer than two scenarios."""
    events: int
    """Units from which the cost of an event was taken."""
    actions: int
    reason: str | None = None


def unit_of(cluster: str, kind: Kind, steps: Sequence[StepCost]) -> Unit:
    """The sum over a turn's decisions; unknown as soon as one of them is."""
    cpu = [step.cpu_s for step in steps]
    joules = [step.energy.joules if step.energy else None for step in steps]
    return Unit(cluster=cluster, kind=kind, cpu_s=total(cpu), joules=total(joules))


def units_of(episodes: Sequence[EpisodeRecord]) -> list[Unit]:
    """The turns of stored episodes that the observer answered."""
    return [unit for episode in episodes for unit in _units(episode)]


def _units(episode: EpisodeRecord) -> Iterator[Unit]:
    place = 0
    for turn in episode.turns:
        steps = episode.costs.steps[place : place + len(turn.observer)]
        place += len(turn.observer)
        if steps:
            acted: Kind = "action" if turn.step.move.type == "act" else "idle"
            yield unit_of(episode.scenario, "event" if turn.previews else acted, steps)


def phone_seconds(times: Sequence[datetime]) -> float | None:
    """What turns took on the phone's clock, the last one as long as the mean of the others.

    ``None`` of fewer than two.
    """
    if len(times) < 2:
        return None
    return (times[-1] - times[0]).total_seconds() * len(times) / (len(times) - 1)


def per_day(
    units: Sequence[Unit],
    usage: Usage,
    what: Literal["cpu_s", "mwh"],
    seed: int = 0,
    draws: int = DRAWS,
) -> Projection:
    """Cost of a day of ``usage``, with a seeded interval.

    Args:
        units: what was measured.
        usage: how often what happens.
        what: CPU seconds, or milliwatt-hours.
        seed: of the resampling.
        draws: how often.
    """
    sums: dict[str, dict[Kind, tuple[float, int]]] = {}
    for unit in units:
        value = unit.cpu_s if what == "cpu_s" else unit.joules
        if value is None:
            return _unknown(usage, what, f"{'CPU time' if what == 'cpu_s' else 'energy'} unknown")
        own = sums.setdefault(unit.cluster, {})
        total, count = own.get(unit.kind, (0.0, 0))
        own[unit.kind] = (total + value, count + 1)
    if what == "mwh":
        sums = {
            name: {kind: (total / JOULES_PER_MWH, count) for kind, (total, count) in own.items()}
            for name, own in sums.items()
        }
    estimate = _day(sums, list(sums), usage)
    if estimate is None:
        return _unknown(usage, what, "no observation of an event, or none of an action")
    drawn = [_day(sums, names, usage) for names in cluster_draws(sums, seed, draws)]
    return Projection(
        usage=usage.name,
        what=what,
        estimate=estimate,
        interval=interval_of(drawn, clusters=len(sums)),
        events=_count(units, "event"),
        actions=_count(units, "action"),
    )


def _day(
    sums: Mapping[str, Mapping[Kind, tuple[float, int]]], names: Sequence[str], usage: Usage
) -> float | None:
    total = 0.0
    rates: tuple[tuple[Kind, float], ...] = (
        ("event", usage.events_per_day),
        ("action", usage.actions_per_day),
    )
    for kind, rate in rates:
        if not rate:
            continue
        found = [sums[name][kind] for name in names if kind in sums[name]]
        count = sum(number for _, number in found)
        if not count:
            return None
        total += rate * sum(value for value, _ in found) / count
    return total


def _unknown(usage: Usage, what: Literal["cpu_s", "mwh"], reason: str) -> Projection:
    return Projection(
        usage=usage.name, what=what, estimate=None, events=0, actions=0, reason=reason
    )


def _count(units: Sequence[Unit], kind: Kind) -> int:
    return sum(unit.kind == kind for unit in units)


def total(values: Sequence[N | None]) -> N | int | None:
    """The sum; unknown as soon as one of them is."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
