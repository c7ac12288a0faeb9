"""Chat messages in OpenAI's format as a plain dialogue of user and assistant texts.

Small local models know neither roles beyond these nor a tool format of one kind. Tools are told in
a line each in the system text, a call is the JSON text ``{"tool": …, "arguments": …}``, and its
result is a user text. What it does not know: templates and tokens.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import JsonValue

from heron.contracts import ToolCall
from heron.errors import InputError
from heron.protocols import Schema

Message = Mapping[str, JsonValue]
Tool = Mapping[str, JsonValue]

MANY_CHOICES = 8
"""An enumeration of more values than this is not listed in a tool's line."""

_HOW = (
    "Answer with one JSON object and nothing else: "
    '{"tool": "<name>", "arguments": {…}}\n'
    "Tools (arguments without a type are text, ? marks optional ones):"
)


@dataclass
class PlainDialogue:
    """A dialogue that ends with a user text."""

    system: str
    pairs: list[tuple[str, str]] = field(default_factory=list)
    """(user, assistant), oldest first."""
    last: str = ""
    """The user text that is to be answered."""


def plain_dialogue(messages: Sequence[Message], tools: Sequence[Tool] = ()) -> PlainDialogue:
    """Messages as a plain dialogue.

    Raises:
        InputError: a message has no known role or content, or the last is the assistant's.
    """
    system: list[str] = []
    turns: list[tuple[str, str]] = []
    called: dict[str, str] = {}
    for place, message in enumerate(messages):
        role = message.get("role")
        if role in ("system", "developer"):
            system.append(_text(message, place))
        elif role == "assistant":
            called |= _call_ids(message)
            turns.append(("assistant", _assistant_text(message, place)))
        elif role == "tool":
            name = called.get(str(message.get("tool_call_id")), "the tool")
            turns.append(("user", f"Result of {name}:\n{_text(message, place)}"))
        elif role == "user":
            turns.append(("user", _text(message, place)))
        else:
            raise InputError(f"messages[{place}].role: {role!r} is no role of a chat")
    if not turns or turns[-1][0] != "user":
        raise InputError("messages: the last one must be of the user or a tool")
    if tools:
        system.append(tools_text(tools))
    return _paired("\n\n".join(filter(None, system)), turns)


def tools_text(tools: Sequence[Tool]) -> str:
    """The tools, one line each. Values that are ids are left out: they change from step to step,
    and a changed line makes all that stands behind it be evaluated again.
    """
    return "\n".join([_HOW, *map(_tool_line, tools)])


def call_schema(tools: Sequence[Tool]) -> Schema:
    """The schema of one call of one of ``tools``.

    Raises:
        InputError: a tool has no name.
    """
    options: list[JsonValue] = []
    for tool in tools:
        function = _function(tool)
        parameters = function.get("parameters") or {"type": "object", "properties": {}}
        options.append(
            {
                "type": "object",
                "properties": {"tool": {"const": function["name"]}, "arguments": parameters},
                "required": ["tool", "arguments"],
                "additionalProperties": False,
            }
        )
    return cast(Schema, options[0] if len(options) == 1 else {"anyOf": options})


def call_text(name: JsonValue, arguments: JsonValue) -> str:
    """A call as the model writes it."""
    return json.dumps(
        {"tool": name, "arguments": arguments}, ensure_ascii=False, separators=(",", ":")
    )


def assistant_call(call: ToolCall, call_id: str) -> dict[str, JsonValue]:
    """The assistant's message for one call, in OpenAI's format."""
    function: dict[str, JsonValue] = {
        "name": call.name,
        "arguments": json.dumps(call.arguments, ensure_ascii=False),
    }
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def calls_in(messages: Sequence[Message]) -> int:
    """How many calls the assistant has made."""
    return sum(len(_tool_calls(message)) for message in messages)


def request_bytes(messages: Sequence[Message], tools: Sequence[Tool], schema: Schema | None) -> int:
    """Bytes of the messages, tools and schema of a request as compact JSON."""
    body: dict[str, Any] = {"messages": list(messages)}
    if tools:
        body["tools"] = list(tools)
    if schema is not None:
        body["schema"] = schema
    return len(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())


def _paired(system: str, turns: Sequence[tuple[str, str]]) -> PlainDialogue:
    """Texts of one side that follow each other become one."""
    dialogue = PlainDialogue(system)
    merged: list[tuple[str, str]] = []
    for role, text in turns:
        if merged and merged[-1][0] == role:
            merged[-1] = (role, f"{merged[-1][1]}\n{text}")
        else:
            merged.append((role, text))
    if merged[0][0] == "assistant":
        merged.insert(0, ("user", "…"))
    texts = [text for _, text in merged]
    dialogue.last = texts[-1]
    dialogue.pairs = list(zip(texts[0:-1:2], texts[1::2], strict=True))
    return dialogue


def _text(message: Message, place: int) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, Mapping) else None for part in content]
        if all(isinstance(part, str) for part in parts):
            return "\n".join(map(str, parts))
    if content is None and message.get("role") == "assistant":
        return ""
    raise InputError(f"messages[{place}].content: must be text or a list of text parts")


def _assistant_text(message: Message, place: int) -> str:
    lines = [_text(message, place)]
    for call in _tool_calls(message):
        function = _function(call)
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            # What is no JSON is shown to the model as it wrote it.
            with contextlib.suppress(ValueError):
                arguments = json.loads(arguments or "{}")
        lines.append(call_text(function["name"], arguments))
    return "\n".join(filter(None, lines))


def _tool_calls(message: Message) -> list[Mapping[str, JsonValue]]:
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def _call_ids(message: Message) -> dict[str, str]:
    return {str(call.get("id")): str(_function(call)["name"]) for call in _tool_calls(message)}


def _function(tool: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    function = tool.get("function")
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise InputError("a tool or tool call has no function name")
    return function


def _tool_line(tool: Tool) -> str:
    function = _function(tool)
    parameters = cast(Mapping[str, Any], function.get("parameters") or {})
    required = set(parameters.get("required") or ())
    arguments = ", ".join(
        _argument(name, schema, name in required)
        for name, schema in (parameters.get("properties") or {}).items()
    )
    about = " ".join(str(function.get("description") or "").split())
    return f"{function['name']}({arguments})" + (f" – {about}" if about else "")


def _argument(name: str, schema: Mapping[str, Any], required: bool) -> str:
    kind = _kind(schema)
    return f"{name}{'' if required else '?'}{f': {kind}' if kind else ''}"


def _kind(schema: Mapping[str, Any]) -> str:
    """A short name of a type; empty for text."""
    for word in ("anyOf", "oneOf"):
        if word in schema:
            kinds = [_kind(option) for option in schema[word] if option.get("type") != "null"]
            return "|".join(dict.fromkeys(kind or "text" for kind in kinds)).removesuffix("text")
    choices = schema.get("enum")
    if isinstance(choices, list):
        words = [str(choice) for choice in choices]
        ids = any(character.isdigit() for word in words for character in word)
        return "" if ids or len(words) > MANY_CHOICES else "|".join(words)
    kind = schema.get("type")
    if kind == "array":
        inner = _kind(schema.get("items") or {})
        return f"list of {inner}" if inner else "list"
    return str(kind) if isinstance(kind, str) and kind != "string" else ""
