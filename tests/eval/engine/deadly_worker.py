"""An episode worker that is killed by what its configuration's ``HERON_DEADLY`` names.

``HERON_DEADLY`` is ``<scenario>`` (dies each time) or ``<scenario>@<file>`` (dies once: the file
then is there); ``HERON_RAISES`` a scenario at which an error of Heron's is told.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

from heron.errors import InputError
from heron.eval.workers import episode
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.serve import Handler, serve
from heron.scenarios.schema import Scenario


def make(settings: Message, channel: Channel) -> tuple[Message, Handler]:
    ready, play = episode.make(settings, channel)
    names: dict[str, str] = {}

    def handle(message: Message) -> Message:
        if message["scenario"] is not None:
            scenario = episode._unpacked(message["scenario"])
            assert isinstance(scenario, Scenario)
            names[message["hash"]] = scenario.id
        name = names[message["hash"]]
        deadly, _, once = os.environ.get("HERON_DEADLY", "").partition("@")
        if name == deadly and not (once and Path(once).exists()):
            if once:
                Path(once).write_text("")
            os.kill(os.getpid(), signal.SIGKILL)
        if name == os.environ.get("HERON_RAISES"):
            raise InputError("no such thing")
        return play(message)

    return ready, handle


if __name__ == "__main__":
    serve(make)
