"""Plots: small stories that leave records in several apps, as data under ``plots/``.

A plot has a moment (``at`` in its texts), people or a company, slots, and tells what each app
keeps of it, before and after the moment. Texts are templates as in scenario files. What it does
not know: whose phone it is, and when.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from heron.scenarios.document import read
from heron.scenarios.parts import Name, Part

FOLDER = Path(__file__).parent / "plots"

Role = Literal[
    "friend", "family", "colleague", "neighbour", "hairdresser", "garage", "plumber", "bicycles"
]
Text = Annotated[str, Field(min_length=1)]
Scalar = str | int | float
Clock = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
Lines = Annotated[list[Annotated[str, Field(pattern=r"^[a-z]+: .")]], Field(min_length=1)]
"""Who says what: ``them: …``, ``me: …``; in groups ``a``, ``b``, ``c`` are its members."""


class When(Part):
    """At what time of day, and on which days, the moment lies."""

    on: Literal["any", "weekday", "weekend"] = "any"
    from_: Annotated[Clock, Field(alias="from")]
    to: Clock


class MailTell(Part):
    """A mail that came or was sent."""

    from_: Annotated[Literal["me", "them", "company", "shop"], Field(alias="from")]
    to: Literal["them", "company"] = "them"
    """Of a mail of one's own that answers nothing."""
    subject: Text = "Re"
    text: Text
    answers: bool = False
    """It answers the plot's last mail."""
    file: str | None = None
    folder: Literal["INBOX", "TRASH"] = "INBOX"


class EventTell(Part):
    """An entry of the calendar at the moment."""

    title: Text
    place: str | None = None
    minutes: int = 60
    all_day: bool = False
    nights: int = 0
    """Of an event for all day: how many days more."""
    alone: bool = False
    """``them`` does not attend."""
    tag: str | None = None
    weeks: int = 1
    """It takes place so many weeks in a row."""


class NoteTell(Part):
    """A note."""

    title: Text
    text: Text
    folder: str = "Personal"


class FileTell(Part):
    """A file."""

    name: Text
    folder: str = "/Documents"
    text: Text


TIMING = {"days", "clock", "minutes", "chance"}
"""Keys of a tell that say when, not what."""


class Tell(Part):
    """One thing that an app keeps of it; exactly one of the kinds is given."""

    chat: Lines | None = None
    group: Lines | None = None
    mail: MailTell | None = None
    event: EventTell | None = None
    reminder: str | None = None
    """Its title."""
    note: NoteTell | None = None
    file: FileTell | None = None
    ride: str | None = None
    """A cab from home to this place, in time for the moment."""
    order: int | None = None
    """Something was bought: up to so many different things, ``{bought.what}`` for ``{total}``."""
    days: int = 0
    """From the moment's day."""
    clock: Annotated[list[Clock], Field(min_length=2, max_length=2)] | None = None
    """Between which times of that day; in the plot's own, if not given."""
    minutes: int | None = None
    """From the moment, instead of ``days`` and ``clock``."""
    chance: Annotated[float, Field(gt=0, le=1)] = 1.0

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kinds = self.model_fields_set - TIMING
        if len(kinds) != 1:
            raise ValueError(f"a tell has one kind, not {sorted(kinds)}")
        return self


class Plot(Part):
    """A small story."""

    key: Name
    about: list[str] = Field(default_factory=list)
    """Words; where a scenario uses one of them, the plot is left out, lest it be mistaken for the
    scenario's own matter."""
    who: list[Role] = Field(default_factory=list)
    company: Literal["one", "any"] = "one"
    """Whether it is the same company each time on a phone."""
    weight: Annotated[int, Field(ge=1)]
    when: When
    slots: dict[Name, list[Scalar | dict[Name, Scalar]]] = Field(default_factory=dict)
    tells: Annotated[list[Tell], Field(min_length=1)]

    @property
    def has_event(self) -> bool:
        """Whether it can lie in the future."""
        return any(tell.event is not None for tell in self.tells)


@cache
def plots() -> tuple[Plot, ...]:
    """All plots, in order of files and within them."""
    found = [
        Plot.model_validate(data)
        for file in sorted(FOLDER.glob("*.yaml"))
        for data in read(file).data
    ]
    keys = [plot.key for plot in found]
    assert len(keys) == len(set(keys)), "two plots have one key"  # noqa: S101  (our own files)
    return tuple(found)
