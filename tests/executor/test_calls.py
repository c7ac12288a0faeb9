"""Calls are read as the model wrote them, and wrong ones are told what was wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from heron.contracts import ToolCall
from heron.executor.calls import (
    LONGEST_PROBLEM,
    assistant_message,
    problem_with,
    read_calls,
    tool_name,
    wire_name,
)
from heron.protocols import ChatReply


def raw_reply(*arguments: Any) -> ChatReply:
    calls: list[Any] = [
        {"id": f"t{i}", "type": "function", "function": {"name": "email-send", "arguments": one}}
        for i, one in enumerate(arguments)
    ]
    return ChatReply("", raw={"role": "assistant", "content": None, "tool_calls": calls})


def test_names_go_to_the_wire_and_back() -> None:
    assert wire_name("calendar.add_event") == "calendar-add_event"
    assert tool_name("calendar-add_event") == tool_name("calendar.add_event")


def test_a_raw_message_gives_ids_and_arguments() -> None:
    (asked,) = read_calls(raw_reply('{"to": "c1"}'), step=1)
    assert asked.call_id == "t0"
    assert asked.call == ToolCall(name="email.send", arguments={"to": "c1"})
    assert asked.problem is None


@pytest.mark.parametrize("arguments", ["", None, "{}", {}])
def test_no_arguments_are_none(arguments: Any) -> None:
    (asked,) = read_calls(raw_reply(arguments), step=1)
    assert (asked.call.arguments, asked.problem) == ({}, None)


@pytest.mark.parametrize("arguments", ['{"to": ', "[1]", '"c1"', "send it", '{"n": NaN}', [1]])
def test_unreadable_arguments_are_a_problem_and_leave_the_history_readable(arguments: Any) -> None:
    reply = raw_reply(arguments)
    asked = read_calls(reply, step=1)
    assert "the arguments are no JSON" in str(asked[0].problem)
    message: Any = assistant_message(reply, asked)
    assert json.loads(message["tool_calls"][0]["function"]["arguments"]) == {}


def test_calls_without_a_raw_message_get_ids_of_their_own() -> None:
    call = ToolCall(name="email.send", arguments={"to": "c1"})
    reply = ChatReply("", calls=(call, call))
    first, second = read_calls(reply, step=3)
    assert first.call == call
    assert first.call_id != second.call_id
    message: Any = assistant_message(reply, (first, second))
    assert [one["id"] for one in message["tool_calls"]] == [first.call_id, second.call_id]
    assert message["tool_calls"][0]["function"]["name"] == "email-send"


def test_what_a_provider_adds_to_its_message_is_kept() -> None:
    reply = raw_reply("{}")
    reply = ChatReply("", raw={**reply.raw, "thinking_blocks": ["t"]})
    message = assistant_message(reply, read_calls(reply, step=1))
    assert message["thinking_blocks"] == ["t"]


def test_prose_is_no_call() -> None:
    reply = ChatReply("All done.", raw={"role": "assistant", "content": "All done."})
    assert read_calls(reply, step=1) == ()
    assert assistant_message(reply, ()) == {"role": "assistant", "content": "All done."}


def test_a_problem_names_the_parameter_in_one_short_line() -> None:
    schema: Any = {
        "type": "object",
        "properties": {"event": {"type": "string", "enum": [f"event{i}" for i in range(99)]}},
        "required": ["event"],
    }
    problem = problem_with({"event": "e9"}, schema)
    assert problem is not None
    assert problem.startswith("event: 'e9' is not one of")
    assert len(problem) <= LONGEST_PROBLEM
    assert "\n" not in problem
    assert problem_with({"event": "event7"}, schema) is None
    assert "'event' is a required property" in str(problem_with({}, schema))
