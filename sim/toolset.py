"""The assistant's two sets of tools: reads for looking, everything under a grant."""

from __future__ import annotations

from heron.contracts import Grant, ToolCall, ToolResult, ToolSpec
from heron.registry import nearest
from heron.sim.world import World


class ReadTools:
    """Read tools only: for the observer no write tool exists."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._specs = world.tool_specs("read")
        self._names = frozenset(spec.name for spec in self._specs)

    def specs(self) -> tuple[ToolSpec, ...]:
        """The read tools."""
        return self._specs

    def call(self, call: ToolCall) -> ToolResult:
        """Look something up."""
        if call.name not in self._names:
            known = nearest(call.name, self._names)
            return ToolResult(call=call, ok=False, error=f"no read tool {call.name!r}; {known}")
        return self._world.call_tool(call)


class GrantedTools:
    """All tools, writes under one grant."""

    def __init__(self, world: World, grant: Grant) -> None:
        self._world, self._grant = world, grant

    def specs(self) -> tuple[ToolSpec, ...]:
        """All tools."""
        return self._world.tool_specs()

    def call(self, call: ToolCall) -> ToolResult:
        """Call a tool under the grant."""
        return self._world.call_tool(call, self._grant)
