"""Who answers decision points: a model in a process of its own, or a scripted user by replay.

What it does not know: how answers are compared and stored.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Protocol

from heron.contracts import Answer, MemorySample, Record, StepCost, Usage
from heron.errors import Fault, InputError, UnknownName
from heron.eval.judging.asking import Said
from heron.eval.judging.points import DecisionPoint
from heron.eval.workers.process import WorkerProcess
from heron.models.gguf_file import check_gguf
from heron.models.meter import memory_of
from heron.models.store import resolve
from heron.registry import nearest, split_spec
from heron.sim.users.persona import persona_of

WORKER = "heron.eval.workers.judge"
KINDS = ("gguf", "litellm", "scripted")


class Answered(Record):
    """An answer to one point, or why there is none, with what it cost."""

    said: Answer | None
    """``None``: the output was no valid answer; ``problem`` says why."""
    reason: str = ""
    problem: str | None = None
    cost: StepCost
    usage: Usage = Usage()


class Answerer(Protocol):
    """A user behind whatever separates it from the harness."""

    info: dict[str, Any]
    """What is known of its model; empty without one."""

    def answer(self, point: DecisionPoint) -> Answered:
        """Its answer to one point.

        Raises:
            Fault: it broke, or the moment cannot be put before it.
        """

    def memory(self) -> MemorySample:
        """Memory of its process now."""

    def close(self) -> None:
        """End its process, if it has one."""


class ModelAnswerer:
    """A model in a process of its own; one that died is started again at the next point.

    Args:
        spec: ``gguf:<name or path>`` or ``litellm:<provider/model>``.
        threads: of a local model.
        window: tokens of context of a local model.
        module: what the process runs.

    Raises:
        HeronError: the model cannot be loaded.
    """

    def __init__(self, spec: str, *, threads: int, window: int, module: str = WORKER) -> None:
        self._settings = {"spec": spec, "threads": threads, "window": window}
        self._module = module
        self._process: WorkerProcess | None = None
        self._process = self._started()
        self.info: dict[str, Any] = self._process.ready["ready"]

    def answer(self, point: DecisionPoint) -> Answered:
        """What the model says; see ``workers.judge``."""
        process = self._started()
        # The model is not to read the recorded decision; it does not even get it.
        hidden = point.model_copy(update={"decision": "reject", "reason": "", "replay": None})
        try:
            reply = process.ask({"point": hidden.model_dump(mode="json")})
        except Fault:
            if not process.alive:
                self.close()
            raise
        said = Said(**reply["said"])
        return Answered(
            said=said.decision,
            reason=said.reason,
            problem=said.problem,
            cost=StepCost.model_validate(reply["cost"]),
            usage=Usage.model_validate(reply["usage"]),
        )

    def memory(self) -> MemorySample:
        """Of the process, by the kernel's account."""
        if self._process is None or not self._process.alive:
            return MemorySample(anonymous=None, file_backed=None, reason="the process has ended")
        return memory_of(self._process.pid)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.stop()
            self._process = None

    def _started(self) -> WorkerProcess:
        if self._process is None:
            self._process = WorkerProcess("user", self._module, self._settings)
        return self._process


class ScriptedAnswerer:
    """A scripted user, by playing each point's scenario up to the moment.

    Args:
        persona: of the user.
    """

    def __init__(self, persona: str) -> None:
        from heron.eval.judging.scenes import Scenes

        self._persona, self._scenes = persona, Scenes()
        self.info: dict[str, Any] = {}

    def answer(self, point: DecisionPoint) -> Answered:
        """What the user answers at the moment."""
        from heron.eval.judging.replay import answer_again

        wall, cpu = time.perf_counter(), time.process_time()
        said, reason = answer_again(point, self._persona, self._scenes)
        cost = StepCost(wall_s=time.perf_counter() - wall, cpu_s=time.process_time() - cpu)
        return Answered(said=said, reason=reason, cost=cost)

    def memory(self) -> MemorySample:
        """Not to be told apart from the harness."""
        return MemorySample(anonymous=None, file_backed=None, reason="runs in the harness")

    def close(self) -> None:
        """Nothing to end."""


def answerer_of(
    spec: str, points: Sequence[DecisionPoint], *, threads: int = 1, window: int = 4096
) -> Answerer:
    """The user that ``spec`` names, ready to answer ``points``.

    Raises:
        UnknownName: there is no such kind of user, persona or model.
        InputError: no model is named, the model is not here, or the user is scripted and none of
            the points can be played again.
    """
    name, argument = split_spec(spec)
    if name not in KINDS:
        raise UnknownName(f"no user {name!r} answers decision points; {nearest(name, KINDS)}")
    if name == "scripted":
        return _scripted(argument, points)
    if not argument:
        raise InputError(f"user {spec!r} names no model; write {name}:<model>")
    if name == "gguf":
        # A wrong name should not wait for a process to start.
        check_gguf(resolve(argument))
    return ModelAnswerer(spec, threads=threads, window=window)


def _scripted(persona: str, points: Sequence[DecisionPoint]) -> ScriptedAnswerer:
    if not any(point.replay is not None for point in points):
        raise InputError(
            "a scripted user judges by its scenario's rubric, and no point here names a Heron "
            "scenario to be played again; use gguf:<model> or litellm:<model>, or export points "
            "of Heron's own episodes with 'heron users points'"
        )
    persona_of(persona)
    return ScriptedAnswerer(persona)
