"""What users that are models took, and how often their outputs were no legal move.

All of it is the simulator's, and none of it stands in the device's figures. What it does not know:
whether the user decided well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heron.contracts import EpisodeRecord, SimulatorCosts, TurnRecord
from heron.eval.costs import percentiles


def simulator_figures(episodes: Sequence[EpisodeRecord]) -> dict[str, Any] | None:
    """Figures per step, and sums; ``None`` where no user was a model.

    A step's outputs are all answers of the model at it; of them those are invalid that were no
    legal move. Seconds are wall-clock and process CPU time in the user's own process.
    """
    costs = [e.costs.simulator for e in episodes if e.costs.simulator is not None]
    if not costs:
        return None
    turns = [turn for e in episodes if e.costs.simulator is not None for turn in e.turns]
    steps = [turn.step for turn in turns]
    invalid = sum(step.invalid for step in steps)
    outputs = invalid + sum(not step.gave_up for step in steps)
    return {
        "steps": len(steps),
        "outputs": outputs,
        "invalid": invalid,
        "invalid_share": invalid / outputs if outputs else None,
        "repaired": sum(step.invalid > 0 and not step.gave_up for step in steps),
        "gave_up": sum(step.gave_up for step in steps),
        "refused_share": _refused(turns),
        **_spent(costs),
    }


def _refused(turns: Sequence[TurnRecord]) -> float | None:
    """Actions that the phone refused / actions."""
    acts = [turn for turn in turns if turn.step.move.type == "act"]
    return sum(turn.error is not None for turn in acts) / len(acts) if acts else None


def _spent(costs: Sequence[SimulatorCosts]) -> dict[str, Any]:
    steps = [step for one in costs for step in one.steps]
    usage = [one.usage for one in costs]
    prices = [use.cost_usd for use in usage if use.remote and use.calls]
    known = [price for price in prices if price is not None]
    return {
        "wall_s": percentiles(s.wall_s for s in steps),
        "cpu_s": percentiles(s.cpu_s for s in steps if s.cpu_s is not None),
        "calls": sum(use.calls for use in usage),
        "tokens_in": sum(use.tokens_in for use in usage),
        "tokens_out": sum(use.tokens_out for use in usage),
        "bytes_to_model": sum(use.bytes_out for use in usage),
        "remote_bytes": sum(use.bytes_out for use in usage if use.remote),
        "cost_usd": sum(known) if known and len(known) == len(prices) else None,
    }
