"""Things that happen by the way while an episode runs: newsletters, group chatter, promotions,
other people's changes in the calendar.

They have senders, a group and entries of their own and touch nothing else; the calendar's lie on
days that the scenario does not speak of. What it does not know: how often things happen is told
to it, and what anybody makes of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from heron.contracts import Arguments
from heron.scenarios import locales
from heron.scenarios.background.taken import Taken, taken_by
from heron.scenarios.document import read
from heron.scenarios.locales import Locale
from heron.scenarios.slots import draw
from heron.scenarios.stage import Stage
from heron.seeds import derive, stream
from heron.sim.noise import arrivals
from heron.sim.queue import Event
from heron.sim.world import World

FILE = Path(__file__).with_name("chatter.yaml")
PEOPLE = 5
DAYS_AHEAD = (20, 70)
"""Where the entries lie that others put into the calendar, in days from the start."""
SOURCES = {"newsletter": 4, "promotion": 3, "group": 6, "invitation": 3, "goods": 1}
"""How often each kind of thing happens, beside the others."""


def stir(stage: Stage, per_minute: float, minutes: float) -> int:
    """Queue what happens by the way on a stage's phone, at its start.

    Args:
        stage: its phone gets the people and the group that this needs.
        per_minute: how many things happen in a minute of the phone's clock, on average.
        minutes: for how long.

    Returns:
        how many things were queued.
    """
    times = list(arrivals(derive(stage.seed, stage.scenario.id), per_minute, minutes))
    surroundings = Surroundings(stage) if times else None
    if surroundings is None or not surroundings.sources:
        return 0
    stage.world.add_events([surroundings.event(n, at) for n, at in enumerate(times, 1)])
    return len(times)


class Surroundings:
    """The senders, people and entries of one phone's noise."""

    def __init__(self, stage: Stage) -> None:
        scenario = stage.scenario
        scope = draw(scenario.id, stage.seed, scenario.slots, scenario.phone.start, scenario.locale)
        self._world, self._taken = stage.world, taken_by(scenario, scope)
        self._rng = stream(stage.seed, scenario.id, "surroundings")
        self._people = _people(stage.world, self._taken, locales.load(scenario.locale), self._rng)
        self._entries: list[tuple[str, str, datetime]] = []
        self.sources: dict[str, Callable[[], _Happening]] = {}
        """Kind → what makes the next thing of it; of the apps that are there."""
        if "email" in stage.world.apps:
            self.sources["newsletter"] = lambda: self._mail("newsletters")
            self.sources["promotion"] = lambda: self._mail("promotions")
        if "messaging" in stage.world.apps:
            self._members, self._chat = self._found_group()
            self.sources["group"] = self._say
        if "calendar" in stage.world.apps:
            self.sources["invitation"] = self._change_calendar
        self._goods = [one for one in _data()["goods"] if self._taken.free_of(one["name"])]
        if "shopping" in stage.world.apps and self._goods:
            self.sources["goods"] = self._offer
        self._said = self._rng.randrange(len(_data()["lines"]))

    def event(self, number: int, at: float) -> Event:
        """The next thing that happens, ``at`` seconds from the start."""
        kinds = list(self.sources)
        weights = [SOURCES[kind] for kind in kinds]
        name, arguments, reserve = self.sources[self._rng.choices(kinds, weights)[0]]()
        return Event(
            key=f"noise{number}",
            name=name,
            arguments=arguments,
            at=at,
            reserve=reserve,
            noise=True,
        )

    # --- kinds ---

    def _mail(self, kind: str) -> _Happening:
        sender, what = self._rng.choice(_data()["senders"]), self._rng.choice(_data()[kind])
        return (
            "email.receive",
            {
                "sender": sender["email"],
                "subject": f"{sender['name']}: {what['subject']}",
                "content": what["text"],
            },
            None,
        )

    def _say(self) -> _Happening:
        lines = _data()["lines"]
        self._said += 1
        return (
            "messaging.receive",
            {
                "sender_id": self._rng.choice(self._members),
                "conversation_id": self._chat,
                "content": lines[self._said % len(lines)],
            },
            None,
        )

    def _offer(self) -> _Happening:
        what = self._rng.choice(self._goods)
        arguments: Arguments = {"name": what["name"], "description": what["about"]}
        return "shopping.add_product", arguments, None

    def _change_calendar(self) -> _Happening:
        """An invitation, or a change to one that came before."""
        rng = self._rng
        if not self._entries or rng.random() < 0.5:
            return self._invite()
        place = rng.randrange(len(self._entries))
        ref, who, start = self._entries[place]
        if rng.random() < 0.3:
            del self._entries[place]
            return "calendar.delete_by_attendee", {"event_id": ref, "who": who}, None
        later = start + timedelta(minutes=rng.choice((30, 60, 90)))
        self._entries[place] = (ref, who, later)
        arguments: Arguments = {"event_id": ref, "who": who, "start_datetime": f"{later}"}
        return "calendar.move_by_attendee", arguments, None

    def _invite(self) -> _Happening:
        rng = self._rng
        day = self._taken.start.date()
        while not self._taken.is_open(day, 2):
            day = self._taken.start.date() + timedelta(days=rng.randint(*DAYS_AHEAD))
        start = datetime.combine(day, time(rng.randint(9, 18)))
        what, who = rng.choice(_data()["invitations"]), rng.choice(self._people)
        table = self._world.apps["calendar"].tables["events"]
        ref = table.reserve()
        self._entries.append((ref, who, start))
        return (
            "calendar.add_by_attendee",
            {
                "who": who,
                "title": what["title"],
                "location": what["place"],
                "start_datetime": f"{start}",
                "end_datetime": f"{start + timedelta(hours=1)}",
            },
            (table.record_type.KIND, ref),
        )

    # --- what it needs on the phone ---

    def _found_group(self) -> tuple[list[str], str]:
        app = self._world.apps["messaging"]
        members = [app.add("people", {"name": name}).ref for name in self._people]
        title = _data()["group"]
        made = app.add("conversations", {"title": title, "participant_ids": members, "group": True})
        return members, made.ref


_Happening = tuple[str, Arguments, tuple[str, str] | None]
"""Name, arguments, and the kind and id of a record that is referred to later."""


def _people(world: World, taken: Taken, locale: Locale, rng: random.Random) -> list[str]:
    """Names of people whom neither the scenario nor the phone knows by their first name."""
    known = {
        row.line().casefold().split()[0]
        for app, table in (("contacts", "contacts"), ("messaging", "people"))
        for row in (world.apps[app].tables[table] if app in world.apps else ())
    }
    pool = (*locale.first_names.f, *locale.first_names.m)
    first = [name for name in pool if name.casefold() not in known and not taken.has_name(name)]
    last = [name for name in locale.last_names if not taken.has_name(name)]
    rng.shuffle(first)
    rng.shuffle(last)
    return [f"{a} {b}" for a, b in zip(first[:PEOPLE], last, strict=False)]


@cache
def _data() -> Mapping[str, Any]:
    data: Mapping[str, Any] = read(FILE).data
    return data
