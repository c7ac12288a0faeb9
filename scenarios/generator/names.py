"""The slots and labels that a scenario has so far, by what they are good for.

A local model is held to them while it writes, so that what it names exists. What it does not know:
the catalog's fields and calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from heron.scenarios.catalog import Catalog, creates
from heron.scenarios.people import ATTRIBUTES

GIVEN = ("me", "start", "before", "yesterday", "town")
"""Slots that every generated scenario has."""
_MOMENTS = ("start", "before", "yesterday")
_MOMENT_FORMS = "time|date|weekday|on_day"
_ANY = {"people": "any_name", "times": "any_time|any_day", "numbers": "any_money"}
"""Forms in phrases, for all usual ways to write a value."""


@dataclass(frozen=True)
class Names:
    """What can be named."""

    people: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    """Slots that are a date with a time of day."""
    dates: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    labels: Mapping[str, tuple[str, ...]] | None = field(default=None)
    """Kind of record → labels; ``None`` where records are only just being written."""

    def text(self, most: int, *extra: str) -> str:
        """A pattern for texts of some characters in which every placeholder is one that there is.

        Args:
            most: characters; a placeholder counts as one.
            extra: further placeholders, without braces.
        """
        return _pattern(most, [*self._placeholders(), *map(re.escape, extra)])

    def phrase(self, most: int) -> str:
        """As ``text``, for the phrases of rubrics and facts."""
        anyway = [
            f"({'|'.join(slots)}):({_ANY[kind]})" for kind in _ANY if (slots := getattr(self, kind))
        ]
        return _pattern(most, [*self._placeholders(), *anyway])

    def _placeholders(self) -> list[str]:
        parts = "|".join(name for name in ATTRIBUTES if name != "gender")
        forms = (
            (self.people, f"\\.({parts})"),
            (self.times, f":({_MOMENT_FORMS})"),
            (self.dates, ":(date|weekday|on_day)"),
            (self.numbers, "(:money)?"),
            (self.words, ""),
        )
        return [f"({'|'.join(slots)}){form}" for slots, form in forms if slots]


def _pattern(most: int, placeholders: Iterable[str]) -> str:
    return f"^([^{{}}\\n]|\\{{({'|'.join(placeholders)})\\}}){{1,{most}}}$"


def names_of(
    known: Catalog, answers: Mapping[Any, Mapping[str, Any]], *, labels: bool = True
) -> Names:
    """What there is after some stages.

    Args:
        known: kinds of records.
        answers: of the stages so far.
        labels: whether the records are all there.
    """
    kinds: dict[str, str] = {}
    slots = answers.get("slots", {}).get("slots", [])
    of = {slot["name"]: slot.get("of", "") for slot in slots}
    for slot in slots:
        kinds[slot["name"]] = slot["kind"]
    days = {name for name, kind in kinds.items() if kind == "date"}
    moved = {name for name in of if _first(name, of) in days}

    def named(*wanted: str) -> list[str]:
        return [name for name, kind in kinds.items() if kind in wanted]

    people = [person["name"] for person in answers.get("idea", {}).get("people", [])]
    return Names(
        people=_each("me", *people, *named("person")),
        times=_each(*_MOMENTS, *(n for n in named("time", "shift") if n not in moved)),
        dates=_each(*named("date"), *(n for n in named("shift") if n in moved)),
        numbers=_each(*named("number")),
        words=_each("town", *named("choice")),
        labels=_labels(known, answers) if labels else None,
    )


def events_of(answers: Mapping[Any, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """All events, the news first."""
    written = answers.get("events")
    return [written["news"], *written["later"]] if written else []


def labels_of(names: Names) -> list[str]:
    """All labels, whatever they name."""
    return [label for found in (names.labels or {}).values() for label in found]


def _first(name: str, of: Mapping[str, str]) -> str:
    """Where a chain of shifts begins."""
    for _ in of:
        name = of.get(name) or name
    return name


def _labels(known: Catalog, answers: Mapping[Any, Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for record in answers.get("phone", {}).get("records", []):
        app, _, table = record["table"].partition(".")
        found.setdefault(known.tables[app][table].KIND, []).append(record["label"])
    for event in events_of(answers):
        made = creates(known.happenings[event["call"]])
        if made is not None:
            found.setdefault(made.KIND, []).append(event["key"])
    return {kind: _each(*names) for kind, names in found.items()}


def _each(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
