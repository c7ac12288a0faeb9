"""Observers as an episode uses them: in the harness, or in a process of their own.

What it does not know: turns, users, scores.
"""

from __future__ import annotations

import time
from typing import Any, Protocol

from pydantic import TypeAdapter

from heron.contracts import (
    Brief,
    EnergySample,
    MemorySample,
    Observation,
    ObserverAnswer,
    ObserverState,
    StepCost,
)
from heron.errors import Fault, InputError
from heron.eval.workers.process import WorkerProcess
from heron.models.meter import memory_of
from heron.observer.registry import NEEDS_MODEL, OBSERVERS, runs_in_harness
from heron.observer.setup import Cue, Setup
from heron.protocols import Observer
from heron.registry import split_spec

ANSWER: TypeAdapter[ObserverAnswer] = TypeAdapter(ObserverAnswer)
WORKER = "heron.eval.workers.observer"


class ObserverPort(Protocol):
    """An observer behind whatever separates it from the harness."""

    info: dict[str, Any]
    """What is known of its model; empty without one."""

    def begin(self, cue: Cue | None, seed: int) -> None:
        """Make ready for an episode; a process that died is started again."""

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]:
        """Its answer, and what that cost.

        Raises:
            Fault: it broke.
        """

    def memory(self) -> MemorySample:
        """Memory of its process now."""

    def close(self) -> None:
        """End its process, if it has one."""


class HarnessObserver:
    """A baseline, made anew for every episode."""

    def __init__(self, spec: str) -> None:
        name, self._argument = split_spec(spec)
        self._factory = OBSERVERS.get(name)
        self._observer: Observer | None = None
        self.info: dict[str, Any] = {}

    def begin(self, cue: Cue | None, seed: int) -> None:
        """Make the episode's observer."""
        self._observer = self._factory(Setup(argument=self._argument, seed=seed, cue=cue))

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]:
        """Its answer, with the harness's own clocks."""
        if self._observer is None:
            raise InputError("begin an episode before observing")
        wall, cpu = time.perf_counter(), time.process_time()
        answer = self._observer.observe(observation)
        return answer, StepCost(
            wall_s=time.perf_counter() - wall,
            cpu_s=time.process_time() - cpu,
            evaluated=0,
            queued_s=0.0,
            energy=EnergySample(joules=None, reason="runs in the harness"),
        )

    def memory(self) -> MemorySample:
        """Not to be told apart from the harness."""
        return MemorySample(anonymous=None, file_backed=None, reason="runs in the harness")

    def close(self) -> None:
        """Nothing to end."""
        self._observer = None


class ProcessObserver:
    """An observer in a process of its own.

    Args:
        spec: ``gguf:<model>`` or a plugged-in name.
        threads: for its model.
        window: tokens of context.
        module: what the process runs.
        more: further settings of the process: ``limits`` of a smaller device, a folder of its own
            for ``prefixes``, and ``keep_state``, for an observer that is to outlive its process.
    """

    def __init__(
        self,
        spec: str,
        *,
        threads: int = 1,
        window: int = 4096,
        module: str = WORKER,
        **more: Any,
    ) -> None:
        self._settings = {"spec": spec, "threads": threads, "window": window, **more}
        self._module = module
        self._process: WorkerProcess | None = None
        self.info: dict[str, Any] = {}
        self.in_force: dict[str, Any] = {}
        """Which limits of a smaller device the process has."""
        self.state: ObserverState | None = None
        """What the observer kept after its last answer, where it does and ``keep_state`` is set."""
        self.context: dict[str, int] = {}
        """Counters of its model's context, since its process began."""
        self.arrived: float | None = None
        """Since when the next observation has waited (``time.perf_counter``), where it has."""
        self.lost: StepCost | None = None
        """What it sent to a model before it broke: that has left the device all the same."""

    @property
    def pid(self) -> int | None:
        """Id of the process while there is one."""
        return self._process.pid if self._process and self._process.alive else None

    def begin(self, cue: Cue | None, seed: int) -> None:
        """Start the process where there is none; the first observation's brief does the rest."""
        self.lost = None
        if self._process is not None and not self._process.alive:
            self.close()
        if self._process is None:
            self._process = WorkerProcess("observer", self._module, self._settings)
            self.info = self._process.ready["ready"]
            self.in_force = self._process.ready.get("in_force", {})

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]:
        """Send the observation, wait for the answer."""
        if self._process is None:
            raise InputError("begin an episode before observing")
        message = {
            "observation": observation.model_dump(mode="json"),
            "arrived": time.perf_counter() if self.arrived is None else self.arrived,
        }
        self.arrived = None
        try:
            reply = self._process.ask(message)
            if "lost" in reply:
                self.lost = StepCost.model_validate(reply["lost"])
                reply = self._process.receive()
        except Fault:
            self.close()
            raise
        state = reply.get("state")
        self.state = ObserverState.model_validate(state) if state else None
        self.context = reply.get("context") or {}
        answer = ANSWER.validate_python(reply["answer"])
        return answer, StepCost.model_validate(reply["cost"])

    def restore(self, state: ObserverState, brief: Brief) -> None:
        """Have a new process go on with ``state``.

        Raises:
            InputError: its observer cannot.
            Fault: it broke.
        """
        if self._process is None:
            raise InputError("begin an episode before restoring")
        try:
            self._process.ask(
                {"restore": state.model_dump(mode="json"), "brief": brief.model_dump(mode="json")}
            )
        except Fault:
            self.close()
            raise
        self.state = state

    def memory(self) -> MemorySample:
        """Of the process, by the kernel's account."""
        if self.pid is None:
            return MemorySample(anonymous=None, file_backed=None, reason="the process has ended")
        return memory_of(self.pid)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.stop()
            self._process = None


def observer_port(spec: str, *, threads: int = 1, window: int = 4096) -> ObserverPort:
    """The observer that ``spec`` names.

    Raises:
        UnknownName: there is no such observer.
        InputError: it names no model.
    """
    name, argument = split_spec(spec)
    OBSERVERS.get(name)
    if name in NEEDS_MODEL and not argument:
        raise InputError(f"observer {spec!r} names no model; write {name}:<model>")
    if runs_in_harness(name):
        return HarnessObserver(spec)
    return ProcessObserver(spec, threads=threads, window=window)
