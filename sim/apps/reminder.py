"""Reminders: a list, a detail, a form; they fall due by the clock and may repeat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, NaiveDatetime

from heron.contracts import Item
from heron.sim.app import App, require, tool
from heron.sim.calendar_math import add_units
from heron.sim.marks import ID, PROSE, VOLATILE, Ref
from heron.sim.screens import Screen, action, item, label
from heron.sim.tables import AppRecord

RepetitionUnit = Literal["second", "minute", "hour", "day", "week", "month"]
ReminderId = Annotated[str, Ref("reminder")]
Text = Annotated[str, PROSE]
Every = Annotated[int, Field(ge=1, le=1000)]


class Reminder(AppRecord):
    """Something to be reminded of."""

    KIND: ClassVar[str] = "reminder"
    ID: ClassVar[str] = "reminder_id"

    reminder_id: Annotated[str, ID]
    title: Text
    due_datetime: NaiveDatetime
    description: Text = ""
    repetition_unit: RepetitionUnit | None = None
    repetition_value: Every = 1
    already_notified: Annotated[bool, VOLATILE] = False
    """Whether it has fallen due (its last time, if it repeats)."""

    def line(self) -> str:
        every = f", every {self.repetition_value} {self.repetition_unit}"
        return f"'{self.title}' due {self.due_datetime:%Y-%m-%d %H:%M}" + (
            every if self.repetition_unit else ""
        )


class ReminderApp(App):
    """What is to be done, and when."""

    NAME = "reminder"
    TITLE = "Reminders"

    def setup(self) -> None:
        self.reminders = self.table("reminders", Reminder, "r")

    # --- tools ---

    @tool("read")
    def get_all_reminders(self) -> list[Reminder]:
        """All reminders, earliest first."""
        return sorted(self.reminders, key=lambda r: r.due_datetime)

    @tool("read")
    def get_due_reminders(self) -> list[Reminder]:
        """Reminders whose time has come."""
        return [r for r in self.get_all_reminders() if r.due_datetime <= self.now]

    @tool("write")
    def add_reminder(
        self,
        title: Text,
        due_datetime: NaiveDatetime,
        description: Text = "",
        repetition_unit: RepetitionUnit | None = None,
        repetition_value: Every = 1,
    ) -> Reminder:
        """Add a reminder; due_datetime is YYYY-MM-DD HH:MM, in the future."""
        self._check(title, due_datetime, repetition_value)
        check_pace(repetition_unit, repetition_value)
        return self.reminders.put(
            Reminder(
                reminder_id=self.reminders.new_id(),
                title=title,
                due_datetime=due_datetime,
                description=description,
                repetition_unit=repetition_unit,
                repetition_value=repetition_value,
            )
        )

    @tool("write")
    def update_reminder(
        self,
        reminder_id: ReminderId,
        title: Text | None = None,
        due_datetime: NaiveDatetime | None = None,
        description: Text | None = None,
        repetition_unit: RepetitionUnit | None = None,
        repetition_value: Every | None = None,
    ) -> Reminder:
        """Change fields of a reminder; those left out stay."""
        old = self.reminders.get(reminder_id)
        given = {
            "title": title,
            "due_datetime": due_datetime,
            "description": description,
            "repetition_unit": repetition_unit,
            "repetition_value": repetition_value,
        }
        fields: dict[str, Any] = {k: v for k, v in given.items() if v is not None}
        require(fields, f"nothing to change in {reminder_id}; give at least one field")
        if due_datetime is not None:
            self._check(title or old.title, due_datetime, repetition_value or 1)
            fields["already_notified"] = False
        else:
            require(title is None or title.strip(), "a reminder needs a title")
        check_pace(repetition_unit or old.repetition_unit, repetition_value or old.repetition_value)
        return self.reminders.change(reminder_id, **fields)

    @tool("write")
    def delete_reminder(self, reminder_id: ReminderId) -> str:
        """Delete a reminder."""
        return f"deleted {self.reminders.delete(reminder_id).line()}"

    @tool("write")
    def delete_all_reminders(self) -> str:
        """Delete every reminder."""
        refs = [r.ref for r in self.reminders]
        for ref in refs:
            self.reminders.delete(ref)
        return f"deleted {len(refs)} reminders"

    # --- by the clock ---

    def add(self, table_name: str, fields: Mapping[str, Any]) -> AppRecord:
        """Load one reminder; one whose time is past when it is loaded does not fall due again."""
        row = super().add(table_name, fields)
        if isinstance(row, Reminder) and row.due_datetime <= self.now:
            return self.reminders.change(row.ref, already_notified=True)
        return row

    def next_due(self) -> datetime | None:
        waiting = [r.due_datetime for r in self.reminders if not r.already_notified]
        return min(waiting, default=None)

    def on_due(self) -> None:
        for reminder in [r for r in self.reminders if not r.already_notified]:
            if reminder.due_datetime <= self.now:
                self._fall_due(reminder)

    def _fall_due(self, reminder: Reminder) -> None:
        self.notify(reminder.title, reminder.description or reminder.title, reminder)
        if reminder.repetition_unit is None:
            self.reminders.change(reminder.ref, already_notified=True)
            return
        following = reminder.due_datetime
        while following <= self.now:
            following = add_units(following, reminder.repetition_unit, reminder.repetition_value)
        self.reminders.change(reminder.ref, due_datetime=following)

    def _check(self, title: str, due: datetime, every: int) -> None:
        require(title.strip(), "a reminder needs a title")
        require(due > self.now, f"{due:%Y-%m-%d %H:%M} is past; it is {self.now:%Y-%m-%d %H:%M}")
        require(every >= 1, "repetition_value must be at least 1")


def check_pace(unit: RepetitionUnit | None, every: int) -> None:
    """Refuse what would ring more than once a minute: an hour of it would bury everything else."""
    require(unit != "second" or every >= 60, "a reminder repeats every 60 seconds or less often")


# --- screens ---


@dataclass(frozen=True)
class ReminderList(Screen[ReminderApp]):
    """Reminders, all or those due or upcoming."""

    shown: Literal["all", "due", "upcoming"] = "all"

    def title(self, app: ReminderApp) -> str:
        return f"Reminders ({self.shown})"

    def items(self, app: ReminderApp) -> Iterable[Item]:
        for reminder in app.get_all_reminders():
            due = reminder.due_datetime <= app.now
            if self.shown == "all" or due == (self.shown == "due"):
                yield item(reminder, "title", "due_datetime")

    @action()
    def list_all(self, app: ReminderApp) -> ReminderList:
        """Show all reminders."""
        return ReminderList("all")

    @action()
    def list_due(self, app: ReminderApp) -> ReminderList:
        """Show the reminders that are due."""
        return ReminderList("due")

    @action()
    def list_upcoming(self, app: ReminderApp) -> ReminderList:
        """Show the reminders that are still to come."""
        return ReminderList("upcoming")

    @action()
    def open_reminder(self, app: ReminderApp, reminder_id: ReminderId) -> ReminderDetail:
        """Open a reminder."""
        return ReminderDetail(app.reminders.get(reminder_id).ref)

    @action()
    def create_new(self, app: ReminderApp) -> ReminderEdit:
        """Start a new reminder."""
        return ReminderEdit(due_datetime=app.now + timedelta(hours=1))


@dataclass(frozen=True)
class ReminderDetail(Screen[ReminderApp]):
    """One reminder."""

    SHOWS = "reminder"
    reminder_id: ReminderId

    def title(self, app: ReminderApp) -> str:
        return app.reminders.get(self.reminder_id).title

    def items(self, app: ReminderApp) -> Iterable[Item]:
        reminder = app.reminders.get(self.reminder_id)
        yield item(reminder, "*", text=f"{reminder.line()}: {reminder.description}")

    @action()
    def edit(self, app: ReminderApp) -> ReminderEdit:
        """Edit this reminder."""
        old = app.reminders.get(self.reminder_id)
        return ReminderEdit(
            reminder_id=old.ref,
            name=old.title,
            due_datetime=old.due_datetime,
            description=old.description,
            repetition_unit=old.repetition_unit,
            repetition_value=old.repetition_value,
        )

    @action("write")
    def delete(self, app: ReminderApp) -> ReminderList:
        """Delete this reminder."""
        app.delete_reminder(self.reminder_id)
        return ReminderList()


@dataclass(frozen=True)
class ReminderEdit(Screen[ReminderApp]):
    """The form of a new or an old reminder; nothing is stored before it is saved."""

    FORM = True
    reminder_id: ReminderId | None = None
    name: str = ""
    due_datetime: datetime = datetime.min
    description: str = ""
    repetition_unit: RepetitionUnit | None = None
    repetition_value: Every = 1

    def title(self, app: ReminderApp) -> str:
        return "Edit reminder" if self.reminder_id else "New reminder"

    def items(self, app: ReminderApp) -> Iterable[Item]:
        yield label(f"Title: {self.name}", "field")
        yield label(f"Due: {self.due_datetime:%Y-%m-%d %H:%M}", "field")
        yield label(f"Description: {self.description}", "field")
        every = f"every {self.repetition_value} {self.repetition_unit}"
        yield label(f"Repeats: {every if self.repetition_unit else 'never'}", "field")

    @action()
    def set_title(self, app: ReminderApp, title: str) -> ReminderEdit:
        """Type the title."""
        return replace(self, name=title)

    @action()
    def set_due_datetime(self, app: ReminderApp, due_datetime: NaiveDatetime) -> ReminderEdit:
        """Choose when."""
        return replace(self, due_datetime=due_datetime)

    @action()
    def set_description(self, app: ReminderApp, description: str) -> ReminderEdit:
        """Type the description."""
        return replace(self, description=description)

    @action()
    def set_repetition(
        self, app: ReminderApp, unit: RepetitionUnit | None = None, value: Every = 1
    ) -> ReminderEdit:
        """Choose how it repeats; without a unit it does not."""
        check_pace(unit, value)
        return replace(self, repetition_unit=unit, repetition_value=value)

    @action("write", when=lambda screen, app: bool(screen.name.strip()))
    def save(self, app: ReminderApp) -> ReminderDetail:
        """Save the reminder."""
        fields: dict[str, Any] = {
            "title": self.name,
            "due_datetime": self.due_datetime,
            "description": self.description,
            "repetition_unit": self.repetition_unit,
            "repetition_value": self.repetition_value,
        }
        if self.reminder_id is None:
            return ReminderDetail(app.add_reminder(**fields).ref)
        old = app.reminders.get(self.reminder_id)
        require(
            self.due_datetime == old.due_datetime or self.due_datetime > app.now,
            f"the new time is past; it is {app.now:%Y-%m-%d %H:%M}",
        )
        notified = old.already_notified and self.due_datetime == old.due_datetime
        app.reminders.change(self.reminder_id, **fields, already_notified=notified)
        return ReminderDetail(self.reminder_id)

    @action()
    def discard(self, app: ReminderApp) -> ReminderList:
        """Leave without saving."""
        return ReminderList()


ReminderApp.ROOT = ReminderList
ReminderApp.SCREENS = (ReminderList, ReminderDetail, ReminderEdit)
APP = ReminderApp
