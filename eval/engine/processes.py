"""Workers that are processes on this machine, one thread each.

Weights are mapped from the same file by every worker's observer, so they lie in memory once. Rows
come back over a pipe; the process that holds this engine alone writes them. A worker ends with the
process that started it, however that ends.
"""

from __future__ import annotations

import select
from collections.abc import Sequence

from heron.contracts import EpisodeRecord
from heron.eval.engine.pool import Played, Pool, Worker
from heron.eval.engine.unit import Unit
from heron.eval.workers.episode import told_unit
from heron.eval.workers.process import WorkerProcess

WORKER = "heron.eval.workers.episode"


class ProcessWorker:
    """A process that plays one unit at a time.

    Args:
        module: what it runs.

    Raises:
        HeronError: it does not start.
    """

    def __init__(self, module: str) -> None:
        self._process = WorkerProcess("episode", module, {})
        self._known: set[str] = set()

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def fileno(self) -> int:
        """Of the pipe."""
        return self._process.fileno()

    def send(self, unit: Unit) -> None:
        """Have a unit played."""
        self._process.send(told_unit(unit, self._known))

    def receive(self) -> Played:
        """The episode; waits for it as long as it takes: its parts have limits of their own."""
        reply = self._process.receive(timeout=None)
        return Played(EpisodeRecord.model_validate_json(reply["episode"]), reply["info"])

    def stop(self) -> None:
        """End it at once."""
        self._process.stop()


class ProcessEngine(Pool):
    """Plays units in processes of its own, started with the first units.

    Args:
        workers: how many processes.
        module: what they run.
    """

    def __init__(self, workers: int, *, module: str = WORKER) -> None:
        super().__init__(workers)
        self._module = module

    @property
    def pids(self) -> list[int]:
        """Ids of the processes that there are."""
        workers = (seat.worker for seat in self._seats)
        return [worker.pid for worker in workers if isinstance(worker, ProcessWorker)]

    def _hire(self) -> Worker:
        return ProcessWorker(self._module)

    def _wait(self, workers: Sequence[Worker]) -> list[Worker]:
        poll = select.poll()
        by_end = {w.fileno(): w for w in workers if isinstance(w, ProcessWorker)}
        for end in by_end:
            poll.register(end, select.POLLIN)
        return [by_end[end] for end, _ in poll.poll()]
