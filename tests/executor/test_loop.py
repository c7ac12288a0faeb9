"""The loop, with a scripted model and a toolset without a phone."""

from __future__ import annotations

from typing import Any

import pytest

from heron.contracts import ToolCall
from heron.errors import InputError, RemoteFault
from heron.executor.loop import LONGEST_REPORT, LoopExecutor
from heron.protocols import ChatReply

MOVE = ToolCall(name="calendar.move", arguments={"event_id": "e3", "start": "2026-03-11 15:00"})
FIND = ToolCall(name="contacts.search", arguments={"query": "Anna"})
TELL = ToolCall(name="messaging.send", arguments={"contact_id": "c1", "text": "Moved to 15:00."})
EMPTY = ToolCall(name="messaging.send", arguments={"contact_id": "c1", "text": ""})
FINISH = ToolCall(name="finish", arguments={"message": "Moved it and told Anna."})
ASK = ToolCall(name="ask_user", arguments={"question": "Which Anna?"})


def test_a_task_is_done_step_by_step(play: Any) -> None:
    execution, _, tools = play(MOVE, FIND, TELL, FINISH)
    assert (execution.end, execution.message) == ("done", "Moved it and told Anna.")
    assert tools.called == [MOVE, FIND, TELL]
    assert [result.call for result in execution.calls] == [MOVE, FIND, TELL]
    assert (execution.steps, execution.grant_id) == (4, "g1")


def test_usage_is_that_of_all_requests(play: Any) -> None:
    reply = ChatReply("", calls=(MOVE,), tokens_in=10, bytes_out=100)
    execution, _, _ = play(reply, ChatReply("Moved.", tokens_in=12, bytes_out=120))
    usage = execution.usage
    assert (usage.calls, usage.tokens_in, usage.bytes_out, usage.remote) == (2, 22, 220, True)


def test_the_history_pairs_every_call_with_its_result(play: Any) -> None:
    _, model, _ = play([MOVE, FIND], TELL, FINISH)
    messages = model.requests[-1].messages
    asked = [c["id"] for m in messages for c in m.get("tool_calls", ())]
    answered = [m["tool_call_id"] for m in messages if m["role"] == "tool"]
    assert asked == answered
    assert len(set(asked)) == 3


def test_several_calls_of_one_reply_are_one_step(play: Any) -> None:
    execution, _, tools = play([MOVE, FIND], FINISH)
    assert tools.called == [MOVE, FIND]
    assert (execution.steps, len(execution.calls)) == (2, 2)


def test_prose_is_the_report_and_costs_no_further_step(play: Any) -> None:
    execution, _, _ = play(MOVE, "Moved. " + "x" * 600)
    assert (execution.end, execution.steps) == ("done", 2)
    assert len(execution.message) == LONGEST_REPORT


def test_silence_is_asked_to_call(play: Any) -> None:
    played = play("  ", FINISH)
    assert (played.execution.end, played.execution.steps) == ("done", 2)
    assert "Call a tool" in played.told


def test_giving_up_says_why(play: Any) -> None:
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
def test_a_wrong_call_is_told_counted_and_not_executed(
    play: Any, wrong: ToolCall, told: str
) -> None:
    played = play(wrong, FINISH)
    execution = played.execution
    assert told in played.told
    assert (execution.end, execution.steps, played.tools.called) == ("done", 2, [])
    assert [(result.call, result.ok) for result in execution.calls] == [(wrong, False)]


def test_unreadable_arguments_are_told_and_counted(play: Any) -> None:
    function = {"name": "calendar-move", "arguments": "{"}
    raw: Any = {"tool_calls": [{"id": "t", "function": function}]}
    played = play(ChatReply("", raw=raw), FINISH)
    assert "the arguments are no JSON" in played.told
    assert (len(played.execution.calls), played.tools.called) == (1, [])


def test_a_refusal_of_the_phone_is_told(play: Any) -> None:
    played = play(FIND, EMPTY, FINISH)
    assert "error: a message needs a text" in played.told
    assert [result.ok for result in played.execution.calls] == [True, False]


def test_a_repeated_write_is_not_executed_again_and_the_second_repetition_ends(play: Any) -> None:
    played = play(MOVE, MOVE, MOVE)
    execution = played.execution
    assert played.tools.called == [MOVE]
    assert "already done" in played.told
    assert execution.end == "gave_up"  # telling Anna is left
    assert execution.message == "Gave up over a repeated call; done: calendar.move."
    assert [result.ok for result in execution.calls] == [True, False, False]


