"""Executors without a model: one that does nothing, one that plays the reference solution.

Both run in the harness. What they do not know: the scenario; the reference is handed over.
"""

from __future__ import annotations

from heron.contracts import Execution, Record, Task, ToolCall, ToolResult
from heron.errors import InputError
from heron.protocols import Toolset


class Reference(Record):
    """What the reference solution does after the accept."""

    calls: tuple[ToolCall, ...]
    message: str = ""
    """The report that closes it."""


class NoExecutor:
    """Does nothing after an accept: measures an observer alone."""

    def start(self, task: Task, tools: Toolset) -> Execution:
        return Execution(grant_id=task.grant.grant_id, end="none")

    def resume(self, reply: str, tools: Toolset) -> Execution:
        raise InputError("executor none asks no question, so there is none to resume from")


class OracleExecutor:
    """Plays the reference once: make one for each episode.

    It stops at the first call that fails. A later grant of the same episode goes on from there,
    so that nothing is done twice; when all is done, a further grant finds nothing left to do.
    It takes no model step, so a limit on steps does not stop it.
    """

    def __init__(self, reference: Reference) -> None:
        self._message = reference.message
        self._left = list(reference.calls)

    def start(self, task: Task, tools: Toolset) -> Execution:
        results: list[ToolResult] = []
        while self._left:
            result = tools.call(self._left[0])
            results.append(result)
            if not result.ok:
                return Execution(
                    grant_id=task.grant.grant_id,
                    end="gave_up",
                    message=f"{result.call.name} failed: {result.error}",
                    calls=tuple(results),
                )
            del self._left[0]
        return Execution(
            grant_id=task.grant.grant_id, end="done", message=self._message, calls=tuple(results)
        )

    def resume(self, reply: str, tools: Toolset) -> Execution:
        raise InputError("executor oracle asks no question, so there is none to resume from")
