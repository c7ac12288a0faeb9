"""Draws a scenario's slots: one stream per slot, so that adding one changes no other.

Slots are drawn in the file's order; a later one may use earlier ones. What it does not know:
what the values are used for.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from heron.errors import UnknownName
from heron.registry import nearest
from heron.scenarios import locales
from heron.scenarios.document import Path_
from heron.scenarios.forms import Moment, Value
from heron.scenarios.locales import Locale
from heron.scenarios.people import Crowd, Person
from heron.scenarios.slot_schema import (
    DateSlot,
    NumberSlot,
    PersonSlot,
    ShiftSlot,
    SlotSpec,
    TimeSlot,
)
from heron.scenarios.template import Scope, TemplateError, fill, render
from heron.seeds import stream

YEARS = range(1970, 2100)
"""Years in which a scenario can begin."""
_ANY = stream(0)
"""For what draws nothing, or anything."""
_UNITS = ("minutes", "hours", "days", "weeks")


class SlotError(TemplateError):
    """A slot cannot be drawn; ``path`` leads to what is wrong."""

    def __init__(self, path: Path_, problem: str, remedy: str | None = None) -> None:
        super().__init__(problem, remedy)
        self.path = path


def draw(
    scenario: str, seed: int | None, slots: Mapping[str, SlotSpec], start: str, locale: str
) -> Scope:
    """All slots of a scenario.

    Args:
        scenario: its id, part of every stream's path.
        seed: the variant; ``None`` gives values of no variant, quickly, to see if they fit.
        slots: in the file's order.
        start: the start's template; it is filled as soon as a slot needs it.
        locale: name of the locale.

    Raises:
        SlotError: a slot cannot be drawn.
    """
    try:
        home = locales.load(locale)
    except UnknownName as error:
        raise SlotError(("locale",), str(error)) from error
    drawing = _Drawing(scenario, seed, slots, start, home)
    for name in slots:
        drawing.add(name)
    drawing.start()
    return drawing.scope()


@dataclass
class _Drawing:
    scenario: str
    seed: int | None
    slots: Mapping[str, SlotSpec]
    start_template: str
    home: Locale
    values: dict[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.crowd = Crowd(self.home)
        self._start: datetime | None = None

    def scope(self) -> Scope:
        """What strings can use so far."""
        later = frozenset(self.slots) - self.values.keys()
        return Scope(self.values, self.home, self.start, later)

    def start(self) -> datetime:
        """The scenario's first time."""
        if self._start is None:
            self._start = self._read_start()
        return self._start

    def _read_start(self) -> datetime:
        path = ("phone", "start")
        try:
            text = render(self.start_template, self.scope())
        except SlotError:
            raise
        except TemplateError as error:
            raise SlotError(path, error.problem, error.remedy) from error
        try:
            start = datetime.strptime(text, "%Y-%m-%d %H:%M")
        except ValueError as error:
            problem = f"{text[:30]!r} is no date and time"
            raise SlotError(path, problem, "write YYYY-MM-DD HH:MM") from error
        if start.year not in YEARS:
            raise SlotError(path, f"{text} is too far away", f"{YEARS[0]} to {YEARS[-1]}")
        return start

    def add(self, name: str) -> None:
        kind, spec = self.slots[name].chosen
        rng = _ANY
        if self.seed is not None and kind != "shift":
            rng = stream(self.seed, self.scenario, "slot", name)
        path: Path_ = ("slots", name, kind)
        try:
            self.values[name] = getattr(self, f"_{kind}")(rng, spec)
        except SlotError:
            raise
        except TemplateError as error:
            raise SlotError((*path, *error.within), error.problem, error.remedy) from error
        except OverflowError as error:
            raise SlotError(path, "the date lies outside the calendar") from error

    # --- kinds ---

    def _person(self, rng: random.Random, spec: PersonSlot) -> Person:
        locale = self.home
        if spec.locale is not None:
            try:
                locale = locales.load(spec.locale)
            except UnknownName as error:
                raise TemplateError(str(error)) from error
        relative = None
        if spec.last_name_of is not None:
            relative = self._earlier(spec.last_name_of, Person, "a person")
        return self.crowd.draw(rng, spec, locale, relative)

    def _choice(self, rng: random.Random, options: list[Any]) -> Any:
        keys = {tuple(sorted(o)) if isinstance(o, dict) else None for o in options}
        if len(keys) > 1:
            raise TemplateError(
                "the options have different keys", "give all the same keys, or none"
            )
        chosen = rng.randrange(len(options))
        try:
            return fill(options[chosen], self.scope())
        except TemplateError as error:
            error.within = (chosen,)
            raise

    def _pool(self, rng: random.Random, spec: str) -> str:
        return rng.choice(self.home.cities if spec == "city" else self.home.streets)

    def _date(self, rng: random.Random, spec: DateSlot) -> date:
        base: Moment = self.start()
        if spec.of is not None:
            base = self._moment(spec.of)
        first = base.date() if isinstance(base, datetime) else base
        low, high = spec.offset_days
        days = [first + timedelta(days=n) for n in range(low, min(high, low + 400) + 1)]
        fitting = [day for day in days if _is_on(day, spec.on)]
        if not fitting:
            raise TemplateError(f"no {spec.on} between {low} and {high} days", "widen offset_days")
        return rng.choice(fitting)

    def _time(self, rng: random.Random, spec: TimeSlot) -> datetime:
        base: Moment = self.start() if spec.on is None else self._moment(spec.on)
        day = base.date() if isinstance(base, datetime) else base
        low, high = _minutes(spec.from_), _minutes(spec.to)
        if high < low:
            raise TemplateError(f"{spec.to} is before {spec.from_}", "exchange from and to")
        minute = rng.choice(range(low, high + 1, spec.step))
        return datetime.combine(day, time()) + timedelta(minutes=minute)

    def _shift(self, _: random.Random, spec: ShiftSlot) -> Moment:
        base = self._moment(spec.of)
        amounts = {unit: self._amount(getattr(spec, unit)) for unit in _UNITS}
        if not isinstance(base, datetime) and (amounts["minutes"] or amounts["hours"]):
            raise TemplateError(f"{spec.of} is a date without a time", "shift it by days or weeks")
        return base + timedelta(**amounts)

    def _number(self, rng: random.Random, spec: NumberSlot) -> int | float:
        low, high, step = (Decimal(str(n)) for n in (spec.from_, spec.to, spec.step))
        if high < low:
            raise TemplateError(f"{spec.to} is less than {spec.from_}", "exchange from and to")
        value = low + step * rng.randrange(int((high - low) / step) + 1)
        whole = all(isinstance(n, int) for n in (spec.from_, spec.to, spec.step))
        return int(value) if whole else float(value)

    # --- earlier slots ---

    def _earlier(self, name: str, kind: type[Any] | tuple[type[Any], ...], what: str) -> Any:
        if name not in self.values:
            if name in self.slots:
                raise TemplateError(f"slot {name!r} is drawn later", f"move {name} further up")
            raise TemplateError(f"unknown slot {name!r}", nearest(name, self.slots))
        value = self.values[name]
        if not isinstance(value, kind):
            raise TemplateError(f"slot {name!r} is not {what}")
        return value

    def _moment(self, name: str) -> Moment:
        moment: Moment = self._earlier(name, date, "a date or time")
        return moment

    def _amount(self, amount: int | str) -> int | float:
        if isinstance(amount, int):
            return amount
        number: int | float = self._earlier(amount, (int, float), "a number")
        return number


def _is_on(day: date, on: str) -> bool:
    return on == "any" or (day.weekday() >= 5) == (on == "weekend")


def _minutes(clock: str) -> int:
    hours, _, minutes = clock.partition(":")
    return int(hours) * 60 + int(minutes)
