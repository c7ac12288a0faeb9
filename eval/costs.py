"""What episodes cost, summed up: measured figures only, ``None`` where nothing was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from heron.contracts import EpisodeRecord, StepCost
from heron.contracts import Usage as ModelUsage
from heron.eval.projection import (
    HOUR_S,
    JOULES_PER_MWH,
    Unit,
    per_day,
    phone_seconds,
    units_of,
)
from heron.eval.usage import DEFAULT, Usage, load_usage


def observer_costs(episodes: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """Per decision of the observer: percentiles of time, means of tokens, memory.

    Seconds are wall-clock and process CPU time in the observer's own process; memory is the
    largest sample of any decision or episode's end, bytes. ``hourly`` holds what an hour of use on
    the phone's clock takes, ``day`` the projection to a day of the usage ``typical``.
    """
    steps = [step for e in episodes for step in e.costs.steps]
    memory = [e.costs.memory for e in episodes if e.costs.memory is not None]
    memory += [s.memory for s in steps if s.memory is not None]
    reasons = sorted({m.reason for m in memory if m.reason})
    spans = [phone_seconds([turn.time for turn in e.turns]) or 0.0 for e in episodes]
    return {
        "decisions": len(steps),
        "wall_s": percentiles(s.wall_s for s in steps),
        "cpu_s": percentiles(s.cpu_s for s in steps if s.cpu_s is not None),
        "queued_s": percentiles(s.queued_s for s in steps if s.queued_s is not None),
        "first_token_s": percentiles(s.first_token_s for s in steps if s.first_token_s is not None),
        **gate_counts(steps),
        "evaluated_tokens": _mean(steps, "evaluated"),
        "reused_tokens": _mean(steps, "reused"),
        "generated_tokens": _mean(steps, "generated"),
        "memory_anonymous": max((m.anonymous for m in memory if m.anonymous), default=None),
        "memory_file_backed": max((m.file_backed for m in memory if m.file_backed), default=None),
        "memory_kv": max((m.kv for m in memory if m.kv), default=None),
        "memory_reason": reasons[0] if reasons else None,
        "energy": energy_of(steps),
        "hourly": hourly(steps, sum(spans), sum(e.costs.wall_s for e in episodes)),
        "day": daily(units_of(episodes), load_usage(DEFAULT)),
    }


def gate_counts(steps: Sequence[StepCost]) -> dict[str, int | None]:
    """How often a gate woke the model and how often not; ``None`` where there is no gate."""
    gated = [step.woken for step in steps if step.woken is not None]
    wakes = sum(gated) if gated else None
    return {"wakes": wakes, "skips": None if wakes is None else len(gated) - wakes}


def energy_of(steps: Sequence[StepCost]) -> dict[str, Any]:
    """Joules of the decisions that have a figure, how many those are, and where it comes from."""
    samples = [step.energy for step in steps if step.energy is not None]
    known = [sample.joules for sample in samples if sample.joules is not None]
    reasons = sorted({sample.reason for sample in samples if sample.reason})
    return {
        "joules": percentiles(known),
        "decisions": len(known),
        "source": next((s.source for s in samples if s.source), None),
        "detail": next((s.detail for s in samples if s.detail), ""),
        "reason": reasons[0] if reasons else None if known else "not measured",
    }


def hourly(steps: Sequence[StepCost], phone_s: float, wall_s: float) -> dict[str, float | None]:
    """What the observer takes while the phone is in use.

    Args:
        steps: all of its decisions.
        phone_s: seconds that passed on the phone's clock.
        wall_s: seconds that passed outside.
    """
    cpu = [step.cpu_s for step in steps if step.cpu_s is not None]
    joules = [s.energy.joules for s in steps if s.energy and s.energy.joules is not None]
    spent = sum(cpu) if cpu and len(cpu) == len(steps) else None
    energy = sum(joules) if joules and len(joules) == len(steps) else None
    return {
        "phone_s": phone_s or None,
        "wall_s": wall_s or None,
        "duty_cycle": _per(spent, phone_s),
        "duty_cycle_wall": _per(spent, wall_s),
        "cpu_s_per_hour": _per(spent, phone_s, HOUR_S),
        "mwh_per_hour": _per(energy, phone_s, HOUR_S / JOULES_PER_MWH),
    }


def daily(units: Sequence[Unit], usage: Usage) -> dict[str, Any]:
    """Projection of CPU seconds and energy to a day."""
    return {
        "usage": usage.name,
        "events": usage.events_per_day,
        "actions": usage.actions_per_day,
        "cpu_s": per_day(units, usage, "cpu_s").model_dump(mode="json"),
        "mwh": per_day(units, usage, "mwh").model_dump(mode="json"),
    }


def executor_costs(episodes: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """Per execution: time, and what its model reported; bytes are those of request bodies."""
    steps = [step for e in episodes for step in e.costs.executor]
    usage = [use for e in episodes for use in e.costs.usage]
    return {
        "executions": len(steps),
        "wall_s": percentiles(s.wall_s for s in steps),
        "calls": sum(use.calls for use in usage),
        "tokens_in": sum(use.tokens_in for use in usage),
        "tokens_out": sum(use.tokens_out for use in usage),
        "bytes_to_executor": sum(use.bytes_out for use in usage),
        "egress_bytes": sum(use.bytes_out for use in usage if use.remote),
        "cost_usd": _money(usage),
    }


def egress_before_accept(episodes: Iterable[EpisodeRecord]) -> int:
    """Bytes that had left the device before the first accept of their episode."""
    return sum(e.costs.egress_before_accept for e in episodes)


def percentiles(values: Iterable[float]) -> dict[str, float] | None:
    """Mean, quantiles and sum; ``None`` of no values."""
    found = np.array(list(values))
    if found.size == 0:
        return None
    p50, p95, p99 = np.percentile(found, [50, 95, 99])
    return {
        "mean": float(found.mean()),
        "p50": float(p50),
        "p95": float(p95),
        "p99": float(p99),
        "total": float(found.sum()),
    }


def _per(value: float | None, span: float, scale: float = 1.0) -> float | None:
    return value / span * scale if value is not None and span else None


def _mean(steps: Sequence[StepCost], name: str) -> float | None:
    values = [v for v in (getattr(step, name) for step in steps) if v is not None]
    return sum(values) / len(values) if values else None


def _money(usage: Sequence[ModelUsage]) -> float | None:
    """The sum, or ``None`` if the price of any remote part is not known."""
    prices = [use.cost_usd for use in usage if use.remote]
    if not prices or any(price is None for price in prices):
        return None
    return sum(price for price in prices if price is not None)
