"""One step of the loop: answers the calls of a reply, in order, and tells whether it ends.

What it does not know: the model, and how many steps there may be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import JsonValue

from heron.contracts import Task, ToolCall, ToolResult, ToolSpec
from heron.executor.boundary import Boundary
from heron.executor.calls import Asked, problem_with, wire_name
from heron.executor.closings import Closing, closing, said
from heron.executor.grounding import grounded, lasting
from heron.executor.offers import Offer
from heron.executor.progress import Progress
from heron.executor.prompt import progress_text, result_text
from heron.executor.references import Shown
from heron.protocols import Schema, Toolset

End = Literal["done", "gave_up", "question", "limit"]
ENDS: dict[Closing, End] = {"finish": "done", "ask_user": "question", "give_up": "gave_up"}

MOST_REPEATS = 2
"""Steps that only repeat calls, after which an execution whose plan is open ends."""

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
    made: dict[str, set[str]] = field(default_factory=dict)
    """Write tool → ids of the records that it made."""
    repeats: int = 0
    """Steps that only repeated calls."""
    question_id: str | None = None
    """The call that the user's answer is the result of."""

    def texts(self) -> list[str]:
        """All that the model was told about the phone."""
        told = (m for m in self.messages if m["role"] in ("user", "tool"))
        return [str(message["content"]) for message in told]

    def summary(self, opening: str) -> str:
        """A report for an execution whose model gave none."""
        done = ", ".join(call.name for call in self.progress.written) or "nothing"
        return f"{opening}: {done}."


@dataclass(kw_only=True)
class Step:
    """The calls of one reply, being answered.

    Args:
        work: what they belong to; its messages get the answers.
        tools: the phone.
        boundary: what reaches the model.
        offer: what the model was offered.
        results: gets one result per call, refused ones included.
    """

    work: Work
    tools: Toolset
    boundary: Boundary
    offer: Offer
    results: list[ToolResult]
    ending: Ending | None = None
    _failed: bool = field(default=False, init=False)

    def answer(self, asked: Sequence[Asked], offered: Offered) -> Ending | None:
        """Answer all calls; how the execution ends, if it does."""
        repeated = 0
        texts: list[str] = []
        for one in (self._grounded(one, offered) for one in asked):
            repetition = self._repetition(one)
            if self.ending is not None:
                texts.append("not done: the call before it ended the work")
            elif repetition is not None:
                repeated += 1
                texts.append(self._record(one.call, repetition))
            else:
                texts.append(self._one(one, offered))
        self._tell(asked, texts)
        if repeated == len(asked):
            self._repeated()
        return self.ending

    def _grounded(self, asked: Asked, offered: Offered) -> Asked:
        """The call without what the model made up."""
        if not self.offer.grounded or asked.call.name not in offered:
            return asked
        schema = offered[asked.call.name][1]
        return replace(asked, call=lasting(grounded(asked.call, schema, self.work.texts())))

    def _repetition(self, asked: Asked) -> str | None:
        """Why it makes no sense to make the call once more, if it does not."""
        if asked.problem is None and self.work.progress.again(asked.call):
            return "already done with the same arguments"
        if asked.problem is None and self.work.progress.futile(asked.call):
            return "this failed twice with the same arguments: change them"
        return None

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
        if ends is not None:
            return self._close(ends, asked)
        return self._call(call, wrote=offered[call.name][0].effect == "write")

    def _call(self, call: ToolCall, *, wrote: bool) -> str:
        result = self.tools.call(self.boundary.restore_call(call))
        self.results.append(result)
        self._failed = self._failed or not result.ok
        self.work.progress.note(ToolResult(call=call, ok=result.ok))
        seen = self.boundary.show_result(result)
        if wrote:
            self.work.made.setdefault(call.name, set()).update(self.work.shown.new(seen.shown))
        self.work.shown.add(seen.shown)
        return result_text(seen, self.offer.result, wrote=wrote)

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
        return result_text(result, self.offer.result)

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
        work = self.work
        work.repeats += 1
        plan = work.task.proposal.plan
        if work.progress.written and plan and not work.progress.left_of(plan):
            self.ending = Ending("done", work.summary("Done"))
        elif work.repeats >= MOST_REPEATS:
            self.ending = Ending("gave_up", work.summary("Gave up over a repeated call; done"))


def tool_message(call_id: str, text: str) -> dict[str, JsonValue]:
    """A call's result as a message of the history."""
    return {"role": "tool", "tool_call_id": call_id, "content": text}
