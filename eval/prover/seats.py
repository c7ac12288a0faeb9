"""Who plays in a proof: observers that follow a script, an executor that plays given calls.

They sit where an episode's observer and executor sit. What they do not know: what is proved.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from heron.contracts import (
    Execution,
    MemorySample,
    Observation,
    ObserverAnswer,
    Propose,
    StepCost,
    Task,
    ToolCall,
    ToolResult,
    Usage,
    Wait,
)
from heron.executor.baselines import Reference
from heron.observer.setup import Cue
from heron.protocols import Executor, Observer, Toolset
from heron.scenarios.labels import resolve
from heron.sim.toolset import PhoneTools

NO_COST = StepCost(wall_s=0.0, cpu_s=0.0)


class ObserverSeat:
    """Lets an observer play in an episode, unmeasured."""

    def __init__(self, observer: Observer) -> None:
        self.info: dict[str, Any] = {}
        self._observer = observer

    def begin(self, cue: Cue | None, seed: int) -> None:
        """Nothing: the observer is made for one episode."""

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]:
        """Its answer."""
        return self._observer.observe(observation), NO_COST

    def memory(self) -> MemorySample:
        """Not measured."""
        return MemorySample(anonymous=None, file_backed=None, reason="runs in the prover")

    def close(self) -> None:
        """Nothing to end."""


class ExecutorSeat:
    """Lets an executor play in an episode, unmeasured."""

    def __init__(self, executor: Executor) -> None:
        self.spent: Usage | None = None
        self._executor = executor

    def begin(self, reference: Reference) -> None:
        """Nothing: the executor is made for one episode."""

    def start(self, task: Task, tools: Toolset) -> tuple[Execution, StepCost]:
        """Have it work."""
        return self._executor.start(task, tools), NO_COST

    def resume(self, reply: str, tools: Toolset) -> tuple[Execution, StepCost]:
        """Have it go on."""
        return self._executor.resume(reply, tools), NO_COST

    def close(self) -> None:
        """Nothing to end."""


@dataclass(frozen=True)
class Offer:
    """A sentence with what comes with it."""

    text: str
    plan: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()


class Speaker:
    """Makes offers one after the other, whenever none is open.

    Args:
        offers: in this order.
        ready: whether it is time for one.
    """

    def __init__(self, offers: Iterable[Offer], ready: Callable[[], bool]) -> None:
        self._offers = deque(offers)
        self._ready = ready

    def observe(self, observation: Observation) -> ObserverAnswer:
        """Offer, or wait."""
        if observation.open_proposal is not None or not self._offers or not self._ready():
            return Wait()
        offer = self._offers.popleft()
        return Propose(text=offer.text, plan=offer.plan, refs=offer.refs)


class Deed:
    """Does something once, at its time, instead of waiting.

    Args:
        do: what; it may return an answer for the same turn.
        ready: whether it is time.
    """

    def __init__(
        self, do: Callable[[], ObserverAnswer | None], ready: Callable[[Observation], bool]
    ) -> None:
        self._do, self._ready = do, ready
        self._done = False

    def observe(self, observation: Observation) -> ObserverAnswer:
        """Do it when it is time."""
        if self._done or not self._ready(observation):
            return Wait()
        self._done = True
        return self._do() or Wait()


@dataclass(frozen=True)
class Move:
    """A call of the solution, or of a mutant of it."""

    call: ToolCall
    label: str | None = None
    """Names the record that it creates, for later moves."""
    works: bool = True
    """``False``: the tool does not work just then."""


class Player:
    """Plays given calls, whatever becomes of them, and says that it is done.

    Args:
        moves: in this order; ``@label`` stands for a record that an earlier move created.
        report: what it tells the user.
    """

    def __init__(self, moves: Sequence[Move], report: str = "") -> None:
        self._moves, self._report = moves, report

    def start(self, task: Task, tools: Toolset) -> Execution:
        """Play all of them."""
        return Execution(
            grant_id=task.grant.grant_id,
            end="done",
            message=self._report,
            calls=tuple(play_moves(self._moves, tools)),
        )

    def resume(self, reply: str, tools: Toolset) -> Execution:
        """Never called: it asks nothing."""
        raise NotImplementedError


def play_moves(moves: Sequence[Move], tools: Toolset) -> list[ToolResult]:
    """Call a solution's tools in order; labels become ids as soon as they are known."""
    ids: dict[str, str] = {}
    results = []
    for move in moves:
        arguments = {name: resolve(value, ids) for name, value in move.call.arguments.items()}
        call = ToolCall(name=move.call.name, arguments=arguments)
        result = tools.call(call) if move.works else _broken(call, tools)
        if result.ok and move.label is not None and result.shown:
            ids[move.label] = result.shown[0].ref
        results.append(result)
    return results


def _broken(call: ToolCall, tools: Toolset) -> ToolResult:
    why = f"{call.name} does not answer"
    if isinstance(tools, PhoneTools):
        return tools.fail(call, why, "transient")
    return ToolResult(call=call, ok=False, error=why)
