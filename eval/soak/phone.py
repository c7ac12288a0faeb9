"""A phone on which things happen for ever: chatter, what scenarios bring, a user who wanders.

What happens depends on the seed and on how much has happened, not on observers or on how fast they
are; so a soak can be resumed by letting everything happen once more. Old records go, so that the
phone itself does not grow. What it does not know: observers, clocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import count
from typing import Any, Final

from heron.contracts import Background, Brief, Seen
from heron.errors import InputError
from heron.eval.soak.stream import Arrival
from heron.eval.soak.walker import walk
from heron.scenarios.background.chatter import Surroundings
from heron.scenarios.builder import build
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.seeds import derive, stream
from heron.sim.feed import ObserverFeed
from heron.sim.toolset import ReadTools
from heron.sim.world import World

OWN: Final = 0.25
"""Share of the events that come from scenarios; the others are chatter."""
DEVICE: Final = 0.04
"""Share of the events in which the device's state changes."""
ACTIVITIES: Final = ("free", "free", "free", "meeting", "driving", "asleep")
KEPT: Final = 200
"""Records of a kind that may come on top of those at the start; then the oldest go."""
PRUNED: Final = (("email", "emails"), ("messaging", "messages"), ("calendar", "events"))
BORROWED: Final = ("email.receive", "messaging.receive")


class SoakPhone:
    """The phone of one soak.

    Args:
        scenarios: the first that has all apps lends its phone; their events are borrowed in turn.
        seed: of everything.
        background: how lived-in the phone is.

    Raises:
        InputError: there is no scenario.
    """

    def __init__(
        self, scenarios: Sequence[Scenario], seed: int, background: Background = "light"
    ) -> None:
        if not scenarios:
            raise InputError("a soak needs at least one scenario")
        self._seed = seed
        self._scenarios = list(scenarios)
        stream(seed, "soak", "scenarios").shuffle(self._scenarios)
        self.stage: Stage = build(self._scenarios[0], seed, background)
        self.world: World = self.stage.world
        self.start = self.world.now
        self._chatter = Surroundings(self.stage)
        self._borrowed = self._borrow()
        self._feed = ObserverFeed(self.world)
        self._extra: list[Seen] = []
        self.tools = ReadTools(self.world)
        self._sizes = {place: len(self._table(*place)) for place in PRUNED if self._has(place)}

    @property
    def brief(self) -> Brief:
        """What an observer is told of it."""
        return Brief(
            user_name=self.world.owner.name,
            tools=self.tools.specs(),
            write_tools=tuple(spec.name for spec in self.world.tool_specs("write")),
        )

    def happen(self, arrival: Arrival) -> None:
        """Let something happen at its time."""
        self.pass_to(arrival.at_s)
        rng = stream(self._seed, "soak", "what", arrival.number)
        if arrival.kind == "action":
            self.world.user_act(walk(self.world, rng))
        elif rng.random() < DEVICE:
            self.world.happen("device.change", {"activity": rng.choice(ACTIVITIES)})
        elif rng.random() < OWN:
            self.world.happen(*next(self._borrowed))
        else:
            made = self._chatter.event(arrival.number, arrival.at_s)
            self.world.happen(made.name, made.arguments, made.reserve, "event")

    def pass_to(self, seconds: float) -> None:
        """Let time pass up to ``seconds`` from the start."""
        self.world.advance_to(self.start + timedelta(seconds=seconds))

    def add(self, seen: Seen) -> None:
        """Something for the observer that did not come from the phone."""
        self._extra.append(seen)

    @property
    def pending(self) -> tuple[Seen, ...]:
        """What was added and has not been taken."""
        return tuple(self._extra)

    @property
    def passed_s(self) -> float:
        """Seconds from the start."""
        return (self.world.now - self.start).total_seconds()

    def take(self) -> tuple[Seen, ...]:
        """What is new to the observer."""
        new = (*self._feed.take(), *self._extra)
        self._extra = []
        self._tidy()
        return new

    def _tidy(self) -> None:
        """Let go of what has been handed over, and of the oldest records."""
        world = self.world
        for place, size in self._sizes.items():
            table = self._table(*place)
            for row in list(table)[: max(0, len(table) - size - KEPT)]:
                table.delete(row.ref)
        world.log.clear()
        world.notifications.clear()
        world.journal.clear()
        self._feed = ObserverFeed(world)

    def _has(self, place: tuple[str, str]) -> bool:
        return place[0] in self.world.apps

    def _table(self, app: str, table: str) -> Any:
        return self.world.apps[app].tables[table]

    # --- what scenarios bring ---

    def _borrow(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Mails and messages of all scenarios, round after round with other seeds."""
        for turn in count():
            found = 0
            for scenario in self._scenarios[1:] or self._scenarios:
                seed = derive(self._seed, "soak", "borrowed", turn) % 1000
                stage = build(scenario, seed, "bare")
                for event in stage.world.queue.events:
                    if event.name in BORROWED and not event.noise:
                        found += 1
                        yield event.name, self._made_own(event.name, event.arguments, stage.world)
                stage.world.close()
            if not found:
                raise InputError("none of the scenarios brings a mail or a message")

    def _made_own(self, name: str, arguments: Any, theirs: World) -> dict[str, Any]:
        if name == "email.receive":
            return {key: arguments[key] for key in ("sender", "subject", "content")}
        people = self.world.apps["messaging"].tables["people"]
        who: Any = theirs.apps["messaging"].tables["people"].find(arguments["sender_id"])
        sender = who.name if who is not None else arguments.get("sender_name", "Somebody")
        known = next((one for one in people if one.name == sender), None)
        own: Any = known or self.world.apps["messaging"].add("people", {"name": sender})
        return {"sender_id": own.ref, "content": arguments["content"]}
