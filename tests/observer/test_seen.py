"""What was shown can be named, in bounds; what was only touched can be looked at."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.observer.moments import Episode, did, looked, note, record
from tests.observer.streams import READ_TOOLS

from heron.contracts import NotificationSeen
from heron.observer.seen import SeenRecords


def test_records_come_from_notifications_and_looks() -> None:
    seen, episode = SeenRecords(READ_TOOLS), Episode()
    seen.note(episode.next(note("hello", ref="m4")))
    seen.note(episode.next(looked(record("e3", "Dentist", "event"), record("e4", "Gym", "event"))))
    assert seen.refs() == ("m4", "e3", "e4")
    assert seen.candidates("event") == ("e3", "e4")


def test_what_is_shown_again_is_new_again() -> None:
    seen, episode = SeenRecords(), Episode()
    seen.note(episode.next(note("one", ref="m1"), note("two", ref="m2"), note("new", ref="m1")))
    assert seen.refs() == ("m2", "m1")
    shown = seen.get("m1")
    assert shown is not None
    assert shown.text.endswith("new")


def test_a_touched_record_can_be_looked_at_but_not_proposed_on() -> None:
    seen, episode = SeenRecords(READ_TOOLS), Episode()
    seen.note(episode.next(did("calendar.open_event", event_id="e7", title="x")))
    seen.note(episode.next(did("calendar.open_event", error="gone", event_id="e8")))
    assert seen.candidates("event") == ("e7",)
    assert seen.refs() == ()
    seen.note(episode.next(looked(record("e7", "Gym", "event"))))
    assert seen.candidates("event") == ("e7",)
    assert seen.refs() == ("e7",)


def test_an_ordinary_action_shows_nothing() -> None:
    seen, episode = SeenRecords(READ_TOOLS), Episode()
    seen.note(episode.next(did("notes.write", content="m4")))
    assert not seen.has_any
    seen.note(episode.next(did("calendar.open_event", event_id="e7")))
    assert seen.has_any


def test_only_as_many_records_of_a_look_count_as_the_model_reads() -> None:
    seen = SeenRecords(per_look=2)
    seen.note(Episode().next(looked(*(record(f"e{i}", "x", "event") for i in range(5)))))
    assert seen.refs() == ("e0", "e1")


@given(st.lists(st.integers(0, 99), max_size=200))
def test_it_is_bounded_and_keeps_the_latest(numbers: list[int]) -> None:
    seen, episode = SeenRecords(limit=8), Episode()
    for number in numbers:
        seen.note(episode.next(note("x", ref=f"m{number}")))
    latest = list(dict.fromkeys(reversed(numbers)))[:8]
    assert list(seen.refs()) == [f"m{number}" for number in reversed(latest)]


def test_a_notification_without_a_record_is_no_evidence() -> None:
    seen = SeenRecords()
    seen.note(Episode().next(NotificationSeen(app="cab", title="Ride", text="late")))
    assert seen.refs() == ()
    assert not seen.has_any
