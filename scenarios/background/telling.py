"""Tells a plot at a moment: chooses its people and words, and when each app hears of it.

What it does not know: which plots are told, and what an app keeps (see ``keeping``).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

from heron.scenarios.background.cast import Cast
from heron.scenarios.background.keeping import Keeper, Telling
from heron.scenarios.background.plots import TIMING, Plot, Tell
from heron.scenarios.forms import Value

NAME = 4
"""Options of so few words are names, and must not be the scenario's; longer ones say something."""


@dataclass
class Teller:
    """Tells plots on one phone."""

    cast: Cast
    keeper: Keeper
    rng: random.Random
    companies: dict[str, dict[str, str | int | float]] = field(default_factory=dict)
    """Plot → the company that it is always about on this phone."""

    def tell(self, plot: Plot, at: datetime) -> bool:
        """Let the apps keep what they keep of a plot.

        Returns:
            whether it could be told: its people are there and its slots are free.
        """
        values: dict[str, Value] = {"me": self.keeper.me, "at": at}
        them = group = None
        if plot.who:
            there = self.cast.of(plot.who)
            groups = [group for group in self.cast.groups if group.members[0].role in plot.who]
            if not there:
                return False
            them = self.rng.choice(there)
            group = self.rng.choice(groups) if groups else None
            values["them"] = them.person
        values["company"] = self._company(plot)
        for name, options in plot.slots.items():
            free = [option for option in options if self._is_free(option)]
            if not free:
                return False
            chosen = self.rng.choice(free)
            if isinstance(chosen, str):
                chosen = self.keeper.text(chosen, values, at)
            values[name] = chosen
        telling = Telling(plot, at, values, them, group)
        for tell in plot.tells:
            if self.rng.random() < tell.chance:
                self._one(telling, tell)
        return True

    def _company(self, plot: Plot) -> dict[str, str | int | float]:
        company = self.rng.choice(self.cast.companies)
        return company if plot.company == "any" else self.companies.setdefault(plot.key, company)

    def _is_free(self, option: object) -> bool:
        short = isinstance(option, str) and len(option.split()) <= NAME
        return not short or self.keeper.taken.free_of(str(option))

    def _one(self, telling: Telling, tell: Tell) -> None:
        (kind,) = tell.model_fields_set - TIMING
        when = telling.plot.when
        start, end = tell.clock or (when.from_, when.to)
        day = telling.at.date() + timedelta(days=tell.days)
        moment = datetime.combine(day, between(start, end, self.rng))
        if tell.minutes is not None:
            moment = telling.at + timedelta(minutes=tell.minutes)
        self.keeper.keep(kind, telling, getattr(tell, kind), moment)


def between(start: str, end: str, rng: random.Random) -> time:
    """A time of day between two, on the quarter where there is room for one."""
    low, high = (_minutes(clock) for clock in (start, end))
    minute = rng.randrange(low, high + 1, 15)
    return time(minute // 60, minute % 60)


def _minutes(clock: str) -> int:
    hours, _, minutes = clock.partition(":")
    return int(hours) * 60 + int(minutes)
