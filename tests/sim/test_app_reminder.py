"""Reminders: falling due, repetition and its pace, the form, and what is refused."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from tests.sim.hand import Hand

from heron.sim.apps.reminder import Reminder

LIST: dict[str, Any] = {
    "reminders": [
        {"title": "Water", "due_datetime": "2026-03-10 09:30", "description": "The ferns first"},
        {
            "title": "Rent",
            "due_datetime": "2026-03-31 08:00",
            "repetition_unit": "month",
        },
        {"title": "Old", "due_datetime": "2026-03-01 08:00"},
    ]
}


@pytest.fixture
def hand() -> Hand:
    return Hand("reminder", LIST)


def reminder(hand: Hand, ref: str) -> Reminder:
    record = hand.world.record(ref)
    assert isinstance(record, Reminder)
    return record


def test_it_falls_due_once_and_by_the_clock(hand: Hand) -> None:
    assert hand.heard() == []
    hand.world.advance_to(datetime(2026, 3, 10, 12, 0))
    assert hand.heard() == ["Water: The ferns first"]
    assert hand.shown("get_due_reminders") == ["r3", "r1"]


def test_a_repeating_one_moves_on_to_its_next_time(hand: Hand) -> None:
    hand.world.advance_to(datetime(2026, 5, 1, 0, 0))
    assert hand.heard().count("Rent: Rent") == 2
    assert reminder(hand, "r2").due_datetime > datetime(2026, 5, 1)


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("add_reminder", {"title": "x", "due_datetime": "2026-03-10 09:00"}, "is past"),
        ("add_reminder", {"title": " ", "due_datetime": "2026-03-11 09:00"}, "needs a title"),
        ("update_reminder", {"reminder_id": "r1"}, "at least one field"),
        ("update_reminder", {"reminder_id": "r1", "repetition_unit": "second"}, "60 seconds"),
        ("delete_reminder", {"reminder_id": "r9"}, "there are r1, r2, r3"),
    ],
)
def test_a_refused_call_says_what_would_be_legal(
    hand: Hand, tool: str, arguments: dict[str, Any], says: str
) -> None:
    assert says in hand.refused(tool, **arguments)


def test_the_form_keeps_its_draft_until_it_is_saved(hand: Hand) -> None:
    hand.go_to("r1")
    hand.do("edit")
    hand.do("set_title", title="Water everything")
    assert "60 seconds" in hand.cannot("set_repetition", unit="second", value=5)
    hand.do("set_repetition", unit="day", value=2)
    assert reminder(hand, "r1").title == "Water"
    hand.do("save")
    assert reminder(hand, "r1").line() == "'Water everything' due 2026-03-10 09:30, every 2 day"
