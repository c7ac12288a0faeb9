"""Which tools a local model is offered, and which a remote one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from heron.contracts import Effect, Evidence, Grant, Proposal, Task, ToolCall, ToolResult, ToolSpec
from heron.executor.offers import Everything, Planned
from heron.executor.progress import Progress


def tool(name: str, effect: Effect, *kinds: str) -> ToolSpec:
    properties: Any = {kind: {"type": "string", "x-ref": kind} for kind in kinds}
    required: Any = list(kinds)
    return ToolSpec(
        name=name,
        effect=effect,
        description="",
        parameters={"type": "object", "properties": properties, "required": required},
    )


TOOLS = (
    tool("calendar.get", "read", "event"),
    tool("calendar.search", "read"),
    tool("calendar.edit", "write", "event"),
    tool("calendar.delete", "write", "event"),
    tool("contacts.search", "read"),
    tool("contacts.edit", "write", "contact"),
    tool("email.search", "read"),
    tool("email.send", "write"),
    tool("messaging.list", "read"),
    tool("messaging.send", "write", "contact"),
)
EVENT = Evidence(ref="e1", kind="event", text="")
CONTACT = Evidence(ref="c1", kind="contact", text="")


def task(*plan: str, evidence: tuple[Evidence, ...] = (EVENT,)) -> Task:
    return Task(
        grant=Grant(grant_id="g", proposal_id="p", turn=1),
        proposal=Proposal(proposal_id="p", turn=1, text="", plan=plan, evidence=evidence),
        user_name="Mara",
        time=datetime(2026, 3, 10, 9, 0),
        tools=TOOLS,
    )


def offered(what: Task, *done: str, offer: Planned | None = None) -> list[str]:
    chosen = offer or Planned()
    return [spec.name for spec in chosen.tools(what, progress(*done))]


def progress(*done: str) -> Progress:
    so_far = Progress(TOOLS)
    for name in done:
        so_far.note(ToolResult(call=ToolCall(name=name), ok=True))
    return so_far


def test_a_remote_model_is_offered_everything_always() -> None:
    what = task("calendar.edit")
    assert Everything().tools(what, progress()) == TOOLS
    assert Everything().closings(what, progress()) == ("finish", "ask_user", "give_up")


def test_the_plans_writes_come_with_the_reads_of_their_apps() -> None:
    assert offered(task("calendar.edit")) == ["calendar.edit", "calendar.get", "calendar.search"]


def test_what_the_plan_needs_and_was_not_shown_can_be_looked_up() -> None:
    assert offered(task("messaging.send")) == [
        "messaging.send",
        "messaging.list",
        "contacts.search",
    ]
    shown = task("messaging.send", evidence=(CONTACT,))
    assert offered(shown) == ["messaging.send", "messaging.list"]


def test_writes_that_are_done_come_back_when_the_plan_is_done() -> None:
    what = task("calendar.edit", "email.send")
    writes = {"calendar.edit", "email.send"}
    assert writes.intersection(offered(what)) == writes
    assert writes.intersection(offered(what, "calendar.edit")) == {"email.send"}
    assert writes.intersection(offered(what, "calendar.edit", "email.send")) == writes


@pytest.mark.parametrize("plan", [(), ("calendar.fly",), ("calendar.search",)])
def test_without_a_plan_the_evidence_decides(plan: tuple[str, ...]) -> None:
    assert offered(task(*plan)) == [
        "calendar.edit",
        "calendar.delete",
        "calendar.get",
        "calendar.search",
    ]


def test_no_more_than_the_bound_and_writes_first() -> None:
    what = task("calendar.edit", "email.send")
    assert offered(what, offer=Planned(most=5)) == ["calendar.edit", "email.send", "calendar.get"]


def test_finish_is_offered_once_something_was_done_or_nothing_is_planned() -> None:
    planned = Planned()
    assert "finish" not in planned.closings(task("calendar.edit"), progress())
    assert "finish" in planned.closings(task("calendar.edit"), progress("calendar.edit"))
    assert "finish" in planned.closings(task("calendar.edit"), progress("email.send"))
    assert "finish" in planned.closings(task(), progress())
