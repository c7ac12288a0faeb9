"""The state graph, derived from the types: screens are nodes, actions' annotations are edges.

Also the way through it: ``next_step`` says what to do on the current screen to have a record in
full before one. It uses the types alone (which screen shows which kind, which parameter names
which kind) and the record's own fields, so a new app brings its routes with it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from heron.contracts import Act, Arguments
from heron.sim.app import App
from heron.sim.marks import field_marks, ref_kind
from heron.sim.phone import SYSTEM
from heron.sim.screens import Action, Screen, targets
from heron.sim.signature import cached
from heron.sim.tables import AppRecord
from heron.sim.world import World


@dataclass(frozen=True)
class Edge:
    """An action that leads from one screen to another."""

    source: str
    action: str
    target: str
    effect: str


@cached
def edges(app: type[App]) -> tuple[Edge, ...]:
    """All transitions of an app, in order of declaration."""
    return tuple(
        Edge(screen.__name__, name, target.__name__, action.effect)
        for screen in app.SCREENS
        for name, action in screen.ACTIONS.items()
        for target in targets(screen, name)
    )


def next_step(world: World, ref: str) -> Act | None:
    """The next action on the shortest way to a screen that shows a record in full.

    Returns:
        ``None`` if the record is not there or no way leads to it.
    """
    place = _place(world, ref)
    if place is None:
        return None
    app, record = place
    if world.phone.state.front != app.NAME:
        return Act(app=SYSTEM, action="open_app", arguments={"app": app.NAME})
    screen = world.phone.screen
    if screen is None:
        return None
    step = _first_action(type(screen), type(app), record)
    if step is None:
        return Act(app=SYSTEM, action="back")
    return Act(app=app.NAME, action=step.name, arguments=_arguments(step, record) or {})


def _place(world: World, ref: str) -> tuple[App, AppRecord] | None:
    for app in world.apps.values():
        for table in app.tables.values():
            record: AppRecord | None = table.find(ref)
            if record is not None:
                return app, record
    return None


def _first_action(start: type[Screen[Any]], app: type[App], record: AppRecord) -> Action | None:
    """Breadth first over read actions whose parameters the record can fill."""
    todo: deque[tuple[type[Screen[Any]], Action | None]] = deque([(start, None)])
    seen = {start}
    while todo:
        screen, first = todo.popleft()
        for name, action in screen.ACTIONS.items():
            if action.effect != "read" or _arguments(action, record) is None:
                continue
            for target in targets(screen, name):
                if target.SHOWS == record.KIND:
                    return first or action
                if target not in seen:
                    seen.add(target)
                    todo.append((target, first or action))
    return None


def _arguments(action: Action, record: AppRecord) -> Arguments | None:
    """Arguments that aim an action at a record; ``None`` if it takes something else."""
    found: Arguments = {}
    refs = action.refs()
    for parameter in action.signature.parameters:
        if parameter.name in refs:
            value = _reference(record, refs[parameter.name])
        else:
            value = record.route(parameter.name)
        if value is None:
            if parameter.default is parameter.empty:
                return None
            continue
        found[parameter.name] = value
    return found


def _reference(record: AppRecord, kind: str) -> str | None:
    if record.KIND == kind:
        return record.ref
    for name, marks in field_marks(type(record)).items():
        if ref_kind(marks) == kind:
            value = getattr(record, name)
            return value if isinstance(value, str) else None
    return None
