"""Labels: names by which a file refers to records, whose ids are neutral (``e1``, ``m3``).

``@label`` as a whole string, or as a key, stands for the record's id; ``@@`` begins a string that
merely starts with an at sign. A label is given in the phone's tables, by an event, or by a step of
the reference; the last kind stays symbolic until the step has run (see ``replay``). What it does
not know: how records are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import JsonValue

from heron.registry import nearest
from heron.scenarios.catalog import Catalog, RecordType, creates
from heron.scenarios.document import Path_, Problem
from heron.scenarios.schema import Scenario
from heron.sim.app import Declaration

_LABEL = re.compile(r"^@([a-z][a-z0-9_]*)$")
LABEL_KEY = "label"
PERSON_KEY = "person"


@dataclass(frozen=True)
class Label:
    """A label and the type of its record."""

    name: str
    path: Path_
    record_type: RecordType
    source: Literal["phone", "event", "step"]


def is_label(text: str) -> bool:
    """Whether a text is ``@`` and a word."""
    return _LABEL.match(text) is not None


def resolve(value: JsonValue, ids: Mapping[str, str]) -> JsonValue:
    """``value`` with every label in ``ids`` replaced by its id; others are left as they are."""
    if isinstance(value, str):
        if not value.startswith("@"):
            return value
        if value.startswith("@@"):
            return value[1:]
        found = _LABEL.match(value)
        return ids.get(found[1], value) if found else value
    if isinstance(value, list):
        return [resolve(item, ids) for item in value]
    if isinstance(value, dict):
        return {
            (str(resolve(key, ids)) if key.startswith("@") else key): resolve(item, ids)
            for key, item in value.items()
        }
    return value


def used(value: Any, path: Path_) -> Iterator[tuple[Path_, str]]:
    """Every ``@label`` within a value, with the path that leads to it."""
    if not isinstance(value, list | dict):
        found = _LABEL.match(value) if isinstance(value, str) else None
        if found:
            yield path, found[1]
        return
    inside: Iterable[tuple[Any, Any]]
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inside:
        if isinstance(key, str) and key.startswith("@"):
            yield from used(key, (*path, key))
        # Most of what thousands of records hold is text that is no label; it costs no call.
        if item.startswith("@") if isinstance(item, str) else isinstance(item, list | dict):
            yield from used(item, (*path, key))


def split(text: str) -> tuple[str, str | None]:
    """``label.field`` → label and field; the field is ``None`` for all of the record."""
    label, _, field = text.partition(".")
    return label, field or None


def collect(scenario: Scenario, known: Catalog) -> tuple[dict[str, Label], list[Problem]]:
    """All labels of a file, and those given twice or to what is no record."""
    found: dict[str, Label] = {}
    problems: list[Problem] = []
    for label in _given(scenario, known, problems):
        if label.name in found:
            problems.append(
                Problem(label.path, f"label {label.name!r} is given twice", "rename one of the two")
            )
        found.setdefault(label.name, label)
    return found, problems


def unknown(name: str, path: Path_, labels: Mapping[str, Label]) -> Problem:
    """The problem of a label that nothing has."""
    return Problem(path, f"unknown label {name!r}", nearest(name, labels))


# --- inside -------------------------------------------------------------------------------------


def _given(scenario: Scenario, known: Catalog, problems: list[Problem]) -> Iterator[Label]:
    for app_name, tables in scenario.phone.content.items():
        types = known.tables.get(app_name, {})
        for table, rows in tables.items():
            for index, row in enumerate(rows):
                name = row.get(LABEL_KEY)
                path: Path_ = ("phone", app_name, table, index, LABEL_KEY)
                if isinstance(name, str) and table in types:
                    yield Label(name, path, types[table], "phone")
    for index, event in enumerate(scenario.events):
        declared = known.happenings.get(event.do)
        path = ("events", index, "label")
        yield from _made_by(event.label, path, declared, "event", problems)
    for index, step in enumerate(scenario.reference):
        declared = known.tools.get(step.tool)
        path = ("reference", index, "label")
        yield from _made_by(step.label, path, declared, "step", problems)


def _made_by(
    name: str | None,
    path: Path_,
    declared: Declaration | None,
    source: Literal["event", "step"],
    problems: list[Problem],
) -> Iterator[Label]:
    if name is None or declared is None:
        return
    made = creates(declared)
    if made is None:
        text = f"{declared.name} creates no record that could be named"
        problems.append(Problem(path, text, "remove the label"))
    else:
        yield Label(name, path, made, source)
