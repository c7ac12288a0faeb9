"""Plays the reference solution on a stage's phone, under a grant.

A step may name a record that an earlier step creates (``@label``). ``LabelledTools`` puts the id
in its place as soon as it is known; an executor that plays the reference is handed its tools
through it as well. What it does not know: who accepted what, and what the result is worth.
"""

from __future__ import annotations

from collections.abc import Sequence

from heron.contracts import Grant, ToolCall, ToolResult, ToolSpec
from heron.errors import InputError
from heron.protocols import Toolset
from heron.scenarios.labels import resolve
from heron.scenarios.stage import ReferenceStep
from heron.sim.toolset import GrantedTools
from heron.sim.world import World

GRANT = Grant(grant_id="reference", proposal_id="reference", turn=0)


class LabelledTools:
    """Tools whose calls may name records by the reference's labels.

    Args:
        tools: what is called.
        steps: the reference; a successful call that equals a step gives its label its record.
    """

    def __init__(self, tools: Toolset, steps: Sequence[ReferenceStep]) -> None:
        self._tools, self._left = tools, list(steps)
        self.ids: dict[str, str] = {}
        """Label → id, of the records created so far."""

    def specs(self) -> tuple[ToolSpec, ...]:
        """What may be called."""
        return self._tools.specs()

    def call(self, call: ToolCall) -> ToolResult:
        """Call a tool; labels that are known by now become ids."""
        arguments = {name: resolve(value, self.ids) for name, value in call.arguments.items()}
        result = self._tools.call(ToolCall(name=call.name, arguments=arguments))
        step = next((step for step in self._left if step.call == call), None)
        if step is not None and result.ok:
            self._left.remove(step)
            if step.label is not None and result.shown:
                self.ids[step.label] = result.shown[0].ref
        return result


def replay(
    world: World, steps: Sequence[ReferenceStep], grant: Grant = GRANT
) -> tuple[ToolResult, ...]:
    """Play steps in order, at the world's present time; the world is left changed.

    Args:
        world: the stage's, with everything happened that the steps rest on.
        steps: the reference, or a part of it.
        grant: opened before and closed after.

    Raises:
        InputError: a step failed; the message names it and says why.
    """
    world.open_grant(grant)
    try:
        tools = LabelledTools(GrantedTools(world, grant), steps)
        results = []
        for number, step in enumerate(steps, 1):
            result = tools.call(step.call)
            if not result.ok:
                raise InputError(f"reference step {number} ({step.call.name}): {result.error}")
            results.append(result)
        return tuple(results)
    finally:
        world.close_grant(grant)
