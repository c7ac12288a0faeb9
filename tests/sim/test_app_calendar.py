"""The calendar: days, repetition, all-day events, attendees, forms, and what is refused."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sim.hand import Hand

from heron.errors import InputError
from heron.sim.apps.calendar.records import CalendarEvent
from heron.sim.calendar_math import add_units, day_name

EVENTS: dict[str, Any] = {
    "events": [
        {
            "title": "Dentist",
            "start_datetime": "2026-03-11 10:00",
            "end_datetime": "2026-03-11 10:30",
            "location": "Mill Lane 4",
            "attendees": ["Dr Poe"],
            "tag": "health",
        },
        {
            "title": "Stand-up",
            "start_datetime": "2026-01-05 09:00",
            "end_datetime": "2026-01-05 09:15",
            "repetition_unit": "week",
            "attendees": ["Ben Ito", "cara@example.org"],
        },
        {
            "title": "Fair",
            "start_datetime": "2026-03-12 00:00",
            "end_datetime": "2026-03-13 00:00",
            "all_day": True,
        },
    ]
}


@pytest.fixture
def hand() -> Hand:
    return Hand("calendar", EVENTS)


def event(hand: Hand, ref: str) -> CalendarEvent:
    record = hand.world.record(ref)
    assert isinstance(record, CalendarEvent)
    return record


def made(**fields: Any) -> CalendarEvent:
    times = {"start_datetime": "2026-01-31 10:00", "end_datetime": "2026-01-31 11:00"}
    return CalendarEvent(event_id="e1", title="x", **{**times, **fields})


# --- when things take place ---


def test_days_are_words_that_do_not_depend_on_the_machine() -> None:
    assert day_name(date(2026, 3, 11)) == "Wed 2026-03-11"
    assert made().when() == "Sat 2026-01-31 10:00-11:00"
    assert made(end_datetime="2026-02-01 11:00").when() == (
        "Sat 2026-01-31 10:00 to Sun 2026-02-01 11:00"
    )


def test_a_monthly_event_stays_on_the_months_last_day_and_comes_back() -> None:
    monthly = made(repetition_unit="month", repetition_count=3)
    starts = [e.start_datetime.date() for e in monthly.occurrences(*year(2026))]
    assert starts == [date(2026, 1, 31), date(2026, 2, 28), date(2026, 3, 31)]


def test_an_end_date_counts_and_days_can_be_left_out() -> None:
    daily = made(
        repetition_unit="day",
        repetition_value=2,
        repetition_until="2026-02-06",
        cancelled=["2026-02-02"],
    )
    days = [e.start_datetime.day for e in daily.occurrences(*year(2026))]
    assert days == [31, 4, 6]


def year(number: int) -> tuple[datetime, datetime]:
    return datetime(number, 1, 1), datetime(number + 1, 1, 1)


@given(
    unit=st.sampled_from(["day", "week", "month", "year"]),
    value=st.integers(1, 5),
    count=st.none() | st.integers(1, 40),
    hours=st.integers(1, 100),
    since=st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1)),
    span=st.integers(1, 400),
)
def test_occurrences_are_those_found_by_counting_from_the_start(
    unit: Any, value: int, count: int | None, hours: int, since: datetime, span: int
) -> None:
    start = datetime(2024, 2, 29, 22, 0)
    repeating = made(
        start_datetime=start,
        end_datetime=start + timedelta(hours=hours),
        repetition_unit=unit,
        repetition_value=value,
        repetition_count=count,
    )
    before = since + timedelta(days=span)
    number, naive = 0, []
    while number != count and (begin := add_units(start, unit, value * number)) < before:
        naive.append(begin)
        number += 1
    expected = [begin for begin in naive if begin + timedelta(hours=hours) > since]
    found = [e.start_datetime for e in repeating.occurrences(since, before)]
    assert found == expected


def test_a_list_names_an_event_once_as_it_first_takes_place_in_the_time_asked_for(
    hand: Hand,
) -> None:
    answer = hand.call(
        "get_calendar_events_from_to",
        start_datetime="2026-03-11 00:00",
        end_datetime="2026-03-31 00:00",
    )
    found = [(line["event_id"], line["start_datetime"]) for line in answer["events"]]
    assert found == [
        ("e1", "2026-03-11 10:00"),
        ("e3", "2026-03-12 00:00"),
        ("e2", "2026-03-16 09:00"),
    ]
    assert answer["total"] == 3


def test_what_only_touches_the_time_asked_for_is_not_in_it(hand: Hand) -> None:
    times = {"start_datetime": "2026-03-11 10:30", "end_datetime": "2026-03-11 12:00"}
    assert hand.shown("get_calendar_events_from_to", **times) == []
    times["start_datetime"] = "2026-03-11 10:29"
    assert hand.shown("get_calendar_events_from_to", **times) == ["e1"]


def test_today_is_the_phones_day(hand: Hand) -> None:
    assert hand.shown("read_today_calendar_events") == []
    hand.world.advance_to(datetime(2026, 3, 16, 12, 0))
    assert hand.shown("read_today_calendar_events") == ["e2"]


# --- what the assistant does ---


def test_an_event_is_added_with_its_fields(hand: Hand) -> None:
    hand.call(
        "add_calendar_event",
        title="Trip",
        start_datetime="2026-04-01 15:30",
        end_datetime="2026-04-03 08:00",
        all_day=True,
        attendees=["Ben Ito", "Ben Ito", " "],
        timezone="Europe/Oslo",
    )
    trip = event(hand, "e4")
    assert trip.when() == "Wed 2026-04-01 to Fri 2026-04-03 all day"
    assert trip.attendees == ("Ben Ito",)
    assert "Time zone: Europe/Oslo" in trip.full()


def test_a_new_start_alone_moves_an_event_and_keeps_its_length(hand: Hand) -> None:
    hand.call("edit_calendar_event", event_id="e1", start_datetime="2026-03-11 16:00")
    assert event(hand, "e1").when() == "Wed 2026-03-11 16:00-16:30"
    hand.call("edit_calendar_event", event_id="e1", location="", tag="teeth")
    assert (event(hand, "e1").location, event(hand, "e1").tag) == (None, "teeth")
    hand.call("edit_calendar_event", event_id="e2", repetition_unit="never")
    assert event(hand, "e2").every() == ""


def test_one_day_of_a_repeating_event_can_be_deleted(hand: Hand) -> None:
    hand.call("delete_calendar_event", event_id="e2", day="2026-03-16")
    assert event(hand, "e2").cancelled == (date(2026, 3, 16),)
    assert "does not begin" in hand.refused(
        "delete_calendar_event", event_id="e2", day="2026-03-16"
    )
    assert "does not repeat" in hand.refused(
        "delete_calendar_event", event_id="e1", day="2026-03-11"
    )
    hand.call("delete_calendar_event", event_id="e2")
    assert hand.world.record("e2") is None


NEW = {
    "title": "x",
    "start_datetime": "2026-03-11 10:00",
    "end_datetime": "2026-03-11 11:00",
}


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("add_calendar_event", {**NEW, "title": " "}, "needs a title"),
        ("add_calendar_event", {**NEW, "end_datetime": "2026-03-11 10:00"}, "end after"),
        ("add_calendar_event", {**NEW, "start_datetime": "2026-03-11T10:00Z"}, "timezone"),
        ("add_calendar_event", {**NEW, "end_datetime": "9999-12-31 10:00"}, "years 1900 to 2200"),
        ("add_calendar_event", {**NEW, "repetition_count": 3}, "needs a repetition_unit"),
        (
            "add_calendar_event",
            {**NEW, "repetition_unit": "day", "repetition_until": "2026-03-01"},
            "cannot end before",
        ),
        ("edit_calendar_event", {"event_id": "e1"}, "at least one field"),
        ("edit_calendar_event", {"event_id": "e9", "title": "y"}, "there are e1, e2, e3"),
        (
            "edit_calendar_event",
            {"event_id": "e1", "end_datetime": "2026-03-01 10:00"},
            "end after",
        ),
        ("get_calendar_events_by_tag", {"tag": "work"}, "tags are ['health']"),
        ("search_events", {"query": " "}, "at least one word"),
    ],
)
def test_a_refused_call_says_what_would_be_legal(
    hand: Hand, tool: str, arguments: dict[str, Any], says: str
) -> None:
    assert says in hand.refused(tool, **arguments)


def test_tags_and_search(hand: Hand) -> None:
    assert hand.call("get_all_tags") == ["health"]
    assert hand.shown("get_calendar_events_by_tag", tag="health") == ["e1"]
    assert hand.shown("search_events", query="wed mill") == ["e1"]
    assert hand.shown("search_events", query="cara") == ["e2"]


def test_scenario_data_keeps_the_rules_as_well() -> None:
    with pytest.raises(InputError, match=r"calendar\.events: e1: it must end after it begins"):
        Hand("calendar", {"events": [{**NEW, "end_datetime": "2026-03-11 09:00"}]})


# --- what other people do ---


def test_attendees_add_move_and_cancel(hand: Hand) -> None:
    hand.happens("add_by_attendee", who="Ben Ito", **{**NEW, "title": "Review"}, event_id="review")
    assert event(hand, "review").attendees == ("Ben Ito",)
    hand.happens(
        "move_by_attendee", event_id="review", who="Ben Ito", start_datetime="2026-03-11 14:00"
    )
    assert event(hand, "review").when() == "Wed 2026-03-11 14:00-15:00"
    hand.happens("delete_by_attendee", event_id="review", who="Ben Ito")
    assert hand.world.record("review") is None
    heard = hand.heard()
    assert [line.partition(" ")[0] for line in heard] == ["Ben"] * 3
    assert all(line.startswith("Ben Ito: Review: ") for line in heard)
    assert "Moved from Wed 2026-03-11 10:00-11:00 to Wed 2026-03-11 14:00-15:00" in heard[1]
    assert all(note.record and note.record.ref == "review" for note in hand.world.notifications)


def test_strangers_cannot_change_an_event(hand: Hand) -> None:
    refusal = hand.cannot_happen("delete_by_attendee", event_id="e1", who="Ben Ito")
    assert "attendees are ['Dr Poe']" in refusal


# --- what the user does ---


def test_the_agenda_shows_what_a_line_can_tell(hand: Hand) -> None:
    hand.open()
    assert hand.refs("event") == []
    hand.do("set_day", day="2026-03-11")
    line = hand.items("event")[0]
    assert line.text == "Dentist Wed 2026-03-11 10:00-10:30, Mill Lane 4"
    assert "*" not in line.shows
    assert {"title", "start_datetime", "end_datetime", "location"} <= set(line.shows)


def test_filters_name_what_there_is(hand: Hand) -> None:
    hand.open()
    assert "['health']" in hand.cannot("filter_by_tag", tag="work")
    assert "cara@example.org" in hand.cannot("filter_by_attendee", attendee="Eve")
    hand.do("filter_by_attendee", attendee="Dr Poe")
    assert hand.refs("event") == ["e1"]
    hand.do("search", query="fair")
    assert hand.refs("event") == ["e3"]
    hand.do("show_today")
    assert hand.refs("event") == []


def test_a_repeating_event_is_opened_for_a_day_and_left_out_on_it(hand: Hand) -> None:
    hand.open()
    hand.do("set_day", day="2026-03-16")
    hand.do("open_event", event_id="e2")
    assert "Opened for Mon 2026-03-16" in [item.text for item in hand.items()]
    assert hand.do("delete_this_day") == "Agenda"
    assert hand.refs("event") == []
    hand.do("set_day", day="2026-03-23")
    assert hand.refs("event") == ["e2"]


def test_the_form_keeps_its_draft_until_it_is_saved(hand: Hand) -> None:
    hand.go_to("e1")
    hand.do("edit")
    hand.do("set_start", start_datetime="2026-03-12 15:00")
    hand.do("add_attendee", attendee="Ben Ito")
    hand.do("remove_attendee", attendee="Dr Poe")
    assert "must end later" in hand.cannot("set_end", end_datetime="2026-03-12 14:00")
    assert event(hand, "e1").attendees == ("Dr Poe",)
    assert hand.do("save") == "EventDetail"
    assert event(hand, "e1").when() == "Thu 2026-03-12 15:00-15:30"
    assert event(hand, "e1").attendees == ("Ben Ito",)


def test_a_new_event_is_made_for_the_day_shown(hand: Hand) -> None:
    hand.open()
    hand.do("set_day", day="2026-05-01")
    hand.do("create_new")
    assert "save" not in hand.offers()
    hand.do("set_title", title="Picnic")
    hand.do("set_all_day", all_day=True)
    hand.do("set_repetition", unit="year")
    hand.do("save")
    assert event(hand, "e4").line() == "'Picnic' Fri 2026-05-01 all day, every year"


def test_a_cancelled_event_closes_its_screens(hand: Hand) -> None:
    hand.go_to("e1")
    hand.do("edit")
    hand.happens("delete_by_attendee", event_id="e1", who="Dr Poe")
    assert hand.screen == "Agenda"


def test_every_event_is_reached_from_home(hand: Hand) -> None:
    hand.call("delete_calendar_event", event_id="e2", day="2026-01-05")
    for ref in ("e1", "e2", "e3"):
        hand.go_to(ref)
