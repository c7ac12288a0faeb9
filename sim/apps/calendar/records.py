"""What the calendar stores: one record per event, repeating or not, and when it takes place.

Times are the phone's own; ``timezone`` is a label that says where a time was meant, nothing more.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, NaiveDatetime

from heron.sim.app import require
from heron.sim.calendar_math import add_units, clock, day_name
from heron.sim.listing import matches, short
from heron.sim.marks import ID, PROSE, UNORDERED, Ref
from heron.sim.tables import AppRecord

EventId = Annotated[str, Ref("event")]
Text = Annotated[str, PROSE]
RepetitionUnit = Literal["day", "week", "month", "year"]
Every = Annotated[int, Field(ge=1, le=100)]
Times = Annotated[int, Field(ge=1, le=1000)]

DAY = timedelta(days=1)
LONGEST = {"day": DAY, "week": 7 * DAY, "month": 31 * DAY, "year": 366 * DAY}
YEARS = range(1900, 2201)
LAST = date(YEARS[-1], 12, 31)
EVER, FOREVER = datetime(1, 1, 1), datetime(9999, 12, 31)

NO_REPETITION = {
    "repetition_unit": None,
    "repetition_value": 1,
    "repetition_count": None,
    "repetition_until": None,
    "cancelled": (),
}
"""Fields of an event that does not repeat."""


class CalendarEvent(AppRecord):
    """Something that takes place."""

    KIND: ClassVar[str] = "event"
    ID: ClassVar[str] = "event_id"

    event_id: Annotated[str, ID]
    title: Text
    start_datetime: NaiveDatetime
    end_datetime: NaiveDatetime
    """Exclusive; of an all-day event it is the midnight after its last day."""
    tag: str | None = None
    description: Text | None = None
    location: Text | None = None
    attendees: Annotated[tuple[str, ...], UNORDERED] = ()
    """Names or email addresses of the others."""
    all_day: bool = False
    timezone: str | None = None
    """Label of the zone in which the time was agreed."""
    repetition_unit: RepetitionUnit | None = None
    repetition_value: int = 1
    """It takes place every so many units."""
    repetition_count: int | None = None
    """How often it takes place in all, if that is limited."""
    repetition_until: date | None = None
    """The last day on which it may take place, if that is limited."""
    cancelled: Annotated[tuple[date, ...], UNORDERED] = ()
    """Days on which a repeating event is left out."""

    def line(self) -> str:
        place = f", {self.location}" if self.location else ""
        people = f", with {', '.join(self.attendees)}" if self.attendees else ""
        tag = f", #{self.tag}" if self.tag else ""
        about = f": {short(self.description)}" if self.description else ""
        return f"'{self.title}' {self.when()}{place}{people}{self.every()}{tag}{about}"

    def full(self) -> str:
        """All of it, as on its own screen."""
        known = {
            "When": f"{self.when()}{self.every()}",
            "Where": self.location,
            "With": ", ".join(self.attendees),
            "Tag": self.tag,
            "Time zone": self.timezone,
            "Left out on": ", ".join(day.isoformat() for day in self.cancelled),
            "About": self.description,
        }
        return "\n".join([self.title, *(f"{name}: {v}" for name, v in known.items() if v)])

    def when(self) -> str:
        """Date and time as words: ``Wed 2026-03-11 10:00-10:30``."""
        start, end = self.start_datetime, self.end_datetime
        if self.all_day:
            last = end - DAY
            days = day_name(start) if last <= start else f"{day_name(start)} to {day_name(last)}"
            return f"{days} all day"
        if start.date() == end.date():
            return f"{day_name(start)} {clock(start)}-{clock(end)}"
        return f"{day_name(start)} {clock(start)} to {day_name(end)} {clock(end)}"

    def every(self) -> str:
        """How it repeats, as words; nothing if it does not."""
        if self.repetition_unit is None:
            return ""
        step = f"{self.repetition_value} {self.repetition_unit}s"
        often = f", every {self.repetition_unit if self.repetition_value == 1 else step}"
        if self.repetition_count is not None:
            often += f", {self.repetition_count} times"
        return often + (f" until {self.repetition_until}" if self.repetition_until else "")

    def route(self, parameter: str) -> Any:
        if parameter == "day":
            first = next(self.occurrences(EVER, FOREVER), self)
            return first.start_datetime.date().isoformat()
        return self.title if parameter == "query" else None

    def matches(self, query: str) -> bool:
        """Whether all words of ``query`` stand in it."""
        texts = (self.title, self.description, self.location, self.tag, self.when())
        return matches(query, (*texts, *self.attendees))

    def occurrences(self, since: datetime, before: datetime) -> Iterator[CalendarEvent]:
        """The event as it takes place between two times, earliest first, without an end if it
        repeats without one and ``before`` is far off.
        """
        length = self.end_datetime - self.start_datetime
        for start in self._starts(since):
            if start >= before:
                return
            if start + length > since and start.date() not in self.cancelled:
                yield self.moved_to(start)

    def _starts(self, since: datetime) -> Iterator[datetime]:
        unit = self.repetition_unit
        if unit is None:
            yield self.start_datetime
            return
        last = datetime.combine(min(self.repetition_until or LAST, LAST), time.max)
        number = max(0, (since - self.end_datetime) // (LONGEST[unit] * self.repetition_value))
        count = self.repetition_count or sys.maxsize
        while since <= last and number < count:
            start = add_units(self.start_datetime, unit, number * self.repetition_value)
            if start > last:
                return
            yield start
            number += 1

    def moved_to(self, start: datetime) -> CalendarEvent:
        """The event at another time, as long as before.

        Raises:
            IllegalCall: the calendar does not reach so far.
        """
        if start == self.start_datetime:
            return self
        require(start.year in YEARS, f"the calendar has the years {YEARS[0]} to {YEARS[-1]}")
        end = start + (self.end_datetime - self.start_datetime)
        return self.model_copy(update={"start_datetime": start, "end_datetime": end})


def checked(event: CalendarEvent) -> CalendarEvent:
    """An event that can be kept; one for all day reaches from midnight to midnight.

    Raises:
        IllegalCall: it has no title, ends before it begins, or repeats in no possible way.
    """
    start, end = event.start_datetime, event.end_datetime
    require(event.title.strip(), "an event needs a title")
    require(
        start.year in YEARS and end.year in YEARS,
        f"an event must lie in the years {YEARS[0]} to {YEARS[-1]}",
    )
    if event.all_day:
        start = datetime.combine(start.date(), time.min)
        if end <= start or end.time() != time.min:
            end = datetime.combine(end.date(), time.min) + DAY
        event = event.model_copy(update={"start_datetime": start, "end_datetime": end})
    require(end > start, f"it must end after it begins ({start:%Y-%m-%d %H:%M})")
    if event.repetition_unit is None:
        limited = event.repetition_count is not None or event.repetition_until is not None
        require(not limited, "a count or an end of repetition needs a repetition_unit")
    else:
        until = event.repetition_until
        require(until is None or until >= start.date(), f"it cannot end before {start.date()}")
        takes_place = next(event.occurrences(start, FOREVER), None)
        require(takes_place, "no day would be left; delete the event instead")
    return event


def by_time(events: Iterable[CalendarEvent]) -> list[CalendarEvent]:
    """Earliest first."""
    return sorted(events, key=lambda event: (event.start_datetime, event.end_datetime))


def each_once(names: Iterable[str]) -> tuple[str, ...]:
    """Names without repetitions and blanks."""
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
