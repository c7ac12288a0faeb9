"""A fake worker that does what its messages say: answers, fails, dies, sleeps, prints."""

from __future__ import annotations

import os
import signal
import sys
import time

from heron import errors
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.serve import Handler, serve


def make(settings: Message, channel: Channel) -> tuple[Message, Handler]:
    if "refuse" in settings:
        raise errors.ModelFileError(settings["refuse"])

    def handle(message: Message) -> Message:
        do = message["do"]
        if do == "fault":
            raise errors.ModelFault("the logits are not numbers")
        if do == "die":
            print("last words", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        if do == "exit":
            print("giving up", file=sys.stderr, flush=True)
            os._exit(3)
        if do == "hang":
            time.sleep(60)
        if do == "print":
            print("noise on stdout", flush=True)
        if do == "ask":
            channel.send({"call": "what?"})
            return {"answer": channel.receive()["result"]}
        return {"answer": message.get("value")}

    return {"ready": {"name": "fake"}}, handle


if __name__ == "__main__":
    serve(make)
