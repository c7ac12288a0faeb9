"""Placeholders in a scenario's strings: ``{friend.first_name}``, ``{when:time}``, ``{price}``.

A name, one part of it where the slot has parts, and a form (see ``forms``); nothing else is
evaluated. ``{{`` and ``}}`` are braces. What it does not know: which strings are templates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from string import Formatter
from typing import NamedTuple

from pydantic import JsonValue

from heron.errors import InputError
from heron.registry import nearest
from heron.scenarios import lexicon
from heron.scenarios.forms import FormError, Start, Value, ways, written
from heron.scenarios.locales import Locale
from heron.scenarios.people import ATTRIBUTES, Person

_FIELD = re.compile(r"^([a-z][a-z0-9_]*)(?:\.([a-z][a-z0-9_]*))?$")
PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)(?:\.([a-z][a-z0-9_]*))?(?::([^{}!]*))?\}")
"""Slot, part and form of a placeholder as it should be written."""
_WAYS = "any_"


class TemplateError(InputError):
    """A placeholder cannot be filled; ``remedy`` says what could stand there."""

    within: tuple[int, ...] = ()
    """Which of several options it stands in."""

    def __init__(self, problem: str, remedy: str | None = None) -> None:
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy


@dataclass(frozen=True)
class Scope:
    """What placeholders are filled from."""

    values: Mapping[str, Value]
    locale: Locale
    start: Start
    later: frozenset[str] = field(default_factory=frozenset)
    """Slots that are not drawn yet, for a better message."""


class Piece(NamedTuple):
    """Literal text, and the placeholder that follows it, if any."""

    text: str
    slot: str | None
    part: str | None
    form: str


@lru_cache(maxsize=16384)
def pieces(template: str) -> tuple[Piece, ...]:
    """A template, taken apart.

    Raises:
        TemplateError: its braces do not match, or something else than a name stands in them.
    """
    try:
        parsed = list(Formatter().parse(template))
    except ValueError as error:
        raise TemplateError(
            f"{_cut(template)}: {str(error).lower()}", "write a brace that is no placeholder twice"
        ) from error
    return tuple(_piece(template, *part) for part in parsed)


def _piece(
    template: str, text: str, name: str | None, form: str | None, conversion: str | None
) -> Piece:
    if name is None:
        return Piece(text, None, None, "")
    found = _FIELD.match(name)
    if found is None or conversion or "{" in (form or ""):
        raise TemplateError(
            f"{_cut(template)}: {{{name}}} is no placeholder",
            "a slot's name, .part where it has parts, :form where it needs one",
        )
    return Piece(text, found[1], found[2], form or "")


def render(template: str, scope: Scope) -> str:
    """The text with all placeholders filled.

    Raises:
        TemplateError: one cannot be filled.
    """
    if "{" not in template and "}" not in template:
        return template
    return "".join(piece.text + _filled(piece, scope) for piece in pieces(template))


def fill(value: JsonValue, scope: Scope) -> JsonValue:
    """``render`` for every string within ``value``.

    A string that is one number slot and nothing else becomes the number.
    """
    if isinstance(value, str):
        if "{" not in value and "}" not in value:
            return value
        number = _lone_number(value, scope)
        return render(value, scope) if number is None else number
    if isinstance(value, list):
        return [fill(item, scope) for item in value]
    if isinstance(value, dict):
        return {key: fill(item, scope) for key, item in value.items()}
    return value


def phrases(group: list[str], scope: Scope) -> tuple[str, ...]:
    """A group of phrases, filled; ``{when:any_time}`` stands for all ways to write it, ``~tell``
    for the words of the lexicon.

    Raises:
        TemplateError: a placeholder cannot be filled, or the lexicon has no such entry.
    """
    found: list[str] = []
    for template in group:
        if template.startswith(lexicon.MARK):
            found += _meaning(template[len(lexicon.MARK) :])
            continue
        alone = pieces(template) if "{" in template else ()
        if len(alone) == 1 and not alone[0].text and alone[0].form.startswith(_WAYS):
            found += _ways(alone[0], scope)
        else:
            found.append(render(template, scope))
    return tuple(found)


# --- inside -------------------------------------------------------------------------------------


def _meaning(name: str) -> tuple[str, ...]:
    known = lexicon.acts()
    if name not in known:
        raise TemplateError(f"no {lexicon.MARK}{name} in the lexicon", nearest(name, known))
    return known[name]


def _filled(piece: Piece, scope: Scope) -> str:
    if piece.slot is None:
        return ""
    value = _value(piece, scope)
    try:
        return written(value, piece.form, scope.locale, scope.start)
    except FormError as error:
        raise TemplateError(f"{{{_name(piece)}:{piece.form}}}: {error}") from error


def _ways(piece: Piece, scope: Scope) -> tuple[str, ...]:
    try:
        return ways(_value(piece, scope), piece.form, scope.start)
    except FormError as error:
        raise TemplateError(f"{{{_name(piece)}:{piece.form}}}: {error}") from error


def _lone_number(template: str, scope: Scope) -> int | float | None:
    if not (template.startswith("{") and template.endswith("}")):
        return None
    found = pieces(template)
    if len(found) != 1 or found[0].text or found[0].form or found[0].slot is None:
        return None
    value = _value(found[0], scope)
    return value if isinstance(value, int | float) else None


def _value(piece: Piece, scope: Scope) -> Value:
    slot, part = piece.slot or "", piece.part
    if slot not in scope.values:
        if slot in scope.later:
            raise TemplateError(f"slot {slot!r} is drawn later", f"move {slot} further up")
        raise TemplateError(f"unknown slot {slot!r}", nearest(slot, scope.values))
    value = scope.values[slot]
    if part is None:
        return value
    if isinstance(value, Person):
        if part in ATTRIBUTES:
            return value.attribute(part)
        raise TemplateError(f"a person has no {part!r}", nearest(part, ATTRIBUTES))
    if isinstance(value, dict):
        if part in value:
            return value[part]
        raise TemplateError(f"slot {slot!r} has no {part!r}", nearest(part, value))
    raise TemplateError(f"slot {slot!r} has no parts, so no {part!r}", f"write {{{slot}}}")


def _name(piece: Piece) -> str:
    return f"{piece.slot}.{piece.part}" if piece.part else str(piece.slot)


def _cut(template: str) -> str:
    return repr(template if len(template) <= 40 else template[:39] + "…")
