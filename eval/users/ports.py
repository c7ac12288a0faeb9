"""Users as an episode uses them: in the harness, or, if they are models, in a process of their own.

Such a process is kept over episodes, and one that died is started again. What it takes is the
simulator's and is counted apart. What this file does not know: turns, proposals, scores.
"""

from __future__ import annotations

from typing import Any, Protocol

from heron.contracts import SimulatorCosts, StepCost, Usage, UserStep, UserView
from heron.errors import Fault, InputError
from heron.eval.users.briefing import briefing_of, split_persona
from heron.eval.users.registry import USERS, OwnProcess, UserFactory
from heron.eval.workers.channel import Message
from heron.eval.workers.process import WorkerProcess
from heron.models.gguf_file import check_gguf
from heron.models.store import resolve
from heron.protocols import User
from heron.registry import split_spec
from heron.scenarios.stage import Stage

WORKER = "heron.eval.workers.user"
WINDOW = 4096
"""Tokens of a local model's context."""


class UserPort(Protocol):
    """A user behind whatever separates it from the harness."""

    info: dict[str, Any]
    """What is known of its model; empty without one."""

    def start(self) -> None:
        """Load what can be loaded now.

        Raises:
            HeronError: the user cannot be made.
        """

    def begin(self, stage: Stage) -> None:
        """Make ready for an episode; a process that died is started again.

        Raises:
            Fault: it broke.
        """

    def step(self, view: UserView) -> UserStep:
        """What the user does now.

        Raises:
            Fault: it broke.
        """

    def take_costs(self) -> SimulatorCosts | None:
        """What it took since the last ``take_costs``; ``None`` if it is no model."""

    def close(self) -> None:
        """End its process, if it has one."""


class HarnessUser:
    """A user without a model, made anew for every episode.

    Args:
        make: from the episode's stage and ``argument``.
        argument: what stands after the colon.
    """

    def __init__(self, make: UserFactory, argument: str = "") -> None:
        self._make, self._argument = make, argument
        self._user: User | None = None
        self.info: dict[str, Any] = {}

    def start(self) -> None:
        """Nothing to load."""

    def begin(self, stage: Stage) -> None:
        """Make the episode's user."""
        self._user = self._make(stage, self._argument)

    def step(self, view: UserView) -> UserStep:
        """What the user does now."""
        if self._user is None:
            raise InputError("begin an episode before its first step")
        return self._user.step(view)

    def take_costs(self) -> SimulatorCosts | None:
        """It is no model."""
        return None

    def close(self) -> None:
        """Nothing to end."""
        self._user = None


class ProcessUser:
    """A user that is a model.

    Args:
        spec: ``gguf:<name or path>`` or ``litellm:<provider/model>``; a persona may follow it,
            ``#<persona>``.
        threads: for a local model.
        module: what the process runs.

    Raises:
        InputError: it names no model, or a local one that is not here.
        UnknownName: there is no such local model or persona.
    """

    def __init__(self, spec: str, *, threads: int = 1, module: str = WORKER) -> None:
        name, argument = split_spec(spec)
        model, self._persona = split_persona(argument)
        if not model:
            raise InputError(f"user {spec!r} names no model; write {name}:<model>")
        if name == "gguf":
            check_gguf(resolve(model))
        self._settings = {"spec": f"{name}:{model}", "threads": threads, "window": WINDOW}
        self._module = module
        self._process: WorkerProcess | None = None
        self.info: dict[str, Any] = {}
        self._steps: list[StepCost] = []
        self._usage: list[Usage] = []

    @property
    def pid(self) -> int | None:
        """Id of the process while there is one."""
        return self._process.pid if self._process and self._process.alive else None

    def start(self) -> None:
        """Start the process where there is none."""
        if self._process is not None and not self._process.alive:
            self.close()
        if self._process is None:
            self._process = WorkerProcess("user", self._module, self._settings)
            self.info = self._process.ready["ready"]

    def begin(self, stage: Stage) -> None:
        """Start the process where there is none, and tell it of the episode."""
        self._steps, self._usage = [], []
        self.start()
        told = briefing_of(stage, self._persona)
        self._ask({"begin": told.model_dump(mode="json")})

    def step(self, view: UserView) -> UserStep:
        """Send the view, wait for the step. Of an offer the process gets the sentence alone."""
        if view.proposal is not None:
            offer = view.proposal.model_copy(update={"plan": (), "evidence": ()})
            view = view.model_copy(update={"proposal": offer})
        reply = self._ask({"view": view.model_dump(mode="json")})
        self._steps.append(StepCost.model_validate(reply["cost"]))
        self._usage.append(Usage.model_validate(reply["usage"]))
        step = UserStep.model_validate(reply["step"])
        return step.model_copy(update={"pace": self._persona.pace})

    def take_costs(self) -> SimulatorCosts | None:
        """Of this episode; of a step that broke, the calls before it broke."""
        costs = SimulatorCosts(steps=tuple(self._steps), usage=_sum(self._usage))
        self._steps, self._usage = [], []
        return costs

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.stop()
            self._process = None

    def _ask(self, message: Message) -> Message:
        if self._process is None:
            raise InputError("begin an episode before its first step")
        try:
            reply = self._process.ask(message)
            while "spent" in reply:
                self._usage.append(Usage.model_validate(reply["spent"]))
                reply = self._process.receive()
        except Fault:
            self.close()
            raise
        return reply


def user_port(spec: str, *, threads: int = 1) -> UserPort:
    """The user that ``spec`` names.

    Raises:
        UnknownName: there is no such user.
        InputError: it names no model, or a local one that is not here.
    """
    name, argument = split_spec(spec)
    kind = USERS.get(name)
    if isinstance(kind, OwnProcess):
        return ProcessUser(spec, threads=threads)
    return HarnessUser(kind, argument)


def _sum(parts: list[Usage]) -> Usage:
    """All of them; a single unknown price makes the sum unknown."""
    prices = [part.cost_usd for part in parts]
    known = [price for price in prices if price is not None]
    return Usage(
        calls=sum(part.calls for part in parts),
        tokens_in=sum(part.tokens_in for part in parts),
        tokens_out=sum(part.tokens_out for part in parts),
        bytes_out=sum(part.bytes_out for part in parts),
        bytes_in=sum(part.bytes_in for part in parts),
        cost_usd=sum(known) if parts and len(known) == len(prices) else None,
        remote=any(part.remote for part in parts),
    )
