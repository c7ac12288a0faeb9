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
from heron.errors import ConsentError, IllegalCall, InputError
from heron.registry import nearest
from heron.sim.app import App, Declaration, Owner
from heron.sim.changes import Fingerprints, digest, plain
from heron.sim.clock import Clock
from heron.sim.device import Device
from heron.sim.log import Entry
from heron.sim.notifications import Notification
from heron.sim.phone import SYSTEM, Phone, PhoneState
from heron.sim.queue import Condition, Event, EventQueue, QueueState
from heron.sim.shown import shown_in
from heron.sim.tables import AppRecord, Journal, TableState, undo

MAX_SHOWN = 20
"""Records of one answer that count as shown."""


@dataclass(frozen=True)
class Snapshot:
    """The whole state at one moment. Records and log entries are shared, being frozen."""

    now: datetime
    tables: tuple[TableState[Any], ...]
    phone: PhoneState
    queue: EventQueue
    happened: QueueState
    device: DeviceStatus
    log: int
    journal: int
    notifications: int
    turn: int
    opened: frozenset[str]
    answered: tuple[str, ...]
    grants: tuple[str, ...]
    spent: tuple[str, ...]


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
        self._happening_in: dict[str, App] = {**self.apps, Device.NAME: Device(self)}
        self.schedule(events)
        self.log: list[Entry] = []
        self.notifications: list[Notification] = []
        self.turn = 0
        self.opened: set[str] = set()
        self.answered: list[str] = []
        self._prints = Fingerprints()
        self._open_grants: list[str] = []
        self._spent_grants: list[str] = []

    # --- services for apps ---

    @property
    def now(self) -> datetime:
        """The phone's clock."""
        return self.clock.now

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
            app, declaration = self.find_tool(call.name)
        except IllegalCall as error:
            made = _Call("assistant", call.name, "read", call.arguments, grant_id)
            self._append(made, str(error), len(self.journal))
            return ToolResult(call=call, ok=False, error=str(error))
        answer: Any = None
        made = _Call("assistant", call.name, declaration.effect, call.arguments, grant_id)
        with self._logged(made) as entry:
            self._check_consent(declaration, grant)
            answer = app.call(declaration, call.arguments)
        if entry.made.error is not None:
            return ToolResult(call=call, ok=False, error=entry.made.error)
        return ToolResult.model_construct(
            call=call, ok=True, value=plain(answer), error=None, shown=shown_in(answer, MAX_SHOWN)
        )

    def fail_tool(
        self, call: ToolCall, grant: Grant | None, why: str, noise: NoiseKind
    ) -> ToolResult:
        """The assistant calls a tool that does not work just now: nothing is done.

        Raises:
            IllegalCall: there is no such tool.
        """
        _, declaration = self.find_tool(call.name)
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
        if grant.grant_id in self._open_grants or grant.grant_id in self._spent_grants:
            raise ConsentError(f"grant {grant.grant_id} has been used; a grant is used once")
        self._open_grants.append(grant.grant_id)

    def close_grant(self, grant: Grant) -> None:
        """No more writes under ``grant``."""
        self._open_grants.remove(grant.grant_id)
        self._spent_grants.append(grant.grant_id)

    def note_answer(self, answer: str) -> None:
        """A proposal was answered; events can wait for that."""
        self.answered.append(answer)

    # --- looking things up ---

    def find_tool(self, name: str) -> tuple[App, Declaration]:
        """App and declaration of ``app.tool``.

        Raises:
            IllegalCall: there is no such tool.
        """
        app, _, short = name.partition(".")
        found = self.apps[app].TOOLS.get(short) if app in self.apps else None
        if found is None:
            known = [f"{a.NAME}.{tool}" for a in self.apps.values() for tool in a.TOOLS]
            raise IllegalCall(f"no tool {name!r}; {nearest(name, known)}")
        return self.apps[app], found

    def find_happening(self, name: str) -> tuple[App, Declaration]:
        """App and declaration of ``app.happening``.

        Raises:
            InputError: there is no such happening.
        """
        app, _, short = name.partition(".")
        places = self._happening_in
        found = places[app].HAPPENINGS.get(short) if app in places else None
        if found is None:
            known = [f"{a.NAME}.{event}" for a in places.values() for event in a.HAPPENINGS]
            raise InputError(f"no happening {name!r}; {nearest(name, known)}")
        return places[app], found

    def tool_specs(self, effect: Effect | None = None) -> tuple[ToolSpec, ...]:
        """All tools, or those of one effect."""
        return tuple(
            spec
            for app in self.apps.values()
            for spec in app.tool_specs()
            if effect is None or spec.effect == effect
        )

    def record(self, ref: str) -> AppRecord | None:
        """The record with this id, in whichever app it is."""
        for app in self.apps.values():
            for table in app.tables.values():
                found: AppRecord | None = table.find(ref)
                if found is not None:
                    return found
        return None

    @property
    def app_of(self) -> dict[int, str]:
        """``id(table)`` → its app's name, as log entries need it to become records."""
        return {id(table): app.NAME for app in self.apps.values() for table in app.tables.values()}

    # --- the whole state ---

    def snapshot(self) -> Snapshot:
        """The state now. Copies pointers only."""
        return Snapshot(
            now=self.now,
            tables=tuple(table.state() for table in self._tables()),
            phone=self.phone.state.copy(),
            queue=self.queue,
            happened=self.queue.state.copy(),
            device=self.device,
            log=len(self.log),
            journal=len(self.journal),
            notifications=len(self.notifications),
            turn=self.turn,
            opened=frozenset(self.opened),
            answered=tuple(self.answered),
            grants=tuple(self._open_grants),
            spent=tuple(self._spent_grants),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot that this world took, in the past of its log."""
        self.clock.now = snapshot.now
        for table, state in zip(self._tables(), snapshot.tables, strict=True):
            table.load(state)
        self.phone.state = snapshot.phone.copy()
        self.queue = snapshot.queue
        self.queue.state = snapshot.happened.copy()
        self.device, self.turn = snapshot.device, snapshot.turn
        del self.log[snapshot.log :]
        del self.journal[snapshot.journal :]
        del self.notifications[snapshot.notifications :]
        self.opened, self.answered = set(snapshot.opened), list(snapshot.answered)
        self._open_grants, self._spent_grants = list(snapshot.grants), list(snapshot.spent)

    def digest(self) -> str:
        """sha256 of the phone's state: records, counters, screens, clock, notifications."""
        _ = self.phone.screen  # closes screens whose records are gone, as the next look would
        tables = {
            f"{app.NAME}.{name}": [self._prints.of(table), table.counter]
            for app in self.apps.values()
            for name, table in app.tables.items()
        }
        stacks = {
            name: [[type(s).__name__, plain(vars(s))] for s in stack]
            for name, stack in self.phone.state.stacks.items()
        }
        shade = [[n.time, n.app, n.title, n.text] for n in self.notifications]
        front = self.phone.state.front
        return digest([self.now, tables, front, stacks, shade, self.device, sorted(self.opened)])

    def close(self) -> None:
        """Let go of everything, so that a phone's memory is free at once.

        World, apps, tables and journal hold each other; left to the garbage collector, dozens of
        used phones would be kept until it next looks at them all.
        """
        self.apps.clear()
        self._happening_in.clear()
        self.journal.clear()
        self.log.clear()

    # --- inside ---

    def _tables(self) -> Iterator[Any]:
        for app in self.apps.values():
            yield from app.tables.values()

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

    def _check_consent(self, declaration: Declaration, grant: Grant | None) -> None:
        if declaration.effect == "read":
            return
        if grant is None or grant.grant_id not in self._open_grants:
            raise ConsentError(
                f"{declaration.name} writes and there is no open grant; propose it to the user"
            )

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
