"""What the loop puts before a model at each step: references grow, closed tools stay closed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from heron.contracts import Arguments, Evidence, ToolCall
from heron.errors import IllegalCall
from heron.executor.fakes import FakeTool, FakeToolset
from heron.executor.loop import LoopExecutor
from heron.executor.offers import Planned

MOVE = ToolCall(name="calendar.move", arguments={"event_id": "e3", "start": "2026-03-11 15:00"})
FIND = ToolCall(name="contacts.search", arguments={"query": "Anna"})
TELL = ToolCall(name="messaging.send", arguments={"contact_id": "c1", "text": "Moved to 15:00."})
FINISH = ToolCall(name="finish", arguments={"message": "Moved it and told Anna."})


def test_references_grow_as_reads_show_more(play: Any) -> None:
    played = play(FIND, FINISH)
    assert "messaging-send" not in played.functions(0)
    assert "messaging-send" in played.functions(1)


def test_a_local_model_is_offered_what_the_plan_needs(play: Any) -> None:
    played = play(MOVE, FIND, TELL, FINISH, remote=False)
    assert list(played.functions(0)) == ["calendar-move", "contacts-search"]
    assert list(played.functions(3)) == ["calendar-move", "messaging-send", "finish", "give_up"]


def test_a_closed_tool_cannot_be_called(play: Any) -> None:
    played = play(FINISH, MOVE, FIND, TELL, FINISH, remote=False)
    assert [result.ok for result in played.execution.calls] == [False, True, True, True]
    assert played.execution.steps == 5


def test_where_no_tool_can_be_called_work_can_end(new_task: Any, script: Any) -> None:
    event: Any = {"type": "string", "x-ref": "event"}
    edit = FakeTool(
        name="calendar.edit", effect="write", description="", parameters={"event_id": event}
    )
    tools, model = FakeToolset([edit]), script(FINISH, remote=False)
    task = new_task(tools)
    proposal = task.proposal.model_copy(update={"evidence": (), "plan": ("calendar.edit",)})
    executor = LoopExecutor(model)
    assert executor.start(task.model_copy(update={"proposal": proposal}), tools).end == "done"


def test_a_steady_list_keeps_its_tools_and_shuts_those_that_cannot_be_called(play: Any) -> None:
    played = play(MOVE, FIND, TELL, FINISH, remote=False, offer=Planned(steady=True))
    lists = [played.functions(step) for step in range(4)]
    shapes = [[(name, list(p["properties"])) for name, p in one.items()] for one in lists]
    assert all(shape == shapes[0] for shape in shapes)
    fits = [Draft202012Validator(one["messaging-send"]).is_valid(TELL.arguments) for one in lists]
    assert fits == [False, False, True, True]
    assert not Draft202012Validator(lists[0]["finish"]).is_valid(FINISH.arguments)


def test_a_local_model_is_not_offered_what_nobody_spoke_of(play: Any) -> None:
    local, remote = play("Done.", remote=False), play("Done.")
    assert "place" not in local.functions(0)["calendar-move"]["properties"]
    assert "place" in remote.functions(0)["calendar-move"]["properties"]


def test_what_a_local_model_makes_up_is_taken_out(play: Any) -> None:
    made_up = ToolCall(name="contacts.search", arguments={**FIND.arguments, "city": "Bern"})
    assert play(made_up, "Done.", remote=False).tools.called == [FIND]
    assert play(made_up, "Done.").tools.called == [made_up]


def test_an_end_that_is_not_after_its_start_is_put_an_hour_later_for_a_local_model(
    new_task: Any, script: Any
) -> None:
    time: Any = {"type": "string", "format": "date-time"}
    add = FakeTool(
        name="calendar.add", effect="write", description="", parameters={"start": time, "end": time}
    )
    call = ToolCall(
        name="calendar.add", arguments={"start": "2026-03-11 15:00", "end": "2026-03-11 15:00"}
    )
    ends = []
    for remote in (False, True):
        tools = FakeToolset([add])
        task = new_task(tools)
        plan = task.proposal.model_copy(update={"plan": ("calendar.add",)})
        executor = LoopExecutor(script(call, "Done.", remote=remote))
        executor.start(task.model_copy(update={"proposal": plan}), tools)
        ends.append(tools.called[0].arguments["end"])
    assert ends == ["2026-03-11 16:00", "2026-03-11 15:00"]


@pytest.mark.parametrize("word", ["Bern", "phone"])
def test_what_a_model_said_itself_or_its_rules_say_was_not_shown(play: Any, word: str) -> None:
    first = ToolCall(name="contacts.search", arguments={"query": word})
    there = ToolCall(name="contacts.search", arguments={**FIND.arguments, "city": word})
    assert play(first, there, "Done.", remote=False).tools.called == [first, FIND]


@pytest.mark.parametrize("remote", [False, True])
def test_a_local_model_cannot_answer_its_own_answer(
    new_task: Any, script: Any, remote: bool
) -> None:
    event: Any = {"type": "string", "x-ref": "event"}
    old = Evidence(ref="e3", kind="event", text="'Dentist'")
    made = Evidence(ref="e4", kind="event", text="'Re: Dentist'")
    answer, edit = (
        FakeTool(
            name=f"calendar.{name}",
            effect="write",
            description="",
            parameters={"event_id": event},
            handler=lambda _arguments: ({"made": 1}, [old, made]),
        )
        for name in ("answer", "edit")
    )
    tools = FakeToolset([answer, edit])
    task = new_task(tools)
    proposal = task.proposal.model_copy(update={"plan": ("calendar.answer", "calendar.edit")})
    model = script(
        ToolCall(name="calendar.answer", arguments={"event_id": "e3"}),
        ToolCall(name="calendar.edit", arguments={"event_id": "e4"}),
        "Done.",
        remote=remote,
    )
    executor = LoopExecutor(model)
    executor.start(task.model_copy(update={"proposal": proposal}), tools)
    listed: Any = model.requests[2].tools
    ids = {
        tool["function"]["name"]: tool["function"]["parameters"]["properties"]["event_id"]["enum"]
        for tool in listed[:2]
    }
    assert ids["calendar-edit"] == ["e3", "e4"]  # it did not make e4
    assert ids["calendar-answer"] == (["e3", "e4"] if remote else ["e3"])
    told = str(model.requests[1].messages[-1]["content"])
    assert told.startswith("ok\ne3 event 'Dentist'\ne4 event 'Re: Dentist'\nDone so far")


def test_an_optional_argument_of_a_call_that_failed_twice_is_closed_to_a_local_model(
    new_task: Any, script: Any
) -> None:
    def only_without_a_day(arguments: Arguments) -> Any:
        if "day" in arguments:
            raise IllegalCall("it does not repeat")
        return "deleted", ()

    event: Any = {"type": "string", "x-ref": "event"}
    day: Any = {"type": "string", "format": "date"}
    delete = FakeTool(
        name="calendar.delete",
        effect="write",
        description="",
        parameters={"event_id": event, "day": day},
        optional=frozenset({"day"}),
        handler=only_without_a_day,
    )
    tools = FakeToolset([delete])
    wrong = ToolCall(name="calendar.delete", arguments={"event_id": "e3", "day": "2026-03-11"})
    right = ToolCall(name="calendar.delete", arguments={"event_id": "e3"})
    model = script(wrong, wrong, right, "Deleted.", remote=False)
    execution = LoopExecutor(model).start(new_task(tools), tools)
    listed: Any = [request.tools[0] for request in model.requests]
    fields = [list(tool["function"]["parameters"]["properties"]) for tool in listed[:3]]
    assert fields == [["event_id", "day"], ["event_id", "day"], ["event_id"]]
    assert [result.ok for result in execution.calls] == [False, False, True]


def test_the_years_of_a_local_model_lie_near(play: Any) -> None:
    start = play("Done.", remote=False).functions(0)["calendar-move"]["properties"]["start"]
    assert start["pattern"].startswith("^(2025|2026|2027)-")


# --- any script -----------------------------------------------------------------------------------

CALLS = st.one_of(
    st.sampled_from([MOVE, FIND, TELL]),
    st.builds(
        lambda ref, text: ToolCall(
            name="messaging.send", arguments={"contact_id": ref, "text": text}
        ),
        st.sampled_from(["c1", "c2", "e3"]),
        st.sampled_from(["", "Hi", "Bye"]),
    ),
)


@pytest.mark.parametrize("offer", [None, Planned(), Planned(steady=True)])
@given(replies=st.lists(st.lists(CALLS, min_size=1, max_size=3), max_size=6))
def test_whatever_a_model_says(
    play: Any, offer: Planned | None, replies: list[list[ToolCall]]
) -> None:
    execution, model, tools = play(*replies, "That is all.", offer=offer)
    seen = {"e3"} | ({"c1"} if FIND in tools.called else set())
    named = {str(value) for call in tools.called for value in call.arguments.values()}
    assert named & {"c1", "c2", "e3"} <= seen
    done = [json.dumps(r.call.model_dump()) for r in execution.calls if r.ok and r.call != FIND]
    assert len(done) == len(set(done))
    assert len(execution.calls) <= sum(map(len, replies))
    for request in model.requests:
        told = json.dumps([dict(message) for message in request.messages])
        for ref in set(_enums([dict(tool) for tool in request.tools])) - {"0"}:
            assert f"{ref} " in told or f": {ref}" in told


def _enums(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value.get("enum", ())
        for part in value.values():
            yield from _enums(part)
    elif isinstance(value, list):
        for part in value:
            yield from _enums(part)
