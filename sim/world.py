"""The world: apps, clock, events, notifications and the one append-only log.

All that happens to the phone goes through four doors: ``user_act``, ``call_tool``, ``advance``
(events that are due, and what apps do by the clock) and ``restore``. Each successful or refused
call is one log entry with one actor; a refused call leaves the state untouched. A write of the
assistant needs an open grant. What it does not know: turns' rules, models, scenarios.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from heron.contracts import (
    Act,
    Actor,
    DeviceStatus,
    Effect,
    Grant,
    NoiseKind,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from heron.errors import IllegalCall, InputError
from heron.sim.app import App, Declaration, Owner
from heron.sim.attachments import FileStore
from heron.sim.changes import Fingerprints, told
from heron.sim.clock import Clock
from heron.sim.consent import Grants
from heron.sim.device import Device
from heron.sim.directory import Directory
from heron.sim.earlier import Assistant
from heron.sim.log import Entry
from heron.sim.notifications import Notification
from heron.sim.phone import SYSTEM, Phone
from heron.sim.queue import Condition, Event, EventQueue
from heron.sim.shown import shown_in
from heron.sim.state import Snapshot, digest_of, go_back, take
from heron.sim.tables import AppRecord, Journal, undo

MAX_SHOWN = 20
"""Records of one answer that count as shown."""


class World:
    """A simulated phone.

    Args:
        owner: whose it is.
        start: the clock's first time.
        app_types: the apps on it, in the home screen's order.
        events: what will happen.
        device: its first status.
    """

    def __init__(
        self,
        owner: Owner,
        start: datetime,
        app_types: Iterable[type[App]],
        events: Iterable[Event] = (),
        device: DeviceStatus | None = None,
    ) -> None:
        self.owner = owner
        self.clock = Clock(start)
        self.journal: Journal = []
        self.apps: dict[str, App] = {kind.NAME: kind(self) for kind in app_types}
        self.phone = Phone(self.apps)
        self.device = device or DeviceStatus()
        self.directory = Directory(
            self.apps, {Device.NAME: Device(self), Assistant.NAME: Assistant(self)}
        )
        self.schedule(events)
        self.log: list[Entry] = []
        self.notifications: list[Notification] = []
        self.turn = 0
        self.opened: set[str] = set()
        self.answered: list[str] = []
        self.grants = Grants()
        self._prints = Fingerprints()

    # --- services for apps ---

    @property
    def now(self) -> datetime:
        """The phone's clock."""
        return self.clock.now

    @property
    def files(self) -> FileStore | None:
        """Where the phone keeps files, if some app on it does."""
        stores = (app.file_store() for app in self.apps.values())
        return next((store for store in stores if store is not None), None)

    def notify(self, app: str, title: str, text: str, record: AppRecord | None) -> None:
        """Raise a notification."""
        evidence = record.evidence() if record is not None else None
        self.notifications.append(Notification(self.now, app, title, text, evidence))

    def schedule(self, events: Iterable[Event]) -> None:
        """Queue what will happen, in place of anything queued before.

        Raises:
            InputError: an event names no happening, reserves a kind that no app keeps, or the
                events do not fit together.
        """
        self._queue(EventQueue(events, self.clock.start))

    def add_events(self, events: Iterable[Event]) -> None:
        """Queue what will happen beside what is queued already.

        Raises:
            InputError: as with ``schedule``.
        """
        happened = self.queue.state
        self._queue(EventQueue((*self.queue.events, *events), self.clock.start))
        self.queue.state = happened

    def _queue(self, queue: EventQueue) -> None:
        self.queue = queue
        for event in queue.events:
            app, _ = self.find_happening(event.name)
            if event.reserve is not None and app.table_of(event.reserve[0]) is None:
                raise InputError(f"event {event.key!r}: {app.NAME} keeps no {event.reserve[0]}")

    # --- the doors ---

    def user_act(self, act: Act) -> Entry:
        """The user does an action of the current screen; a refused one is logged with why."""
        effect: Effect = "read"
        screen = self.phone.screen
        if act.app != SYSTEM and screen is not None and act.action in screen.ACTIONS:
            effect = screen.ACTIONS[act.action].effect
        made = _Call("user", f"{act.app}.{act.action}", effect, act.arguments)
        with self._logged(made) as entry:
            before = self.phone.state.copy()
            try:
                self.phone.act(act.app, act.action, act.arguments)
            except IllegalCall:
                self.phone.state = before
                raise
            self._note_opened()
        return entry.made

    def call_tool(self, call: ToolCall, grant: Grant | None = None) -> ToolResult:
        """The assistant calls a tool; refusals are results, not exceptions."""
        grant_id = grant.grant_id if grant else None
        try:
            app, declaration = self.directory.tool(call.name)
        except IllegalCall as error:
            made = _Call("assistant", call.name, "read", call.arguments, grant_id)
            self._append(made, str(error), len(self.journal))
            return ToolResult(call=call, ok=False, error=str(error))
        answer: Any = None
        made = _Call("assistant", call.name, declaration.effect, call.arguments, grant_id)
        with self._logged(made) as entry:
            self.grants.check(declaration.name, declaration.effect, grant)
            answer = app.call(declaration, call.arguments)
        if entry.made.error is not None:
            return ToolResult(call=call, ok=False, error=entry.made.error)
        return ToolResult.model_construct(
            call=call, ok=True, value=told(answer), error=None, shown=shown_in(answer, MAX_SHOWN)
        )

    def fail_tool(
        self, call: ToolCall, grant: Grant | None, why: str, noise: NoiseKind
    ) -> ToolResult:
        """The assistant calls a tool that does not work just now: nothing is done.

        Raises:
            IllegalCall: there is no such tool.
        """
        _, declaration = self.directory.tool(call.name)
        grant_id = grant.grant_id if grant else None
        made = _Call("assistant", call.name, declaration.effect, call.arguments, grant_id, noise)
        self._append(made, why, len(self.journal))
        return ToolResult(call=call, ok=False, error=why)

    def happen(
        self,
        name: str,
        arguments: Mapping[str, Any],
        reserve: tuple[str, str] | None = None,
        noise: NoiseKind | None = None,
    ) -> Entry:
        """The environment does something to the phone.

        Args:
            name: ``app.happening``.
            arguments: its arguments.
            reserve: kind and reserved id of a record that it creates (see ``Event.reserve``).
            noise: ``event`` if it has nothing to do with the scenario.
        """
        app, declaration = self.find_happening(name)
        table = app.table_of(reserve[0]) if reserve is not None else None
        ref = reserve[1] if reserve is not None else ""
        promise = nullcontext() if table is None else table.promised(ref)
        made = _Call("environment", name, "write", arguments, noise=noise)
        with self._logged(made) as entry, promise:
            app.call(declaration, arguments)
        return entry.made

    def advance_to(self, moment: datetime) -> None:
        """Let time pass: events and apps' own dates happen on the way, in order of time."""
        while True:
            self.queue.note_conditions(self._holds, self.now)
            event, app, due = self._next_due()
            if due is None or due > moment:
                break
            self.clock.move_to(max(due, self.now))
            if event is not None:
                self.queue.fire(event, self.now)
                noise: NoiseKind | None = "event" if event.noise else None
                self.happen(event.name, event.arguments, event.reserve, noise)
            elif app is not None:
                with self._logged(_Call("environment", f"{app.NAME}.by_the_clock", "write", {})):
                    app.on_due()
                left = app.next_due()
                if left is not None and left <= self.now:
                    raise RuntimeError(f"{app.NAME}.on_due left something due at {left}")
        self.clock.move_to(max(moment, self.now))

    def advance(self, seconds: float) -> None:
        """Let ``seconds`` pass."""
        self.advance_to(self.now + timedelta(seconds=seconds))

    def next_due(self) -> datetime | None:
        """When something that matters will next happen by itself, as far as is known now."""
        self.queue.note_conditions(self._holds, self.now)
        return self._next_due(noise=False)[2]

    # --- consent ---

    def open_grant(self, grant: Grant) -> None:
        """Let writes under ``grant`` through until it is closed.

        Raises:
            ConsentError: it has been used before.
        """
        self.grants.open(grant)

    def close_grant(self, grant: Grant) -> None:
        """No more writes under ``grant``."""
        self.grants.close(grant)

    def note_answer(self, answer: str) -> None:
        """A proposal was answered; events can wait for that."""
        self.answered.append(answer)

    # --- looking things up ---

    def find_happening(self, name: str) -> tuple[App, Declaration]:
        """App and declaration of ``app.happening``.

        Raises:
            InputError: there is no such happening.
        """
        return self.directory.happening(name)

    def tool_specs(self, effect: Effect | None = None) -> tuple[ToolSpec, ...]:
        """All tools, or those of one effect."""
        return self.directory.tool_specs(effect)

    def record(self, ref: str) -> AppRecord | None:
        """The record with this id, in whichever app it is."""
        return self.directory.record(ref)

    @property
    def app_of(self) -> dict[int, str]:
        """``id(table)`` → its app's name, as log entries need it to become records."""
        return self.directory.app_of()

    # --- the whole state ---

    def snapshot(self) -> Snapshot:
        """The state now. Copies pointers only."""
        return take(self)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot that this world took, in the past of its log."""
        go_back(self, snapshot)

    def digest(self) -> str:
        """sha256 of the phone's state: records, counters, screens, clock, notifications."""
        return digest_of(self, self._prints)

    def close(self) -> None:
        """Let go of everything, so that a phone's memory is free at once.

        World, apps, tables and journal hold each other; left to the garbage collector, dozens of
        used phones would be kept until it next looks at them all.
        """
        self.apps.clear()
        self.directory.clear()
        self.journal.clear()
        self.log.clear()

    # --- inside ---

    @contextmanager
    def _logged(self, call: _Call) -> Iterator[_Pending]:
        pending, mark, shade = _Pending(), len(self.journal), len(self.notifications)
        error: str | None = None
        try:
            yield pending
        except IllegalCall as refusal:
            error = " ".join(str(refusal).split())
            undo(self.journal, mark)
            del self.notifications[shade:]
        except BaseException:
            undo(self.journal, mark)
            del self.notifications[shade:]
            raise
        pending.made = self._append(call, error, mark)

    def _append(self, call: _Call, error: str | None, mark: int) -> Entry:
        entry = Entry(
            seq=len(self.log),
            time=self.now,
            turn=self.turn,
            actor=call.actor,
            name=call.name,
            effect=call.effect,
            arguments=dict(call.arguments),
            error=error,
            grant_id=call.grant_id,
            writes=() if error is not None else tuple(self.journal[mark:]),
            noise=call.noise,
        )
        self.log.append(entry)
        return entry

    def _note_opened(self) -> None:
        for item in self.phone.view().items:
            if item.ref is not None and "*" in item.shows:
                self.opened.add(item.ref)

    def _next_due(self, *, noise: bool = True) -> tuple[Event | None, App | None, datetime | None]:
        event: Event | None = None
        owner: App | None = None
        due: datetime | None = None
        upcoming = self.queue.next(noise=noise)
        if upcoming is not None:
            due, event = upcoming
        for app in self.apps.values():
            own = app.next_due()
            if own is not None and (due is None or own < due):
                due, event, owner = own, None, app
        return event, owner, due

    def _holds(self, condition: Condition) -> bool:
        if condition.type == "opened":
            return condition.value in self.opened
        if condition.type == "answered":
            return condition.value in self.answered
        actor = "user" if condition.type == "user_did" else "assistant"
        return any(
            entry.actor == actor and entry.name == condition.value and entry.error is None
            for entry in self.log
        )


@dataclass(frozen=True, slots=True)
class _Call:
    """Who does what; with its outcome it becomes a log entry."""

    actor: Actor
    name: str
    effect: Effect
    arguments: Mapping[str, Any]
    grant_id: str | None = None
    noise: NoiseKind | None = None


@dataclass
class _Pending:
    """Carries the log entry out of a ``with`` block."""

    made: Entry = None  # type: ignore[assignment]
