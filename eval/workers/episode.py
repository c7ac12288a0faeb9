"""A process that plays whole episodes: phone, user and verdict are in it, models in others.

It is what ``heron.eval.engine`` runs several of. It writes nothing: episodes go back over the
pipe, and the process at the other end alone stores them.
"""

from __future__ import annotations

import base64
import pickle
from typing import Any

from heron.contracts import EpisodeConfig
from heron.eval.engine.player import Player
from heron.eval.engine.unit import Unit
from heron.eval.provenance import code_version
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.serve import Handler, serve
from heron.scenarios.schema import Scenario


def told_unit(unit: Unit, known: set[str]) -> Message:
    """A unit as a message; its scenario is in it unless the worker knows that already.

    Args:
        unit: to be played.
        known: hashes of the scenarios that the worker was told of; this one's is added.
    """
    scenario = unit.scenario
    new = scenario.hash not in known
    known.add(scenario.hash)
    return {
        "config": unit.config.model_dump(mode="json"),
        "scenario": base64.b64encode(pickle.dumps(scenario)).decode() if new else None,
        "hash": scenario.hash,
        "seed": unit.seed,
        "run": unit.run,
        "threads": unit.threads,
    }


def make(_settings: Message, _channel: Channel | None) -> tuple[Message, Handler]:
    """What plays the units that it is told of."""
    player = Player()
    scenarios: dict[str, Scenario] = {}

    def handle(message: Message) -> Message:
        if message["scenario"] is not None:
            scenarios[message["hash"]] = _unpacked(message["scenario"])
        unit = Unit(
            config=EpisodeConfig.model_validate(message["config"]),
            scenario=scenarios[message["hash"]],
            seed=message["seed"],
            run=message["run"],
            threads=message["threads"],
        )
        episode = player.play(unit)
        return {"episode": episode.model_dump_json(), "info": player.info}

    return {"ready": True, "code": code_version()}, handle


def _unpacked(text: str) -> Scenario:
    # The other end is this package, in a process of the same user.
    scenario: Any = pickle.loads(base64.b64decode(text))  # noqa: S301
    if not isinstance(scenario, Scenario):
        raise TypeError(type(scenario).__name__)
    return scenario


if __name__ == "__main__":
    serve(make)
