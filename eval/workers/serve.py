"""What all workers share: their end of the pipe, and errors as messages."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable

from heron.errors import HeronError, WorkerDied
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.lifeline import hold
from heron.eval.workers.process import told

Handler = Callable[[Message], Message]


def serve(make: Callable[[Message, Channel], tuple[Message, Handler]]) -> None:
    """Make the worker's part from the first message, then answer until the pipe is closed.

    Args:
        make: from the settings and the channel, what to say when ready, and the handler.
    """
    end = socket.socket(fileno=int(sys.argv[1]))
    hold(end)
    channel = Channel(end)
    try:
        settings = channel.receive()
        try:
            ready, handle = make(settings, channel)
        except HeronError as error:
            channel.send(told(error))
            return
        channel.send(ready)
        while True:
            message = channel.receive()
            try:
                channel.send(handle(message))
            except WorkerDied:
                raise
            except HeronError as error:
                channel.send(told(error))
    except WorkerDied:
        # The harness is gone or has closed the pipe: nothing is left to do.
        return
