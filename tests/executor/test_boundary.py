"""Everything passes the boundary, in both directions."""

from __future__ import annotations

import json
from typing import Any

from heron.contracts import Evidence, Task, ToolCall, ToolResult
from heron.executor.boundary import Boundary
from heron.executor.loop import LoopExecutor


class Veil(Boundary):
    """Hides names and texts, and gives ids of its own."""

    def show_task(self, task: Task) -> Task:
        evidence = tuple(map(self._veiled, task.proposal.evidence))
        proposal = task.proposal.model_copy(update={"text": "Move it?", "evidence": evidence})
        return task.model_copy(update={"user_name": "the user", "proposal": proposal})

    def show_result(self, result: ToolResult) -> ToolResult:
        shown = tuple(map(self._veiled, result.shown))
        return result.model_copy(update={"value": "found", "shown": shown})

    def show_reply(self, text: str) -> str:
        return text.replace("Anna", "NAME").replace("Frei", "")

    def restore_call(self, call: ToolCall) -> ToolCall:
        arguments = {k: str(v).removeprefix("veiled-") for k, v in call.arguments.items()}
        return ToolCall(name=call.name, arguments={**arguments})

    def restore_text(self, text: str) -> str:
        return text.replace("NAME", "Anna")

    def _veiled(self, record: Evidence) -> Evidence:
        return Evidence(ref=f"veiled-{record.ref}", kind=record.kind, text="something")


FIND = ToolCall(name="contacts.search", arguments={"query": "someone"})
ASK = ToolCall(name="ask_user", arguments={"question": "Tell NAME?"})
TELL = ToolCall(name="messaging.send", arguments={"contact_id": "veiled-c1", "text": "Moved."})


def test_everything_passes_the_boundary_both_ways(
    new_phone: Any, new_task: Any, script: Any
) -> None:
    tools, model = new_phone(), script(FIND, ASK, TELL, "Told NAME.")
    executor = LoopExecutor(model, boundary=Veil())
    asked = executor.start(new_task(tools), tools)
    done = executor.resume("Yes, Anna Frei.", tools)
    assert (asked.message, done.message) == ("Tell Anna?", "Told Anna.")
    assert tools.called[-1].arguments["contact_id"] == "c1"
    shown = json.dumps(
        [[dict(m) for m in (*request.messages, *request.tools)] for request in model.requests]
    )
    assert "veiled-c1" in shown
    for private in ("Anna", "Frei", "Mara", "Dentist", "dentist", '"c1"', '"e3"'):
        assert private not in shown
    assert "Anna Frei" in str(asked.calls)  # the phone's side stays whole


def test_a_record_that_was_left_out_cannot_be_named(
    new_phone: Any, new_task: Any, script: Any
) -> None:
    class Nothing(Boundary):
        def show_result(self, result: ToolResult) -> ToolResult:
            return result.model_copy(update={"value": None, "shown": ()})

    tools = new_phone()
    tell = ToolCall(name="messaging.send", arguments={"contact_id": "c1", "text": "Hi"})
    execution = LoopExecutor(script(FIND, tell, "Done."), boundary=Nothing()).start(
        new_task(tools), tools
    )
    assert [result.ok for result in execution.calls] == [True, False]