def test_a_repetition_when_the_plan_is_done_ends_at_once(play: Any) -> None:
    execution, _, tools = play(MOVE, FIND, TELL, TELL)
    assert (execution.end, execution.message) == ("done", "Done: calendar.move, messaging.send.")
    assert tools.called == [MOVE, FIND, TELL]


def test_what_failed_twice_is_not_tried_a_third_time(play: Any) -> None:
    played = play(FIND, EMPTY, EMPTY, EMPTY, EMPTY)
    assert played.tools.called == [FIND, EMPTY, EMPTY]
    assert "failed twice" in played.told
    assert (played.execution.end, played.execution.steps) == ("gave_up", 5)
    assert played.execution.message.endswith("done: nothing.")


def test_a_step_that_also_does_something_new_is_no_repetition(play: Any) -> None:
    execution, _, tools = play(MOVE, [MOVE, FIND], [MOVE, TELL], FINISH)
    assert (execution.end, execution.steps) == ("done", 4)
    assert tools.called == [MOVE, FIND, TELL]


def test_the_limit_of_steps(play: Any) -> None:
    execution, model, _ = play(MOVE, FIND, max_steps=2)
    assert (execution.end, execution.steps) == ("limit", 2)
    assert execution.message == "Stopped at the limit of steps; done: calendar.move."
    assert len(model.requests) == 2


def test_finishing_beside_a_failed_call_is_refused_and_beside_a_repeated_one_is_not(
    play: Any,
) -> None:
    played = play([TELL, FINISH], FINISH)
    assert "not finished" in played.told
    assert played.execution.steps == 2
    execution, _, _ = play(MOVE, [MOVE, FINISH])
    assert (execution.end, execution.steps) == ("done", 2)


def test_nothing_after_an_ending_is_executed(play: Any) -> None:
    execution, _, tools = play([FINISH, MOVE])
    assert (execution.end, tools.called) == ("done", [])


def test_progress_is_told_after_every_step(play: Any) -> None:
    played = play(MOVE, FINISH)
    opening = str(played.model.requests[0].messages[-1]["content"])
    assert opening.endswith("Done so far: nothing. Calls left: 10.")
    assert played.told == (
        "ok\nDone so far: calendar-move(event_id=e3, start=2026-03-11 15:00). "
        "Still planned: messaging-send. Calls left: 9."
    )


# --- questions and faults -------------------------------------------------------------------------


@pytest.fixture
def at_work(new_phone: Any, new_task: Any, script: Any) -> Any:
    """Starts an executor that can be resumed: (executor, its phone, its first execution)."""

    def start(*answers: Any, max_steps: int = 10) -> Any:
        tools, model = new_phone(), script(*answers)
        executor = LoopExecutor(model)
        return executor, model, tools, executor.start(new_task(tools, max_steps=max_steps), tools)

    return start


def test_a_question_suspends_and_the_answer_goes_on_with_the_steps_left(at_work: Any) -> None:
    executor, model, tools, asked = at_work(MOVE, [ASK, FIND], FIND, TELL, max_steps=4)
    assert (asked.end, asked.message, asked.steps) == ("question", "Which Anna?", 2)
    assert tools.called == [MOVE]
    done = executor.resume("Anna Frei", tools)
    assert (done.end, done.steps, done.usage.calls) == ("limit", 2, 2)
    assert [result.call for result in done.calls] == [FIND, TELL]
    messages = model.requests[2].messages
    assert messages[-1]["content"] == "Mara answers: Anna Frei"
    assert [m["role"] for m in messages[-3:]] == ["assistant", "tool", "tool"]


def test_after_an_answer_reads_may_be_repeated(at_work: Any) -> None:
    executor, _, tools, _ = at_work(FIND, ASK, FIND, FINISH)
    executor.resume("The other one.", tools)
    assert tools.called == [FIND, FIND]


def test_only_an_open_question_can_be_resumed_and_once(at_work: Any) -> None:
    executor, _, tools, _ = at_work(ASK, FINISH)
    executor.resume("yes", tools)
    with pytest.raises(InputError, match="no open question"):
        executor.resume("yes", tools)
    with pytest.raises(InputError, match="no open question"):
        at_work(FINISH)[0].resume("yes", tools)


def test_a_fault_goes_through_and_what_was_used_before_it_is_kept(
    new_phone: Any, new_task: Any, script: Any
) -> None:
    tools = new_phone()
    reply = ChatReply("", calls=(MOVE,), bytes_out=100)
    executor = LoopExecutor(script(reply, RemoteFault("the provider is overloaded")))
    with pytest.raises(RemoteFault, match="overloaded"):
        executor.start(new_task(tools), tools)
    usage = executor.ledger.take()
    assert (usage.calls, usage.bytes_out) == (1, 100)
