"""Messages and calls between Heron's records and litellm's objects.

What it does not know: who answers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from heron.contracts import ToolCall


def raw_of(message: Any) -> dict[str, JsonValue]:
    """The message in OpenAI's format, without litellm's additions."""
    raw: dict[str, JsonValue] = {"role": "assistant", "content": message.content}
    if message.tool_calls:
        raw["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.function.name, "arguments": call.function.arguments},
            }
            for call in message.tool_calls
        ]
    return raw


def calls_of(raw: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """The calls whose arguments can be read."""
    calls = []
    for one in raw.get("tool_calls", ()):
        function = one["function"]
        try:
            arguments = json.loads(function["arguments"] or "{}")
        except ValueError:
            continue
        if isinstance(arguments, dict):
            calls.append(ToolCall(name=function["name"], arguments=arguments))
    return tuple(calls)


def plain(value: Any) -> Any:
    """A copy in lists and dicts: litellm changes what it is given."""
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value
