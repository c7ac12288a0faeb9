"""What a file's own type asks for, and how its parts must fit together.

Only what a scenario cannot be played without; what a good scenario has beyond that is asked by
``check``. What it does not know: apps, seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from heron.errors import InputError
from heron.registry import nearest
from heron.scenarios.document import Path_, Problem
from heron.scenarios.lexicon import MARK
from heron.scenarios.schema import KINDS, EventSpec, Scenario
from heron.scenarios.slots import SlotError, draw
from heron.scenarios.template import PLACEHOLDER, Scope, TemplateError, phrases, render
from heron.sim.queue import Condition, Event, EventQueue

_TYPE_SPLITS = {"full": "goal", "ablation": "goal", "quiet": "quiet", "restraint": "restraint"}


def problems(scenario: Scenario) -> list[Problem]:
    """What does not fit, in the file's order of sections."""
    return [*_head(scenario), *_help(scenario), *_queue(scenario), *_texts(scenario)]


def _head(scenario: Scenario) -> Iterator[Problem]:
    file = scenario.document.file
    if isinstance(file, Path) and file.stem != scenario.id:
        text = f"the file is called {file.stem!r}"
        yield Problem(("id",), text, f"rename the file to {scenario.id}{file.suffix}, or the id")
    kinds = KINDS[scenario.type]
    if scenario.kind not in kinds:
        text = f"{scenario.kind!r} is no kind of {scenario.type} scenario"
        yield Problem(("kind",), text, nearest(scenario.kind, kinds))
    for index, split in enumerate(scenario.splits):
        wanted = _TYPE_SPLITS.get(split)
        if wanted is not None and wanted != scenario.type:
            text = f"split {split!r} holds {wanted} scenarios, this one is {scenario.type}"
            yield Problem(("splits", index), text, "remove it")


def _help(scenario: Scenario) -> Iterator[Problem]:
    goal = scenario.type == "goal"
    proposals, rubric = scenario.proposals, scenario.rubric
    if goal and not scenario.reference:
        yield Problem(
            ("reference",), "a goal scenario needs a reference solution", "give its calls"
        )
    if goal and not proposals.reference:
        yield Problem(("proposals",), "a goal scenario needs a reference proposal", "give some")
    if goal and not (rubric.object and rubric.act):
        yield Problem(("rubric",), "a goal scenario needs object and act", "give phrases for both")
    if not goal and (scenario.reference or proposals.reference):
        text = f"where no help is wanted ({scenario.type}) there is no reference"
        yield Problem(("reference",), text, "remove it; what one could offer is bait")
    closes, opens = scenario.window.closes, scenario.window.opens
    if closes is not None and isinstance(opens, int | float) and closes <= opens:
        yield Problem(("window", "closes"), "it closes before it opens", "make it later")


def _queue(scenario: Scenario) -> Iterator[Problem]:
    """One trigger each, no key twice, no circle."""
    keys = [event.key for event in scenario.events]
    sound = True
    for index, event in enumerate(scenario.events):
        triggers = sum(trigger is not None for trigger in (event.at, event.after, event.when))
        if triggers != 1:
            text = f"event {event.key!r} needs exactly one of at, after, when"
            yield Problem(("events", index), text, f"it has {triggers}")
        if event.key in keys[:index]:
            text = f"the key {event.key!r} stands twice"
            yield Problem(("events", index, "key"), text, "rename one of the two")
        waits = {*event.depends_on, *([event.after] if event.after else ())}
        sound = sound and triggers == 1 and waits <= set(keys)
    if not sound or len(set(keys)) < len(keys):
        return
    try:
        EventQueue([_bare(event) for event in scenario.events], start=datetime(2026, 1, 1))
    except InputError as error:
        yield Problem(("events",), str(error), "let one of them happen by itself")


def _bare(event: EventSpec) -> Event:
    """An event as far as the queue's own rules go."""
    return Event(
        key=event.key,
        name=event.do,
        at=event.at,
        after=event.after,
        when=None if event.when is None else Condition(type="answered", value=""),
        depends_on=tuple(event.depends_on),
    )


def _texts(scenario: Scenario) -> Iterator[Problem]:
    """Every placeholder can be filled, in all options of all choices."""
    try:
        scope = draw(scenario.id, None, scenario.slots, scenario.phone.start, scenario.locale)
    except SlotError as error:
        yield Problem(error.path, error.problem, error.remedy)
        return
    data: Mapping[str, Any] = scenario.document.data
    texts = _Texts(scope)
    for section in ("phone", "events", "user", "proposals", "rubric", "reference", "report"):
        for path, text in _strings(data.get(section), (section,)):
            yield from texts.problems(text, path)
    slots = list(scenario.slots)
    for position, name in enumerate(slots):
        later = frozenset(slots[position:])
        for path, text in _strings(data["slots"][name].get("choice"), ("slots", name, "choice")):
            yield from texts.problems(text, path, later)


class _Texts:
    """Tries texts in one scope; a placeholder that was filled once is not tried again."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._good: set[tuple[str, str, str]] = set()
        self._phrases: set[str] = set()

    def problems(
        self, text: str, path: Path_, later: frozenset[str] = frozenset()
    ) -> Iterator[Problem]:
        """What cannot be filled in a text, if the slots in ``later`` are not drawn yet."""
        try:
            if path[0] == "rubric" or path[2:3] == ("facts",):
                if text not in self._phrases:
                    phrases([text], self._scope)
                    self._phrases.add(text)
            else:
                self._fill(text, later)
        except TemplateError as error:
            yield Problem(path, error.problem, error.remedy)

    def _fill(self, text: str, later: frozenset[str]) -> None:
        found = PLACEHOLDER.findall(text)
        plain = text.count("{") == len(found) == text.count("}")
        if not later.isdisjoint(slot for slot, _, _ in found):
            known = {k: v for k, v in self._scope.values.items() if k not in later}
            render(text, replace(self._scope, values=known, later=later))
        elif not (plain and self._good.issuperset(found)):
            render(text, self._scope)
            self._good.update(found)


def _strings(value: Any, path: Path_) -> Iterator[tuple[Path_, str]]:
    """Strings that are more than plain text, each with its place."""
    if isinstance(value, str):
        if "{" in value or "}" in value or value.startswith(MARK):
            yield path, value
        return
    inside: Iterable[tuple[str | int, Any]]
    inside = value.items() if isinstance(value, dict) else enumerate(value or ())
    for key, item in inside:
        if isinstance(item, str):
            if "{" in item or "}" in item or item.startswith(MARK):
                yield (*path, key), item
        elif isinstance(item, list | dict):
            yield from _strings(item, (*path, key))
