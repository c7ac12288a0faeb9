"""Judges an offer's own sentence against a rubric; pure functions over text.

What it does not know: what the user has seen, turns, the solution.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from heron.sim.users.brief import Rubric

Sense = Literal["fits", "wrong", "vague"]


@lru_cache(maxsize=512)
def words(text: str) -> tuple[str, ...]:
    """Words of a text, lower case, without accents; ``*`` and times like 9:30 are kept."""
    flat = unicodedata.normalize("NFKD", text.casefold())
    flat = "".join(c for c in flat if not unicodedata.combining(c))
    return tuple(re.findall(r"\d+(?:[:.]\d+)+|\w+\*?", flat))


def has_phrase(text: Sequence[str], phrase: str) -> bool:
    """Whether the words of ``phrase`` stand next to each other in ``text``."""
    wanted = words(phrase)
    if not wanted or (not wanted[0].endswith("*") and wanted[0] not in text):
        return False
    last = len(text) - len(wanted)
    return any(
        all(_same(text[i + k], word) for k, word in enumerate(wanted)) for i in range(last + 1)
    )


def _same(word: str, wanted: str) -> bool:
    return word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted


def has_any(text: Sequence[str], phrases: Iterable[str]) -> bool:
    """Whether any of the phrases stands in the text."""
    return any(has_phrase(text, phrase) for phrase in phrases)


def judge(rubric: Rubric, text: str, plan: Sequence[str]) -> tuple[Sense, str]:
    """What an offer is worth by its own words.

    Args:
        rubric: what counts.
        text: the sentence shown to the user.
        plan: names of the write tools that come with it.

    Returns:
        the sense, and a reason in words. ``vague`` says nothing about this matter at all;
        ``wrong`` is about it but names another thing or act, or its plan contradicts it.
    """
    said = words(text)
    missing_object = [group[0] for group in rubric.object if not has_any(said, group)]
    about = has_any(said, rubric.topic) or any(has_any(said, group) for group in rubric.object)
    if not about:
        return "vague", "That does not say what it is about."
    if has_any(said, rubric.against):
        return "wrong", "That is not what I want done."
    if missing_object:
        return "wrong", "That is about something else."
    if not all(has_any(said, group) for group in rubric.act):
        return "wrong", "That is the wrong thing to do here."
    if plan and rubric.tools and not set(plan) & set(rubric.tools):
        return "wrong", "What it plans to do is not what it says."
    return "fits", "Yes, please."
