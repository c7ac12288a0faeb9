"""The loop, with a scripted model and a toolset without a phone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heron.contracts import Arguments, Evidence, Grant, Proposal, Task, ToolCall, ToolResult
from heron.errors import IllegalCall, InputError, RemoteFault
from heron.executor.boundary import Boundary
from heron.executor.fakes import FakeTool, FakeToolset
from heron.executor.loop import LONGEST_REPORT, LoopExecutor
from heron.protocols import ChatReply, Schema

Messages = Sequence[Mapping[str, Any]]

DENTIST = Evidence(ref="e3", kind="event", text="'Dentist' 2026-03-11 10:00-10:30")
ANNA = Evidence(ref="c1", kind="contact", text="Anna Frei")
MOVE = ToolCall(name="calendar.move", arguments={"event_id": "e3", "start": "2026-03-11 15:00"})
FIND = ToolCall(name="contacts.search", arguments={"query": "Anna"})
TELL = ToolCall(name="messaging.send", arguments={"contact_id": "c1", "text": "Moved to 15:00."})
FINISH = ToolCall(name="finish", arguments={"message": "Moved it and told Anna."})
ASK = ToolCall(name="ask_user", arguments={"question": "Which Anna?"})


class Script:
    """Answers with what it was given, in order, and keeps what it was shown."""

    def __init__(self, *replies: ToolCall | str | Sequence[ToolCall] | ChatReply, remote: bool):
        self.remote = remote
        self._replies = list(replies)
        self.messages: list[Messages] = []
        self.tools: list[list[Any]] = []

    def complete(
        self,
        messages: Messages,
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        schema: Schema | None = None,
        max_tokens: int = 512,
    ) -> ChatReply:
        self.messages.append(messages)
        self.tools.append([tool["function"] for tool in tools])
        reply = self._replies.pop(0)
        if isinstance(reply, ChatReply):
            return reply
        if isinstance(reply, str):
            return ChatReply(reply, tokens_in=10, bytes_out=100)
        calls = (reply,) if isinstance(reply, ToolCall) else tuple(reply)
        return ChatReply("", calls=calls, tokens_in=10, bytes_out=100)

    @property
    def last(self) -> str:
        """The last message that it was shown."""
        return str(self.messages[-1][-1]["content"])

    def names(self, step: int) -> list[str]:
        """The tools that it was offered."""
        return [str(tool["name"]) for tool in self.tools[step]]


def search(arguments: Arguments) -> tuple[Any, Sequence[Evidence]]:
    return [{"contact_id": "c1", "name": "Anna Frei"}], [ANNA]


def send(arguments: Arguments) -> tuple[Any, Sequence[Evidence]]:
    if arguments["text"] == "":
        raise IllegalCall("a message needs a text")
    return "sent", ()


def phone() -> FakeToolset:
    event: Any = {"type": "string", "x-ref": "event"}
    contact: Any = {"type": "string", "x-ref": "contact"}
    time: Any = {"type": "string", "format": "date-time"}
    text: Any = {"type": "string", "x-text": True}
    return FakeToolset(
        [
            FakeTool(
                name="calendar.move",
                effect="write",
                description="Move an event.",
                parameters={"event_id": event, "start": time},
            ),
            FakeTool(
                name="contacts.search",
                effect="read",
                description="Find people by name.",
                parameters={"query": {"type": "string"}},
                handler=search,
            ),
            FakeTool(
                name="contacts.edit",
                effect="write",
                description="Edit a contact.",
                parameters={"contact_id": contact},
            ),
            FakeTool(
                name="messaging.send",
                effect="write",
                description="Send a message.",
                parameters={"contact_id": contact, "text": text},
                handler=send,
            ),
        ]
    )


def task(tools: FakeToolset, *, max_steps: int = 10) -> Task:
    return Task(
        grant=Grant(grant_id="g1", proposal_id="p1", turn=2),
        proposal=Proposal(
            proposal_id="p1",
            turn=1,
            text="Move the dentist to 15:00 and tell Anna?",
            plan=("calendar.move", "messaging.send"),
            evidence=(DENTIST,),
        ),
        user_name="Mara",
        time=datetime(2026, 3, 10, 9, 0),
        tools=tools.specs(),
        max_steps=max_steps,
    )


def play(*replies: Any, remote: bool = True, max_steps: int = 10) -> Any:
    """An execution with the model and the phone that took part."""
    tools = phone()
    model = Script(*replies, remote=remote)
    execution = LoopExecutor(model).start(task(tools, max_steps=max_steps), tools)
    return execution, model, tools


def test_a_task_is_done_step_by_step() -> None:
    execution, _, tools = play(MOVE, FIND, TELL, FINISH)
    assert (execution.end, execution.message) == ("done", "Moved it and told Anna.")
    assert tools.called == [MOVE, FIND, TELL]
    assert [result.call for result in execution.calls] == [MOVE, FIND, TELL]
    assert execution.steps == 4
    assert (execution.usage.calls, execution.usage.bytes_out) == (4, 400)
    assert execution.usage.remote
    assert execution.grant_id == "g1"


def test_the_history_pairs_every_call_with_its_result() -> None:
    _, model, _ = play([MOVE, FIND], TELL, FINISH)
    asked = [c["id"] for m in model.messages[-1] for c in m.get("tool_calls", ())]
    answered = [m["tool_call_id"] for m in model.messages[-1] if m["role"] == "tool"]
    assert asked == answered
    assert len(set(asked)) == 3


def test_several_calls_of_one_reply_are_one_step() -> None:
    execution, _, tools = play([MOVE, FIND], FINISH)
    assert tools.called == [MOVE, FIND]
    assert (execution.steps, len(execution.calls)) == (2, 2)


def test_prose_is_the_report_and_costs_no_further_step() -> None:
    execution, _, _ = play(MOVE, "Moved. " + "x" * 600)
    assert (execution.end, execution.steps) == ("done", 2)
    assert len(execution.message) == LONGEST_REPORT


def test_silence_is_asked_to_call() -> None:
    execution, model, _ = play("  ", FINISH)
    assert (execution.end, execution.steps) == ("done", 2)
    assert "Call a tool" in model.last


def test_giving_up_says_why() -> None:
    execution, _, _ = play(ToolCall(name="give_up", arguments={"reason": "No such event."}))
    assert (execution.end, execution.message) == ("gave_up", "No such event.")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (ToolCall(name="calendar.fly"), "there is no tool 'calendar-fly'; there are: calendar-"),
        (TELL, "messaging-send cannot be called now"),
        (ToolCall(name="calendar.move", arguments={"event_id": "e3"}), "'start' is a required"),
        (
            ToolCall(name="calendar.move", arguments={**MOVE.arguments, "event_id": "e9"}),
            "event_id: 'e9' is not one of ['e3']",
        ),
        (
            ToolCall(name="calendar.move", arguments={**MOVE.arguments, "start": "at 3"}),
            "start: 'at 3' does not match",
        ),
        (ToolCall(name="finish"), "'message' is a required property"),
    ],
)
def test_a_wrong_call_is_told_counted_and_not_executed(wrong: ToolCall, told: str) -> None:
    execution, model, tools = play(wrong, FINISH)
    assert told in model.last
    assert (execution.end, execution.steps, tools.called) == ("done", 2, [])
    assert [(result.call, result.ok) for result in execution.calls] == [(wrong, False)]


def test_unreadable_arguments_are_told_and_counted() -> None:
    raw: Any = {
        "tool_calls": [{"id": "t", "function": {"name": "calendar-move", "arguments": "{"}}]
    }
    execution, model, tools = play(ChatReply("", raw=raw), FINISH)
    assert "the arguments are no JSON" in model.last
    assert (len(execution.calls), tools.called) == (1, [])


def test_a_refusal_of_the_phone_is_told() -> None:
    empty = ToolCall(name="messaging.send", arguments={"contact_id": "c1", "text": ""})
    execution, model, _ = play(FIND, empty, FINISH)
    assert "error: a message needs a text" in model.last
    assert [result.ok for result in execution.calls] == [True, False]


def test_a_repeated_write_is_not_executed_again_and_the_second_repetition_ends() -> None:
    execution, model, tools = play(MOVE, MOVE, MOVE)
    assert tools.called == [MOVE]
    assert "already done" in model.last
    assert execution.end == "gave_up"  # telling Anna is left
    assert execution.message.endswith("done: calendar.move.")
    assert [result.ok for result in execution.calls] == [True, False, False]


def test_repeating_after_the_whole_plan_is_done() -> None:
    execution, _, tools = play(MOVE, FIND, TELL, TELL, TELL)
    assert (execution.end, tools.called) == ("done", [MOVE, FIND, TELL])


def test_the_limit_of_steps() -> None:
    execution, model, _ = play(MOVE, FIND, max_steps=2)
    assert (execution.end, execution.steps) == ("limit", 2)
    assert execution.message == "Stopped at the limit of steps; done: calendar.move."
    assert len(model.messages) == 2


def test_finishing_beside_a_failed_call_is_refused_and_beside_a_repeated_one_is_not() -> None:
    execution, model, _ = play([TELL, FINISH], FINISH)
    assert "not finished" in model.last
    assert execution.steps == 2
    execution, _, _ = play(MOVE, [MOVE, FINISH])
    assert (execution.end, execution.steps) == ("done", 2)


def test_nothing_after_an_ending_is_executed() -> None:
    execution, _, tools = play([FINISH, MOVE])
    assert (execution.end, tools.called) == ("done", [])


def test_a_question_suspends_and_the_answer_goes_on_with_the_steps_left() -> None:
    tools = phone()
    model = Script(MOVE, [ASK, FIND], FIND, TELL, remote=True)
    executor = LoopExecutor(model)
    asked = executor.start(task(tools, max_steps=4), tools)
    assert (asked.end, asked.message, asked.steps) == ("question", "Which Anna?", 2)
    assert tools.called == [MOVE]
    done = executor.resume("Anna Frei", tools)
    assert (done.end, done.steps, done.usage.calls) == ("limit", 2, 2)
    assert [result.call for result in done.calls] == [FIND, TELL]
    messages = model.messages[2]
    assert messages[-1]["content"] == "Mara answers: Anna Frei"
    assert [m["role"] for m in messages[-3:]] == ["assistant", "tool", "tool"]


def test_only_an_open_question_can_be_resumed() -> None:
    tools = phone()
    executor = LoopExecutor(Script(FINISH, remote=True))
    for _ in range(2):
        with pytest.raises(InputError, match="no open question"):
            executor.resume("yes", tools)
        executor = LoopExecutor(Script(FINISH, remote=True))
        executor.start(task(tools), tools)


def test_a_fault_goes_through_and_what_was_used_before_it_is_kept() -> None:
    class Failing(Script):
        def complete(self, messages: Messages, **_: Any) -> ChatReply:
            if self.messages:
                raise RemoteFault("the provider is overloaded")
            return super().complete(messages)

    tools = phone()
    executor = LoopExecutor(Failing(MOVE, remote=True))
    with pytest.raises(RemoteFault, match="overloaded"):
        executor.start(task(tools), tools)
    usage = executor.ledger.take()
    assert (usage.calls, usage.bytes_out) == (1, 100)


def test_references_grow_as_reads_show_more() -> None:
    _, model, _ = play(FIND, FINISH)
    assert "messaging-send" not in model.names(0)
    assert "messaging-send" in model.names(1)


def test_progress_is_told_after_every_step() -> None:
    _, model, _ = play(MOVE, FINISH)
    assert model.messages[0][-1]["content"].endswith(
        "Done so far: nothing. Still planned: calendar-move, messaging-send. Calls left: 10."
    )
    assert model.last == (
        "ok\nDone so far: calendar-move(event_id=e3, start=2026-03-11 15:00). "
        "Still planned: messaging-send. Calls left: 9."
    )


def test_a_local_model_is_offered_what_the_plan_needs() -> None:
    _, model, _ = play(MOVE, FIND, TELL, FINISH, remote=False)
    assert model.names(0) == ["calendar-move", "contacts-search", "ask_user", "give_up"]
    assert model.names(3) == [
        "calendar-move",
        "messaging-send",
        "contacts-search",
        "finish",
        "ask_user",
        "give_up",
    ]


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


@given(st.lists(st.lists(CALLS, min_size=1, max_size=3), max_size=6), st.booleans())
def test_whatever_a_model_says(replies: list[list[ToolCall]], remote: bool) -> None:
    execution, model, tools = play(*replies, "That is all.", remote=remote)
    seen = {DENTIST.ref} | ({ANNA.ref} if FIND in tools.called else set())
    named = [str(value) for call in tools.called for value in call.arguments.values()]
    assert {name for name in named if name in ("c1", "c2", "e3")} <= seen
    done = [json.dumps(r.call.model_dump()) for r in execution.calls if r.ok and r.call != FIND]
    assert len(done) == len(set(done))
    assert len(execution.calls) <= sum(map(len, replies))
    for messages, offered in zip(model.messages, model.tools, strict=True):
        text = json.dumps([dict(message) for message in messages])
        for tool in offered:
            for parameter in tool["parameters"]["properties"].values():
                assert all(f"{ref} " in text or f": {ref}" in text for ref in _enum(parameter))


def _enum(parameter: Mapping[str, Any]) -> list[str]:
    return [str(value) for value in parameter.get("enum", ())]


# --- the boundary ---------------------------------------------------------------------------------


class Veil(Boundary):
    """Hides names, and gives ids of its own."""

    def show_task(self, task: Task) -> Task:
        proposal = task.proposal.model_copy(
            update={"text": "Move it?", "evidence": (self._veiled(DENTIST),)}
        )
        return task.model_copy(update={"user_name": "the user", "proposal": proposal})

    def show_result(self, result: ToolResult) -> ToolResult:
        return result.model_copy(
            update={"value": "found", "shown": tuple(map(self._veiled, result.shown))}
        )

    def show_reply(self, text: str) -> str:
        return text.replace("Anna", "NAME")

    def restore_call(self, call: ToolCall) -> ToolCall:
        arguments = {k: str(v).removeprefix("veiled-") for k, v in call.arguments.items()}
        return ToolCall(name=call.name, arguments={**arguments})

    def restore_text(self, text: str) -> str:
        return text.replace("NAME", "Anna")

    def _veiled(self, record: Evidence) -> Evidence:
        return Evidence(ref=f"veiled-{record.ref}", kind=record.kind, text="something")


def test_everything_passes_the_boundary_both_ways() -> None:
    tools = phone()
    tell = ToolCall(name="messaging.send", arguments={"contact_id": "veiled-c1", "text": "Moved."})
    ask = ToolCall(name="ask_user", arguments={"question": "Tell NAME?"})
    find = ToolCall(name="contacts.search", arguments={"query": "someone"})
    model = Script(find, ask, tell, "Told NAME.", remote=True)
    executor = LoopExecutor(model, boundary=Veil())
    asked = executor.start(task(tools), tools)
    done = executor.resume("Yes, Anna Frei.", tools)
    assert (asked.message, done.message) == ("Tell Anna?", "Told Anna.")
    assert tools.called[-1].arguments["contact_id"] == "c1"
    shown = json.dumps([[dict(m) for m in messages] for messages in model.messages])
    shown += json.dumps(model.tools)
    assert "veiled-c1" in shown
    for private in ("Anna", "Mara", "Dentist", '"c1"', '"e3"'):
        assert private not in shown
    assert "Anna Frei" in str(asked.calls)
