"""Events and steps of an ARE file as a scenario file has them: turned over, timed, with labels.

What it does not know: whether the phone takes them (``trial``), offers and rubrics (``aim``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from heron.scenarios.are.book import Book, Row
from heron.scenarios.are.course import Course, Moved
from heron.scenarios.are.remarks import Refused
from heron.scenarios.are.returned import returned_id
from heron.scenarios.are.turned import Turned, Unturned
from heron.scenarios.are.turning import Turner
from heron.scenarios.are.values import Placeholder

SETTLED_S = 240.0
"""A trigger within so many seconds comes by the fourth turn whatever the user does."""
LONGEST_S = 3000.0
"""Ten turns, if the user does nothing."""
LEAD_S = 60.0
"""Seconds before the trigger at which a phone starts later than the file."""
AFTERWARDS_S = 900.0
"""An event so long after the trigger still comes within ten turns."""
MOMENTS = 3
"""Different moments before the trigger that fit before the fourth turn."""

MADE_BY = "made by "
"""Stands before the id of an event whose record has no id that is known."""
MAKING = frozenset(
    """email.receive email.reply_to_user messaging.receive messaging.group_created
    calendar.add_by_attendee notes.receive_note apartment.add_new_apartment shopping.add_product
    shopping.add_item_to_product shopping.add_discount_code email.send_email email.reply_to_email
    email.forward_email messaging.create_group_conversation calendar.add_calendar_event
    contacts.add_new_contact notes.create_note notes.duplicate_note reminder.add_reminder
    shopping.checkout cab.order_ride""".split()  # noqa: SIM905
)
"""Calls that make the record whose kind they name; others that return one change it."""


@dataclass
class Step:
    """A call of the reference."""

    moved: Moved
    data: Row


@dataclass
class Happening:
    """An event of the phone's."""

    moved: Moved
    data: Row
    record: str | None
    """Label of the record that it is about."""


