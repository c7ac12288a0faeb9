"""How fast an episode goes: what a user's step takes, and how far idling jumps."""

from __future__ import annotations

from datetime import timedelta

from heron.contracts import UserMove
from heron.sim.world import World

LONGEST_IDLE_S = 300.0
"""An idle step jumps to the next due event, but no further than this."""
ANSWER_TAKES_S = 20.0
"""Seconds that answering a proposal or a question takes."""


def takes(world: World, move: UserMove) -> float:
    """Seconds that a step takes on the screen in front; 0 for idling, which jumps."""
    if move.type == "act":
        return world.phone.takes(move.app, move.action)
    return 0.0 if move.type == "idle" else ANSWER_TAKES_S


def pass_time(world: World, seconds: float) -> None:
    """Let a step's time pass, and what is due with it happen."""
    if seconds > 0:
        world.advance(seconds)
        return
    now, limit = world.now, world.now + timedelta(seconds=LONGEST_IDLE_S)
    due = world.next_due()
    world.advance_to(limit if due is None else min(max(due, now), limit))
