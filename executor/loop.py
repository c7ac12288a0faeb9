"""The tool loop: a chat model works under a grant, one step at a time, until it is done.

A step is one answer of the model. What ends an execution:

- ``finish`` or an answer in prose: *done*, and the text is the report;
- ``give_up``: *gave_up*; ``ask_user``: *question*, until ``resume``;
- a step that only repeats calls which went through: *done* if the plan is done; otherwise the
  second such step, calls that failed twice included: *gave_up*;
- ``Task.max_steps`` steps: *limit*.

A wrong call (unknown tool, unreadable or illegal arguments, a repetition) is answered with what
was wrong, is not executed, and counts as a call. A fault of the model goes through to the caller.

What it does not know: which library answers, and in which process the phone is.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from heron.contracts import Execution, Task, ToolResult, ToolSpec
from heron.errors import InputError
from heron.executor.boundary import Boundary
from heron.executor.calls import assistant_message, read_calls
from heron.executor.closings import CLOSINGS
from heron.executor.grounding import spoken_of
from heron.executor.ledger import Ledger
from heron.executor.offers import Everything, Offer, Planned
from heron.executor.progress import Progress
from heron.executor.prompt import function_tool, progress_text, system_text, task_text
from heron.executor.references import Shown, Unknown, closed, narrow
from heron.executor.steps import Ending, Offered, Step, Work, tool_message
from heron.protocols import ChatModel, Schema, Toolset

LONGEST_REPORT = 500
"""Characters of a report in prose."""


class LoopExecutor:
    """Acts under a grant with a chat model.

    Args:
        model: the chat model.
        offer: what it is offered; by default everything if it is remote, the plan's tools if it
            is on this device.
        boundary: what reaches the model.
        max_tokens: tokens of one answer.
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        offer: Offer | None = None,
        boundary: Boundary | None = None,
        max_tokens: int = 512,
    ) -> None:
        self._model = model
        self._offer = offer or (Everything() if model.remote else Planned())
        self._boundary = boundary or Boundary()
        self._max_tokens = max_tokens
        self._work: Work | None = None
        self.ledger = Ledger(remote=model.remote)
        """Usage not yet handed out with an ``Execution``; after a fault, what it had taken."""

    def start(self, task: Task, tools: Toolset) -> Execution:
        """Work until the task is done, given up, at its limit, or in need of an answer.

        Raises:
            RemoteFault: the model could not be reached or refused.
            ModelFault: a local model failed.
        """
        seen = self._boundary.show_task(task)
        progress = Progress(seen.tools)
        line = progress_text(progress, seen.proposal.plan, task.max_steps)
        self._work = Work(
            task=seen,
            shown=Shown(seen.proposal.evidence),
            progress=progress,
            messages=[
                {"role": "system", "content": system_text(seen)},
                {"role": "user", "content": f"{task_text(seen)}\n{line}"},
            ],
            steps_left=task.max_steps,
        )
        return self._go_on(self._work, tools)

    def resume(self, reply: str, tools: Toolset) -> Execution:
        """Go on with the steps that are left.

        Returns:
            the calls, steps and usage since the question; those before it stand in the execution
            that ended with it.

        Raises:
            InputError: no question is open.
            RemoteFault: as in ``start``.
            ModelFault: as in ``start``.
        """
        work = self._work
        if work is None or work.question_id is None:
            raise InputError("there is no open question to resume from")
        answer = f"{work.task.user_name} answers: {self._boundary.show_reply(reply)}"
        work.messages.append(tool_message(work.question_id, answer))
        work.question_id = None
        work.progress.user_answered()
        return self._go_on(work, tools)

    def _go_on(self, work: Work, tools: Toolset) -> Execution:
        before = work.steps_left
        results: list[ToolResult] = []
        ending: Ending | None = None
        while ending is None and work.steps_left > 0:
            work.steps_left -= 1
            ending = self._step(work, tools, results)
        ending = ending or Ending("limit", work.summary("Stopped at the limit of steps; done"))
        return Execution(
            grant_id=work.task.grant.grant_id,
            end=ending.end,
            message=self._boundary.restore_text(ending.message),
            calls=tuple(results),
            steps=before - work.steps_left,
            usage=self.ledger.take(),
        )

    def _step(self, work: Work, tools: Toolset, results: list[ToolResult]) -> Ending | None:
        offered, listed = self._offered(work)
        reply = self._model.complete(
            tuple(work.messages), tools=listed, max_tokens=self._max_tokens
        )
        self.ledger.add(reply)
        asked = read_calls(reply, work.task.max_steps - work.steps_left)
        work.messages.append(assistant_message(reply, asked))
        if asked:
            step = Step(
                work=work,
                tools=tools,
                boundary=self._boundary,
                offer=self._offer,
                results=results,
            )
            return step.answer(asked, offered)
        if reply.text.strip():
            return Ending("done", reply.text.strip()[:LONGEST_REPORT])
        work.messages.append({"role": "user", "content": "Call a tool, or finish."})
        return None

    def _offered(self, work: Work) -> tuple[Offered, list[Mapping[str, JsonValue]]]:
        """The tools that can be called at this step, and the list that the model gets."""
        shut = self._offer.closed(work.task, work.progress)
        tools = self._offer.tools(work.task)
        schemas = {
            spec.name: None
            if spec.name in shut
            else self._narrowed(work, spec, self._nameable(work, spec))
            for spec in (*tools, *CLOSINGS.values())
        }
        if not any(schemas.values()):  # nothing is left but to end
            schemas |= {spec.name: spec.parameters for spec in CLOSINGS.values()}
        offered: dict[str, tuple[ToolSpec, Schema]] = {}
        listed: list[Mapping[str, JsonValue]] = []
        for spec in (*tools, *CLOSINGS.values()):
            schema = schemas[spec.name]
            if schema is not None:
                offered[spec.name] = (spec, schema)
                listed.append(function_tool(spec, schema))
            elif self._offer.steady:
                form = self._narrowed(work, spec, Unknown())
                listed.append(function_tool(spec, closed(form or spec.parameters)))
        return offered, listed

    def _nameable(self, work: Work, spec: ToolSpec) -> Shown:
        """What a tool may name: a small model answers its own answer, over and over."""
        made = work.made.get(spec.name)
        return work.shown.without(made) if made and self._offer.grounded else work.shown

    def _narrowed(self, work: Work, spec: ToolSpec, shown: Shown) -> Schema | None:
        year = work.task.time.year
        years = range(year - 1, year + 2) if self._offer.near else ()
        schema = narrow(spec.parameters, shown, prose=self._offer.prose, years=years)
        if schema is None or not self._offer.grounded:
            return schema
        futile = work.progress.futile_arguments(spec.name)
        return spoken_of(schema, work.task.proposal.text, without=futile)
