"""Workers on a Ray cluster, placed by the memory that they need.

A worker is an actor that plays units exactly as a process of ``heron.eval.engine.processes`` does.
Rows come back as they end; the process that holds this engine alone writes them. Ray is an extra.
A cluster on this machine listens on the loopback address alone and sends no usage statistics.
What it does not know: what is played.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from heron.contracts import EpisodeRecord
from heron.errors import InputError, Unavailable, WorkerDied
from heron.eval.engine.engine import Starts, nobody
from heron.eval.engine.pool import Played, Pool, Worker
from heron.eval.engine.unit import Unit
from heron.eval.provenance import code_version, model_files
from heron.eval.workers.channel import Message
from heron.eval.workers.episode import make, told_unit
from heron.eval.workers.process import raised, told

OVERHEAD = 640 * 2**20
"""Bytes that a worker takes beside the weights: harness, observer, the model's window."""
OBJECTS = 80 * 2**20
"""Bytes for Ray's store of objects on this machine; the least that it takes."""
PASSED = ("HERON_", "OMP_", "LITELLM_", "XDG_CACHE_HOME")
"""Beginnings of the names of environment variables that workers are given."""
KEYS = ("_API_KEY", "_API_BASE", "_BASE_URL")
"""Ends of those."""
LOOPBACK = "127.0.0.1"


class _Actor:
    """What runs on the cluster: the handler of an episode process, without the pipe."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        os.environ.update(environment)
        ready, self._handle = make({}, None)
        self._code = str(ready["code"])

    def start(self) -> tuple[str, int]:
        """The code that it runs, and the id of its process."""
        return self._code, os.getpid()

    def play(self, message: Message) -> Message:
        """As a worker answers over its pipe."""
        from heron.errors import HeronError

        try:
            return self._handle(message)
        except HeronError as error:
            return told(error)


class RayWorker:
    """An actor that plays one unit at a time.

    Args:
        ray: the module, connected to a cluster.
        memory: bytes that it is placed by.
        threads: processors that it is placed by.

    Raises:
        Unavailable: it cannot be started, or runs other code.
    """

    def __init__(self, ray: Any, *, memory: int, threads: int) -> None:
        self._ray = ray
        self._known: set[str] = set()
        self.answer: Any = None
        """Reference to what it will say."""
        kind = ray.remote(_Actor).options(
            num_cpus=threads, memory=memory, max_restarts=0, max_task_retries=0
        )
        self._actor = kind.remote(_environment())
        try:
            code, self.pid = ray.get(self._actor.start.remote())
        except ray.exceptions.RayError as error:
            raise Unavailable(f"Ray cannot start a worker: {_line(error)}") from None
        if code != code_version():
            self.stop()
            raise Unavailable(
                f"a worker of the Ray cluster runs other code ({code}) than this process "
                f"({code_version()}); install the same Heron on all nodes"
            )

    def send(self, unit: Unit) -> None:
        """Have a unit played."""
        self.answer = self._actor.play.remote(told_unit(unit, self._known))

    def receive(self) -> Played:
        """The episode."""
        try:
            reply: Message = self._ray.get(self.answer)
        except self._ray.exceptions.RayError as error:
            raise WorkerDied(f"the Ray worker ended: {_line(error)}") from None
        if "error" in reply:
            raise raised(reply["error"])
        return Played(EpisodeRecord.model_validate_json(reply["episode"]), reply["info"])

    def stop(self) -> None:
        """End it at once."""
        with suppress(Exception):  # it is gone, or the cluster is
            self._ray.kill(self._actor, no_restart=True)


class RayEngine(Pool):
    """Plays units on a Ray cluster, connected to with the first units.

    Args:
        workers: how many actors at most.
        address: of a cluster; ``RAY_ADDRESS`` if not given, else one is started on this machine.

    Raises:
        Unavailable: Ray is not installed.
    """

    def __init__(self, workers: int, *, address: str | None = None) -> None:
        super().__init__(workers)
        # Before the import, which reads it.
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        try:
            import ray
        except ImportError:
            raise Unavailable("--engine ray needs Ray: pip install 'heron-observer[ray]'") from None
        self._ray: Any = ray
        self._address = address or os.environ.get("RAY_ADDRESS")
        self._memory, self._threads = OVERHEAD, 1
        self._connected = False

    @property
    def pids(self) -> list[int]:
        """Ids of the actors' processes, on whichever machine."""
        workers = (seat.worker for seat in self._seats)
        return [worker.pid for worker in workers if isinstance(worker, RayWorker)]

    def play(self, units: Iterable[Unit], starts: Starts = nobody) -> Iterator[EpisodeRecord]:
        """Episodes as they end."""
        each = list(units)
        self._memory = max(map(memory_for, _first_of_groups(each)), default=OVERHEAD)
        self._threads = max((unit.threads for unit in each), default=1)
        if each and not self._connected:
            self._connect()
        yield from super().play(each, starts)

    def close(self) -> None:
        """End the actors, and the cluster if it was started here."""
        super().close()
        if self._connected:
            self._ray.shutdown()
            self._connected = False

    def _connect(self) -> None:
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            if self._address:
                self._ray.init(address=self._address, **quiet)
            else:
                with _on_loopback():
                    self._ray.init(
                        address="local",
                        num_cpus=len(self._seats) * self._threads,
                        include_dashboard=False,
                        object_store_memory=OBJECTS,
                        _node_ip_address=LOOPBACK,
                        **quiet,
                    )
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            where = f"the cluster at {self._address}" if self._address else "a cluster here"
            raise Unavailable(f"Ray cannot reach or start {where}: {_line(error)}") from None
        self._connected = True
        self._check_room()

    def _check_room(self) -> None:
        """That some node can hold a worker; Ray would wait for one without end.

        Raises:
            InputError: none can.
        """
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        cpus = max((node.get("CPU", 0.0) for node in nodes), default=0.0)
        memory = max((node.get("memory", 0.0) for node in nodes), default=0.0)
        if memory < self._memory or cpus < self._threads:
            raise InputError(
                f"no node of the Ray cluster can hold a worker of {self._memory / 2**20:.0f} MiB "
                f"and {self._threads} processors; the largest has {memory / 2**20:.0f} MiB and "
                f"{cpus:.0f}"
            )

    def _hire(self) -> Worker:
        return RayWorker(self._ray, memory=self._memory, threads=self._threads)

    def _wait(self, workers: Sequence[Worker]) -> list[Worker]:
        by_answer = {w.answer: w for w in workers if isinstance(w, RayWorker)}
        ready, _ = self._ray.wait(list(by_answer), num_returns=1)
        return [by_answer[answer] for answer in ready]


def memory_for(unit: Unit) -> int:
    """Bytes that a worker needs for a unit: each of its local models' files, and the rest."""
    files = {file.sha256: file.bytes for file in model_files(unit.config).values()}
    return OVERHEAD + sum(files.values())


def _first_of_groups(units: Iterable[Unit]) -> list[Unit]:
    first: dict[str, Unit] = {}
    for unit in units:
        first.setdefault(unit.group, unit)
    return list(first.values())


def _environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(PASSED) or name.endswith(KEYS)
    }


@contextmanager
def _on_loopback() -> Iterator[None]:
    """Have Ray take the loopback address for this machine's, which it otherwise refuses to."""
    from ray._private import services

    kept = services.resolve_ip_for_localhost, services.get_node_ip_address
    services.resolve_ip_for_localhost = lambda host: host
    services.get_node_ip_address = lambda *_, **__: LOOPBACK
    try:
        yield
    finally:
        services.resolve_ip_for_localhost, services.get_node_ip_address = kept


def _line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:300]
