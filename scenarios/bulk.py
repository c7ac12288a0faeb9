"""Rows that a file writes as JSON, one a line: read as JSON, which takes a tenth of the time.

Phones with thousands of records are written so, and YAML's nodes for them would take more memory
than the phone. Each such line gives way to a short mark, so that lines keep their numbers; a line
that YAML could read in another way, or refuse, is left as it is. What it does not know: YAML.
"""

from __future__ import annotations

import json
import math
import re
import sys
from typing import Any

MARK = "!row"
"""Tag of the scalar, a number, that stands for a row."""

_LINE = re.compile(r'^( *- )(\{".*\})$', re.MULTILINE)
_FLOAT = re.compile(r"-?(?:0|[1-9]\d*)\.\d+(?:[eE][-+]?\d+)?")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
DEEPEST = 20
"""Brackets in a line; with more it is left to the reader that counts levels."""
LONGEST_KEY = 128
"""Characters; YAML takes no key of more than 1,024, escapes written out."""


class _Unlike(ValueError):
    """YAML reads it in another way."""


def set_aside(text: str) -> tuple[str, dict[str, Any]]:
    """A text with marks in place of rows, and the rows by the number in their mark.

    A mark that then stands within some longer text (a row in a block of text is none) is not
    found as a node; who reads the result has to see that every row was.
    """
    rows: dict[str, Any] = {}
    if '- {"' not in text or MARK in text:
        return text, rows

    def mark(found: re.Match[str]) -> str:
        try:
            row = _row(found[2])
        except ValueError:
            return found[0]
        number = str(len(rows))
        rows[number] = row
        return f"{found[1]}{MARK} {number}"

    return _LINE.sub(mark, text), rows


def _row(line: str) -> Any:
    if not line.isprintable() or _SURROGATE.search(line):
        raise _Unlike
    if line.count("{") + line.count("[") > DEEPEST:
        raise _Unlike
    return _DECODER.decode(line)


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = {sys.intern(key): value for key, value in pairs}
    if len(made) < len(pairs) or "" in made or max(map(len, made), default=0) > LONGEST_KEY:
        raise _Unlike
    for key, value in made.items():
        if type(value) is str and " " not in value:
            made[key] = sys.intern(value)
    return made


def _float(text: str) -> float:
    value = float(text)
    if not _FLOAT.fullmatch(text) or not math.isfinite(value):
        raise _Unlike
    return value


def _constant(_: str) -> Any:
    raise _Unlike


_DECODER = json.JSONDecoder(
    object_pairs_hook=_mapping, parse_float=_float, parse_constant=_constant
)
