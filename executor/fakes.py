"""A toolset without a phone: tools that are plain functions, with a record of what was called.

It stands in for the phone where an executor is tried by itself. What it does not know: apps,
time, grants, and JSON schemas; it takes what it is called with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from heron.contracts import Arguments, Effect, Evidence, ToolCall, ToolResult, ToolSpec
from heron.errors import IllegalCall

Answer = tuple[JsonValue, Sequence[Evidence]]
"""A tool's value and the records that it shows."""

Handler = Callable[[Arguments], Answer]
"""Carries a call out; raises ``IllegalCall`` to refuse it."""


@dataclass(frozen=True, kw_only=True)
class FakeTool:
    """One tool."""

    name: str
    effect: Effect
    description: str
    parameters: dict[str, JsonValue] = field(default_factory=dict)
    """Parameter → its JSON schema."""
    optional: frozenset[str] = frozenset()
    """Parameters that may be left out."""
    handler: Handler = lambda _arguments: ("ok", ())

    def spec(self) -> ToolSpec:
        """As an executor sees it."""
        required: list[JsonValue] = [name for name in self.parameters if name not in self.optional]
        return ToolSpec(
            name=self.name,
            effect=self.effect,
            description=self.description,
            parameters={
                "type": "object",
                "properties": dict(self.parameters),
                "required": required,
                "additionalProperties": False,
            },
        )


class FakeToolset:
    """A ``Toolset`` of fake tools."""

    def __init__(self, tools: Sequence[FakeTool]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self.called: list[ToolCall] = []
        """All calls that arrived, refused ones included, in order."""

    def specs(self) -> tuple[ToolSpec, ...]:
        """All tools."""
        return tuple(tool.spec() for tool in self._tools.values())

    def call(self, call: ToolCall) -> ToolResult:
        """Call one; one that is not there, or that refuses, gives a result that is not ok."""
        self.called.append(call)
        tool = self._tools.get(call.name)
        if tool is None:
            return ToolResult(call=call, ok=False, error=f"no tool {call.name!r}")
        try:
            value, shown = tool.handler(call.arguments)
        except IllegalCall as error:
            return ToolResult(call=call, ok=False, error=str(error))
        return ToolResult(call=call, ok=True, value=value, shown=tuple(shown))
