"""Several workers play at a time: who gets what, and what happens when one dies.

A worker that dies costs its episode alone: the episode is played once more in a fresh worker, and
recorded as a fault of the harness if that one dies too. An error that would end a run ends it here
as well, after the episodes that are being played. What it does not know: where workers run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from heron.contracts import EpisodeRecord
from heron.errors import HeronError, WorkerDied
from heron.eval.engine.engine import Starts, nobody
from heron.eval.engine.lost import lost
from heron.eval.engine.player import Info
from heron.eval.engine.queue import Queue
from heron.eval.engine.unit import Unit, check_workers
from heron.eval.store.keys import config_hash

TRIES = 2
"""How often an episode is begun at most, where workers die of it."""


@dataclass(frozen=True)
class Played:
    """What a worker brings."""

    episode: EpisodeRecord
    info: Info


class Worker(Protocol):
    """Plays one unit at a time, somewhere else."""

    def send(self, unit: Unit) -> None:
        """Have a unit played.

        Raises:
            WorkerDied: it is gone.
        """

    def receive(self) -> Played:
        """The episode; waits for it.

        Raises:
            WorkerDied: it is gone.
            HeronError: the unit cannot be played.
        """

    def stop(self) -> None:
        """End it at once."""


@dataclass
class Seat:
    """A place for a worker."""

    worker: Worker | None = None
    unit: Unit | None = None
    """What it plays."""
    last: Unit | None = None
    """What it got last."""


class Pool(ABC):
    """An engine with workers.

    Args:
        workers: how many at most.

    Raises:
        InputError: there are none.
    """

    def __init__(self, workers: int) -> None:
        check_workers(workers)
        self._seats = [Seat() for _ in range(workers)]
        self._stopped: HeronError | None = None
        self.info: dict[str, Info] = {}
        self.deaths = 0
        """Workers that died."""

    @abstractmethod
    def _hire(self) -> Worker:
        """A fresh worker.

        Raises:
            HeronError: there can be none.
        """

    @abstractmethod
    def _wait(self, workers: Sequence[Worker]) -> list[Worker]:
        """Wait until some of these have something to say, or are gone."""

    def play(self, units: Iterable[Unit], starts: Starts = nobody) -> Iterator[EpisodeRecord]:
        """Episodes as they end."""
        queue, tries = Queue(units), Counter[str]()
        self._stopped = None
        while True:
            self._fill(queue, starts)
            busy = {id(seat.worker): seat for seat in self._seats if seat.unit is not None}
            if not busy:
                break
            for worker in self._wait([seat.worker for seat in busy.values() if seat.worker]):
                episode = self._take(busy[id(worker)], queue, tries)
                if episode is not None:
                    yield episode
        if self._stopped is not None:
            raise self._stopped

    def _fill(self, queue: Queue, starts: Starts) -> None:
        """Give every idle worker something to do."""
        for seat in self._seats:
            if seat.unit is not None or self._stopped is not None:
                continue
            unit = queue.take(seat.last)
            if unit is None:
                seat.last = None
                continue
            seat.last = unit
            try:
                self._give(seat, unit)
            except HeronError as error:
                self._stopped = error
                continue
            seat.unit = unit
            starts(unit)

    def _give(self, seat: Seat, unit: Unit) -> None:
        if seat.worker is None:
            seat.worker = self._hire()
        try:
            seat.worker.send(unit)
        except WorkerDied:
            # It died while it had nothing to do, which is no fault of this unit's.
            self._bury(seat)
            seat.worker = self._hire()
            seat.worker.send(unit)

    def _take(self, seat: Seat, queue: Queue, tries: Counter[str]) -> EpisodeRecord | None:
        """What a worker has to say."""
        assert seat.worker is not None  # noqa: S101  (it was given a unit)
        assert seat.unit is not None  # noqa: S101
        unit, seat.unit = seat.unit, None
        try:
            played = seat.worker.receive()
        except WorkerDied as death:
            self._bury(seat)
            tries[unit.name] += 1
            if tries[unit.name] >= TRIES:
                return lost(unit, f"{death} (tried {TRIES} times)")
            queue.put_back(unit)
            return None
        except HeronError as error:
            self._stopped = self._stopped or error
            return None
        self.info[config_hash(unit.config)] = played.info
        return played.episode

    def _bury(self, seat: Seat) -> None:
        self.deaths += 1
        if seat.worker is not None:
            seat.worker.stop()
            seat.worker = None

    def close(self) -> None:
        """End all workers, busy ones too."""
        for seat in self._seats:
            if seat.worker is not None:
                seat.worker.stop()
            seat.worker = seat.unit = seat.last = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
