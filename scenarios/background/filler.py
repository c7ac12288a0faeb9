"""Makes a phone lived in: fills it with records that have nothing to do with the scenario.

Deterministic by seed, scenario and profile. Filler lies in the past, but for calendar entries and
reminders on days that the scenario does not speak of. What it does not know: users, solutions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, cast

from heron.scenarios.background.cast import Casting, Size
from heron.scenarios.background.drafts import Draft, Numbers, Place, rows_of
from heron.scenarios.background.keeping import Keeper
from heron.scenarios.background.plots import Plot, plots
from heron.scenarios.background.shop import Shop, homes
from heron.scenarios.background.taken import Taken, taken_by
from heron.scenarios.background.telling import Teller, between
from heron.scenarios.people import Person
from heron.scenarios.schema import Scenario
from heron.scenarios.template import Scope
from heron.seeds import stream
from heron.sim.app import App
from heron.sim.world import World


@dataclass(frozen=True)
class Profile:
    """How much there is of what."""

    records: int
    days: int
    """How far back it reaches."""
    people: Size
    products: int
    homes: bool
    """Whether there are homes to rent as well."""


PROFILES: Mapping[Literal["light", "full"], Profile] = {
    "light": Profile(100, 90, Size(3, 2, 2, 1, False, 4, 1), 3, False),
    "full": Profile(2000, 1100, Size(24, 12, 20, 6, True, 18, 5), 24, True),
}
FIRST = ("dinner_out", "order", "project_meeting", "newsletter", "group_lunch", "check_up")
"""Told once before all others, so that even a light phone has something of each."""
AHEAD = 0.12
"""Share of plots with an entry in the calendar that lie ahead."""
LONGEST_AHEAD = 60


def furnish(
    world: World,
    scenario: Scenario,
    scope: Scope,
    seed: int,
    profile: Literal["light", "full"],
) -> Callable[[App, str], str]:
    """Fill a blank phone.

    Args:
        world: with its apps, otherwise empty.
        scenario: whose claims are respected.
        scope: its slots, filled.
        seed: the variant.
        profile: how much.

    Returns:
        app and table → the id of the scenario's next record there, strewn among the filler's.
    """
    rng = stream(seed, scenario.id, "background", profile)
    drafts = _drafts(world, scenario, scope, PROFILES[profile], rng)
    numbers = Numbers(world.apps, drafts, *_others(world, scenario), rng)
    for app in world.apps.values():
        app.fill(rows_of(drafts, app))
        world.journal.clear()
        drafts = [draft for draft in drafts if draft.place[0] != app.NAME]
    return numbers.mint


def _drafts(
    world: World, scenario: Scenario, scope: Scope, profile: Profile, rng: random.Random
) -> list[Draft]:
    taken, locale = taken_by(scenario, scope), scope.locale
    long_ago = taken.start - timedelta(days=profile.days + 30)
    owner = cast(Person, scope.values[scenario.phone.owner])
    cast_ = Casting(locale, taken, owner.city_living, rng).cast(profile.people)
    shop = Shop(taken, locale, long_ago, profile.products, rng)
    keeper = Keeper(owner, shop, taken, locale, frozenset(world.apps), rng)
    keeper.introduce(cast_.figures, long_ago)
    keeper.drafts += [draft for draft in shop.drafts if draft.place[0] in world.apps]
    if profile.homes and "apartment" in world.apps and not _uses(scenario, "apartment"):
        keeper.drafts += homes(taken, locale, long_ago, rng)
    teller = Teller(cast_, keeper, rng)
    known = [plot for plot in plots() if _is_free(plot, taken)]
    first = [plot for plot in known if plot.key in FIRST]
    weights = [plot.weight for plot in known]
    while len(keeper.drafts) < profile.records:
        plot = first.pop() if first else rng.choices(known, weights)[0]
        teller.tell(plot, _moment(plot, taken, profile, rng))
    return keeper.drafts


def _is_free(plot: Plot, taken: Taken) -> bool:
    return all(taken.free_of(word) for word in plot.about)


def _uses(scenario: Scenario, app: str) -> bool:
    """Whether a scenario keeps records in an app or its solution goes there."""
    tools = (step.tool for step in scenario.reference)
    events = (event.do for event in scenario.events)
    return app in scenario.phone.content or any(
        name.startswith(f"{app}.") for name in (*tools, *events)
    )


def _moment(plot: Plot, taken: Taken, profile: Profile, rng: random.Random) -> datetime:
    """When a plot takes place; the recent past is denser than the distant."""
    ahead = plot.has_event and rng.random() < AHEAD
    while True:
        back = 1 + int(profile.days * rng.random() ** 1.5)
        days = rng.randint(3, LONGEST_AHEAD) if ahead else -back
        day = taken.start.date() + timedelta(days=days)
        fitting = ("any", "weekend" if day.weekday() >= 5 else "weekday")
        if plot.when.on in fitting and taken.is_open(day):
            return datetime.combine(day, between(plot.when.from_, plot.when.to, rng))


def _others(world: World, scenario: Scenario) -> tuple[dict[Place, int], frozenset[str]]:
    """How many of the scenario's records need an id in each table, and the ids that it gives."""
    counts: dict[Place, int] = {}
    given: set[str] = set()
    for name, tables in scenario.phone.content.items():
        for table, rows in tables.items():
            id_field = world.apps[name].tables[table].record_type.ID
            own = [str(row[id_field]) for row in rows if row.get(id_field)]
            given.update(own)
            counts[name, table] = len(rows) - len(own)
    return counts, frozenset(given)
