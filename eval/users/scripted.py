"""The scripted user as episodes get it: with the phone's own state graph as its map."""

from __future__ import annotations

from functools import partial

from heron.errors import InputError
from heron.scenarios.stage import Stage
from heron.sim.graph import next_step
from heron.sim.users.scripted import ScriptedUser


def make(stage: Stage, persona: str) -> ScriptedUser:
    """The user of one episode.

    Raises:
        InputError: a persona was asked for; there is only the neutral one so far.
    """
    if persona not in ("", "neutral"):
        raise InputError(f"unknown persona {persona!r}; known: neutral")
    return ScriptedUser(stage.brief, partial(next_step, stage.world))
