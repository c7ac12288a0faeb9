"""A fake judge's process: answers by the offer's first word, or fails as it says."""

from __future__ import annotations

import os
import signal

from heron.contracts import StepCost, Usage
from heron.errors import ModelFault, ModelFileError
from heron.eval.judging import asking
from heron.eval.judging.points import DecisionPoint
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.serve import Handler, serve


def make(settings: Message, _channel: Channel) -> tuple[Message, Handler]:
    if settings["spec"] == "gguf:missing":
        raise ModelFileError("no such file")

    def handle(message: Message) -> Message:
        point = DecisionPoint.model_validate(message["point"])
        assert point.decision == "reject"
        assert not point.reason
        word, _, rest = point.proposal.partition(" ")
        if word == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if word == "fault":
            raise ModelFault("the logits are not numbers")
        said = asking.read(f'{{"decision": "{word}", "reason": "{rest}"}}')
        return {
            "said": said._asdict(),
            "cost": StepCost(wall_s=0.5, cpu_s=0.25).model_dump(mode="json"),
            "usage": Usage(calls=1, tokens_in=100, tokens_out=7).model_dump(mode="json"),
        }

    return {"ready": {"name": "fake"}}, handle


if __name__ == "__main__":
    serve(make)
