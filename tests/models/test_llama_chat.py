"""A local chat model: messages become a plain dialogue, and a call is held to the tools."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from jsonschema import Draft202012Validator
from pydantic import JsonValue

from heron.errors import InputError, ModelFault
from heron.models.chat_history import call_schema, plain_dialogue, request_bytes, tools_text
from heron.models.chat_llama import LlamaChat, load_llama_chat
from heron.protocols import ChatModel, ChatReply

Message = dict[str, JsonValue]


def tool(name: str, description: str, /, *optional: str, **properties: JsonValue) -> Message:
    parameters: Message = {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }
    function: Message = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


TOOLS = [
    tool(
        "calendar-move_event",
        "Move an event.",
        "note",
        event_id={"type": "string", "enum": ["event-3", "event-12"], "x-ref": "event"},
        start={"type": "string", "pattern": "^2026-03-(0[1-9]|1[0-9]) [01][0-9]:[0-5][0-9]$"},
        note={"type": "string", "maxLength": 12, "x-text": True, "default": ""},
    ),
    tool("finish", "Tell what was done.", text={"type": "string", "maxLength": 20}),
]
TASK: list[Message] = [
    {"role": "system", "content": "You act on a phone."},
    {"role": "user", "content": "Move the dentist (event-3) to 10:00."},
]


@pytest.fixture
def chat(tiny_path: Path) -> Iterator[LlamaChat]:
    loaded = load_llama_chat(str(tiny_path), window=2048)
    yield loaded
    loaded.close()


def check_call(reply: ChatReply) -> dict[str, Any]:
    """The reply holds one call of one of TOOLS that its schema allows; its arguments."""
    (call,) = reply.calls
    (chosen,) = (t for t in TOOLS if cast(Message, t["function"])["name"] == call.name)
    Draft202012Validator(cast(Any, chosen)["function"]["parameters"]).validate(call.arguments)
    raw = cast(Any, reply.raw)
    assert raw["role"] == "assistant"
    assert raw["tool_calls"][0]["function"]["name"] == call.name
    assert json.loads(raw["tool_calls"][0]["function"]["arguments"]) == call.arguments
    return call.arguments


def test_with_tools_the_answer_is_one_legal_call(chat: LlamaChat) -> None:
    as_protocol: ChatModel = chat
    reply = as_protocol.complete(TASK, tools=TOOLS)
    check_call(reply)
    assert reply.text == ""
    assert reply.tokens_in > 100
    assert reply.tokens_out > 10
    assert reply.bytes_out == request_bytes(TASK, TOOLS, None)
    assert reply.bytes_in > 10
    assert reply.cost_usd is None
    assert not chat.remote


def test_a_conversation_is_evaluated_once(chat: LlamaChat) -> None:
    messages = list(TASK)
    for step in range(1, 4):
        reply = chat.complete(messages, tools=TOOLS)
        assert cast(Any, reply.raw)["tool_calls"][0]["id"] == f"call_{step}"
        before = chat._context.evaluated
        again = chat.complete(messages, tools=TOOLS)
        assert chat._context.evaluated - before < reply.tokens_out + 5
        assert again.calls == reply.calls
        messages += [
            dict(reply.raw),
            {"role": "tool", "tool_call_id": f"call_{step}", "content": "ok: event-3 moved"},
        ]
        before = chat._context.evaluated
        after = chat.complete(messages, tools=TOOLS)
        reused = after.tokens_in + after.tokens_out - (chat._context.evaluated - before)
        assert reused > reply.tokens_in


def test_without_tools_the_answer_is_text_or_held_to_a_schema(chat: LlamaChat) -> None:
    reply = chat.complete(TASK, max_tokens=8)
    assert reply.calls == ()
    assert reply.tokens_out <= 8
    assert reply.raw == {"role": "assistant", "content": reply.text}
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    assert set(json.loads(chat.complete(TASK, schema=cast(Any, schema)).text)) == {"ok"}


def test_the_oldest_exchanges_but_the_first_make_room(tiny_path: Path) -> None:
    chat = load_llama_chat(str(tiny_path), window=640)
    messages: list[Message] = list(TASK)
    for turn in range(20):
        messages.append({"role": "assistant", "content": f"Answer {turn:02d} of the assistant."})
        messages.append({"role": "user", "content": f"Question {turn:02d} of the user."})
    reply = chat.complete(messages, max_tokens=64)
    assert reply.tokens_in <= 640 - 64
    text = b"".join(map(chat._model.piece, chat._context.tokens)).decode("utf-8", "replace")
    assert "You act on a phone." in text
    assert "Move the dentist" in text
    assert "Answer 01" not in text
    assert "Answer 19" in text
    with pytest.raises(ModelFault, match="do not fit the window of 640"):
        chat.complete([{"role": "user", "content": "x" * 700}], max_tokens=64)
    with pytest.raises(ModelFault, match="do not fit"):
        chat.complete(TASK, tools=TOOLS, max_tokens=600)
    chat.close()


def test_a_call_that_does_not_end_is_a_fault(chat: LlamaChat) -> None:
    with pytest.raises(ModelFault, match="within 6 tokens"):
        chat.complete(TASK, tools=TOOLS, max_tokens=6)
    check_call(chat.complete(TASK, tools=TOOLS))


def test_tools_are_told_in_a_line_each_without_ids() -> None:
    choices = tool(
        "email-list",
        "Mails of a\n  folder.",
        "limit",
        folder={"enum": ["INBOX", "SENT"]},
        limit={"type": "integer"},
        to={"type": "array", "items": {"type": "string"}},
        who={"anyOf": [{"type": "string"}, {"type": "null"}]},
    )
    assert tools_text([*TOOLS, choices]).splitlines()[2:] == [
        "calendar-move_event(event_id, start, note?) – Move an event.",
        "finish(text) – Tell what was done.",
        "email-list(folder: INBOX|SENT, limit?: integer, to: list, who) – Mails of a folder.",
    ]


def test_messages_become_user_and_assistant_texts() -> None:
    call: Message = {
        "id": "call_1",
        "type": "function",
        "function": {"name": "finish", "arguments": '{"text": "Zug"}'},
    }
    broken: Message = {"id": "call_2", "function": {"name": "finish", "arguments": "{oops"}}
    dialogue = plain_dialogue(
        [
            {"role": "system", "content": "One."},
            {"role": "developer", "content": [{"type": "text", "text": "Two."}]},
            {"role": "user", "content": "Do it."},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": "ok"},
            {"role": "user", "content": "Go on."},
            {"role": "assistant", "content": "So:", "tool_calls": [broken]},
            {"role": "tool", "tool_call_id": "?", "content": "no"},
        ]
    )
    assert dialogue.system == "One.\n\nTwo."
    assert dialogue.pairs == [
        ("Do it.", '{"tool":"finish","arguments":{"text":"Zug"}}'),
        ("Result of finish:\nok\nGo on.", 'So:\n{"tool":"finish","arguments":"{oops"}'),
    ]
    assert dialogue.last == "Result of the tool:\nno"


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        ([], "last one must be"),
        ([{"role": "assistant", "content": "Hi"}], "last one must be"),
        ([{"role": "robot", "content": "Hi"}], r"messages\[0\].role: 'robot'"),
        ([{"role": "user", "content": 7}], r"messages\[0\].content"),
        ([{"role": "user", "content": [{"type": "image_url"}]}], r"messages\[0\].content"),
        ([{"role": "assistant", "tool_calls": [{"id": "x"}]}], "no function name"),
    ],
)
def test_messages_that_are_none_are_refused(messages: list[Message], why: str) -> None:
    with pytest.raises(InputError, match=why):
        plain_dialogue(messages)


def test_one_tool_needs_no_alternatives() -> None:
    schema = cast(Any, call_schema(TOOLS[1:]))
    assert schema["properties"]["tool"] == {"const": "finish"}
    assert len(cast(Any, call_schema(TOOLS))["anyOf"]) == 2


@pytest.mark.weights
def test_real_weights_call_a_tool_with_ids_that_were_shown(small_path: Path) -> None:
    chat = load_llama_chat(str(small_path), window=2048)
    messages = list(TASK)
    for _ in range(3):
        reply = chat.complete(messages, tools=TOOLS)
        check_call(reply)
        call_id = cast(Any, reply.raw)["tool_calls"][0]["id"]
        messages += [dict(reply.raw), {"role": "tool", "tool_call_id": call_id, "content": "ok"}]
    assert len(chat.complete(TASK, max_tokens=16).text) > 5
    chat.close()
