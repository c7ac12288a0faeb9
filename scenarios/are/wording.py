"""Texts of a file: their sentences, and what two texts have in common that matters.

What it does not know: records, tools.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from heron.scenarios.lexicon import acts
from heron.sim.users.judge import has_any, same_word, words

_STOP = (
    "a about after again all also am an and any are as at back be because been before being "
    "but by can could did do does doing done down during each few for from further get got "
    "had has have having he hello her here hers hey hi him his how i if in into is it its "
    "just know let like made make many may me might more most much must my need needs new no "
    "nor not now of off ok okay on once only or other our out over own please regards re same "
    "see shall she should so some soon such sure take than thank thanks that the their them "
    "then there these they this those through to today tomorrow too under until up us very "
    "want was we well were what when where which while who whom why will with would yes yet "
    "you your best dear kind good great looking forward noticed received would could "
)
STOP = frozenset(_STOP.split())
"""Words that say nothing of a matter."""

_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
_MARKUP = re.compile(r"\*\*|__|`|^#+\s*|^\s*(?:[-•*]|\d+[.)])\s+", re.MULTILINE)
_CLOCK = re.compile(r"\b(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\b\.?", re.IGNORECASE)
_HOURS = re.compile(r"\b([01]?\d|2[0-3]):([0-5]\d)\b")
_AMOUNT = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_CODE = re.compile(r"\b(?=\w*[A-Z])(?=\w*\d)[A-Z0-9]{4,}\b|\b[A-Z]{3,}\b")
_NAME = re.compile(r"(?<![.!?\n]\s)(?<!^)\b([A-Z][a-zà-ÿ]{2,})\b")
_CAPITAL = re.compile(r"\b([A-Z][a-zà-ÿ]{2,})\b")


def sentences(text: str) -> list[str]:
    """A text's sentences, without marks of layout."""
    parts = (part.strip() for part in _SENTENCE.split(_MARKUP.sub("", text)))
    return [" ".join(part.split()) for part in parts if part]


def cut(text: str, length: int) -> str:
    """A text of at most ``length`` characters, cut between words."""
    if len(text) <= length:
        return text
    short = text[: length - 1].rsplit(" ", 1)[0].rstrip(" ,;:-–(")
    return f"{short or text[: length - 1]}…"


def content_words(text: str, least: int = 4) -> list[str]:
    """Words that say something, each once, in order."""
    return [
        word
        for word in dict.fromkeys(words(text))
        if len(word) >= least and word not in STOP and not word.isdigit()
    ]


def shared_words(text: str, other: Collection[str], least: int = 4) -> list[str]:
    """Content words of a text that stand in another one's words."""
    return [word for word in content_words(text, least) if word in other and not is_act(word)]


@lru_cache(maxsize=4096)
def is_act(word: str) -> bool:
    """Whether a word is one for something that is done: it says nothing of what it is done to."""
    single = (phrase for group in acts().values() for phrase in group if " " not in phrase)
    return any(same_word(word, phrase) for phrase in single)


# --- facts --------------------------------------------------------------------------------------

MOST = 3
"""Groups that a text is held to."""


def facts(text: str, source: str, without: Iterable[str] = ()) -> list[list[str]]:
    """What a text says that its source says as well: times, figures, codes, names, else words.

    Args:
        text: the reference's.
        source: what can be read on the phone.
        without: names that say nothing here: whoever writes and whoever is written to.

    Returns:
        groups of phrases, of each of which the text says one.
    """
    said, there = words(text), words(source)
    found: list[list[str]] = []
    for group in _candidates(text, {word for name in without for word in words(name)}):
        known = {phrase for one in found for phrase in one}
        new = not known & set(group)
        if new and has_any(said, group) and has_any(there, group):
            found.append(group)
        if len(found) == MOST:
            return found
    if found:
        return found
    common = shared_words(text, set(there))
    return [common[:6]] if common else []


def _candidates(text: str, without: Collection[str]) -> Iterable[list[str]]:
    clocks = [_clock(*match.groups()) for match in _CLOCK.finditer(text)]
    rest = _CLOCK.sub(" ", text)
    clocks += [_hours(int(h), int(m)) for h, m in _HOURS.findall(rest)]
    yield from clocks
    rest = _HOURS.sub(" ", rest)
    for code in _CODE.findall(rest):
        yield [code]
    for amount in _AMOUNT.findall(_CODE.sub(" ", rest)):
        bare = amount.replace(",", "")
        if len(bare) > 1:
            yield list(dict.fromkeys([amount, bare, _trimmed(bare), f"{bare}th"]))
    for name in _NAME.findall(rest):
        low = name.casefold()
        if low not in STOP and low not in without and not set(words(name)) & set(without):
            yield [name]


def _trimmed(amount: str) -> str:
    return amount.rstrip("0").rstrip(".") if "." in amount else amount


def _clock(hour: str, minute: str | None, half: str) -> list[str]:
    twelve, past = int(hour) % 12, int(minute or 0)
    return _hours(twelve + (12 if half.lower() == "p" else 0), past)


def _hours(hour: int, minute: int) -> list[str]:
    """The usual ways to write a time of day."""
    twelve, half = hour % 12 or 12, "am" if hour < 12 else "pm"
    ways = [f"{twelve}:{minute:02d}", f"{hour}:{minute:02d}", f"{hour:02d}:{minute:02d}"]
    ways += [f"{twelve}:{minute:02d}{half}"]
    if minute == 0:
        ways += [f"{twelve}{half}", f"{twelve} {half}", f"{twelve} o'clock"]
    return list(dict.fromkeys(ways))


def names_in(text: str) -> list[str]:
    """Capitalised words, which as a rule are names."""
    return [n for n in dict.fromkeys(_CAPITAL.findall(text)) if n.casefold() not in STOP]
