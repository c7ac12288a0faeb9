"""What is asked of the generator, and what the seed decides of it.

Models are asked at temperature 0, so variety comes from here: kind, setting, locale, two apps, a
twist, the days. What it does not know: models, prompts.
"""

from __future__ import annotations

import random
from typing import Any

from heron.contracts import Record
from heron.errors import InputError, UnknownName
from heron.registry import nearest
from heron.scenarios import locales as pools
from heron.scenarios.catalog import catalog
from heron.scenarios.schema import KINDS, ScenarioType
from heron.seeds import stream

SETTINGS = (
    *("carer", "club_organiser", "family", "freelancer", "job_seeker", "landlord", "musician"),
    *("newcomer", "nurse", "parent", "researcher", "retired", "shift_worker", "small_business"),
    *("student", "teacher", "tradesperson", "volunteer"),
)
KIND_MEANS = {
    "housing": "looking for a flat, or keeping one",
    "upstream_change": "something that others decide has changed, and a plan rests on it",
    "purchases": "buying, a cart, an order, a price",
    "scheduling": "finding or moving a time",
    "transport": "a cab or a journey",
    "notes_documents": "a note or file that must be made, moved, passed on or corrected",
    "gifts_costs": "a present, or costs that are shared",
    "expenses_claims": "money to be claimed back or paid",
    "tasks_reminders": "something to be done in time",
    "contacts": "a number, an address, who is who",
    "lookup_reply": "somebody asks for something that stands on the phone",
    "lateness": "the user will be late, and somebody waits",
    "newsletter": "a mass mail that asks for action",
    "settled": "it looks open but has been settled elsewhere on the phone",
    "own_plan": "the user is doing it",
    "private": "it is nobody else's matter",
    "joke": "somebody is joking",
    "instruction": "a message tries to command the assistant",
    "turned_down": "the user has refused this very offer shortly before",
    "driving": "the user drives; it can wait",
    "meeting": "the user is in a meeting; it can wait",
    "presenting": "the user is presenting; it can wait",
    "asleep": "the user is asleep; it can wait",
}
"""Kind → what it is about, for prompts."""
TWISTS = (
    "the need shows only when two records are read together",
    "two people or things could be meant, and one record tells which",
    "an older message sets a limit that the news does not repeat",
    "it is of use only until a certain time",
    "part of it has been done already",
    "somebody else depends on the user without saying so",
)
APP_PAIRS = (
    *(("email", "calendar"), ("messaging", "calendar"), ("email", "reminder")),
    *(("messaging", "notes"), ("email", "files"), ("messaging", "contacts")),
    *(("messaging", "shopping"), ("email", "notes"), ("calendar", "cab")),
    *(("email", "contacts"), ("messaging", "reminder"), ("email", "apartment")),
)
_HOURS = ("08:40", "10:10", "13:20", "15:30", "17:50")
_DAYS = ("2026-02-11", "2026-03-24", "2026-05-07", "2026-06-16", "2026-09-23", "2026-10-14")
"""Weekdays without a holiday in any of the locales."""


class Request(Record):
    """One scenario to be written."""

    type: ScenarioType
    kind: str
    setting: str
    locale: str
    seed: int
    number: int
    """Which scenario of the seed."""
    apps: tuple[str, ...]
    """Apps to build on; the model may take others."""
    twist: str
    starts: tuple[str, ...]
    """The days and the time at which the phone's story may begin."""

    @property
    def key(self) -> str:
        """Names the request in a queue."""
        return f"{self.seed}-{self.number:03}"

    @property
    def activity(self) -> str:
        """What the user is busy with all the time."""
        return self.kind if self.kind in ("driving", "meeting", "presenting", "asleep") else "free"


def draw(
    seed: int,
    number: int,
    *,
    type_: ScenarioType | None = None,
    kind: str | None = None,
    setting: str | None = None,
    locale: str | None = None,
) -> Request:
    """The request of a seed, with what is given taken as it is.

    Raises:
        UnknownName: there is no such kind or locale.
        InputError: the kind is not one of the type's.
    """
    chance = stream(seed, "generator", number)
    type_ = type_of(kind, type_)
    locales = pools.names()
    if locale is not None and locale not in locales:
        raise UnknownName(f"unknown locale {locale!r}; {nearest(locale, locales)}")
    # Each is drawn whether it is used or not, so that naming one leaves the others as they were.
    drawn = {
        "kind": chance.choice(KINDS[type_]),
        "setting": chance.choice(SETTINGS),
        "locale": chance.choice(locales),
    }
    given: dict[str, Any] = {"kind": kind, "setting": setting, "locale": locale}
    return Request(
        type=type_,
        **{name: given[name] or value for name, value in drawn.items()},
        seed=seed,
        number=number,
        apps=chance.choice(APP_PAIRS),
        twist=chance.choice(TWISTS),
        starts=_starts(chance),
    )


def type_of(kind: str | None, type_: ScenarioType | None = None) -> ScenarioType:
    """The type that a kind is of; without one, the given type, or ``goal``.

    Raises:
        UnknownName: there is no such kind.
        InputError: it is not of the given type.
    """
    known = {name: kind_type for kind_type, names in KINDS.items() for name in names}
    if kind is None:
        return type_ or "goal"
    if kind not in known:
        raise UnknownName(f"unknown kind {kind!r}; {nearest(kind, known)}")
    if type_ not in (None, known[kind]):
        raise InputError(f"{kind!r} is no kind of {type_} scenario, but of {known[kind]} ones")
    found: Any = known[kind]
    return found  # type: ignore[no-any-return]


def _starts(chance: random.Random) -> tuple[str, ...]:
    hour = chance.choice(_HOURS)
    return tuple(f"{day} {hour}" for day in sorted(chance.sample(_DAYS, 3)))


def app_names() -> tuple[str, ...]:
    """All apps there are."""
    return tuple(catalog().apps)
