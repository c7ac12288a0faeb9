"""Content made safe for a line format: flat, short, and unable to pose as anything else.

What it does not know: the lines it is put into (see ``encode``).
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

ELLIPSIS: Final = "…"

_DROPPED: Final = frozenset({"Cf", "Cs", "Co", "Cn"})
"""Formatting marks, lone surrogates, private and unassigned characters: no content of use."""
_BLANK: Final = frozenset({"Cc", "Zs", "Zl", "Zp"})
"""Control characters and all kinds of space and line break: one space."""
_TAG: Final = re.compile(r"<([^<>\s][^<>]*)>")


def flat(text: str) -> str:
    """One line: line breaks and control characters become single spaces.

    ``<…>`` becomes ``(…)``, since the markers of every chat template that uses angle brackets
    (``<|im_start|>``, ``<start_of_turn>``, ``</s>``) would otherwise reach a tokenizer.
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(map(_plain, text))
    text = " ".join(text.split())
    while (opened := _TAG.sub(r"(\1)", text)) != text:
        text = opened
    return text.replace("<|", "(").replace("|>", ")")


def _plain(character: str) -> str:
    category = unicodedata.category(character)
    if category in _DROPPED:
        return ""
    return " " if category in _BLANK else character


def middle(text: str, limit: int) -> str:
    """At most ``limit`` characters: what is too long loses its middle, to ``…``.

    Two thirds are kept in front, where the matter is, and one third at the end, where the
    question or the date often stands.
    """
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 3
    head = limit - 1 - tail
    return text[:head].rstrip() + ELLIPSIS + (text[-tail:].lstrip() if tail else "")


def quoted(text: str) -> str:
    """In double quotes, of which the text itself has none left."""
    return '"' + text.replace('"', "'") + '"'


def words(text: str) -> frozenset[str]:
    """The text's words in lower case, for comparing two sentences."""
    return frozenset(re.findall(r"\w+", text.casefold()))
