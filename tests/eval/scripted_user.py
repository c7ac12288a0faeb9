"""A fake process of a model user: idles, and dies or raises at the turn its spec names.

``gguf:<what>@<turn>``; what it does tells which episode of this process it is.
"""

from __future__ import annotations

import os
import signal

from heron.contracts import Idle, StepCost, Usage, UserStep, UserView
from heron.errors import RemoteFault
from heron.eval.users.prompt import Briefing
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.serve import Handler, serve


def make(settings: Message, channel: Channel) -> tuple[Message, Handler]:
    what, _, turn = settings["spec"].partition(":")[2].partition("@")
    episodes = 0

    def handle(message: Message) -> Message:
        nonlocal episodes
        if "begin" in message:
            Briefing.model_validate(message["begin"])
            episodes += 1
            return {"begun": True}
        seen = UserView.model_validate(message["view"])
        assert seen.proposal is None or not (seen.proposal.plan or seen.proposal.evidence)
        if seen.turn == int(turn):
            if what == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if what == "fault":
                channel.send({"spent": Usage(calls=2, tokens_in=7).model_dump(mode="json")})
                raise RemoteFault("no network")
        step = UserStep(move=Idle(), note=f"in episode {episodes}", invalid=seen.turn == 1)
        return {
            "step": step.model_dump(mode="json"),
            "cost": StepCost(wall_s=0.5, cpu_s=0.25, generated=4).model_dump(mode="json"),
            "usage": Usage(
                calls=1, tokens_in=10, tokens_out=4, bytes_out=100, remote=True
            ).model_dump(mode="json"),
        }

    return {"ready": {"name": "fake"}}, handle


if __name__ == "__main__":
    serve(make)
