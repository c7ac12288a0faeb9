"""What the model reads is complete, compact and bounded."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from pydantic import JsonValue

from heron.contracts import Evidence, Grant, Proposal, Task, ToolCall, ToolResult, ToolSpec
from heron.executor.closings import CLOSINGS
from heron.executor.progress import Progress
from heron.executor.prompt import (
    function_tool,
    progress_text,
    result_text,
    system_text,
    task_text,
)
from heron.executor.references import Shown, narrow

DENTIST = Evidence(ref="e3", kind="event", text="'Dentist' 2026-03-11 10:00-10:30")
CALL = ToolCall(name="calendar.get", arguments={"event_id": "e3"})
TASK = Task(
    grant=Grant(grant_id="g", proposal_id="p", turn=1),
    proposal=Proposal(
        proposal_id="p",
        turn=1,
        text="Move the dentist to 15:00?",
        plan=("calendar.edit",),
        evidence=(DENTIST,),
    ),
    user_name="Mara",
    time=datetime(2026, 3, 10, 9, 5),
    tools=(),
)


def text_of(value: JsonValue, *shown: Evidence, longest: int = 1000) -> str:
    return result_text(ToolResult(call=CALL, ok=True, value=value, shown=shown), longest)


def test_the_system_text_tells_time_and_weekdays() -> None:
    text = system_text(TASK)
    assert "Mara's phone" in text
    assert "Tuesday 2026-03-10 09:05" in text
    assert "Next days: Wed 11 March, Thu 12, Fri 13, Sat 14, Sun 15, Mon 16, Tue 17." in text


def test_a_month_that_begins_is_named() -> None:
    late = TASK.model_copy(update={"time": datetime(2026, 3, 29, 9, 5)})
    assert "Mon 30 March, Tue 31, Wed 1 April, Thu 2," in system_text(late)


def test_the_task_holds_proposal_and_evidence() -> None:
    assert task_text(TASK) == (
        "Mara accepted: Move the dentist to 15:00?\n"
        "Records shown:\n"
        "e3 event 'Dentist' 2026-03-11 10:00-10:30"
    )


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("Tomorrow, or on Monday?", "Tomorrow (2026-03-11), or on Monday (2026-03-16)?"),
        ("Lunch today?", "Lunch today (2026-03-10)?"),
        ("Mondays and Tuesday", "Mondays and Tuesday"),  # it is Tuesday: which one is meant?
    ],
)
def test_days_that_the_proposal_names_are_dated(text: str, dated: str) -> None:
    proposal = TASK.proposal.model_copy(update={"text": text})
    task = TASK.model_copy(update={"proposal": proposal})
    assert task_text(task).startswith(f"Mara accepted: {dated}\n")


def test_a_record_is_one_line_without_empty_fields_and_with_times_as_tools_take_them() -> None:
    value: Any = [
        {"event_id": "e3", "title": "Dentist", "start": "2026-03-11T10:00:00", "notes": ""},
        {"event_id": "e4", "people": ["Anna", "Ben"], "all_day": True, "read": False, "to": None},
    ]
    assert text_of(value) == (
        "- event_id: e3; title: Dentist; start: 2026-03-11 10:00\n"
        "- event_id: e4; people: [Anna, Ben]; all_day: yes"
    )


def test_a_page_of_records_is_a_line_each() -> None:
    value: Any = {"events": [{"event_id": "e3"}, {"event_id": "e4"}], "total": 2}
    assert text_of(value) == "- event_id: e3\n- event_id: e4\ntotal: 2"


def test_of_a_write_only_the_records_lines_are_told() -> None:
    value: Any = {"event_id": "e3", "title": "Dentist", "start": "2026-03-11T10:00:00"}
    result = ToolResult(call=CALL, ok=True, value=value, shown=(DENTIST,))
    assert result_text(result, 1000, wrote=True) == f"ok\ne3 event {DENTIST.text}"
    assert result_text(ToolResult(call=CALL, ok=True, value="sent"), 99, wrote=True) == "sent"


def test_nested_values_and_line_breaks_stay_in_the_line() -> None:
    assert (
        text_of({"a": {"b": [1, 2.5]}, "body": "Hi\n\nMara"}) == "a: {b: [1, 2.5]}; body: Hi Mara"
    )


def test_a_shown_record_whose_id_the_answer_lacks_gets_its_own_line() -> None:
    assert text_of("Dentist at ten", DENTIST) == (
        "Dentist at ten\ne3 event 'Dentist' 2026-03-11 10:00-10:30"
    )
    assert text_of({"event_id": "e3"}, DENTIST) == "event_id: e3"


def test_an_id_within_another_word_is_not_the_id() -> None:
    assert "e3 event" in text_of({"event_id": "e31"}, DENTIST)


def test_answers_without_content() -> None:
    assert text_of(None) == "ok"
    assert text_of([]) == "none"
    assert result_text(ToolResult(call=CALL, ok=False, error="no event"), 99) == "error: no event"


def test_long_answers_are_cut_at_a_line_and_say_so() -> None:
    text = text_of([f"line {i}" for i in range(100)], longest=60)
    assert text.endswith("more lines)")
    assert len(text) < 60 + 30
    assert text_of("x" * 100, longest=60) == "x" * 60 + "… (cut)"


def test_progress_lists_writes_and_what_is_planned() -> None:
    edit = ToolSpec(name="calendar.edit", effect="write", description="", parameters={})
    progress = Progress((edit,))
    call = ToolCall(name="calendar.edit", arguments={"event_id": "e3", "people": ["c1", "c2"]})
    progress.note(ToolResult(call=call, ok=True))
    assert progress_text(progress, ("calendar.edit", "calendar.edit"), 8) == (
        "Done so far: calendar-edit(event_id=e3, people=c1, c2). "
        "Still planned: calendar-edit. Calls left: 8."
    )


def test_what_is_planned_is_named_only_once_something_was_done() -> None:
    edit = ToolSpec(name="calendar.edit", effect="write", description="", parameters={})
    assert progress_text(Progress((edit,)), ("calendar.edit",), 10) == (
        "Done so far: nothing. Calls left: 10."
    )


def test_twelve_tools_and_the_opening_stay_near_nine_hundred_tokens() -> None:
    """By four characters a token, which is on the safe side for English and JSON."""
    ref: Any = {"anyOf": [{"type": "string", "x-ref": "event"}, {"type": "null"}], "default": None}
    text: Any = {"type": "string", "x-text": True, "title": "Text"}
    parameters: Any = {
        "type": "object",
        "properties": {"event_id": ref, "title": text, "location": text},
        "required": ["title"],
    }
    narrowed = narrow(parameters, Shown([DENTIST]), prose=300)
    assert narrowed is not None
    specs = [
        ToolSpec(
            name=f"calendar.edit_{i}",
            effect="write",
            description="Change fields of an event; those left out stay.",
            parameters=parameters,
        )
        for i in range(9)
    ]
    tools = [function_tool(spec, narrowed) for spec in specs]
    tools += [function_tool(spec, spec.parameters) for spec in CLOSINGS.values()]
    opening = system_text(TASK) + task_text(TASK)
    assert len(opening) + len(json.dumps(tools)) <= 4 * 1400
