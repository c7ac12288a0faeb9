"""What a recipe is: actions on an app's screens in the place of one call of a write tool.

The way to a record is the state graph's; a recipe says what is filled in and pressed there. What
it does not know: which recipes there are (see ``handbook``), scenarios.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from heron.contracts import Act, Arguments, ToolCall
from heron.sim.graph import next_step
from heron.sim.phone import SYSTEM
from heron.sim.world import World

LONGEST_WAY = 12
"""Actions on the way to a record."""

Value = str | Callable[[World, Mapping[str, Any]], Any]
"""An argument of the tool by name, or what is made of its arguments."""


@dataclass(frozen=True)
class Press:
    """An action; it is left out where the tool's arguments give nothing for its parameters."""

    action: str
    takes: Mapping[str, Value]
    each: str = ""
    """Once for each member of this list argument, which its one parameter then gets."""
    always: bool = False
    """Also where nothing is given for its parameters."""

    def acts(self, app: str, world: World, given: Mapping[str, Any]) -> Iterator[Act]:
        """The actions that come of it."""
        if self.each:
            for member in given.get(self.each) or ():
                arguments: Arguments = dict.fromkeys(self.takes, member)
                yield Act(app=app, action=self.action, arguments=arguments)
            return
        values = {name: _value(value, world, given) for name, value in self.takes.items()}
        filled = {name: value for name, value in values.items() if value is not None}
        if filled or self.always or not self.takes:
            yield Act(app=app, action=self.action, arguments=filled)


@dataclass(frozen=True)
class Recipe:
    """What a user does in the place of one call of a tool."""

    presses: tuple[Press, ...]
    at: str | None = None
    """Argument that names the record on whose screen it begins; else it begins at the app's
    first screen."""
    where: Callable[[Mapping[str, Any]], bool] = lambda _: True
    """Whether it suits the arguments."""


def press(action: str, **takes: Value) -> Press:
    """An action and where its parameters come from."""
    return Press(action, takes)


def each(action: str, parameter: str, argument: str) -> Press:
    """An action for every member of a list."""
    return Press(action, {parameter: argument}, argument)


def begin(*presses: Press) -> tuple[Recipe, ...]:
    """A recipe that begins at the app's first screen."""
    return (Recipe(presses),)


def on(argument: str, *presses: Press) -> tuple[Recipe, ...]:
    """A recipe that begins on the screen of the record that an argument names."""
    return (Recipe(presses, argument),)


def acts(recipe: Recipe, world: World, call: ToolCall) -> Iterator[Act]:
    """The user's actions; each has to be done before the next is asked for."""
    app = call.name.partition(".")[0]
    if recipe.at is None:
        yield Act(app=SYSTEM, action="open_app", arguments={"app": app})
    else:
        yield from _way(world, str(call.arguments[recipe.at]))
    for each_press in recipe.presses:
        yield from each_press.acts(app, world, call.arguments)


def _way(world: World, ref: str) -> Iterator[Act]:
    for _ in range(LONGEST_WAY):
        act = next_step(world, ref)
        if act is None:
            return
        yield act


def _value(value: Value, world: World, given: Mapping[str, Any]) -> Any:
    return given.get(value) if isinstance(value, str) else value(world, given)
