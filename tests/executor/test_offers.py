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
    if name.endswith("search"):
        properties["query"] = {"type": "string"}
    required: Any = list(properties)
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
    tool("contacts.list", "read"),
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


def offered(what: Task, most: int = 12) -> list[str]:
    return [spec.name for spec in Planned(most=most).tools(what)]


def closed(what: Task, *done: str) -> set[str]:
    return set(Planned().closed(what, progress(*done)))


def progress(*done: str) -> Progress:
    so_far = Progress(TOOLS)
    for name in done:
        so_far.note(ToolResult(call=ToolCall(name=name), ok=True))
    return so_far


def test_a_remote_model_is_offered_everything_always() -> None:
    what = task("calendar.edit")
    assert Everything().tools(what) == TOOLS
    assert Everything().closed(what, progress()) == frozenset()


def test_the_plans_writes_come_first() -> None:
    assert offered(task("calendar.edit", "email.send"))[:2] == ["calendar.edit", "email.send"]


def test_searches_come_next_those_of_apps_looked_into_already_last() -> None:
    assert offered(task("calendar.edit"))[1:] == [
        "contacts.search",
        "email.search",
        "calendar.search",
        "calendar.get",
    ]


def test_of_other_apps_nothing_but_searches_is_offered() -> None:
    assert "messaging.list" not in offered(task("calendar.edit"))
    assert "messaging.list" in offered(task("messaging.send"))


def test_what_the_plan_needs_and_was_not_shown_can_be_looked_up_first() -> None:
    assert offered(task("messaging.send"))[1] == "contacts.search"
    names = offered(task("messaging.send"))
    assert names.index("contacts.list") < names.index("calendar.search")
    assert offered(task("messaging.send", evidence=(CONTACT,)))[1] != "contacts.search"


def test_no_more_than_the_bound_with_the_pseudo_tools() -> None:
    assert offered(task("calendar.edit", "email.send"), most=6) == [
        "calendar.edit",
        "email.send",
        "contacts.search",
    ]


@pytest.mark.parametrize("plan", [(), ("calendar.fly",), ("calendar.search",)])
def test_without_a_plan_the_evidence_decides(plan: tuple[str, ...]) -> None:
    assert offered(task(*plan))[:3] == ["calendar.edit", "calendar.delete", "contacts.search"]


def test_a_write_that_is_done_is_closed_while_others_are_open() -> None:
    what = task("calendar.edit", "email.send")
    writes = {"calendar.edit", "email.send"}
    assert not writes & closed(what)
    assert writes & closed(what, "calendar.edit") == {"calendar.edit"}
    assert not writes & closed(what, "calendar.edit", "email.send")


def test_all_writes_are_closed_after_two_more_than_planned() -> None:
    what = task("email.send")
    assert "email.send" not in closed(what, *["email.send"] * 2)
    assert "email.send" in closed(what, *["email.send"] * 3)


READS = {spec.name for spec in TOOLS if spec.effect == "read"}


def test_reads_are_closed_after_three_without_a_write_and_when_the_plan_is_done() -> None:
    what = task("calendar.edit", "email.send")
    assert not READS & closed(what, *["email.search"] * 2)
    assert READS <= closed(what, *["email.search"] * 3)
    assert not READS & closed(what, *["email.search"] * 3, "calendar.edit")
    assert READS <= closed(what, "calendar.edit", "email.send")
    assert not READS & closed(task(), "email.send")


def test_work_may_end_when_the_plan_is_done_or_enough_was_tried() -> None:
    what = task("calendar.edit", "email.send")
    endings = {"finish", "ask_user", "give_up"}
    assert endings <= closed(what)
    assert endings <= closed(what, "calendar.edit")
    assert endings & closed(what, "calendar.edit", "email.send") == {"ask_user"}
    assert not endings & closed(what, "calendar.edit", *["email.search"] * 3)
    assert endings & closed(what, *["email.search"] * 4) == {"finish"}
    assert endings & closed(task()) == {"ask_user"}
