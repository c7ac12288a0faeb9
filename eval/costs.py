"""What episodes cost, summed up: measured figures only, ``None`` where nothing was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from heron.contracts import EpisodeRecord, StepCost, Usage


def observer_costs(episodes: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """Per decision of the observer: percentiles of time, means of tokens, memory.

    Seconds are wall-clock and process CPU time in the observer's own process; memory is the
    largest sample of any episode's end, bytes.
    """
    steps = [step for e in episodes for step in e.costs.steps]
    memory = [e.costs.memory for e in episodes if e.costs.memory is not None]
    reasons = sorted({m.reason for m in memory if m.reason})
    return {
        "decisions": len(steps),
        "wall_s": percentiles(s.wall_s for s in steps),
        "cpu_s": percentiles(s.cpu_s for s in steps if s.cpu_s is not None),
        "evaluated_tokens": _mean(steps, "evaluated"),
        "reused_tokens": _mean(steps, "reused"),
        "generated_tokens": _mean(steps, "generated"),
        "memory_anonymous": max((m.anonymous for m in memory if m.anonymous), default=None),
        "memory_file_backed": max((m.file_backed for m in memory if m.file_backed), default=None),
        "memory_reason": reasons[0] if reasons else None,
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


def _mean(steps: Sequence[StepCost], name: str) -> float | None:
    values = [v for v in (getattr(step, name) for step in steps) if v is not None]
    return sum(values) / len(values) if values else None


def _money(usage: Sequence[Usage]) -> float | None:
    """The sum, or ``None`` if the price of any remote part is not known."""
    prices = [use.cost_usd for use in usage if use.remote]
    if not prices or any(price is None for price in prices):
        return None
    return sum(price for price in prices if price is not None)
