"""Executors as an episode uses them; one with a model gets a process at the first grant.

Before that, nothing of litellm is imported and no internet socket is opened. What it does not
know: turns, proposals, scores.
"""

from __future__ import annotations

import time
from typing import Protocol

from heron.contracts import Execution, StepCost, Task, ToolCall, Usage
from heron.errors import Fault, InputError
from heron.eval.workers.channel import Message
from heron.eval.workers.process import WorkerProcess
from heron.executor.baselines import Reference
from heron.executor.registry import EXECUTORS, build_executor
from heron.models.gguf_file import check_gguf
from heron.models.store import resolve
from heron.protocols import Executor, Toolset
from heron.registry import split_spec

WORKER = "heron.eval.workers.executor"


class ExecutorPort(Protocol):
    """An executor behind whatever separates it from the harness."""

    spent: Usage | None
    """What an execution that broke had used before, in this episode."""

    def begin(self, reference: Reference) -> None:
        """Make ready for an episode."""

    def start(self, task: Task, tools: Toolset) -> tuple[Execution, StepCost]:
        """Work on an accepted proposal.

        Raises:
            Fault: it broke.
        """

    def resume(self, reply: str, tools: Toolset) -> tuple[Execution, StepCost]:
        """Go on after the user's answer."""

    def close(self) -> None:
        """End its process, if it has one."""


class HarnessExecutor:
    """An executor without a model, made anew for every episode."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self.spent: Usage | None = None
        self._executor: Executor | None = None

    def begin(self, reference: Reference) -> None:
        """Make the episode's executor."""
        self._executor = build_executor(self._spec, reference=reference)

    def start(self, task: Task, tools: Toolset) -> tuple[Execution, StepCost]:
        """Work on an accepted proposal."""
        assert self._executor is not None  # noqa: S101  (begin comes first)
        wall, cpu = time.perf_counter(), time.process_time()
        done = self._executor.start(task, tools)
        return done, StepCost(wall_s=time.perf_counter() - wall, cpu_s=time.process_time() - cpu)

    def resume(self, reply: str, tools: Toolset) -> tuple[Execution, StepCost]:
        """Go on after the user's answer."""
        assert self._executor is not None  # noqa: S101  (begin comes first)
        return self._executor.resume(reply, tools), StepCost(wall_s=0.0, cpu_s=0.0)

    def close(self) -> None:
        """Nothing to end."""


class ProcessExecutor:
    """An executor with a model, in a process of its own from the first grant on.

    Args:
        spec: ``litellm:<model>`` or ``gguf:<name>``.
        threads: for a local model.
    """

    def __init__(self, spec: str, *, threads: int) -> None:
        self._settings = {"spec": spec, "threads": threads}
        self.spent: Usage | None = None
        self._process: WorkerProcess | None = None

    @property
    def pid(self) -> int | None:
        """Id of the process while there is one."""
        return self._process.pid if self._process and self._process.alive else None

    def begin(self, reference: Reference) -> None:
        """Forget the last episode; the process starts with the first grant."""
        self.spent = None

    def start(self, task: Task, tools: Toolset) -> tuple[Execution, StepCost]:
        """Start the process where there is none, and have it work."""
        if self._process is not None and not self._process.alive:
            self.close()
        if self._process is None:
            self._process = WorkerProcess("executor", WORKER, self._settings)
        return self._work({"task": task.model_dump(mode="json")}, tools)

    def resume(self, reply: str, tools: Toolset) -> tuple[Execution, StepCost]:
        """Hand the answer over and have it go on."""
        return self._work({"reply": reply}, tools)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.stop()
            self._process = None

    def _work(self, message: Message, tools: Toolset) -> tuple[Execution, StepCost]:
        assert self._process is not None  # noqa: S101  (start comes first)
        try:
            reply = self._process.ask(message)
            while "execution" not in reply:
                if "spent" in reply:
                    self.spent = Usage.model_validate(reply["spent"])
                    reply = self._process.receive()
                    continue
                result = tools.call(ToolCall.model_validate(reply["call"]))
                reply = self._process.ask({"result": result.model_dump(mode="json")})
        except Fault:
            self.close()
            raise
        return (
            Execution.model_validate(reply["execution"]),
            StepCost.model_validate(reply["cost"]),
        )


def executor_port(spec: str, *, threads: int = 1) -> ExecutorPort:
    """The executor that ``spec`` names.

    Raises:
        UnknownName: there is no such executor.
        InputError: it names no model, or a local one that is not here.
    """
    name, argument = split_spec(spec)
    kind = EXECUTORS.get(name)
    if kind.in_harness:
        return HarnessExecutor(spec)
    if kind.needs == "model" and not argument:
        raise InputError(f"executor {spec!r} names no model; write {name}:<model>")
    if name == "gguf":
        # Its process starts at the first grant; a wrong name should not wait for that.
        check_gguf(resolve(argument))
    return ProcessExecutor(spec, threads=threads)
