"""The figures of a soak as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from heron.eval.soak.measures import Coalescing, Drift, Slope, SoakSummary, Spread
from heron.eval.soak.records import SoakPlan


def lines(plan: SoakPlan, summary: SoakSummary) -> Iterator[str]:
    """One figure a line."""
    yield f"soak of {plan.observer}, {plan.clock} clock, window {plan.window}, seed {plan.seed}"
    for name, value in (
        ("events", f"{summary.events} in {summary.hours:.1f} h of the phone's time"),
        ("observations", f"{summary.observations}, {_counts(summary.answers)}"),
        ("looks", f"{summary.looks}"),
        ("proposals ended", f"{_counts(summary.told)}; repeated {summary.repeats}"),
        ("coalescing", _coalescing(summary.coalescing)),
        ("staleness", _seconds(summary.stale_s)),
        ("age of the oldest", _seconds(summary.oldest_s)),
        ("backlog", _plain(summary.backlog)),
        ("wall per observation", _seconds(summary.wall_s)),
        ("drift of wall time", _drift(summary.drift_wall)),
        ("drift of CPU time", _drift(summary.drift_cpu)),
        ("memory", f"anonymous {_mb(summary.anonymous)}, file-backed {_mb(summary.file_backed)}"),
        ("memory slope", _slope(summary.memory)),
        ("tokens", f"evaluated {_or(summary.evaluated)}, generated {_or(summary.generated)}"),
        ("trims", f"{_or(summary.trims)}, tokens of turns evaluated again {_or(summary.again)}"),
        ("recoveries", _or(summary.recoveries)),
        ("CPU per event", _or(summary.cpu_per_event_s, "{:.4f} s")),
        ("duty cycle", _or(summary.duty_cycle, "{:.2%}")),
        ("faults", f"{summary.faults}; states lost {summary.states_lost}"),
        ("restarts", f"{summary.restarts}, after kills {summary.kills}"),
        ("time of a restart", _seconds(summary.restart_s)),
    ):
        yield f"  {name:<22} {value}"
    for message in summary.fault_messages:
        yield f"  {'':<22} {message}"


def _coalescing(found: Coalescing) -> str:
    return (
        f"{found.ratio or 0:.2f} events per observation, {found.shared} of {found.observations} "
        f"with several, at most {found.most}"
    )


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"


def _seconds(found: Spread) -> str:
    if found.p50 is None or found.p95 is None or found.most is None:
        return f"none: {found.reason}"
    return f"p50 {found.p50:.3f} s, p95 {found.p95:.3f} s, most {found.most:.3f} s"


def _plain(found: Spread) -> str:
    if found.p50 is None or found.p95 is None or found.most is None:
        return f"none: {found.reason}"
    return f"p50 {found.p50:.0f}, p95 {found.p95:.0f}, most {found.most:.0f}"


def _drift(found: Drift) -> str:
    if found.ratio is None:
        return f"unknown: {found.first.reason or 'the first tenth took no time'}"
    return (
        f"first tenth p50 {found.first.p50:.3f} s, p95 {found.first.p95:.3f} s; "
        f"last p50 {found.last.p50:.3f} s, p95 {found.last.p95:.3f} s; ratio {found.ratio:.2f}"
    )


def _slope(found: Slope) -> str:
    if found.bytes_per_event is None:
        return f"unknown: {found.reason}"
    note = "" if found.after_trim else "; the window's first filling is part of it"
    return (
        f"{found.bytes_per_event:.0f} bytes per event [{found.low:.0f}, {found.high:.0f}] over "
        f"{found.events} events{note}"
    )


def _mb(size: int | None) -> str:
    return "unknown" if size is None else f"{size / 1e6:.1f} MB"


def _or(value: float | None, form: str = "{}") -> str:
    return "unknown" if value is None else form.format(value)
