"""Plays what the user does where nobody helps: habits and events, turn by turn.

For checking a scenario and for telling it; an episode proper has an observer and is played
elsewhere. What it does not know: proposals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from heron.contracts import Preview, ScreenView, UserStep, UserView
from heron.scenarios.stage import Stage
from heron.sim.feed import UserFeed
from heron.sim.graph import next_step
from heron.sim.pace import pass_time, takes
from heron.sim.users.scripted import ScriptedUser
from heron.sim.world import World

TURNS = 10


@dataclass(frozen=True)
class UnaidedTurn:
    """One turn."""

    turn: int
    time: datetime
    view: ScreenView
    previews: tuple[Preview, ...]
    step: UserStep
    error: str | None
    """Why the phone refused the step, if it did."""


def play(
    stage: Stage, turns: int = TURNS, until: Callable[[World], bool] = lambda _: False
) -> list[UnaidedTurn]:
    """Play turns on the stage's world, which is left changed.

    Args:
        stage: at its start.
        turns: how many at most.
        until: looked at before each step; where it holds, the play stops.
    """
    world = stage.world
    user = ScriptedUser(stage.brief, lambda ref: next_step(world, ref))
    feed = UserFeed(world)
    played: list[UnaidedTurn] = []
    for turn in range(1, turns + 1):
        world.turn = turn
        world.advance_to(world.now)
        if until(world):
            break
        view = UserView(
            turn=turn,
            time=world.now,
            screen=world.phone.view(),
            previews=feed.take(),
            device=world.device,
            actions=world.phone.offers(),
        )
        played.append(_step(world, user, view))
    return played


def opened(stage: Stage) -> bool:
    """Whether help is useful by now: the window is open, or what is needed is there."""
    world, moment = stage.world, stage.moment
    if moment.event is not None:
        return moment.event in world.queue.state.fired
    if moment.opens is not None:
        return world.now >= moment.opens
    return all(world.record(need.ref) is not None for need in stage.brief.needs)


def _step(world: World, user: ScriptedUser, view: UserView) -> UnaidedTurn:
    step = user.step(view)
    error = None
    seconds = takes(world, step.move)
    if step.move.type == "act":
        error = world.user_act(step.move).error
    pass_time(world, seconds)
    return UnaidedTurn(view.turn, view.time, view.screen, view.previews, step, error)
