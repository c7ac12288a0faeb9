"""The state graph, derived from the types: screens are nodes, actions' annotations are edges.

Also the way through it: ``next_step`` says what to do on the current screen to have a record in
full before one. It uses the types (which screen shows which kind, which parameter names which
kind), the record's own fields and what the current screen shows, so a new app brings its routes
with it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from heron.contracts import Act, Arguments
from heron.errors import IllegalCall
from heron.sim.app import App
from heron.sim.marks import field_marks, ref_kind
from heron.sim.phone import SYSTEM
from heron.sim.screens import Action, Screen, targets
from heron.sim.signature import cached
from heron.sim.tables import AppRecord, undo
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
    """The next action on the way to a screen that shows a record in full.

    Forms are no way to anywhere, and nothing is touched that the screen does not show: where a
    list does not show the record, an action of the list that brings it up (another folder, day or
    search) comes first.

    Returns:
        ``None`` if the record is not there, is shown already, or no way leads to it.
    """
    place = _place(world, ref)
    if place is None:
        return None
    app, record = place
    if world.phone.state.front != app.NAME:
        return Act(app=SYSTEM, action="open_app", arguments={"app": app.NAME})
    screen = world.phone.screen
    if screen is None or _shows(screen, app, record):
        return None
    step = _first_action(screen, app, record) or _bring_up(screen, app, record)
    if step is not None:
        return Act(app=app.NAME, action=step.name, arguments=_arguments(step, record) or {})
    if len(world.phone.state.stacks[app.NAME]) == 1 and screen == app.ROOT():
        return None
    return Act(app=SYSTEM, action="back")


def _place(world: World, ref: str) -> tuple[App, AppRecord] | None:
    for app in world.apps.values():
        for table in app.tables.values():
            record: AppRecord | None = table.find(ref)
            if record is not None:
                return app, record
    return None


def _shows(screen: Screen[Any], app: App, record: AppRecord) -> bool:
    return screen.SHOWS == record.KIND and any(
        item.ref == record.ref and "*" in item.shows for item in screen.items(app)
    )


def _first_action(screen: Screen[Any], app: App, record: AppRecord) -> Action | None:
    """Breadth first over read actions whose parameters the record can fill.

    On ``screen`` itself only what can be done now counts, and what opens another record of the
    kind is no goal (the current ride, one's own card), nor is a screen like this one; of the
    screens after it only the types are known.
    """
    start = type(screen)
    todo = deque(
        (target, action, _aims(screen, app, action, record, target))
        for action in _possible(screen, app, record)
        for target in targets(start, action.name)
        if target is not start
    )
    seen = {start}
    while todo:
        kind, first, goal = todo.popleft()
        if goal and kind is not start:
            return first
        if kind in seen or (kind.FORM and kind.SHOWS != record.KIND):
            continue
        seen.add(kind)
        for name, action in kind.ACTIONS.items():
            if action.effect == "read" and _arguments(action, record) is not None:
                nearby = targets(kind, name)
                todo.extend((target, first, target.SHOWS == record.KIND) for target in nearby)
    return None


def _aims(
    screen: Screen[Any],
    app: App,
    action: Action,
    record: AppRecord,
    target: type[Screen[Any]],
) -> bool:
    """Whether an action leads to the record itself, on a screen of its kind."""
    if target.SHOWS != record.KIND:
        return False
    following = _peek(screen, app, action, record)
    return following is not None and _shows(following, app, record)


def _bring_up(screen: Screen[Any], app: App, record: AppRecord) -> Action | None:
    """An action that stays on this kind of screen, after which the record can be reached."""
    for action in _possible(screen, app, record):
        if type(screen) not in targets(type(screen), action.name):
            continue
        following = _peek(screen, app, action, record)
        if following is None or following == screen or type(following) is not type(screen):
            continue
        if _shows(following, app, record) or _first_action(following, app, record):
            return action
    return None


def _possible(screen: Screen[Any], app: App, record: AppRecord) -> list[Action]:
    """Legal read actions that the record aims and whose references are on the screen."""
    shown = {(item.kind, item.ref) for item in screen.items(app)}
    found = []
    for action in screen.legal(app):
        arguments = _arguments(action, record) if action.effect == "read" else None
        if arguments is None:
            continue
        wanted = {(kind, arguments.get(name)) for name, kind in action.refs().items()}
        if all(ref is None or (kind, ref) in shown for kind, ref in wanted):
            found.append(action)
    return found


def _peek(screen: Screen[Any], app: App, action: Action, record: AppRecord) -> Screen[Any] | None:
    """The screen after an action; what the action may have written is taken back."""
    journal = app.services.journal
    mark = len(journal)
    try:
        return screen.act(app, action.name, _arguments(action, record) or {})
    except IllegalCall:
        return None
    finally:
        undo(journal, mark)


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
