"""The pipe: one JSON object a line over a socket pair; what crosses it is all a worker holds."""

from __future__ import annotations

import json
import socket
from typing import Any

from heron.errors import WorkerDied

Message = dict[str, Any]

SURROGATE = b"\\ud"
"""How JSON escapes half a character; a model can write one half alone, which no text can hold."""


class Channel:
    """One end of the pipe.

    Args:
        end: a connected stream socket; the channel owns it from now on.
    """

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._lines = end.makefile("rb")

    def send(self, message: Message) -> None:
        """Send one message.

        Raises:
            WorkerDied: the other end is gone.
        """
        try:
            self._socket.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        except OSError as error:
            raise WorkerDied("the other end of the pipe is gone") from error

    def receive(self, timeout: float | None = None) -> Message:
        """The next message.

        Args:
            timeout: seconds to wait; for ever if not given.

        Raises:
            WorkerDied: the other end is gone, or said nothing in time.
        """
        self._socket.settimeout(timeout)
        try:
            line = self._lines.readline()
        except TimeoutError as error:
            raise WorkerDied(f"no answer within {timeout:.0f} s") from error
        except OSError as error:
            raise WorkerDied("the other end of the pipe is gone") from error
        if not line.endswith(b"\n"):
            raise WorkerDied("the other end of the pipe is gone")
        message: Message = json.loads(line)
        return _mended(message) if SURROGATE in line else message

    def fileno(self) -> int:
        """Of this end, to wait for several at a time."""
        return self._socket.fileno()

    def close(self) -> None:
        """Close this end; the other end reads an end of file."""
        self._lines.close()
        self._socket.close()


def _mended(value: Any) -> Any:
    """The message with every lone half of a character replaced by the replacement character."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value
