"""Judges an offer's own sentence against a rubric; pure functions over text.

What it does not know: what the user has seen, turns, the solution.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from heron.sim.users.brief import Rubric
from heron.sim.users.reasons import Why

Sense = Literal["fits", "wrong", "vague"]
Strictness = Literal["lenient", "normal", "strict"]
"""``normal`` wants every object named; ``lenient`` forgives one; ``strict`` wants those that have a
name or a figure called by it."""


@lru_cache(maxsize=512)
def words(text: str) -> tuple[str, ...]:
    """Words of a text, lower case, without accents or a plural's s; ``*`` and times like 9:30 are
    kept, and an arrow reads "set", as in "Dentist → Friday".
    """
    flat = unicodedata.normalize("NFKD", _ARROW.sub(" set ", text.casefold()))
    flat = "".join(c for c in flat if not unicodedata.combining(c))
    return tuple(_PLURAL.sub(r"\1", word) for word in _WORD.findall(flat))


_WORD = re.compile(r"\d+(?:[:.]\d+)+|\w+\*?")
_ARROW = re.compile("→|⇒|->|=>")
_PLURAL = re.compile(r"^(?!yours|theirs)([a-z]{3,}[^\Wsui_\d])s$")
"""Five letters or more: the short ones ("news", "keys") are left alone."""


def has_phrase(text: Sequence[str], phrase: str) -> bool:
    """Whether the words of ``phrase`` stand next to each other in ``text``."""
    wanted = words(phrase)
    if not wanted:
        return False
    first, last = wanted[0], len(text) - len(wanted)
    if not first.endswith("*"):
        if first not in text:
            return False
    elif len(wanted) == 1:
        # Most phrases are one word with any ending; no word holds a blank.
        return f" {first[:-1]}" in f" {' '.join(text)}"
    return any(
        all(same_word(text[i + k], word) for k, word in enumerate(wanted)) for i in range(last + 1)
    )


def same_word(word: str, wanted: str) -> bool:
    """Whether a word is the one wanted; ``*`` at the end of that stands for any ending."""
    return word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted


def has_any(text: Sequence[str], phrases: Iterable[str]) -> bool:
    """Whether any of the phrases stands in the text."""
    return any(has_phrase(text, phrase) for phrase in phrases)


class Judgement(NamedTuple):
    """What an offer is worth, and why."""

    sense: Sense
    why: Why


def judge(
    rubric: Rubric, text: str, plan: Sequence[str], strictness: Strictness = "normal"
) -> Judgement:
    """What an offer is worth by its own words.

    Args:
        rubric: what counts.
        text: the sentence shown to the user.
        plan: names of the write tools that come with it.
        strictness: how much of the rubric's object must be named.

    Returns:
        the sense and the reason. ``vague`` says nothing about this matter at all; ``wrong`` is
        about it but names another thing or act, or its plan contradicts it.
    """
    said = words(text)
    missing = sum(not has_any(said, group) for group in rubric.object)
    about = has_any(said, rubric.topic) or missing < len(rubric.object)
    if not about:
        return Judgement("vague", "vague")
    if has_any(said, rubric.against):
        return Judgement("wrong", "against")
    if missing > (1 if strictness == "lenient" else 0):
        return Judgement("wrong", "object")
    if not all(has_any(said, group) for group in rubric.act):
        return Judgement("wrong", "act")
    if plan and rubric.tools and not set(plan) & set(rubric.tools):
        return Judgement("wrong", "plan")
    if strictness == "strict" and not _specific(said, rubric):
        return Judgement("wrong", "unspecific")
    return Judgement("fits", "fits")


def _specific(said: Sequence[str], rubric: Rubric) -> bool:
    """Whether every object that has a name or a figure is called by it."""
    exact = ([p for p in group if _is_exact(p)] for group in rubric.object)
    return all(has_any(said, phrases) for phrases in exact if phrases)


def _is_exact(phrase: str) -> bool:
    """A proper name or a figure, not a common word."""
    return any(c.isdigit() or c.isupper() for c in phrase)
