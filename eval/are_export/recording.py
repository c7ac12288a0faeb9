"""The run of a scenario as ARE records it: who did what, when, and what came back.

What the environment does is read off the phone's log, so that its arguments are those that were
meant. What it does not know: offers, the reference.
"""

from __future__ import annotations

from heron.scenarios.are.calls import EVENTS
from heron.scenarios.are.export import layout
from heron.scenarios.are.export.calls import Action, Desk, NoCounterpart
from heron.scenarios.are.export.layout import Json, Who
from heron.scenarios.are.export.ledger import Ledger
from heron.scenarios.are.values import epoch
from heron.sim.log import Entry
from heron.sim.queue import Event
from heron.sim.world import World


class Run:
    """Completed events, in order.

    Args:
        world: the phone.
        ledger: of the same export.
    """

    def __init__(self, world: World, ledger: Ledger) -> None:
        self.desk = Desk(ledger, world)
        """Turns calls over with ids as they are."""
        self.rows: list[Json] = []
        self._world, self._ledger = world, ledger
        self._left = [event for event in world.queue.events if not event.noise]
        self._seen = 0

    def did(self, who: Who, key: str, action: Action, value: str | None) -> None:
        """Put what somebody did just now."""
        at = epoch(self._world.now)
        self.rows.append(layout.completed(who, key, action, self._ledger, at=at, value=value))

    def happened(self) -> None:
        """Put what the environment did since into the run."""
        entries = self._world.log[self._seen :]
        self._seen = len(self._world.log)
        for entry in entries:
            if entry.actor != "environment" or entry.noise is not None:
                continue
            event = next((one for one in self._left if _is(one, entry)), None)
            if event is not None:
                self._left.remove(event)
                self._entry(event, entry)

    def _entry(self, event: Event, entry: Entry) -> None:
        ref = event.reserve[1] if event.reserve is not None else ""
        mail = event.name == "email.receive" and self._ledger.dialect == "pare"
        try:
            actions = self.desk.turn(event.name, "event", entry.arguments, ref if mail else "")
        except NoCounterpart:
            return
        for number, action in enumerate(actions, 1):
            key = event.key if number == 1 else f"{event.key}-{number}"
            made = layout.event_id("ENV", action, self._ledger, key)
            row = layout.completed(
                "ENV",
                made,
                action,
                self._ledger,
                at=epoch(entry.time),
                value=ref or _changed(action, entry),
                error=entry.error,
            )
            self.rows.append(row)


def _is(event: Event, entry: Entry) -> bool:
    return event.name == entry.name and event.arguments == entry.arguments


def _changed(action: Action, entry: Entry) -> str | None:
    """The id of the record that ARE's function returns."""
    row = EVENTS.get((action.app, action.function))
    kind = row.returns if row is not None else None
    for write in entry.writes:
        if write.after is not None and write.after.KIND == kind:
            return write.ref
    return None
