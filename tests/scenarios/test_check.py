"""Checking: a sound scenario passes, and each way of spoiling it is found and placed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from heron.scenarios.check import check
from heron.scenarios.schema import Scenario

Edit = Callable[..., Scenario]

REFERENCE = '"Shift the book\'s reminder to {new:time}?"'
SPOILED = [
    # (old, new, key, what is said)
    (f"    - {REFERENCE}\n", "", "proposals.reference", "at least 4"),
    (REFERENCE, '"Shall I move the thing to {new:time}?"', "reference.3", "should be fits"),
    (REFERENCE, f'"Move the book {"at last " * 20}to {{new:time}}"', "reference.3", "at most 160"),
    (REFERENCE, '"Shall I delete the book, {new:time}, or move it?"', "reference.3", "fits"),
    ('"Shall I help?"', '"Shall I help with the book?"', "wrong.0.text", "should be vague"),
    ("the reminder to buy milk", "the book", "wrong.1.text", "should be wrong"),
    ('for the book at {new:time}?", why: act', 'for it?", why: act', "wrong.2.text", "be wrong"),
    ("why: vague", "why: act", "proposals.wrong", "no wrong proposal of the kind 'vague'"),
    ("against: [delete]", "topic: [help, i]", "rubric", "should be vague"),
    ('content: "Dear reader. {word}"', 'content: "{word}"', "events", "already says"),
    ("subject: The book", 'subject: "Book at {new:time}"', "events", "already says"),
    ('      - "Ready after {new:time}, the desk says."\n', "", "events", "3 phrasings"),
    ('content: "Dear reader. {word}"', "content: Dear reader", "slots", "same events"),
    ("at: 4", "at: 4000", "window.opens", "does not open"),
    ("at: 4", "at: 4000", "events.0", "does not happen within 10 turns"),
    ("habits: [{rest: 1}]", "habits: [{see: fetch}, {rest: 5}]", "", ""),
    (
        "habits: [{rest: 1}]",
        "habits: [{do: {app: reminder, action: delete}}]",
        "user.habits",
        "refused",
    ),
    ("needs: [news, fetch.due_datetime]", "needs: []", "user", "needs are missing"),
    ("opens: news", "opens: news, closes: 20", "window.closes", "less than 120 seconds"),
    (
        '"@fetch", due_datetime: "{new}"',
        '"@fetch", due_datetime: 2026-01-01 10:00',
        "reference",
        "past",
    ),
    (
        'due_datetime: "{new}"}}\nreport',
        'due_datetime: "{due}"}}\nreport',
        "reference",
        "changes nothing",
    ),
    (
        'tool: reminder.update_reminder, arguments: {reminder_id: "@fetch", due_datetime: "{new}"}',
        "tool: reminder.get_all_reminders",
        "reference",
        "no step writes",
    ),
    (
        "report:",
        "checks: {forbidden: [reminder.update]}\nreport:",
        "checks.forbidden",
        "itself does",
    ),
    (
        'due_datetime: "{new}"}}\nreport',
        'due_datetime: "{new}", description: soon}, facts: {description: [[later]]}}\nreport',
        "facts.description.0",
        "does not say 'later'",
    ),
]


def test_the_small_scenario_has_no_problems(edited: Edit) -> None:
    assert check(edited()) == []


@pytest.mark.parametrize(("old", "new", "key", "says"), SPOILED)
def test_what_is_spoiled_is_found(edited: Edit, old: str, new: str, key: str, says: str) -> None:
    found = check(edited((old, new)))
    if not says:
        assert found == []
        return
    assert [e for e in found if (e.key or "").endswith(key) and says in str(e)], list(
        map(str, found)
    )
    assert all(error.line and error.remedy for error in found)


def test_events_that_wait_for_the_assistant_need_not_happen(edited: Edit) -> None:
    more = """
  - {key: thanks, when: {answered: accept}, do: device.change, with: {battery: 3}}
  - {key: again, after: thanks, do: device.change, with: {battery: 2}}
user:
"""
    assert check(edited(("\nuser:\n", more))) == []
    late = more.replace("when: {answered: accept}", "at: 90000")
    assert {error.key for error in check(edited(("\nuser:\n", late)))} == {"events.1", "events.2"}


def test_quiet_scenarios_need_plausible_bait(edited: Edit, small: str) -> None:
    start, end = small.index("reference:\n  - {tool"), small.index("report:")
    proposals = small[small.index("proposals:\n") : small.index("rubric:")]
    scenario = edited(
        ("type: goal", "type: quiet"),
        ("kind: tasks_reminders", "kind: settled"),
        (small[start:end], ""),
        (proposals, 'proposals: {bait: ["Move the book?", "Shall I help?"]}\n'),
    )
    found = {(error.key, error.remedy) for error in check(scenario)}
    assert found == {
        ("proposals.bait", "give at least 3"),
        ("proposals.bait.1", "it should be fits or wrong"),
    }


def test_a_value_that_fits_only_some_seeds_is_found(edited: Edit) -> None:
    scenario = edited(
        ("  new: {shift", '  late: {choice: ["{due}", "{due}", soon]}\n  new: {shift'),
        ('title: Fetch the book, due_datetime: "{due}"', 'title: x, due_datetime: "{late}"'),
    )
    (error,) = [e for e in check(scenario, range(20)) if "valid datetime" in str(e)]
    assert error.line == 26
