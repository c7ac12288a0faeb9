"""The calendar's screens: an agenda, an event, and the form in which an event is edited."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from pydantic import NaiveDatetime

from heron.contracts import Item
from heron.sim.app import require
from heron.sim.apps.calendar.app import CalendarApp
from heron.sim.apps.calendar.records import (
    DAY,
    NO_REPETITION,
    YEARS,
    CalendarEvent,
    EventId,
    Every,
    RepetitionUnit,
    Text,
    Times,
    by_time,
    each_once,
)
from heron.sim.calendar_math import day_name
from heron.sim.listing import LISTED
from heron.sim.screens import Screen, action, item, label


@dataclass(frozen=True)
class Agenda(Screen[CalendarApp]):
    """The events of a day, or those with some words, a tag or an attendee: the latest of them."""

    day: date | None = None
    """``None``: today, or all days where something is looked for."""
    query: str = ""
    tag: str = ""
    attendee: str = ""

    def title(self, app: CalendarApp) -> str:
        if self.query or self.tag or self.attendee:
            looked_for = self.query or self.tag or self.attendee
            return f"Events with '{looked_for}'"
        return day_name(self.day or app.now.date())

    def items(self, app: CalendarApp) -> Iterable[Item]:
        for event in self.events(app):
            place = f", {event.location}" if event.location else ""
            text = f"{event.title} {event.when()}{place}"
            yield item(
                event, "title", "start_datetime", "end_datetime", "all_day", "location", text=text
            )

    def events(self, app: CalendarApp) -> list[CalendarEvent]:
        """What it lists."""
        if not (self.query or self.tag or self.attendee):
            return app.on(self.day or app.now.date())
        found = [
            event
            for event in app.events
            if (not self.query or event.matches(self.query))
            and (not self.tag or event.tag == self.tag)
            and (not self.attendee or self.attendee in event.attendees)
        ]
        return by_time(found)[-LISTED:]

    @action()
    def open_event(self, app: CalendarApp, event_id: EventId) -> EventDetail:
        """Open an event."""
        shown = next((e for e in self.events(app) if e.ref == event_id), None)
        start = shown.start_datetime if shown else app.events.get(event_id).start_datetime
        return EventDetail(event_id, start.date())

    @action()
    def show_today(self, app: CalendarApp) -> Agenda:
        """Show the events of today."""
        return Agenda()

    @action()
    def set_day(self, app: CalendarApp, day: date) -> Agenda:
        """Show the events of another day."""
        require(day.year in YEARS, f"the calendar has the years {YEARS[0]} to {YEARS[-1]}")
        return Agenda(day)

    @action()
    def search(self, app: CalendarApp, query: str) -> Agenda:
        """Show the events in which these words stand."""
        return Agenda(query=query.strip())

    @action()
    def filter_by_tag(self, app: CalendarApp, tag: str) -> Agenda:
        """Show the events with a tag."""
        require(tag in app.tags(), f"no event is tagged {tag!r}; tags are {app.tags()}")
        return Agenda(tag=tag)

    @action()
    def filter_by_attendee(self, app: CalendarApp, attendee: str) -> Agenda:
        """Show the events that somebody attends."""
        known = sorted({name for event in app.events for name in event.attendees})
        require(attendee in known, f"nobody is called {attendee!r}; attendees are {known[:20]}")
        return Agenda(attendee=attendee)

    @action()
    def create_new(self, app: CalendarApp) -> EditEvent:
        """Start a new event."""
        hour = app.now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        start = hour if self.day is None else datetime.combine(self.day, time(9))
        end = start + timedelta(hours=1)
        draft = CalendarEvent(event_id="", title="", start_datetime=start, end_datetime=end)
        return EditEvent(draft)


def _takes_place(screen: EventDetail, app: CalendarApp) -> bool:
    event = app.events.get(screen.event_id)
    return event.repetition_unit is not None and screen.day not in event.cancelled


@dataclass(frozen=True)
class EventDetail(Screen[CalendarApp]):
    """One event in full."""

    SHOWS = "event"
    event_id: EventId
    day: date
    """The day for which it was opened; a repeating event has others."""

    def title(self, app: CalendarApp) -> str:
        return app.events.get(self.event_id).title

    def items(self, app: CalendarApp) -> Iterable[Item]:
        event = app.events.get(self.event_id)
        yield item(event, "*", text=event.full())
        if event.repetition_unit is not None:
            yield label(f"Opened for {day_name(self.day)}")

    @action()
    def edit(self, app: CalendarApp) -> EditEvent:
        """Edit this event."""
        return EditEvent(app.events.get(self.event_id), self.event_id)

    @action("write", when=_takes_place)
    def delete_this_day(self, app: CalendarApp) -> Agenda:
        """Let this repeating event not take place on the day for which it was opened."""
        app.leave_out(app.events.get(self.event_id), self.day)
        return Agenda(self.day)

    @action("write")
    def delete(self, app: CalendarApp) -> Agenda:
        """Delete this event, with all its days."""
        app.delete_calendar_event(self.event_id)
        return Agenda(self.day)


@dataclass(frozen=True)
class EditEvent(Screen[CalendarApp]):
    """The form of a new or an old event; nothing is stored before it is saved."""

    FORM = True
    draft: CalendarEvent
    event_id: EventId | None = None

    def title(self, app: CalendarApp) -> str:
        return f"Edit {self.draft.title}" if self.event_id else "New event"

    def items(self, app: CalendarApp) -> Iterable[Item]:
        draft = self.draft
        yield label(f"Title: {draft.title}", "field")
        yield label(f"When: {draft.when()}", "field")
        yield label(f"Repeats: {draft.every().removeprefix(', ') or 'never'}", "field")
        yield label(f"Where: {draft.location or ''}", "field")
        yield label(f"With: {', '.join(draft.attendees)}", "field")
        yield label(f"About: {draft.description or ''}", "field")
        yield label(f"Tag: {draft.tag or ''}", "field")
        yield label(f"Time zone: {draft.timezone or ''}", "field")

    def _with(self, **fields: Any) -> EditEvent:
        return replace(self, draft=self.draft.model_copy(update=fields))

    @action()
    def set_title(self, app: CalendarApp, title: Text) -> EditEvent:
        """Type the title."""
        return self._with(title=title)

    @action()
    def set_start(self, app: CalendarApp, start_datetime: NaiveDatetime) -> EditEvent:
        """Choose when it begins; it stays as long as it was."""
        return replace(self, draft=self.draft.moved_to(start_datetime))

    @action()
    def set_end(self, app: CalendarApp, end_datetime: NaiveDatetime) -> EditEvent:
        """Choose when it ends."""
        start = self.draft.start_datetime
        require(end_datetime > start, f"it begins at {start:%Y-%m-%d %H:%M} and must end later")
        require(end_datetime.year in YEARS, f"choose a year from {YEARS[0]} to {YEARS[-1]}")
        return self._with(end_datetime=end_datetime)

    @action()
    def set_all_day(self, app: CalendarApp, all_day: bool) -> EditEvent:
        """Choose whether it takes all day."""
        first = datetime.combine(self.draft.start_datetime.date(), time.min)
        if not all_day or self.draft.all_day:
            return self._with(all_day=all_day)
        return self._with(all_day=True, start_datetime=first, end_datetime=first + DAY)

    @action()
    def set_location(self, app: CalendarApp, location: Text) -> EditEvent:
        """Type where it takes place."""
        return self._with(location=location)

    @action()
    def set_description(self, app: CalendarApp, description: Text) -> EditEvent:
        """Type what it is about."""
        return self._with(description=description)

    @action()
    def set_tag(self, app: CalendarApp, tag: str) -> EditEvent:
        """Type a tag; empty text takes it away."""
        return self._with(tag=tag)

    @action()
    def set_timezone(self, app: CalendarApp, timezone: str) -> EditEvent:
        """Type in which time zone the time was agreed."""
        return self._with(timezone=timezone)

    @action()
    def add_attendee(self, app: CalendarApp, attendee: str) -> EditEvent:
        """Type the name or address of somebody who attends."""
        require(attendee.strip(), "type a name or an email address")
        return self._with(attendees=each_once((*self.draft.attendees, attendee)))

    @action(when=lambda screen, _: bool(screen.draft.attendees))
    def remove_attendee(self, app: CalendarApp, attendee: str) -> EditEvent:
        """Take somebody off the list."""
        there = self.draft.attendees
        require(attendee in there, f"{attendee!r} does not attend; attendees are {list(there)}")
        return self._with(attendees=tuple(name for name in there if name != attendee))

    @action()
    def set_repetition(
        self,
        app: CalendarApp,
        unit: RepetitionUnit | None = None,
        value: Every = 1,
        count: Times | None = None,
        until: date | None = None,
    ) -> EditEvent:
        """Choose how it repeats; without a unit it does not."""
        if unit is None:
            return self._with(**NO_REPETITION)
        return self._with(
            repetition_unit=unit,
            repetition_value=value,
            repetition_count=count,
            repetition_until=until,
        )

    @action("write", when=lambda screen, _: bool(screen.draft.title.strip()))
    def save(self, app: CalendarApp) -> EventDetail:
        """Save the event."""
        ref = self.event_id or app.events.new_id()
        event = app.save(self.draft.model_copy(update={"event_id": ref}))
        return EventDetail(event.ref, event.start_datetime.date())

    @action()
    def discard(self, app: CalendarApp) -> Agenda:
        """Leave without saving."""
        return Agenda(self.draft.start_datetime.date())
