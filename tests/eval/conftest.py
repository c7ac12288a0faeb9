"""Fixtures of the prover's tests: two small scenarios without a hole, and what survives in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from heron.eval.prover.ground import UserMaker, usual_user
from heron.eval.prover.prove import prove
from heron.eval.prover.trials import Proof
from heron.scenarios.document import parse
from heron.scenarios.loader import load_document
from heron.scenarios.schema import Scenario

GOAL = """\
schema: 1
id: small
family: tests
type: goal
kind: tasks_reminders
setting: student
locale: en_GB
summary: A reminder is to be moved, and a friend told.
slots:
  me: {person: {}}
  friend: {person: {}}
  other: {person: {}}
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
  apps: [reminder, email, messaging]
  reminder:
    reminders:
      - {label: fetch, title: Fetch the book, due_datetime: "{due}"}
      - {label: milk, title: Buy milk, due_datetime: "{due}"}
  messaging:
    people:
      - {label: friend_chat, person: friend}
      - {label: other_chat, person: other}
    conversations:
      - {label: chat, participant_ids: ["@friend_chat"]}
      - {label: elsewhere, participant_ids: ["@other_chat"]}
events:
  - key: news
    at: 4
    do: email.receive
    with: {sender: desk@library.example, subject: Library, content: "Dear reader. {word}"}
    label: news
user:
  goal: Fetch the book in time, with the friend.
  habits: [{rest: 1}]
  needs: [news, fetch.due_datetime]
window: {opens: news, closes: 3600}
proposals:
  reference:
    - "Shall I move the reminder to fetch the book to {new:time} and tell {friend.first_name}?"
    - "The book is ready at {new:time}. Change the reminder and tell {friend.first_name}?"
    - "I could set the reminder for the book to {new:time} and tell {friend.name}."
    - "Shift the book's reminder to {new:time} and tell {friend.name}?"
  wrong:
    - {text: "Shall I help?", why: vague}
    - {text: "Shall I move the reminder to buy milk to {new:time} and tell all?", why: object}
    - {text: "Shall I delete the reminder for the book at {new:time} and tell all?", why: act}
rubric:
  object: [[book], ["{new:any_time}"]]
  act: [[move, change, set, shift], [tell]]
  against: [delete]
reference:
  - tool: reminder.update_reminder
    arguments: {reminder_id: "@fetch", due_datetime: "{new}"}
  - tool: messaging.send_message
    arguments: {user_id: "@friend_chat", content: "The book is there from {new:time}."}
    facts: {content: [["{new:any_time}"]]}
report: "Moved to {new:time}."
"""

QUIET = """\
schema: 1
id: still
family: tests
type: quiet
kind: settled
setting: student
locale: en_GB
summary: The book has been fetched already.
slots:
  me: {person: {}}
  word:
    choice:
      - "The book is back."
      - "The book is ready, the desk says."
      - "You can fetch the book now."
phone:
  owner: me
  start: 2026-03-10 09:00
  apps: [reminder, email]
  reminder:
    reminders:
      - {label: fetched, title: "Done: fetched the book", due_datetime: 2026-03-12 10:00}
events:
  - key: news
    at: 4
    do: email.receive
    with: {sender: desk@library.example, subject: Library, content: "Dear reader. {word}"}
    label: news
user:
  goal: A quiet day.
  habits: [{rest: 1}]
  needs: [news]
proposals:
  bait:
    - "Shall I set a reminder to fetch the book?"
    - "The book is back. Shall I note that down?"
    - "I can tell the library that you will fetch the book."
rubric:
  object: [[book]]
  act: [[set, note, tell]]
"""

Proving = Callable[..., Proof]


def _scenario(text: str, *changes: tuple[str, str]) -> Scenario:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return load_document(parse(text))


def _proving(text: str) -> Proving:
    def run(*changes: tuple[str, str], user: UserMaker = usual_user) -> Proof:
        return prove(_scenario(text, *changes), range(1), user)

    return run


@pytest.fixture
def edited() -> Callable[..., Scenario]:
    """The small goal scenario, with replacements made in its text."""
    return partial(_scenario, GOAL)


@pytest.fixture
def goal() -> Proving:
    """Prove the small goal scenario, with replacements made in its text."""
    return _proving(GOAL)


@pytest.fixture
def quiet() -> Proving:
    """Prove the small quiet scenario, with replacements made in its text."""
    return _proving(QUIET)
