"""Schemas allow what was shown and nothing else."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator
from tests.observer.moments import Episode, looked, note, record
from tests.observer.streams import READ_TOOLS

from heron.contracts import ToolSpec
from heron.observer.schemas import look_schema, proposal_schema
from heron.observer.seen import SeenRecords


def holds(schema: Any, value: Any) -> bool:
    return bool(Draft202012Validator(dict(schema)).is_valid(value))


def tool(name: str, properties: dict[str, Any], *required: str, **rest: Any) -> ToolSpec:
    parameters = {"type": "object", "properties": properties, "required": list(required), **rest}
    return ToolSpec(name=name, effect="read", description="x", parameters=parameters)


def seen_event(*refs: str) -> SeenRecords:
    seen = SeenRecords(READ_TOOLS)
    seen.note(Episode().next(looked(*(record(ref, "x", "event") for ref in refs))))
    return seen


def test_a_proposal_names_only_what_was_shown() -> None:
    schema = proposal_schema(("m4", "e3"), ("calendar.edit_calendar_event",))
    good = {
        "refs": ["m4", "e3"],
        "plan": ["calendar.edit_calendar_event"],
        "text": "Shall I move it to Thursday?",
    }
    assert list(schema["properties"]) == ["refs", "plan", "text"]  # type: ignore[arg-type]
    assert holds(schema, good)
    assert not holds(schema, {**good, "refs": ["m5"]})
    assert not holds(schema, {**good, "plan": ["calendar.burn"]})
    assert not holds(schema, {**good, "text": "x" * 161})
    assert holds(schema, {**good, "text": f"Shall I {'x' * 151}?"})
    assert not holds(schema, {**good, "text": f"Shall I {'x' * 152}?"})
    assert not holds(schema, {**good, "text": "Shall I move it? Or not?"})
    assert not holds(schema, {**good, "text": "I am sorry to hear that."})
    assert not holds(schema, {**good, "text": ""})
    assert not holds(schema, {**good, "note": "x"})


def test_nothing_shown_and_no_tools_leave_a_sentence() -> None:
    assert list(proposal_schema((), ())["properties"]) == ["text"]  # type: ignore[arg-type]


def test_a_look_names_a_tool_and_records_of_the_right_kind() -> None:
    schema = look_schema(READ_TOOLS, seen_event("e3"))
    assert holds(schema, {"tool": "calendar.get_calendar_event", "args": {"event_id": "e3"}})
    assert holds(schema, {"tool": "email.search_emails", "args": {"query": "invoice"}})
    assert holds(schema, {"tool": "reminder.get_all_reminders", "args": {}})
    assert not holds(schema, {"tool": "calendar.get_calendar_event", "args": {"event_id": "e4"}})
    assert not holds(schema, {"tool": "calendar.get_calendar_event", "args": {"query": "x"}})
    assert not holds(schema, {"tool": "calendar.delete_event", "args": {"event_id": "e3"}})
    assert not holds(schema, {"tool": "email.search_emails", "args": {"query": "x" * 49}})


def test_a_tool_without_a_candidate_is_not_offered() -> None:
    seen = SeenRecords(READ_TOOLS)
    seen.note(Episode().next(note("hello", ref="m4")))
    assert not holds(
        look_schema(READ_TOOLS, seen),
        {"tool": "calendar.get_calendar_event", "args": {"event_id": "m4"}},
    )
    assert look_schema((READ_TOOLS[1],), seen) is None
    assert look_schema((), seen) is None


def test_dates_definitions_lists_and_optional_references() -> None:
    spec = tool(
        "calendar.find",
        {
            "start": {"type": "string", "format": "date-time"},
            "day": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
            "place": {"$ref": "#/$defs/Place"},
            "event_ids": {"type": "array", "items": {"type": "string", "x-ref": "event"}},
            "contact_id": {"anyOf": [{"type": "string", "x-ref": "contact"}, {"type": "null"}]},
            "limit": {"type": "integer"},
        },
        "start",
        "place",
        **{"$defs": {"Place": {"enum": ["home", "work"], "type": "string"}}},
    )
    schema = look_schema((spec,), seen_event("e3"))
    args = {"start": "2026-03-11T09:00", "place": "home"}
    assert holds(schema, {"tool": "calendar.find", "args": args})
    assert holds(schema, {"tool": "calendar.find", "args": {**args, "day": "2026-03-11"}})
    assert not holds(schema, {"tool": "calendar.find", "args": {**args, "day": "Wednesday"}})
    assert not holds(schema, {"tool": "calendar.find", "args": {**args, "start": "soon"}})
    assert not holds(schema, {"tool": "calendar.find", "args": {**args, "place": "moon"}})
    assert not holds(schema, {"tool": "calendar.find", "args": {**args, "limit": 3}})
    assert not holds(schema, {"tool": "calendar.find", "args": {**args, "contact_id": "c1"}})


def test_required_lists_of_references() -> None:
    ids = {"event_ids": {"type": "array", "items": {"type": "string", "x-ref": "event"}}}
    schema = look_schema((tool("calendar.read", ids, "event_ids"),), seen_event("e3", "e4"))
    assert holds(schema, {"tool": "calendar.read", "args": {"event_ids": ["e4"]}})
    assert not holds(schema, {"tool": "calendar.read", "args": {"event_ids": ["e5"]}})
