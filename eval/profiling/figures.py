"""Figures of measured decisions, the budget, and who is on the Pareto front: pure functions.

What it does not know: how decisions were measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from heron.errors import InputError, UnknownName
from heron.eval.costs import daily, energy_of, gate_counts, hourly, percentiles
from heron.eval.profiling.records import Decided, Excess, Profiled
from heron.eval.projection import Unit, unit_of
from heron.eval.table import percent, seconds, size
from heron.eval.usage import Usage
from heron.models.device import share_of, size_of
from heron.registry import nearest


def decision_figures(
    decided: Sequence[Decided], phone_s: float, wall_s: float, usage: Usage
) -> dict[str, Any]:
    """Per decision, per hour of use and per day of ``usage``.

    Args:
        decided: in order.
        phone_s: what passed on the phone's clock.
        wall_s: what passed outside.
        usage: the day to project to.
    """
    steps = [one.cost for one in decided]
    memory = [step.memory for step in steps if step.memory is not None]
    both = [m.anonymous + m.file_backed for m in memory if m.anonymous and m.file_backed]
    reasons = sorted({m.reason for m in memory if m.reason})
    return {
        "wall_s": percentiles(step.wall_s for step in steps),
        "cpu_s": percentiles(s.cpu_s for s in steps if s.cpu_s is not None),
        "queued_s": percentiles(s.queued_s for s in steps if s.queued_s is not None),
        "first_token_s": percentiles(s.first_token_s for s in steps if s.first_token_s is not None),
        "evaluated": percentiles(s.evaluated for s in steps if s.evaluated is not None),
        "reused": percentiles(s.reused for s in steps if s.reused is not None),
        "generated": percentiles(s.generated for s in steps if s.generated is not None),
        **gate_counts(steps),
        "memory": {
            "anonymous": max((m.anonymous for m in memory if m.anonymous), default=None),
            "file_backed": max((m.file_backed for m in memory if m.file_backed), default=None),
            "rss": max(both, default=None),
            "kv": max((m.kv for m in memory if m.kv), default=None),
            "reason": reasons[0] if reasons else None,
        },
        "energy": energy_of(steps),
        "hourly": hourly(steps, phone_s, wall_s),
        "day": daily(units(decided), usage),
    }


def units(decided: Sequence[Decided]) -> list[Unit]:
    """Decisions of one turn together, with what it was about."""
    return [
        unit_of(scenario, kind, [one.cost for one in turn])
        for (scenario, _, kind), turn in groupby(
            decided, key=lambda one: (one.scenario, one.turn, one.kind)
        )
    ]


def answers(decided: Iterable[Decided]) -> dict[str, int]:
    """How often which answer was given."""
    return dict(sorted(Counter(one.answer for one in decided).items()))


# --- the budget ---------------------------------------------------------------------------------


class Measure(NamedTuple):
    """A figure that can be held against a budget."""

    read: Callable[[str], float]
    show: Callable[[float], str]
    path: tuple[str, ...]
    """Where it stands in ``Profiled.costs``."""
    what: str


def _seconds_of(text: str) -> float:
    number, scale = text.strip(), 1.0
    if number.endswith("ms"):
        number, scale = number[:-2], 1e-3
    elif number.endswith("s"):
        number = number[:-1]
    else:
        raise InputError(f"time {text!r}: write ms or s, as 500ms")
    try:
        value = float(number) * scale
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise InputError(f"time {text!r}: write ms or s, as 500ms")
    return value


def _mwh_of(text: str) -> float:
    try:
        value = float(text.strip().lower().removesuffix("mwh"))
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise InputError(f"energy {text!r}: write mWh, as 120mWh")
    return value


def _mwh(value: float) -> str:
    return f"{value:.1f} mWh"


MEASURES: Final[Mapping[str, Measure]] = {
    "p50": Measure(_seconds_of, seconds, ("wall_s", "p50"), "wall time per decision, p50"),
    "p95": Measure(_seconds_of, seconds, ("wall_s", "p95"), "wall time per decision, p95"),
    "p99": Measure(_seconds_of, seconds, ("wall_s", "p99"), "wall time per decision, p99"),
    "first": Measure(_seconds_of, seconds, ("first_token_s", "p95"), "time to first logits, p95"),
    "rss": Measure(size_of, size, ("memory", "rss"), "resident memory"),
    "anonymous": Measure(size_of, size, ("memory", "anonymous"), "anonymous memory"),
    "cpu": Measure(share_of, percent, ("hourly", "duty_cycle"), "CPU per second of use"),
    "energy": Measure(_mwh_of, _mwh, ("hourly", "mwh_per_hour"), "energy per hour of use"),
    "day": Measure(_mwh_of, _mwh, ("day", "mwh", "estimate"), "energy per day"),
}
"""What a budget may name."""


def budget_of(text: str) -> dict[str, float]:
    """``p95=500ms,rss=600MB,cpu=5%`` as limits.

    Raises:
        InputError: it is no such list.
        UnknownName: a figure that there is not.
    """
    limits: dict[str, float] = {}
    for part in text.split(","):
        name, sign, value = part.strip().partition("=")
        if not sign or not value:
            raise InputError(f"budget {text!r}: write figure=limit, as p95=500ms,rss=600MB,cpu=5%")
        if name not in MEASURES:
            raise UnknownName(f"unknown figure {name!r} in the budget; {nearest(name, MEASURES)}")
        limits[name] = MEASURES[name].read(value)
    return limits


def excesses(profile: Profiled, limits: Mapping[str, float]) -> list[Excess]:
    """What breaks the budget, and what cannot be held against it because it is not known."""
    found = []
    for name, limit in limits.items():
        measure = MEASURES[name]
        value = figure(profile.costs, measure.path)
        # What was not measured to the end may have become worse.
        if value is not None and value <= limit and profile.complete:
            continue
        if value is None:
            how = "is not known"
        elif value > limit:
            how = f"is {measure.show(value)}, more than {measure.show(limit)}"
        else:
            how = f"is {measure.show(value)} so far, and the stream was not read to its end"
        found.append(
            Excess(
                setting=profile.setting.name,
                figure=name,
                limit=limit,
                value=value,
                text=f"{profile.setting.name}: {name} ({measure.what}) {how}",
            )
        )
    return found


def figure(costs: Mapping[str, Any], path: Sequence[str]) -> float | None:
    """A figure in nested dictionaries; ``None`` where any of them is missing."""
    found: Any = costs
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, (int, float)) else None


# --- quality against cost -----------------------------------------------------------------------


def mark_front(profiles: Sequence[Profiled]) -> list[Profiled]:
    """Mark which settings no other beats, by quality and CPU seconds per hour of use.

    Only settings whose stream was read to the end and whose quality is known are compared.
    """
    points = {place: point for place, one in enumerate(profiles) if (point := _point(one))}
    marked = []
    for place, one in enumerate(profiles):
        own = points.get(place)
        front = None if own is None else not any(_beats(other, own) for other in points.values())
        marked.append(one.model_copy(update={"on_front": front}))
    return marked


def _point(one: Profiled) -> tuple[float, float] | None:
    cost = figure(one.costs, ("hourly", "cpu_s_per_hour"))
    if one.quality is None or one.quality.value is None or cost is None or not one.complete:
        return None
    return one.quality.value, cost


def _beats(other: tuple[float, float], own: tuple[float, float]) -> bool:
    return other != own and other[0] >= own[0] and other[1] <= own[1]
