"""The assistant's two sets of tools: reads for looking, everything under a grant."""

from __future__ import annotations

from heron.contracts import Grant, NoiseKind, ToolCall, ToolResult, ToolSpec
from heron.registry import nearest
from heron.sim.world import World


class PhoneTools:
    """Tools of a phone, called with or without a grant; base of the two sets."""

    def __init__(self, world: World, grant: Grant | None = None) -> None:
        self._world, self._grant = world, grant

    def specs(self) -> tuple[ToolSpec, ...]:
        """All tools."""
        return self._world.tool_specs()

    def call(self, call: ToolCall) -> ToolResult:
        """Call a tool."""
        return self._world.call_tool(call, self._grant)

    def fail(self, call: ToolCall, why: str, noise: NoiseKind) -> ToolResult:
        """A tool that does not work just now is called: nothing is done, and the log says so.

        Raises:
            IllegalCall: there is no such tool.
        """
        return self._world.fail_tool(call, self._grant, why, noise)

    def wait(self, seconds: float) -> None:
        """Let a call take its time on the phone's clock."""
        self._world.advance(seconds)


class ReadTools(PhoneTools):
    """Read tools only: for the observer no write tool exists."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
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
        return super().call(call)


class GrantedTools(PhoneTools):
    """All tools, writes under one grant."""

    def __init__(self, world: World, grant: Grant) -> None:
        super().__init__(world, grant)
