"""Sentences for the wants that ``signals`` reads, with the tools and records they rest on.

What it does not know: whether the offer is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from heron.contracts import PROPOSAL_LENGTH, Evidence, Propose
from heron.observer.baselines.signals import Signal
from heron.observer.text import flat, middle, words

_COMMON: Final = words(
    "a about again all also am an and any are as at be been but by can cannot could did do does "
    "event for from had has have he her his how i if in instead into is it its just know let like "
    "make me meet meeting more my need new next no not now of on only or our out please see shall "
    "she should so still that the their them then there they this time to today tomorrow up us was "
    "we what when where which who will with works would yes you your monday tuesday wednesday "
    "thursday friday saturday sunday"
)
"""Words that name no thing."""


def key_words(signal: Signal) -> tuple[str, ...]:
    """Words worth searching for: of the thing, longest first, then the person's first name."""
    things = [w for w in words(signal.thing) if len(w) > 2 and w not in _COMMON and w.isalpha()]
    things.sort(key=lambda word: (-len(word), word))
    person = signal.person.split()[0].casefold() if signal.person else ""
    return tuple(dict.fromkeys([*things[:1], *([person] if person.isalpha() else [])]))


def best_match(signal: Signal, text: str, records: Iterable[Evidence]) -> Evidence | None:
    """The record that shares most telling words with the notification, if any does."""
    telling = (words(text) | words(signal.thing) | words(signal.person)) - _COMMON
    telling = frozenset(word for word in telling if word.isalpha() and len(word) > 2)
    scored = [(len(telling & words(record.text)), record) for record in records]
    best = max(scored, key=lambda pair: pair[0], default=(0, None))
    return best[1] if best[0] > 0 else None


def offer(
    signal: Signal, trigger: Evidence | None, event: Evidence | None, app: str, tools: Sequence[str]
) -> Propose | None:
    """An offer for a want, or ``None`` if it lacks what would make it concrete.

    Args:
        signal: the want.
        trigger: the notification's record.
        event: the calendar event that it seems to be about.
        app: the notification's app, in which a reply would go out.
        tools: names of the write tools there are.
    """
    worded = _worded(signal, event, app, tools)
    if worded is None:
        return None
    text, plan = worded
    refs = tuple(record.ref for record in (trigger, event) if record is not None)
    return Propose(text=middle(flat(text), PROPOSAL_LENGTH), plan=plan, refs=refs)


def _worded(
    signal: Signal, event: Evidence | None, app: str, tools: Sequence[str]
) -> tuple[str, tuple[str, ...]] | None:
    who, what, when = signal.person, signal.thing, signal.when
    name = _title(event) if event is not None else ""
    match signal.want:
        case "change" if event is not None and when:
            plan = _plan(tools, ("calendar", ("edit", "update", "move")))
            return f"Shall I move {name} to {when}, as {who} writes?", plan
        case "cancel" if event is not None:
            plan = _plan(tools, ("calendar", ("delete", "remove", "cancel")))
            return f"Shall I delete {name} from the calendar? {who} has called it off.", plan
        case "cancel":
            return None
        case "contact" if signal.value:
            plan = _plan(tools, ("contacts", ("edit", "update")))
            return f"Shall I save {signal.value} as the new contact of {who}?", plan
        case "change" | "invitation" if when:
            plan = _plan(tools, ("calendar", ("add", "create")))
            return f"Shall I put '{what}' with {who} into the calendar for {when}?", plan
        case "deadline":
            plan = _plan(tools, ("reminder", ("add", "create")))
            due = f" by {when}" if when else ""
            return f"Shall I set a reminder for '{what}'{due}, as {who} writes?", plan
        case _:
            plan = _plan(tools, (app, ("reply", "send")))
            return (f"Shall I answer {who} about '{what}'?", plan) if plan else None


def _title(event: Evidence) -> str:
    """``'Dentist'`` of ``'Dentist' 2026-03-11 10:00``; the whole line if nothing is quoted."""
    title = re.match(r"\s*'([^']+)'", event.text)
    return f"'{middle(flat(title[1] if title else event.text), 50)}'"


def _plan(tools: Sequence[str], *steps: tuple[str, tuple[str, ...]]) -> tuple[str, ...]:
    """For each step the first tool of the app whose name holds one of the verbs."""
    found = []
    for app, verbs in steps:
        own = [tool for tool in tools if tool.partition(".")[0] == app]
        found += [tool for verb in verbs for tool in own if verb in tool.partition(".")[2]][:1]
    return tuple(found)
