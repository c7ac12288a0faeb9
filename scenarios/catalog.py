"""What the phone's apps offer to a scenario file: tables, happenings, tools, actions, kinds.

Read off the apps' classes, so a new app is known here without a line of code. What it does not
know: any scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from heron.contracts import Change
from heron.sim.app import App, Declaration, Owner
from heron.sim.device import Device
from heron.sim.earlier import Assistant
from heron.sim.installed import choose
from heron.sim.screens import Action
from heron.sim.tables import AppRecord
from heron.sim.world import World

SYSTEM_ACTIONS: Mapping[str, tuple[str, ...]] = {
    "open_app": ("app",),
    "switch_app": ("app",),
    "back": (),
    "go_home": (),
}
"""The system's actions and what they take."""
OPS = Change.model_fields["op"].annotation.__args__  # type: ignore[union-attr]

RecordType = type[AppRecord]


@dataclass(frozen=True)
class Catalog:
    """Everything that a file can name on a phone with certain apps."""

    apps: Mapping[str, type[App]]
    tables: Mapping[str, Mapping[str, RecordType]]
    """App → table → type of its records."""
    happenings: Mapping[str, Declaration]
    """``app.happening``, the device's and the assistant's included."""
    tools: Mapping[str, Declaration]
    actions: Mapping[str, Mapping[str, tuple[Action, ...]]]
    """App → action → its declarations, one per screen that has it."""

    @property
    def effects(self) -> tuple[str, ...]:
        """Every ``kind.op``."""
        kinds = [t.KIND for tables in self.tables.values() for t in tables.values()]
        return tuple(f"{kind}.{op}" for kind in kinds for op in OPS)


@cache
def catalog(names: tuple[str, ...] | None = None) -> Catalog:
    """The catalog of the named apps, or of all.

    Raises:
        UnknownName: there is no such app.
    """
    chosen = {app.NAME: app for app in choose(names)}
    blank = World(Owner("Nobody Inparticular", "nobody@example.org"), _DAY, chosen.values())
    return Catalog(
        apps=chosen,
        tables={
            name: {table: rows.record_type for table, rows in app.tables.items()}
            for name, app in blank.apps.items()
        },
        happenings={
            f"{app.NAME}.{name}": declared
            for app in _with_system(chosen.values())
            for name, declared in app.HAPPENINGS.items()
        },
        tools={
            f"{app.NAME}.{name}": declared
            for app in chosen.values()
            for name, declared in app.TOOLS.items()
        },
        actions={name: _actions(app) for name, app in chosen.items()},
    )


def creates(declaration: Declaration) -> RecordType | None:
    """The type of record that a tool or happening returns, from its annotation."""
    made = declaration.signature.hints.get("return")
    return made if isinstance(made, type) and issubclass(made, AppRecord) else None


_DAY = datetime(2026, 1, 1)


def _with_system(apps: Iterable[type[App]]) -> tuple[type[App], ...]:
    return (*apps, Device, Assistant)


def _actions(app: type[App]) -> dict[str, tuple[Action, ...]]:
    found: dict[str, tuple[Action, ...]] = {}
    for action in _each_action(app):
        found[action.name] = (*found.get(action.name, ()), action)
    return found


def _each_action(app: type[Any]) -> Iterator[Action]:
    for screen in app.SCREENS:
        yield from screen.ACTIONS.values()