@dataclass
class Assembly:
    """Events and steps, as far as they could be turned over."""

    book: Book
    course: Course
    shift: float = 0.0
    """Seconds that the phone starts later than the file."""
    events: list[Happening] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    results: dict[str, str] = field(default_factory=dict)

    def run(self) -> None:
        """Turn everything over, in order of time, so that ids are known before they are named."""
        course, book = self.course, self.book
        timed, steps, reacting = course.timed, course.steps, course.reacting
        moments = self._moments(timed)
        for moved in course.order:
            if moved.part == "reads":
                self._read(moved)
            elif moved in steps and moved.part == "writes":
                self._step(moved)
            elif moved in steps:
                book.note("reference_by_environment", moved.name)
                self._event(moved, {"when": {"answered": "accept"}, "delay": 1})
            elif moved in reacting:
                book.note("depends_on_agent", moved.name)
                self._event(moved, self._reaction(moved))
            elif moved in timed and moved.event.id in moments:
                self._event(moved, {"at": moments[moved.event.id]})

    # --- times ---

    def _moments(self, timed: list[Moved]) -> dict[str, float]:
        """Event → seconds from the phone's start; those that come too late are left out."""
        trigger = self.course.trigger
        due = trigger.time - self.shift if trigger is not None else 0.0
        found: dict[str, float] = {}
        for moved in timed:
            at = max(0.0, moved.time - self.shift)
            if at > due + AFTERWARDS_S:
                self.book.note("later_than_run", f"{moved.name} after {moved.time:.0f} s")
                continue
            found[moved.event.id] = round(at, 3)
        early = sorted({at for at in found.values() if at < due})
        if len(early) >= MOMENTS:
            self.book.note("times_moved", f"{len(early)} moments before help is of use")
            last = early[-(MOMENTS - 1)]
            first = early[0]
            for key, at in found.items():
                if first < at < last:
                    found[key] = first
        return found

    def _reaction(self, moved: Moved) -> Row:
        """What an event waits for that comes of the agent's doing."""
        above = self.course.before[moved.event.id]
        delay = max(0.0, moved.event.after or 0.0)
        tools = {step.moved.event.id: step.data["tool"] for step in self.steps}
        waits = any(m.part == "waits" and m.event.id in above for m in self.course.order)
        for need in reversed(self.course.order):
            hangs = need.event.id in above or (waits and need.time <= moved.time)
            if hangs and need.event.id in tools:
                return {"when": {"assistant_did": tools[need.event.id]}, "delay": delay}
        return {"when": {"answered": "accept"}, "delay": delay}

    # --- calls ---

    def _args(self, moved: Moved) -> Any:
        """The arguments; those of the recorded run, in which placeholders are filled."""
        open_ = any(isinstance(value, Placeholder) for value in _deep(moved.event.args))
        if moved.done is not None and (open_ or not moved.event.args):
            return moved.done.args
        return moved.event.args

    def _turn(self, moved: Moved) -> list[Turned]:
        assert moved.call is not None  # noqa: S101  (everything that happens or writes has one)
        place = moved.name
        return Turner(self.book, self.results).turn(moved.call, self._args(moved), place)

    def _read(self, moved: Moved) -> None:
        """Nothing is done by reading; but what has no counterpart, or raised, is told."""
        if moved.raised is not None and moved.event.type == "AGENT":
            why = moved.raised.strip().splitlines() or ["it raised"]
            self.book.note("reference_raised", f"{moved.name}: {why[0][:160]}")
        try:
            self._turn(moved)
        except Unturned:
            return
        except Refused as error:
            for name in error.names:
                self.book.refuse(name)

    def _event(self, moved: Moved, when: Row) -> None:
        try:
            turned = self._turn(moved)
        except Unturned as error:
            kind = "dangling" if error.kind == "dangling" else error.kind
            self.book.note(kind, error.detail)
            return
        for one in turned:
            if one.arguments.get("sender_id") == "me":
                self.book.note("user_step", f"{moved.name} by the owner")
                continue
            number = len(self.events) + 1
            data: Row = {"key": f"event_{number}", **when, "do": one.name, "with": one.arguments}
            label = self._made(moved, one)
            if label is not None:
                data["label"] = label
            record = label or _named(one.arguments) or self._ride(one)
            self.events.append(Happening(moved, data, record))

    def _ride(self, one: Turned) -> str | None:
        """The ride that a driver's call is about."""
        rides = self.book.rides
        return self.book.find("ride", rides[-1]) if one.name.startswith("cab.") and rides else None

    def _step(self, moved: Moved) -> None:
        try:
            turned = self._turn(moved)
        except Unturned as error:
            kind = "reference_refused" if error.kind == "dangling" else error.kind
            self.book.note(kind, f"{moved.name}: {error.detail}")
            return
        for one in turned:
            data: Row = {"tool": one.name, "arguments": one.arguments}
            label = self._made(moved, one)
            if label is not None:
                data["label"] = label
            if one.free:
                data["free"] = list(one.free)
            self.steps.append(Step(moved, data))

    def _made(self, moved: Moved, one: Turned) -> str | None:
        """The label of a record that a call makes, known from then on by ARE's id as well."""
        if one.makes is None:
            return None
        given = moved.event.args.get("email_id") if one.name == "email.receive" else None
        are_id = given if isinstance(given, str) and given else None
        are_id = are_id or returned_id(moved.done.value if moved.done is not None else None)
        if one.makes == "discount_code":
            are_id = str(one.arguments["discount_code"])
        if one.name not in MAKING:
            known = self.book.find(one.makes, are_id) or _named(one.arguments)
            if known is not None:
                self.results[moved.event.id] = known
            return None
        known = self.book.find(one.makes, are_id)
        if known is not None and one.makes == "discount_code":
            self.results[moved.event.id] = known
            return None
        if known is not None and are_id is not None:
            label = self.book.another(one.makes, are_id, moved.name)
        else:
            label = self.book.label(one.makes, are_id or f"{MADE_BY}{moved.event.id}")
        self.results[moved.event.id] = label
        self.book.rows[label] = {"label": label, **one.arguments}
        return label


def shift_of(course: Course) -> float:
    """Seconds that the phone starts later than the file, so that the trigger comes in time."""
    trigger = course.trigger
    due = trigger.time if trigger is not None else course.first_word
    if due <= SETTLED_S:
        return 0.0
    # Phones start at whole minutes.
    later = (course.file.start + due - LEAD_S) // 60 * 60 - course.file.start // 60 * 60
    kind = "later_than_run" if due > LONGEST_S else "times_moved"
    what = trigger.name if trigger is not None else "the agent's first word"
    course.note(kind, f"{what} comes after {due:.0f} s; the phone starts {later:.0f} s later")
    return max(0.0, later)


def _named(arguments: Row) -> str | None:
    """The first record that arguments name."""
    for value in arguments.values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and one.startswith("@") and not one.startswith("@@"):
                return one[1:]
    return None


def _deep(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [inner for item in value.values() for inner in _deep(item)]
    if isinstance(value, list):
        return [inner for item in value for inner in _deep(item)]
    return [value]
