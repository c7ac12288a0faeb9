"""Shows streams to observers, one observer after the other, and keeps what they did.

A part that breaks ends its stream for that observer, which begins the next one afresh. What it does
not know: the terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from heron.errors import Fault, InputError
from heron.eval.observers import ObserverPort, observer_port
from heron.eval.replaying.results import Shown
from heron.eval.replaying.seat import Looks, Replayed, Seat
from heron.eval.replaying.sources import Source
from heron.eval.replaying.stream import Moment
from heron.registry import split_spec


class Showing:
    """One observer before streams.

    Args:
        spec: of the observer.
        threads: for its model.
        window: tokens of its context.
        show_recorded: tell it of offers that the recorded assistant alone made.

    Raises:
        UnknownName: there is no such observer.
        InputError: it names no model.
    """

    def __init__(
        self, spec: str, *, threads: int = 1, window: int = 4096, show_recorded: bool = False
    ) -> None:
        self.spec, self._show = spec, show_recorded
        self._port: ObserverPort = observer_port(spec, threads=threads, window=window)

    @property
    def info(self) -> dict[str, Any]:
        """What is known of its model."""
        return self._port.info

    def start(self, sources: Sequence[Source]) -> None:
        """Load what can be loaded, so that what is wrong is told before anything is shown.

        Raises:
            HeronError: the observer cannot be made, or cannot watch these.
        """
        name, _ = split_spec(self.spec)
        if name == "oracle" and any(source.stream.header.source != "heron" for source in sources):
            raise InputError(
                "the observer 'oracle' plays a scenario's reference, and a foreign trace has none"
            )
        self._port.begin(None, 0)

    def show(self, source: Source, told: Callable[[Replayed], None] = lambda _: None) -> Shown:
        """Show a stream from its start.

        Args:
            source: the stream.
            told: told of each moment.
        """
        done: list[Replayed] = []
        fault: str | None = None
        seat: Seat | None = None

        def moment(at: Moment, looks: Looks) -> None:
            nonlocal fault
            if seat is None or fault is not None:
                return
            try:
                done.append(seat.turn(at, looks))
            except Fault as error:
                fault = f"turn {at.turn}: {error}"
                return
            told(done[-1])

        try:
            self._port.begin(source.cue, source.seed)
            seat = Seat(self._port, source.stream.header, show_recorded=self._show)
        except Fault as error:
            fault = str(error)
        if fault is None:
            source.play(moment)
        return Shown(stream=source.stream, observer=self.spec, moments=tuple(done), fault=fault)

    def close(self) -> None:
        """End its process, if it has one."""
        self._port.close()
