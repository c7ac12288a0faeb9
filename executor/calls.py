"""Reads the calls out of a model's reply, and checks one against the schema it was offered.

Tools have dotted names (``calendar.add_event``), which OpenAI's format forbids; on the wire the
dot is a hyphen, which no tool's own name holds.

What it does not know: what a call does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from heron.contracts import ToolCall
from heron.protocols import ChatReply, Schema

LONGEST_PROBLEM = 240
"""Characters of a complaint; a schema's own wording may quote a whole enum."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One call that the model asks for."""

    call_id: str
    """The id that the result is answered under."""
    call: ToolCall
    """Under the tool's dotted name."""
    problem: str | None = None
    """Why the arguments cannot be read, if so."""


def wire_name(name: str) -> str:
    """A tool's name in OpenAI's format."""
    return name.replace(".", "-")


def tool_name(name: str) -> str:
    """The tool's own name, from the wire's or from itself."""
    return name.replace("-", ".")


def read_calls(reply: ChatReply, step: int) -> tuple[Asked, ...]:
    """The calls of a reply, in order.

    They are read from the raw message where there is one, since only that has the ids under which
    results are answered and the arguments as the model wrote them; otherwise from ``reply.calls``.

    Args:
        reply: the model's answer.
        step: its number, for ids of calls that came without one.
    """
    raw = reply.raw.get("tool_calls")
    if not isinstance(raw, list) or not raw:
        return tuple(
            Asked(call_id=f"call_{step}_{i}", call=_named(call.name, call.arguments))
            for i, call in enumerate(reply.calls)
        )
    return tuple(_read(cast("Mapping[str, JsonValue]", one), step, i) for i, one in enumerate(raw))


def assistant_message(reply: ChatReply, asked: tuple[Asked, ...]) -> dict[str, JsonValue]:
    """The reply as a message of the history.

    Kept as it came, but for arguments that are no JSON object: providers refuse a history with
    such in it.
    """
    message = {"role": "assistant", **reply.raw} if reply.raw else _message(reply)
    if asked:
        raw = message.get("tool_calls")
        kept = raw if isinstance(raw, list) and len(raw) == len(asked) else [{}] * len(asked)
        message["tool_calls"] = [
            {**cast(dict[str, JsonValue], one), **_tool_call(a)}
            for one, a in zip(kept, asked, strict=True)
        ]
    return message


def problem_with(arguments: Mapping[str, JsonValue], schema: Schema) -> str | None:
    """What is wrong with arguments by a schema, in one line; None if nothing is."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schema).iter_errors(dict(arguments)))
    if error is None:
        return None
    where = ".".join(str(part) for part in error.absolute_path)
    text = f"{where}: {error.message}" if where else error.message
    return text if len(text) <= LONGEST_PROBLEM else text[: LONGEST_PROBLEM - 1] + "…"


def _named(name: str, arguments: dict[str, JsonValue]) -> ToolCall:
    return ToolCall(name=tool_name(name), arguments=arguments)


def _read(raw: Mapping[str, JsonValue], step: int, index: int) -> Asked:
    function = cast("Mapping[str, JsonValue]", raw.get("function") or {})
    name = str(function.get("name") or "")
    arguments = function.get("arguments")
    problem = None
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}", parse_constant=_no_number)
        except ValueError as error:
            problem = f"the arguments are no JSON: {error}"
    if problem is None and arguments is not None and not isinstance(arguments, dict):
        problem = "the arguments are no JSON object"
    return Asked(
        call_id=str(raw.get("id") or f"call_{step}_{index}"),
        call=_named(name, arguments if isinstance(arguments, dict) else {}),
        problem=problem,
    )


def _no_number(constant: str) -> JsonValue:
    raise ValueError(f"{constant} is no JSON number")


def _message(reply: ChatReply) -> dict[str, JsonValue]:
    return {"role": "assistant", "content": reply.text}


def _tool_call(asked: Asked) -> dict[str, JsonValue]:
    return {
        "id": asked.call_id,
        "type": "function",
        "function": {
            "name": wire_name(asked.call.name),
            "arguments": json.dumps(asked.call.arguments, ensure_ascii=False),
        },
    }
