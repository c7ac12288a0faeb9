"""The kinds of slots, as a file writes them. How they are drawn stands in ``slots``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from heron.scenarios.parts import Name, OneOf, Part

Scalar = str | int | float


PersonPart = Literal[
    "first_name", "last_name", "gender", "email", "phone", "address", "city_living", "country"
]


class PersonSlot(Part):
    """A person with a name, addresses and a phone number out of the locale's pool."""

    gender: Literal["f", "m"] | None = None
    """Drawn, if not given."""
    locale: str | None = None
    """Of the name; the scenario's own, if not given."""
    last_name_of: Name | None = None
    """An earlier person whose last name this one shares."""
    fixed: dict[PersonPart, str] = Field(default_factory=dict)
    """What is the same for every seed, of somebody whom another system has named."""


class DateSlot(Part):
    """A day, by its distance from another one."""

    offset_days: Annotated[list[int], Field(min_length=2, max_length=2)]
    """First and last possible distance, both included."""
    of: Name | None = None
    """An earlier date or time; the start of the scenario, if not given."""
    on: Literal["any", "weekday", "weekend"] = "any"


class TimeSlot(Part):
    """A time of day on a grid, as a date and time."""

    on: Name | None = None
    """An earlier date; the day of the start, if not given."""
    from_: Annotated[str, Field(alias="from", pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
    to: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
    step: Annotated[int, Field(ge=1)] = 30
    """Minutes."""


class ShiftSlot(Part):
    """An earlier date or time, moved. Amounts are numbers or names of earlier number slots."""

    of: Name
    minutes: int | Name = 0
    hours: int | Name = 0
    days: int | Name = 0
    weeks: int | Name = 0


class NumberSlot(Part):
    """A number on a grid; whole if all three are."""

    from_: Annotated[int | float, Field(alias="from")]
    to: int | float
    step: Annotated[int | float, Field(gt=0)] = 1


class SlotSpec(OneOf):
    """What a seed decides. Strings may use slots that stand above."""

    person: PersonSlot | None = None
    choice: Annotated[list[Scalar | dict[Name, Scalar]], Field(min_length=1)] | None = None
    """One of these; mappings have all the same keys, used as ``{slot.key}``."""
    date: DateSlot | None = None
    time: TimeSlot | None = None
    shift: ShiftSlot | None = None
    number: NumberSlot | None = None
    pool: Literal["city", "street"] | None = None
    """Out of the locale's pool."""
