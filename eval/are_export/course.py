"""The course of a scenario as ARE has it: events, what the reference does, and the run of both.

The reference is played on the stage's phone, at the first moment at which it is of use: each call
is turned over as it is made, once as the file's event, in which records that are still to come are
named by what makes them, and once as it happened. What it does not know: files.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from heron.contracts import Grant, ToolResult
from heron.errors import InputError
from heron.eval.are_export.recording import Run
from heron.eval.staging import play_forward
from heron.scenarios.are.apps import ASSISTANT
from heron.scenarios.are.calls import TOOLS
from heron.scenarios.are.export import layout
from heron.scenarios.are.export.calls import Action, Desk, NoCounterpart
from heron.scenarios.are.export.layout import Json, Who
from heron.scenarios.are.export.ledger import Ledger
from heron.scenarios.are.values import epoch
from heron.scenarios.labels import resolve
from heron.scenarios.replay import LabelledTools
from heron.scenarios.stage import ReferenceStep, Stage
from heron.sim.queue import Condition, Event
from heron.sim.toolset import GrantedTools

GRANT = Grant(grant_id="export", proposal_id="export", turn=0)
STEP_S = 1.0
"""Seconds between the steps of the reference, as the file has them."""
AGREED = "Yes, please."
BEGUN = "Please keep an eye on my phone, and offer help where it is of use."
"""What the user of ARE says first, since everything there comes after something that was said."""


class Course:
    """What happens and is done.

    Args:
        stage: its phone at the start; ``play`` leaves it after the reference's run.
        ledger: notes what has no counterpart.
    """

    def __init__(self, stage: Stage, ledger: Ledger) -> None:
        self.stage, self.world, self._ledger = stage, stage.world, ledger
        self.events: list[Json] = []
        self.lasts = 0.0
        """Seconds to the last event that is timed."""
        self._file = Desk(ledger, self.world)
        self._run = Run(self.world, ledger)
        self._start = self.world.now
        self._keys: dict[str, list[str]] = {}
        """Key of an event of the phone → ids of its events in the file."""
        self._did: dict[str, str] = {}
        """Tool → id of the step that calls it."""
        self._accept: str | None = None
        self._first: list[str] = []
        """What all hangs on that hangs on nothing else; nothing, with PARE."""

    @property
    def run(self) -> list[Json]:
        """The completed events."""
        return self._run.rows

    def play(self) -> None:
        """Make events and run.

        Raises:
            InputError: the reference cannot be played.
        """
        mine = [event for event in self.world.queue.events if not event.noise]
        timed = [event for event in mine if event.when is None]
        if self._ledger.dialect == "are":
            self._first = [self._said("send_message_to_agent", "begin", BEGUN, [], 0.0)]
            self._in_turns(timed)
        else:
            for event in timed:
                self._happening(event, *self._due(event))
            if self.stage.reference:
                play_forward(self.stage)
                self._run.happened()
                self._help()
        self._later(mine)
        self._run.happened()
        for event in mine:
            if event.when is not None:
                self._waiting(event, event.when)

    def _in_turns(self, timed: list[Event]) -> None:
        """ARE has turns, each of which a word to the user ends: what comes later hangs on that."""
        if self.stage.reference:
            play_forward(self.stage)
        fired = self.world.queue.state.fired
        early = [event for event in timed if event.key in fired or not self.stage.reference]
        for event in early:
            self._happening(event, *self._due(event))
        if self.stage.reference:
            self._run.happened()
            self._help()
            words = [row["event_id"] for row in self.events if _ends_turn(row)]
            self._first = words[-1:]
        for event in timed:
            if event not in early:
                self._happening(event, *self._due(event))

    # --- what happens ---

    def _due(self, event: Event) -> tuple[list[str], float | None]:
        """What an event hangs on, and how long after that it comes."""
        needs = [key for name in event.depends_on for key in self._keys.get(name, ())]
        at = self._seconds(event)
        self.lasts = max(self.lasts, at)
        if event.after is not None and self._keys.get(event.after):
            return [*self._keys[event.after][-1:], *needs], event.delay
        return needs, None if needs else at

    def _seconds(self, event: Event) -> float:
        """When an event happens by the clock, from the start; 0 where that is not known."""
        known = {one.key: one for one in self.world.queue.events}
        found = 0.0
        while event.at is None:
            found += event.delay
            if event.after is None:
                return found
            event = known[event.after]
        return found + event.at

    def _happening(self, event: Event, needs: list[str], after: float | None) -> None:
        ref = event.reserve[1] if event.reserve is not None else ""
        mail = event.name == "email.receive" and self._ledger.dialect == "pare"
        try:
            actions = self._file.turn(event.name, "event", event.arguments, ref if mail else "")
        except NoCounterpart:
            self._ledger.note(f"event {event.name}")
            return
        timed = epoch(self._start + timedelta(seconds=self._seconds(event)))
        at = timed if event.when is None else None
        ids = self._keys.setdefault(event.key, [])
        for number, action in enumerate(actions, 1):
            key = event.key if number == 1 else f"{event.key}-{number}"
            ids.append(layout.event_id("ENV", action, self._ledger, key))
            self._put("ENV", ids[-1], action, needs, after, at)
        if ref and not mail:
            self._file.made[ref] = ids[0]

    def _waiting(self, event: Event, condition: Condition) -> None:
        """An event that waits for what somebody does."""
        if condition.type == "answered" and condition.value == "accept":
            cause = self._accept
        elif condition.type == "assistant_did":
            cause = self._did.get(condition.value)
        else:
            cause = None
            self._ledger.note(f"event {event.name} waits for {condition.type} {condition.value}")
        if cause is not None and self._ledger.dialect == "are":
            # There, what happens hangs on no tool of the agent's.
            cause = self._accept
        if cause is not None:
            self._happening(event, [cause], event.delay)
        elif event.key in self.world.queue.state.fired:
            moment = self.world.queue.state.fired[event.key]
            self._happening(event, [], (moment - self._start).total_seconds())

    def _put(
        self,
        who: Who,
        key: str,
        action: Action,
        needs: Iterable[str],
        after: float | None,
        at: float | None = None,
    ) -> None:
        needs = list(needs) or self._first
        if self._ledger.dialect == "are" and who == "ENV":
            # There it hangs on one event, and has no time of its own.
            needs = needs[-1:]
            after = self._since(needs[-1], at) if at is not None else after
        made = layout.event(who, key, action, self._ledger, needs=needs, after=after, at=at)
        self.events.append(made)

    def _since(self, need: str, at: float) -> float:
        """Seconds from an event of the file, whose time is known, to a moment."""
        known = {row["event_id"]: row for row in self.events}
        while known[need]["dependencies"]:
            at -= known[need]["event_relative_time"]
            need = known[need]["dependencies"][-1]
        return max(0.0, at - epoch(self._start))

    # --- what the reference does ---

    def _help(self) -> None:
        """Offer, agreement, steps, report, all at the present moment."""
        stage, cue = self.stage, self.stage.cue
        asked = cue.text if cue is not None else stage.report
        trigger, since = self._trigger()
        wait = (self.world.now - since).total_seconds()
        last = self._said("send_message_to_user", "offer", asked, trigger, max(STEP_S, wait))
        answer = "accept_proposal" if self._ledger.dialect == "pare" else "send_message_to_agent"
        self._accept = last = self._said(answer, "accept", AGREED, [last], STEP_S)
        self.world.note_answer("accept")
        self.world.open_grant(GRANT)
        try:
            tools = LabelledTools(GrantedTools(self.world, GRANT), stage.reference)
            for number, step in enumerate(stage.reference, 1):
                last = self._step(step, f"step_{number}", last, tools)
        finally:
            self.world.close_grant(GRANT)
        if stage.report:
            self._said("send_message_to_user", "report", stage.report, [last], STEP_S)

    def _trigger(self) -> tuple[list[str], datetime]:
        """The event after which help is of use, and when it was; the start, if it is none."""
        fired = self.world.queue.state.fired
        named = self.stage.moment.event
        known = [key for key in fired if self._keys.get(key)]
        if named is not None and named in known:
            return self._keys[named][-1:], fired[named]
        if named is None and known:
            last = max(known, key=lambda key: fired[key])
            return self._keys[last][-1:], fired[last]
        return [], self._start

    def _said(self, function: str, key: str, content: str, needs: list[str], after: float) -> str:
        """A word between assistant and user."""
        action = Action(ASSISTANT, function, {"content": content}, writes=True)
        # PARE lets the reference answer for the user; ARE's user writes a message.
        who: Who = "USER" if function == "send_message_to_agent" else "AGENT"
        made = layout.event_id(who, action, self._ledger, key)
        self._put(who, made, action, needs, after)
        value = f"{key}-message" if key == "accept" else None
        self._run.did(who, made, action, value)
        return made

    def _step(self, step: ReferenceStep, key: str, last: str, tools: LabelledTools) -> str:
        """A step of the reference, made; the id of the event after which the next one comes."""
        name, effect, given = step.call.name, step.effect, step.call.arguments
        real = {one: resolve(value, tools.ids) for one, value in given.items()}
        arguments = {one: resolve(value, self._named(tools)) for one, value in given.items()}
        try:
            told = self._file.turn(name, effect, arguments)
            done = self._run.desk.turn(name, effect, real)
        except NoCounterpart:
            self._ledger.note(f"step {name}")
            told = done = []
        result = tools.call(step.call)
        if not result.ok:
            raise InputError(f"{self.stage.scenario.id}: {name}: {result.error}")
        for number, (action, made) in enumerate(zip(told, done, strict=True), 1):
            named = key if number == 1 else f"{key}_{number}"
            last_id, last = last, layout.event_id("AGENT", action, self._ledger, named)
            self._put("AGENT", last, action, [last_id], STEP_S)
            self._run.did("AGENT", last, made, self._returned(made, result))
            self._did[name] = last
        if told and step.label is not None:
            self._file.made[f"@{step.label}"] = last
        return last

    def _named(self, tools: LabelledTools) -> dict[str, str]:
        """Label → id, of records that are named by what they are called."""
        found = {label: self.world.record(ref) for label, ref in tools.ids.items()}
        return {
            label: record.ref
            for label, record in found.items()
            if record is not None and record.KIND in ("folder", "note_folder")
        }

    def _returned(self, action: Action, result: ToolResult) -> str | None:
        """The id that ARE's function returns."""
        row = TOOLS.get((action.app, action.function))
        kind = row.returns if row is not None else None
        for shown in result.shown:
            if shown.kind == kind:
                return shown.ref
            record = self.world.record(shown.ref)
            if kind == "conversation" and shown.kind == "message" and record is not None:
                return str(record.conversation_id)  # type: ignore[attr-defined]
        return None

    # --- afterwards ---

    def _later(self, mine: list[Event]) -> None:
        """Let the rest happen, and what comes of the reference."""
        passed = (self.world.now - self._start).total_seconds()
        timed = [self._seconds(event) - passed for event in mine if event.when is None]
        waits = [event.delay for event in mine if event.when is not None]
        self.world.advance(max([0.0, *timed]) + max([0.0, *waits]) + STEP_S)


def _ends_turn(row: Json) -> bool:
    """Whether an event is one on which, with ARE, what happens may hang."""
    return bool(row["event_type"] == "USER" or row["action"]["function"] == "send_message_to_user")
