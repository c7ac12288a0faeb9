"""The scripted user as episodes get it: with the phone's own state graph as its map."""

from __future__ import annotations

from functools import partial

from heron.scenarios.stage import Stage
from heron.sim.graph import next_step
from heron.sim.users.persona import persona_of
from heron.sim.users.scripted import Luck, ScriptedUser


def make(stage: Stage, persona: str) -> ScriptedUser:
    """The user of one episode.

    Args:
        stage: the episode's.
        persona: name of one of Heron's personas, or the path of a file with one; neutral if empty.

    Raises:
        UnknownName: there is no such persona.
        InputError: the file is no persona.
    """
    luck = Luck(stage.seed, stage.scenario.id)
    router = partial(next_step, stage.world)
    return ScriptedUser(stage.brief, router, persona_of(persona), luck)
