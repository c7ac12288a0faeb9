"""What a scenario has claimed: words, days and phone numbers that filler keeps off.

So nobody takes the filler's dentist for the scenario's, filler people have other names, and the
days that a scenario speaks of stay as free as its author left them. What it does not know: what
filler there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from pydantic import BaseModel

from heron.scenarios.forms import Value
from heron.scenarios.people import Person
from heron.scenarios.schema import Scenario
from heron.scenarios.template import Scope

SECTIONS = ("slots", "phone", "events", "user", "proposals", "rubric", "reference", "report")
DAYS_AROUND = (-1, 2)
"""Days around the start that are the scenario's in any case."""
SHORTEST = 4
"""Letters of a word that can be mistaken for another matter."""

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


@dataclass(frozen=True)
class Taken:
    """A scenario's claims for one seed."""

    start: datetime
    words: frozenset[str]
    """Of all its texts and people, lower case."""
    days: frozenset[date]
    numbers: frozenset[str]
    """Phone numbers."""

    def free_of(self, text: str) -> bool:
        """Whether none of the text's longer words is the scenario's."""
        return not any(len(word) >= SHORTEST and word in self.words for word in _words(text))

    def has_name(self, name: str) -> bool:
        """Whether any part of a name is the scenario's."""
        return any(word in self.words for word in _words(name))

    def is_open(self, day: date, days: int = 1) -> bool:
        """Whether so many days from ``day`` on are all free for filler."""
        return all(day + timedelta(days=n) not in self.days for n in range(days))


def taken_by(scenario: Scenario, scope: Scope) -> Taken:
    """What a scenario claims, its slots filled."""
    texts = [text for section in SECTIONS for text in _strings(getattr(scenario, section))]
    people = [value for value in scope.values.values() if isinstance(value, Person)]
    texts += [text for p in people for text in (p.name, p.address, p.city_living)]
    start = scope.start()
    days = {start.date() + timedelta(days=n) for n in range(DAYS_AROUND[0], DAYS_AROUND[1] + 1)}
    days.update(day for value in scope.values.values() if (day := _day_of(value)) is not None)
    days.update(date.fromisoformat(day) for text in texts for day in _DAY.findall(text))
    closes = scenario.window.closes or 0
    days.update(start.date() + timedelta(days=n) for n in range(int(closes // 86400) + 2))
    return Taken(
        start=start,
        words=frozenset(word for text in texts for word in _words(_PLACEHOLDER.sub(" ", text))),
        days=frozenset(days),
        numbers=frozenset(person.phone for person in people),
    )


def _words(text: str) -> Iterator[str]:
    return iter(_WORD.findall(text.casefold()))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        # What the file says, not what is usual.
        for name in value.model_fields_set:
            yield from _strings(getattr(value, name))
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _day_of(value: Value) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else None
