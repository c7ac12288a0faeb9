"""One step of the loop: answers the calls of a reply, in order, and tells whether it ends.

What it does not know: the model, and how many steps there may be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from heron.contracts import Task, ToolCall, ToolResult, ToolSpec
from heron.executor.boundary import Boundary
from heron.executor.calls import Asked, problem_with, wire_name
from heron.executor.closings import Closing, closing, said
from heron.executor.progress import Progress
from heron.executor.prompt import progress_text, result_text
from heron.executor.references import Shown
from heron.protocols import Schema, Toolset

End = Literal["done", "gave_up", "question", "limit"]
ENDS: dict[Closing, End] = {"finish": "done", "ask_user": "question", "give_up": "gave_up"}

MOST_REPEATS = 2
"""Steps that only repeat, after which an execution ends."""

Offered = Mapping[str, tuple[ToolSpec, Schema]]
"""What a step may call: dotted name → tool with its narrowed parameters."""


@dataclass(frozen=True)
class Ending:
    """How an execution ends, and what the user is told, in the model's words."""

    end: End
    message: str


@dataclass(kw_only=True)
class Work:
    """One grant's work, across questions."""

    task: Task
    """As the model may see it."""
    shown: Shown
    progress: Progress
    messages: list[Mapping[str, JsonValue]]
    steps_left: int
    repeats: int = 0
    """Steps that only repeated calls."""
    question_id: str | None = None
    """The call that the user's answer is the result of."""

    def summary(self, opening: str) -> str:
        """A report for an execution whose model gave none."""
        done = ", ".join(call.name for call in self.progress.written) or "nothing"
        return f"{opening}; done: {done}."


@dataclass(kw_only=True)
class Step:
    """The calls of one reply, being answered.

    Args:
        work: what they belong to; its messages get the answers.
        tools: the phone.
        boundary: what reaches the model.
        longest: characters of a tool's answer that the model is shown.
        results: gets one result per call, refused ones included.
    """

    work: Work
    tools: Toolset
    boundary: Boundary
    longest: int
    results: list[ToolResult]
    ending: Ending | None = None
    _failed: bool = field(default=False, init=False)

    def answer(self, asked: Sequence[Asked], offered: Offered) -> Ending | None:
        """Answer all calls; how the execution ends, if it does."""
        repeated = 0
        texts: list[str] = []
        for one in asked:
            if self.ending is not None:
                texts.append("not done: the call before it ended the work")
            elif one.problem is None and self.work.progress.again(one.call):
                repeated += 1
                texts.append(self._record(one.call, "already done with the same arguments"))
            else:
                texts.append(self._one(one, offered))
        self._tell(asked, texts)
        if repeated == len(asked):
            self._repeated()
        return self.ending

    def _one(self, asked: Asked, offered: Offered) -> str:
        call = asked.call
        if asked.problem is not None:
            return self._refuse(call, asked.problem)
        if call.name not in offered:
            return self._refuse(call, self._not_offered(call.name, offered))
        problem = problem_with(call.arguments, offered[call.name][1])
        if problem is not None:
            return self._refuse(call, problem)
        ends = closing(call.name)
        return self._call(call) if ends is None else self._close(ends, asked)

    def _call(self, call: ToolCall) -> str:
        result = self.tools.call(self.boundary.restore_call(call))
        self.results.append(result)
        self._failed = self._failed or not result.ok
        self.work.progress.note(ToolResult(call=call, ok=result.ok))
        seen = self.boundary.show_result(result)
        self.work.shown.add(seen.shown)
        return result_text(seen, self.longest)

    def _close(self, ends: Closing, asked: Asked) -> str:
        if ends == "finish" and self._failed:
            return self._refuse(asked.call, "not finished: a call before it failed")
        self.ending = Ending(ENDS[ends], said(asked.call.arguments))
        if ends == "ask_user":
            self.work.question_id = asked.call_id
        return "ok"

    def _refuse(self, call: ToolCall, error: str) -> str:
        self._failed = True
        return self._record(call, error)

    def _record(self, call: ToolCall, error: str) -> str:
        """A call that is not executed."""
        result = ToolResult(call=call, ok=False, error=error)
        self.results.append(result)
        return result_text(result, self.longest)

    def _not_offered(self, name: str, offered: Offered) -> str:
        names = ", ".join(map(wire_name, offered))
        if any(spec.name == name for spec in self.work.task.tools):
            return f"{wire_name(name)} cannot be called now; what can be: {names}"
        return f"there is no tool {wire_name(name)!r}; there are: {names}"

    def _tell(self, asked: Sequence[Asked], texts: Sequence[str]) -> None:
        """Append the answers; a question's own answer comes from the user, last."""
        plan, left = self.work.task.proposal.plan, self.work.steps_left
        told = [
            (one.call_id, text)
            for one, text in zip(asked, texts, strict=True)
            if one.call_id != self.work.question_id
        ]
        for i, (call_id, text) in enumerate(told):
            if i == len(told) - 1 and self.ending is None:
                text = f"{text}\n{progress_text(self.work.progress, plan, left)}"  # noqa: PLW2901
            self.work.messages.append(tool_message(call_id, text))

    def _repeated(self) -> None:
        self.work.repeats += 1
        if self.work.repeats < MOST_REPEATS:
            return
        left = self.work.progress.left_of(self.work.task.proposal.plan)
        finished = bool(self.work.progress.written) and not left
        self.ending = Ending(
            "done" if finished else "gave_up",
            self.work.summary("Stopped since the same call came again"),
        )


def tool_message(call_id: str, text: str) -> dict[str, JsonValue]:
    """A call's result as a message of the history."""
    return {"role": "tool", "tool_call_id": call_id, "content": text}
