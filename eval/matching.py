"""Compares net effects with wanted ones, field by field; ids of new records may differ.

Rules per field: its own id and volatile fields are not compared; a field that the solution left
alone must stay as it was; prose is compared by required facts, freely without any; unordered lists
as sets; references under the pairing of new records found so far; everything else exactly, text
without regard to case. What it does not know: episodes, turns.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heron.eval.net import NetChange
from heron.sim.marks import Mark
from heron.sim.users.judge import has_any, words

Marks = Mapping[str, Mapping[str, tuple[Mark, ...]]]
"""Kind → field → marks."""

Facts = Mapping[str, Sequence[Sequence[str]]]
"""Field → groups of phrases; of each group one must stand in the text."""


@dataclass(frozen=True)
class Wanted:
    """One effect that the goal needs."""

    change: NetChange
    facts: Facts = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    """Fields in which any value will do."""
    named: bool = False
    """The reference chose the new record's id (a folder's path): it is compared as well."""


Pairing = dict[str, str]
"""Id of a wanted new record → id of the actual one."""


@dataclass(frozen=True)
class Match:
    """How well the actual effects fit."""

    missing: tuple[str, ...]
    """Wanted effects that nothing fits, each with the nearest reason."""
    extra: tuple[NetChange, ...]
    """Actual effects that nobody wanted."""
    pairs: tuple[tuple[Wanted, NetChange], ...]


def match(wanted: Sequence[Wanted], actual: Sequence[NetChange], marks: Marks) -> Match:
    """Pair wanted with actual effects, each at most once, by depth-first search.

    Sets of effects are small (a scenario has 1 to 7 writes), so the search is cheap; the pairing
    with the fewest missing effects wins, the first of equals.
    """
    best: list[tuple[Wanted, NetChange]] = []

    def search(index: int, pairing: Pairing, pairs: list[tuple[Wanted, NetChange]]) -> bool:
        nonlocal best
        if len(pairs) > len(best):
            best = list(pairs)
        if index == len(wanted):
            return len(pairs) == len(wanted)
        want = wanted[index]
        used = {id(change) for _, change in pairs}
        for change in actual:
            if id(change) in used or differences(want, change, marks, pairing):
                continue
            grown = {**pairing, want.change.key[2]: change.key[2]}
            if search(index + 1, grown, [*pairs, (want, change)]):
                return True
        return search(index + 1, pairing, pairs)

    search(0, {}, [])
    fitted = {id(want) for want, _ in best}
    used = {id(change) for _, change in best}
    pairing = {want.change.key[2]: change.key[2] for want, change in best}
    return Match(
        missing=tuple(
            _nearest(want, [c for c in actual if id(c) not in used], marks, pairing)
            for want in wanted
            if id(want) not in fitted
        ),
        extra=tuple(change for change in actual if id(change) not in used),
        pairs=tuple(best),
    )


def differences(want: Wanted, change: NetChange, marks: Marks, pairing: Pairing) -> list[str]:
    """Why an actual effect is not the wanted one; empty if it is."""
    goal = want.change
    if goal.key[:2] != change.key[:2] or goal.op != change.op:
        return [f"{change.label} is not {goal.label}"]
    if goal.op != "create" and goal.key[2] != change.key[2]:
        return [f"{change.key[2]} is not {goal.key[2]}"]
    if goal.op == "delete":
        return []
    field_marks = marks[goal.key[1]]
    names = [name for name in {**goal.changed, **change.changed} if name not in want.free]
    found = []
    for name in names:
        meanings = {mark.meaning for mark in field_marks.get(name, ())}
        if "volatile" in meanings or ("id" in meanings and not want.named):
            continue
        problem = _field_problem(name, meanings, want, change, pairing)
        if problem:
            found.append(problem)
    return found


def _field_problem(
    name: str, meanings: Collection[str], want: Wanted, change: NetChange, pairing: Pairing
) -> str | None:
    value = change.after.get(name)
    if name not in want.change.after and want.change.op == "update":
        return f"{name} was changed and should not have been"
    if "text" in meanings:
        return _missing_fact(name, value, want.facts)
    expected = want.change.after.get(name)
    if "ref" in meanings:
        expected = _paired(expected, pairing)
    if _same(expected, value, unordered="unordered" in meanings):
        return None
    return f"{name} is {value!r} and should be {expected!r}"


def _missing_fact(name: str, value: Any, facts: Facts) -> str | None:
    """Which required fact a text lacks, if any."""
    said = words(str(value or ""))
    for group in facts.get(name, ()):
        if not has_any(said, group):
            return f"{name} does not say {group[0]!r}"
    return None


def _paired(value: Any, pairing: Pairing) -> Any:
    if isinstance(value, list):
        return [_paired(item, pairing) for item in value]
    return pairing.get(value, value) if isinstance(value, str) else value


def _same(expected: Any, value: Any, *, unordered: bool) -> bool:
    if unordered and isinstance(expected, list) and isinstance(value, list):
        return sorted(map(_key, expected)) == sorted(map(_key, value))
    return _key(expected) == _key(value)


def _key(value: Any) -> str:
    return str(value).strip().casefold()


def _nearest(want: Wanted, left: Sequence[NetChange], marks: Marks, pairing: Pairing) -> str:
    name = f"{want.change.label} {want.change.key[2]}"
    reasons = [differences(want, change, marks, pairing) for change in left]
    alike = [reason for reason in reasons if reason and "is not" not in reason[0]]
    if alike:
        alike.sort(key=len)
        return f"{name}: {'; '.join(alike[0])}"
    return f"{name}: nothing of the kind was done"
