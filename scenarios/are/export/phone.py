"""A phone → the apps of an ARE file.

What it does not know: events, who helps.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from heron.scenarios.are.apps import ASSISTANT, SYSTEM
from heron.scenarios.are.export import state_desk, state_post, state_trade
from heron.scenarios.are.export.ledger import Ledger
from heron.scenarios.are.export.rows import State
from heron.sim.app import App
from heron.sim.world import World

_STATES: dict[str, Callable[[App, Ledger], State]] = {
    "apartment": state_trade.apartment,
    "cab": state_trade.cab,
    "calendar": state_desk.calendar,
    "contacts": state_desk.contacts,
    "email": state_post.email,
    "files": state_desk.files,
    "messaging": state_post.messaging,
    "notes": state_desk.notes,
    "reminder": state_desk.reminder,
    "shopping": state_trade.shopping,
}


def states(world: World, ledger: Ledger) -> dict[str, State | None]:
    """Name of an app in the file → its state now; that of the line to the assistant is empty."""
    made: dict[str, State | None] = {
        ledger.name_of(ASSISTANT): {"messages": []},
        ledger.name_of(SYSTEM): None,
    }
    for name, app in world.apps.items():
        if name not in _STATES:
            ledger.note(f"app {name}")
        elif not ledger.has(name):
            ledger.note(f"app {name}, which this dialect has not")
        else:
            made[ledger.name_of(name)] = _plain(_STATES[name](app, ledger))
    return made


def apps(made: Mapping[str, State | None], names: Iterable[str], ledger: Ledger) -> list[State]:
    """The file's ``apps``.

    Args:
        made: as ``states`` tells them.
        names: Heron's apps on the phone.
        ledger: of the same export.
    """
    known = (ASSISTANT, SYSTEM, *names)
    classes = {ledger.name_of(name): ledger.class_of(name) for name in known if ledger.has(name)}
    return [
        {"name": name, "class_name": classes[name], "app_state": state}
        for name, state in made.items()
    ]


def _plain(state: State) -> Any:
    """As JSON has it, so that what is compared is what is written."""
    return json.loads(json.dumps(state, ensure_ascii=False))
