"""Fixtures of the scenario tests: the shipped suite, and a small file over reminders alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heron.scenarios.loader import Suite, load_suite
from heron.scenarios.schema import Scenario

SMALL = """\
schema: 1
id: small
family: tests
type: goal
kind: tasks_reminders
setting: student
locale: en_GB
summary: A reminder is to be moved.
slots:
  me: {person: {}}
  day: {date: {offset_days: [1, 3]}}
  due: {time: {on: day, from: "09:00", to: "16:00", step: 30}}
  new: {shift: {of: due, minutes: 45}}
  word:
    choice:
      - "The book is back, from {new:time} on."
      - "Ready after {new:time}, the desk says."
      - "You can fetch it at {new:time}."
phone:
  owner: me
  start: 2026-03-10 09:00
  apps: [reminder, email]
  reminder:
    reminders:
      - {label: fetch, title: Fetch the book, due_datetime: "{due}"}
events:
  - key: news
    at: 4
    do: email.receive
    with: {sender: desk@library.example, subject: The book, content: "Dear reader. {word}"}
    label: news
user:
  goal: Fetch the book in time.
  habits: [{rest: 1}]
  needs: [news, fetch.due_datetime]
window: {opens: news}
proposals:
  reference:
    - "Shall I move the reminder to fetch the book to {new:time}?"
    - "The book is ready at {new:time}. Change the reminder?"
    - "I could set the reminder for the book to {new:time}."
    - "Shift the book's reminder to {new:time}?"
  wrong:
    - {text: "Shall I help?", why: vague}
    - {text: "Shall I move the reminder to buy milk to {new:time}?", why: object}
    - {text: "Shall I delete the reminder for the book at {new:time}?", why: act}
rubric:
  object: [[book], ["{new:any_time}"]]
  act: [[move, change, set, shift]]
  against: [delete]
reference:
  - {tool: reminder.update_reminder, arguments: {reminder_id: "@fetch", due_datetime: "{new}"}}
report: "Moved to {new:time}."
"""


@pytest.fixture(scope="session")
def suite() -> Suite:
    """The suite that Heron ships."""
    return load_suite()


@pytest.fixture
def small() -> str:
    """Text of a sound scenario over email and reminders."""
    return SMALL


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Write a text to a file called ``small.yaml`` in the folder ``tests``."""

    def to_file(text: str) -> Path:
        file = tmp_path / "tests" / "small.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return to_file


@pytest.fixture
def edited(small: str) -> Callable[..., Scenario]:
    """The small scenario with replacements made in its text."""
    from heron.scenarios.document import parse
    from heron.scenarios.loader import load_document

    def edit(*changes: tuple[str, str]) -> Scenario:
        text = small
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        return load_document(parse(text))

    return edit
