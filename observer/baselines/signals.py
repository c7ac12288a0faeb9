"""What words alone tell about a notification: who wants what, by when, and whether it is mail-out.

English only. What it does not know: the phone, the user, and everything between the lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from heron.contracts import NotificationSeen
from heron.observer.text import flat, middle

Want = Literal["contact", "cancel", "change", "invitation", "deadline", "request", "question"]

_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DATE = (
    rf"(?:(?:next |this )?{_DAYS}|today|tonight|tomorrow(?: (?:morning|evening|night))?|"
    rf"\d{{4}}-\d\d-\d\d|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTHS}\b|"
    rf"{_MONTHS} \d{{1,2}}(?:st|nd|rd|th)?\b)"
)
_CLOCK = r"(?:\d{1,2}[:.]\d\d(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\b\.?|noon|midnight)"
_WHEN: Final = re.compile(
    rf"\b(?:{_DATE}(?:,? (?:the )?(?:{_DATE}))?(?:,? (?:at )?{_CLOCK})?|"
    rf"{_CLOCK}(?:,? (?:on )?{_DATE})?)",
    re.IGNORECASE,
)
"""A day, a clock time, or both."""


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_AUTOMATIC: Final = _any(
    r"unsubscribe",
    r"newsletter",
    r"no-?reply",
    r"do not reply",
    r"view (?:this )?in (?:your )?browser",
    r"\b\d+ ?% (?:off|discount)",
    r"\bsale\b",
    r"special offer",
    r"limited time",
    r"promo(?:tion)?\b",
    r"verification code",
    r"one-time (?:code|password)",
    r"terms (?:of service|and conditions)",
    r"(?:weekly|daily|monthly) (?:digest|update|round-?up|summary)",
    r"webinar",
    r"earn points",
)
_SETTLED: Final = _any(
    r"never ?mind",
    r"no need",
    r"no longer need",
    r"already (?:done|sorted|booked|sent|told|brought|paid|settled|replied|taken)",
    r"all (?:sorted|done|set)",
    r"(?:been |is |it's )(?:sorted|settled|handled|taken care of)",
    r"i(?:'ve| have) (?:sorted|handled|taken care|already)",
    r"forget (?:about )?(?:it|the|what)",
    r"just kidding",
    r"only joking",
    r"for your information",
    r"\bfyi\b",
    r"nothing (?:for you )?to do",
)
_COMMAND: Final = _any(
    r"\b(?:ai|digital|virtual|phone)[ -]assistant",
    r"\bassistant[,:]",
    r"(?:ignore|disregard) (?:all |any )?(?:previous|prior|earlier) ",
    r"system prompt",
    r"language model",
)

_WANTS: Final[Mapping[Want, re.Pattern[str]]] = {
    "contact": _any(
        r"(?:new|changed|updated) (?:phone |mobile )?(?:number|address|e-?mail)",
        r"(?:number|address|e-?mail) (?:has changed|is now)",
    ),
    "cancel": _any(
        r"\bcancell?(?:ed|ing)?\b",
        r"call(?:ed|ing)? (?:it |this )?off",
        r"not (?:taking place|going ahead)",
        r"can(?:no|')t make it",
        r"won't be able to (?:make|come|attend)",
    ),
    "change": _any(
        r"\b(?:moved?|moving|push(?:ed)?|shift(?:ed)?|bring|brought|postponed?|rescheduled?|"
        r"put back)\b.{0,60}\b(?:to|until|till|forward)\b",
        r"\bnew time\b",
        r"\binstead\b",
        r"(?:starts|begins) (?:earlier|later)",
        r"\bonly (?:do|works?|on|at)\b",
    ),
    "invitation": _any(
        r"\binvit",
        r"\bjoin us\b",
        r"\bcome (?:over|along|by)\b",
        r"are you free",
        r"would you like to",
        r"(?:let's|shall we) (?:meet|have|go|grab)",
        r"(?:want|fancy|up for)\b.{0,40}\?",
        r"\bappointment (?:is )?(?:confirmed|on|for)",
        r"see you (?:on|at|there)",
    ),
    "deadline": _any(
        r"\bdeadline",
        r"\bdue\b",
        rf"\b(?:by|before|until|no later than)\s+(?:the end of|{_DATE}|{_CLOCK})",
        r"expires?\b",
        r"last (?:day|chance|date)",
        r"don't forget",
        r"remember to",
        r"(?:please )?remind ",
    ),
    "request": _any(
        r"\bplease\b",
        r"\b(?:can|could|would|will) you\b",
        r"would you mind",
        r"i need you to",
        r"let (?:me|us) know",
        r"get back to (?:me|us)",
    ),
    "question": _any(r"\byou\b[^.!?]*\?", r"\?\s*$"),
}
"""In order of how much they say: the first that matches names the want."""

_TARGET: Final = _any(rf"\b(?:to|is now|only|for)\b[^.!?]{{0,25}}?({_WHEN.pattern})")
_OLD: Final = _any(rf"(?:instead of|rather than|from|not)\s+(?:on )?({_WHEN.pattern})")
_VALUE: Final = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+\w|\+?\d[\d /-]{5,}\d")
_PREFIX: Final = re.compile(r"^(?:(?:re|fwd?|aw|wg)\s*:\s*)+", re.IGNORECASE)
_THING_LENGTH: Final = 44


@dataclass(frozen=True)
class Signal:
    """A want that a notification seems to express."""

    want: Want
    person: str
    thing: str
    """The subject, or the words in which the want stands."""
    when: str
    """The time that it names, in its own words; empty if none."""
    value: str
    """A phone number or email address that it names; empty if none."""
    has_subject: bool


def read(notification: NotificationSeen) -> Signal | None:
    """The want in a notification, or ``None`` where there seems to be none."""
    person, subject = _split(flat(notification.title))
    text = flat(notification.text)
    whole = f"{subject}. {text}"
    if any(pattern.search(f"{person} {whole}") for pattern in (_AUTOMATIC, _SETTLED, _COMMAND)):
        return None
    for want, pattern in _WANTS.items():
        found = pattern.search(whole)
        if found is not None:
            value = _VALUE.search(text)
            return Signal(
                want=want,
                person=person,
                thing=subject or _clause(whole, found.start()),
                when=_when(whole),
                value=value.group() if value else "",
                has_subject=bool(subject),
            )
    return None


def _split(title: str) -> tuple[str, str]:
    """``"Anna Berg: Re: Lunch"`` → ``("Anna Berg", "Lunch")``."""
    for separator in (": ", " – ", " — ", " - "):
        person, found, subject = title.partition(separator)
        if found:
            return _name(person), middle(_PREFIX.sub("", subject.strip()), _THING_LENGTH)
    return _name(title), ""


def _name(sender: str) -> str:
    """A person's name: ``anna.berg@mail.example`` is Anna Berg."""
    address = re.fullmatch(r"([\w.+-]+)@[\w.-]+", sender.strip())
    if address is None:
        return sender.strip()
    return " ".join(part.capitalize() for part in re.split(r"[._+-]+", address[1]) if part)


def _clause(text: str, position: int) -> str:
    """The sentence around a position, cut."""
    start = max(text.rfind(mark, 0, position) for mark in ".!?") + 1
    ends = [end for end in (text.find(mark, position) for mark in ".!?") if end >= 0]
    return middle(text[start : min(ends, default=len(text))].strip(), _THING_LENGTH)


def _when(text: str) -> str:
    """The time a text is about: the one it moves to, else the first that it does not leave."""
    target = _TARGET.search(text)
    if target is not None:
        return target.group(1)
    left = {found.start(1) for found in _OLD.finditer(text)}
    times = [found for found in _WHEN.finditer(text) if found.start() not in left]
    dated = [found for found in times if re.search(_DATE, found.group(), re.IGNORECASE)]
    best = (dated or times)[:1]
    return best[0].group() if best else ""
