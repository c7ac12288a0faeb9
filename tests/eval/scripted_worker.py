"""A fake observer process: waits, and proposes, dies or raises at the turn its spec names."""

from __future__ import annotations

import os
import signal

from heron.contracts import Observation, ObserverAnswer, Propose, StepCost, Wait
from heron.errors import ModelFault
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.observer import ANSWER
from heron.eval.workers.serve import Handler, serve


def make(settings: Message, _channel: Channel) -> tuple[Message, Handler]:
    what, _, turn = settings["spec"].partition("@")
    episodes = 0

    def handle(message: Message) -> Message:
        nonlocal episodes
        seen = Observation.model_validate(message["observation"])
        episodes += seen.brief is not None
        answer: ObserverAnswer = Wait()
        if seen.turn == int(turn):
            if what == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if what == "fault":
                raise ModelFault("the logits are not numbers")
            answer = Propose(text=f"Shall I, in episode {episodes}?")
        cost = StepCost(wall_s=0.001, cpu_s=0.001, evaluated=3, reused=5, generated=0)
        return {"answer": ANSWER.dump_python(answer, mode="json"), "cost": cost.model_dump()}

    return {"ready": {}}, handle


if __name__ == "__main__":
    serve(make)
