"""What the steps of an episode cost and what left the device, as far as it was measured.

What it does not know: sums over episodes (see ``heron.eval.costs``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heron.contracts import EpisodeRecord, StepCost, Usage
from heron.eval.reporting.viewer.compact import Data, compact, figure


def step_cost(cost: StepCost | None) -> Data:
    """One answer of a model; ``unknown`` says of each figure that is not there why."""
    if cost is None:
        return {"unknown": {"all": "no figure is stored for this step"}}
    memory, energy = cost.memory, cost.energy
    return compact(
        wall=figure(cost.wall_s),
        cpu=figure(cost.cpu_s),
        evaluated=cost.evaluated,
        reused=cost.reused,
        generated=cost.generated,
        queued=figure(cost.queued_s),
        first=figure(cost.first_token_s),
        gate=None if cost.woken is None else "woke" if cost.woken else "slept",
        own=memory.anonymous if memory else None,
        mapped=memory.file_backed if memory else None,
        kv=memory.kv if memory else None,
        joules=figure(energy.joules) if energy else None,
        source=energy.source if energy else None,
        usage=usage_of(cost.usage) if cost.usage else None,
        unknown=_reasons(cost),
    )


def shared_reasons(costs: Sequence[Data]) -> dict[str, str] | None:
    """Takes out of all costs why something was not measured, where all of them say the same."""
    reasons: list[dict[str, str]] = [cost.get("unknown", {}) for cost in costs]
    if not reasons or any(reason != reasons[0] for reason in reasons):
        return None
    for cost in costs:
        cost.pop("unknown", None)
    return reasons[0]


def usage_of(usage: Usage) -> Data:
    """What was asked of a chat model; empty if nothing was."""
    if not usage.calls and not usage.bytes_out:
        return {}
    return compact(
        calls=usage.calls,
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
        bytes_out=usage.bytes_out,
        bytes_in=usage.bytes_in,
        usd=figure(usage.cost_usd),
        remote=usage.remote,
    )


def totals(episode: EpisodeRecord) -> Data:
    """Of the whole episode."""
    costs = episode.costs
    steps = costs.steps
    return compact(
        decisions=len(steps),
        wall=figure(sum(step.wall_s for step in steps)),
        cpu=_sum(step.cpu_s for step in steps),
        evaluated=_sum(step.evaluated for step in steps),
        reused=_sum(step.reused for step in steps),
        generated=_sum(step.generated for step in steps),
        joules=_sum(step.energy.joules if step.energy else None for step in steps),
        executor=figure(sum(step.wall_s for step in costs.executor)) if costs.executor else None,
        harness=figure(costs.harness_cpu_s),
        simulator=_simulator(episode),
    )


def egress(episode: EpisodeRecord) -> Data:
    """Bytes that left the device, before and after the first accept, and to whom.

    ``local`` counts bytes that an executor's model on this device was handed: no egress.
    """
    costs = episode.costs
    observed = sum(s.usage.bytes_out for s in costs.steps if s.usage and s.usage.remote)
    executed = sum(use.bytes_out for use in costs.usage if use.remote)
    local = sum(use.bytes_out for use in costs.usage if not use.remote)
    to = {episode.config.observer: observed, episode.config.executor: executed}
    before = costs.egress_before_accept
    return compact(
        before=before,
        after=observed + executed - before,
        to={name: sent for name, sent in to.items() if sent},
        local=local or None,
    )


def _simulator(episode: EpisodeRecord) -> Data | None:
    found = episode.costs.simulator
    if found is None:
        return None
    wall = figure(sum(step.wall_s for step in found.steps))
    return compact(steps=len(found.steps), wall=wall, usage=usage_of(found.usage))


def _reasons(cost: StepCost) -> dict[str, str]:
    found = {
        "cpu": cost.reason if cost.cpu_s is None else None,
        "memory": cost.memory.reason if cost.memory else None,
        "energy": cost.energy.reason if cost.energy else None,
    }
    return {name: reason for name, reason in found.items() if reason}


def _sum(values: Iterator[float | None] | Iterator[int | None]) -> float | int | None:
    """The sum, or ``None`` where any part is not known."""
    found = list(values)
    if not found or any(value is None for value in found):
        return None
    return figure(sum(value for value in found if value is not None))
