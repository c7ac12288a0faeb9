"""What a small model may add to a call is what somebody spoke of."""

from __future__ import annotations

from typing import Any

import pytest

from heron.contracts import Evidence, ToolCall
from heron.executor.grounding import grounded, lasting, spoken_of
from heron.executor.references import Shown, narrow

EVENT: Any = {"type": "string", "x-ref": "event"}
TEXT: Any = {"type": "string", "x-text": True}
TIME: Any = {"type": "string", "format": "date-time"}
CHANGES: Any = {
    "event_id": EVENT,
    "title": TEXT,
    "start": TIME,
    "end": TIME,
    "location": TEXT,
    "all_day": {"type": "boolean"},
    "repeats": {"enum": ["day", "week"]},
    "times": {"type": "integer"},
}


def offered(text: str, properties: dict[str, Any], *required: str) -> list[str]:
    """The parameters that are left when ``text`` was accepted."""
    schema: Any = {"type": "object", "properties": properties, "required": list(required)}
    shown = Shown([Evidence(ref="e1", kind="event", text="")])
    narrowed = narrow(schema, shown, prose=300)
    assert narrowed is not None
    left: Any = spoken_of(narrowed, text)["properties"]
    return [name for name in left if name not in required]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Move the dentist to 15:00?", ["start"]),
        ("Move the dentist to 3 pm?", ["start"]),
        ("Move the dentist to 15:00-16:00?", ["start", "end"]),
        ("Change the location of the dentist to room 4?", ["start", "location", "times"]),
        ("Let the choir be every week from 18.30?", ["start", "repeats"]),
        ("Make the fair an all day event?", ["start", "all_day", "repeats"]),
    ],
)
def test_a_change_offers_the_fields_that_are_spoken_of(text: str, left: list[str]) -> None:
    assert offered(text, CHANGES, "event_id") == left


def test_a_change_that_names_no_field_offers_all_free_texts() -> None:
    fields = {"event_id": EVENT, "phone": TEXT, "email": TEXT, "age": {"type": "integer"}}
    text = "Save Anna's new number 0171 555 010, +1 (555) 010-0199?"
    assert offered(text, fields, "event_id") == ["phone", "email"]
    assert offered("Save Anna's new phone number?", fields, "event_id") == ["phone"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Order 2 packs?", True),
        ("Order 12.", True),
        ("At 12:30 on 2026-03-11?", False),
        ("On 3.4. at 9.30?", False),
        ("Call 555-02 or 0171 555 010?", False),
    ],
)
def test_a_number_is_offered_only_if_the_text_has_one_by_itself(text: str, number: bool) -> None:
    fields = {"item": EVENT, "quantity": {"type": "integer"}}
    assert offered(text, fields, "item") == (["quantity"] if number else [])


def test_something_new_may_have_free_texts_but_no_times_beyond_those_told() -> None:
    fields = {
        "title": TEXT,
        "start": TIME,
        "end": TIME,
        "until": TIME,
        "location": TEXT,
        "all_day": {"type": "boolean"},
    }
    left = offered("Lunch at the Linde at 12:30?", fields, "title", "start", "end")
    assert left == ["location"]


def test_a_reply_gets_no_attachment_that_nobody_spoke_of() -> None:
    fields = {"event_id": EVENT, "content": TEXT, "attachment": TEXT}
    required = ("event_id", "content")
    assert offered("Answer Ben?", fields, *required) == []
    assert offered("Answer Ben with the attachment?", fields, *required) == ["attachment"]


SCHEMA: Any = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 300},
        "location": {"type": "string", "maxLength": 300},
        "people": {"type": "array", "items": {"type": "string", "maxLength": 300}},
        "unit": {"enum": ["day", "week"]},
        "start": {"type": "string", "pattern": "^x$"},
    },
    "required": ["title"],
}
SHOWN = ["Mara accepted: Lunch with Ben at the Linde?", "c1 contact Ben Kurz, 555-02"]


@pytest.mark.parametrize(
    "kept",
    [
        {"location": "Linde"},
        {"location": "at the LINDE"},
        {"people": ["Ben Kurz", "555-02"]},
        {"unit": "week", "start": "x"},
    ],
)
def test_what_was_shown_stays(kept: dict[str, Any]) -> None:
    call = ToolCall(name="calendar.add", arguments={"title": "Anything new", **kept})
    assert grounded(call, SCHEMA, SHOWN) == call


@pytest.mark.parametrize(
    "made_up",
    [
        {"location": "Office"},
        {"location": ""},
        {"location": "?"},
        {"people": ["Ben", "Anna"]},
        {"people": []},
    ],
)
def test_what_was_not_shown_goes(made_up: dict[str, Any]) -> None:
    call = ToolCall(name="calendar.add", arguments={"title": "Lunch", **made_up})
    assert grounded(call, SCHEMA, SHOWN).arguments == {"title": "Lunch"}


@pytest.mark.parametrize(
    ("start", "end", "mended"),
    [
        ("2026-03-11 15:00", "2026-03-11 15:00", "2026-03-11 16:00"),
        ("2026-03-11 23:30", "2026-03-11 10:00", "2026-03-12 00:30"),
        ("2026-03-11 15:00", "2026-03-11 15:10", "2026-03-11 15:10"),
        ("2026-02-31 15:00", "2026-02-31 15:00", "2026-02-31 15:00"),
        ("soon", "soon", "soon"),
    ],
)
def test_an_end_comes_after_its_start(start: str, end: str, mended: str) -> None:
    call = ToolCall(name="x.y", arguments={"start_datetime": start, "end_datetime": end, "end": 3})
    assert lasting(call).arguments == {**call.arguments, "end_datetime": mended}
