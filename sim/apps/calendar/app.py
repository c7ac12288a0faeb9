"""The calendar's backend: what the assistant can call and what other people do.

A list names each event once, as it first takes place in the time asked for. What it does not
know: contacts; attendees are names or addresses.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from itertools import islice
from typing import Any, Literal

from pydantic import NaiveDatetime

from heron.errors import IllegalCall, InputError
from heron.sim.app import App, happens, require, tool
from heron.sim.apps.calendar.records import (
    DAY,
    NO_REPETITION,
    CalendarEvent,
    EventId,
    Every,
    RepetitionUnit,
    Text,
    Times,
    by_time,
    checked,
    each_once,
)
from heron.sim.listing import Limit, Offset, page
from heron.sim.tables import AppRecord


class CalendarApp(App):
    """What takes place, when, where and with whom."""

    NAME = "calendar"
    TITLE = "Calendar"

    def setup(self) -> None:
        self.events = self.table("events", CalendarEvent, "e")

    def add(self, table_name: str, fields: Mapping[str, Any]) -> AppRecord:
        """Load one event; it has to keep the rules that new ones keep."""
        row = super().add(table_name, fields)
        try:
            return self.events.put(checked(self.events.get(row.ref)))
        except IllegalCall as problem:
            raise InputError(f"{self.NAME}.{table_name}: {row.ref}: {problem}") from problem

    def between(self, since: datetime, before: datetime) -> list[CalendarEvent]:
        """Each event as it first takes place in a stretch of time, earliest first."""
        found = []
        for event in self.events:
            if event.repetition_unit is not None:
                found += list(islice(event.occurrences(since, before), 1))
            elif event.start_datetime < before and event.end_datetime > since:
                found.append(event)
        return by_time(found)

    def on(self, day: date) -> list[CalendarEvent]:
        """What takes place on a day."""
        midnight = datetime.combine(day, time.min)
        return self.between(midnight, midnight + DAY)

    def tags(self) -> list[str]:
        """All tags in use."""
        return sorted({event.tag for event in self.events if event.tag})

    # --- tools ---

    @tool("read")
    def get_calendar_event(self, event_id: EventId) -> CalendarEvent:
        """One event in full."""
        return self.events.get(event_id)

    @tool("read")
    def get_calendar_events_from_to(
        self,
        start_datetime: NaiveDatetime,
        end_datetime: NaiveDatetime,
        offset: Offset = 0,
        limit: Limit = 10,
    ) -> dict[str, Any]:
        """Events between two times, earliest first; times are YYYY-MM-DD HH:MM."""
        require(end_datetime > start_datetime, "end_datetime must come after start_datetime")
        return page("events", self.between(start_datetime, end_datetime), offset, limit)

    @tool("read")
    def read_today_calendar_events(self) -> list[CalendarEvent]:
        """Events of today."""
        return self.on(self.now.date())

    @tool("read")
    def get_all_tags(self) -> list[str]:
        """All tags that events have."""
        return self.tags()

    @tool("read")
    def get_calendar_events_by_tag(
        self, tag: str, offset: Offset = 0, limit: Limit = 10
    ) -> dict[str, Any]:
        """Events with a tag, earliest first."""
        tags = self.tags()
        require(tag in tags, f"no event is tagged {tag!r}; tags are {tags}")
        return page("events", by_time(e for e in self.events if e.tag == tag), offset, limit)

    @tool("read")
    def search_events(self, query: str, offset: Offset = 0, limit: Limit = 10) -> dict[str, Any]:
        """Events in whose title, description, place, attendees or date all words of query stand."""
        require(query.strip(), "query needs at least one word")
        return page("events", by_time(e for e in self.events if e.matches(query)), offset, limit)

    @tool("write")
    def add_calendar_event(  # noqa: PLR0913  (an event has that many fields)
        self,
        *,
        title: Text,
        start_datetime: NaiveDatetime,
        end_datetime: NaiveDatetime,
        location: Text | None = None,
        attendees: list[str] | None = None,
        description: Text | None = None,
        tag: str | None = None,
        all_day: bool = False,
        timezone: str | None = None,
        repetition_unit: RepetitionUnit | None = None,
        repetition_value: Every = 1,
        repetition_count: Times | None = None,
        repetition_until: date | None = None,
    ) -> CalendarEvent:
        """Add an event; times are YYYY-MM-DD HH:MM."""
        return self.save(
            CalendarEvent(
                event_id=self.events.new_id(),
                title=title,
                start_datetime=start_datetime,
                end_datetime=end_datetime,
                location=location,
                attendees=each_once(attendees or ()),
                description=description,
                tag=tag,
                all_day=all_day,
                timezone=timezone,
                repetition_unit=repetition_unit,
                repetition_value=repetition_value,
                repetition_count=repetition_count,
                repetition_until=repetition_until,
            )
        )

    @tool("write")
    def edit_calendar_event(  # noqa: PLR0913  (an event has that many fields)
        self,
        *,
        event_id: EventId,
        title: Text | None = None,
        start_datetime: NaiveDatetime | None = None,
        end_datetime: NaiveDatetime | None = None,
        location: Text | None = None,
        attendees: list[str] | None = None,
        description: Text | None = None,
        tag: str | None = None,
        all_day: bool | None = None,
        timezone: str | None = None,
        repetition_unit: RepetitionUnit | Literal["never"] | None = None,
        repetition_value: Every | None = None,
        repetition_count: Times | None = None,
        repetition_until: date | None = None,
    ) -> CalendarEvent:
        """Change fields of an event; a new start alone moves it, empty text clears a field."""
        given = {k: v for k, v in locals().items() if k not in ("self", "event_id")}
        fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        require(fields, f"nothing to change in {event_id}; give at least one field")
        event = self.events.get(event_id)
        if attendees is not None:
            fields["attendees"] = each_once(attendees)
        if start_datetime is not None and end_datetime is None:
            event = event.moved_to(start_datetime)
        if fields.get("repetition_unit") == "never":
            fields |= NO_REPETITION
        return self.save(event.model_copy(update=fields))

    @tool("write")
    def delete_calendar_event(self, event_id: EventId, day: date | None = None) -> str:
        """Delete an event; with a day only that day of a repeating one."""
        event = self.events.get(event_id)
        if day is None:
            self.events.delete(event_id)
            return f"deleted {event_id} '{event.title}'"
        self.leave_out(event, day)
        return f"deleted {event_id} '{event.title}' on {day}"

    # --- what other people do ---

    @happens
    def add_by_attendee(  # noqa: PLR0913  (an invitation has that many fields)
        self,
        *,
        who: str,
        title: Text,
        start_datetime: NaiveDatetime,
        end_datetime: NaiveDatetime,
        location: Text | None = None,
        attendees: list[str] | None = None,
        description: Text | None = None,
        tag: str | None = None,
        event_id: str | None = None,
    ) -> CalendarEvent:
        """Somebody puts an event into the owner's calendar."""
        ref = self.claim(self.events, event_id)
        require(who.strip(), "who needs at least one letter")
        event = self.save(
            CalendarEvent(
                event_id=ref,
                title=title,
                start_datetime=start_datetime,
                end_datetime=end_datetime,
                location=location,
                attendees=each_once((who, *(attendees or ()))),
                description=description,
                tag=tag,
            )
        )
        self.notify(f"{who}: {event.title}", f"Invitation to {event.full()}", event)
        return event

    @happens
    def move_by_attendee(
        self,
        event_id: EventId,
        who: str,
        start_datetime: NaiveDatetime,
        end_datetime: NaiveDatetime | None = None,
    ) -> CalendarEvent:
        """An attendee moves an event; without an end it stays as long as it was."""
        old = self._event_with(event_id, who)
        event = old.moved_to(start_datetime)
        if end_datetime is not None:
            times = {"start_datetime": start_datetime, "end_datetime": end_datetime}
            event = old.model_copy(update=times)
        event = self.save(event)
        text = f"Moved from {old.when()} to {event.when()}: {event.full()}"
        self.notify(f"{who}: {event.title}", text, event)
        return event

    @happens
    def delete_by_attendee(self, event_id: EventId, who: str) -> str:
        """An attendee cancels an event."""
        event = self._event_with(event_id, who)
        self.events.delete(event_id)
        self.notify(f"{who}: {event.title}", f"Cancelled: {event.full()}", event)
        return f"{who} cancelled {event_id}"

    # --- for screens ---

    def save(self, event: CalendarEvent) -> CalendarEvent:
        """Store a new or changed event, its empty texts cleared.

        Raises:
            IllegalCall: it breaks a rule of ``checked``.
        """
        texts = ("tag", "description", "location", "timezone")
        cleared = {name: None for name in texts if getattr(event, name) == ""}
        event = checked(event.model_copy(update=cleared))
        return event if self.events.find(event.ref) == event else self.events.put(event)

    def leave_out(self, event: CalendarEvent, day: date) -> CalendarEvent:
        """Let a repeating event not take place on one of its days.

        Raises:
            IllegalCall: it does not repeat, or does not begin on that day.
        """
        require(event.repetition_unit, f"{event.ref} does not repeat; delete it without a day")
        midnight = datetime.combine(day, time.min)
        starts = [e.start_datetime for e in event.occurrences(midnight, midnight + DAY)]
        require(
            any(start.date() == day for start in starts),
            f"{event.ref} does not begin on {day}; it takes place {event.when()}{event.every()}",
        )
        return self.save(event.model_copy(update={"cancelled": (*event.cancelled, day)}))

    def _event_with(self, event_id: str, who: str) -> CalendarEvent:
        event = self.events.get(event_id)
        known = list(event.attendees)
        require(who in known, f"{who!r} is no attendee of {event_id}; attendees are {known}")
        return event
