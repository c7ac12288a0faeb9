"""A worker as the harness holds it: start, ask, notice that it died, stop."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import tempfile
from typing import Any

from heron import errors
from heron.errors import Fault, HeronError, WorkerDied
from heron.eval.workers.channel import Channel, Message

START_TIMEOUT_S = 600.0
"""Loading a large model from a slow disk takes minutes."""
ANSWER_TIMEOUT_S = 900.0
STOP_TIMEOUT_S = 5.0


class WorkerProcess:
    """A process that runs one worker module and answers over the pipe.

    Args:
        part: what it is, for messages: ``observer`` or ``executor``.
        module: the module to run; it is given the number of its end of the pipe.
        settings: the first message.

    Raises:
        HeronError: what the worker says at its start, for example that a model is missing.
    """

    def __init__(self, part: str, module: str, settings: Message) -> None:
        self.part = part
        ours, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed by ``stop``)
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=self._errors,
            stderr=self._errors,
            # Ctrl-C is for the harness, which then stops its workers in order.
            process_group=0,
        )
        theirs.close()
        self._channel = Channel(ours)
        try:
            self.ready = self.ask(settings, START_TIMEOUT_S)
        except BaseException:
            self.stop()
            raise

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def fileno(self) -> int:
        """Of the pipe, to wait for several workers at a time."""
        return self._channel.fileno()

    @property
    def alive(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    def send(self, message: Message) -> None:
        """Send without waiting."""
        try:
            self._channel.send(message)
        except WorkerDied as error:
            raise self._died(error) from error

    def receive(self, timeout: float | None = ANSWER_TIMEOUT_S) -> Message:
        """The next message.

        Args:
            timeout: seconds to wait; for ever if ``None``.

        Raises:
            WorkerDied: the process ended or said nothing in time.
            HeronError: the worker's own error, as it was raised there.
        """
        try:
            message = self._channel.receive(timeout)
        except WorkerDied as error:
            raise self._died(error) from error
        if "error" in message:
            raise raised(message["error"])
        return message

    def ask(self, message: Message, timeout: float = ANSWER_TIMEOUT_S) -> Message:
        """Send and wait for the answer."""
        self.send(message)
        return self.receive(timeout)

    def stop(self) -> None:
        """End the process; harmless if it is gone."""
        self._channel.close()
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def _died(self, error: WorkerDied) -> WorkerDied:
        try:
            code = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return WorkerDied(f"the {self.part} process was stopped: {error}")
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        last = self._last_words()
        return WorkerDied(f"the {self.part} process ended ({how})" + (f": {last}" if last else ""))

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:300] if lines else ""


def told(error: BaseException) -> Message:
    """An error as a message."""
    return {"error": {"type": type(error).__name__, "message": str(error)}}


def raised(error: dict[str, Any]) -> HeronError:
    """The worker's error, as one of the same class; an unknown class is a fault."""
    kind = getattr(errors, error["type"], None)
    if isinstance(kind, type) and issubclass(kind, HeronError):
        return kind(error["message"])
    return Fault(f"{error['type']}: {error['message']}")
