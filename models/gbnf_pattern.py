"""A regular expression as a GBNF expression for the inside of a JSON string.

Only what describes a whole text of printable characters: anchored at both ends, without
look-around, back-references and lazy repetition. What it does not know: JSON schemas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

from heron.errors import InputError

_LONGEST: Final = 64
"""Repetitions where the pattern sets no limit."""
_ASCII: Final = [chr(code) for code in range(0x20, 0x7F) if chr(code) not in '"\\']
"""Characters that classes are made of; quotes and backslashes would need escapes in JSON."""
_CATEGORIES: Final[dict[Any, Callable[[str], bool]]] = {
    kinds.CATEGORY_DIGIT: str.isdigit,
    kinds.CATEGORY_NOT_DIGIT: lambda one: not one.isdigit(),
    kinds.CATEGORY_WORD: lambda one: one.isalnum() or one == "_",
    kinds.CATEGORY_NOT_WORD: lambda one: not (one.isalnum() or one == "_"),
    kinds.CATEGORY_SPACE: str.isspace,
    kinds.CATEGORY_NOT_SPACE: lambda one: not one.isspace(),
}


def pattern_rule(pattern: str) -> str:
    """The expression.

    Raises:
        InputError: the pattern is broken or cannot be written so.
    """
    try:
        items = list(parser.parse(pattern, re.ASCII))
    except (re.error, RecursionError, OverflowError) as error:
        raise _unheld(pattern, str(error)) from error
    ends = [(kinds.AT, kinds.AT_BEGINNING), (kinds.AT, kinds.AT_END)]
    if items[:1] != ends[:1] or items[-1:] != ends[1:]:
        raise _unheld(pattern, "it must begin with ^ and end with $")
    return _sequence(items[1:-1], pattern)


def _sequence(items: Iterable[tuple[Any, Any]], pattern: str) -> str:
    return " ".join(_item(kind, value, pattern) for kind, value in items) or '""'


def _item(kind: Any, value: Any, pattern: str) -> str:
    if kind is kinds.LITERAL:
        return _characters([chr(value)], pattern)
    if kind is kinds.NOT_LITERAL:
        return _characters([one for one in _ASCII if one != chr(value)], pattern)
    if kind is kinds.ANY:
        return _characters(_ASCII, pattern)
    if kind is kinds.IN:
        return _characters(_members(value, pattern), pattern)
    if kind is kinds.BRANCH:
        return f"({' | '.join(_sequence(branch, pattern) for branch in value[1])})"
    if kind is kinds.SUBPATTERN:
        _, added, removed, inner = value
        if added or removed:
            raise _unheld(pattern, "flags within it")
        return f"({_sequence(inner, pattern)})"
    if kind is kinds.MAX_REPEAT:
        least, most, inner = value
        limit = max(least, _LONGEST) if most is kinds.MAXREPEAT else most
        return f"({_sequence(inner, pattern)}){{{least},{limit}}}"
    raise _unheld(pattern, f"{kind} within it")


def _members(items: list[tuple[Any, Any]], pattern: str) -> list[str]:
    """The characters of a class, in order."""
    negated = items[0][0] is kinds.NEGATE
    tests = [_test(kind, value, pattern) for kind, value in items[negated:]]
    found = [one for one in _ASCII if any(test(one) for test in tests) != negated]
    if negated:
        return found
    # Single letters of other alphabets can be named in a class.
    return [*found, *(chr(v) for k, v in items if k is kinds.LITERAL and v > 0x7F)]


def _test(kind: Any, value: Any, pattern: str) -> Callable[[str], bool]:
    if kind is kinds.LITERAL:
        return lambda one: ord(one) == value
    if kind is kinds.RANGE:
        low, high = value
        return lambda one: low <= ord(one) <= high
    if kind is kinds.CATEGORY:
        return _CATEGORIES[value]
    raise _unheld(pattern, f"{kind} within a class")


def _characters(members: list[str], pattern: str) -> str:
    if not members or any(one < " " or one in '"\\\x7f' for one in members):
        raise _unheld(pattern, "a character that a JSON string must escape")
    return "[" + "".join(f"\\U{ord(one):08X}" for one in members) + "]"


def _unheld(pattern: str, why: str) -> InputError:
    return InputError(f"schema cannot be held by GBNF: pattern {pattern!r}: {why}")
