"""What a suite makes use of: apps, screens, tools, happenings, kinds, settings, locales.

Counted over scenarios, on the stages of one seed: each scenario counts a name once. A screen counts
where the user comes past it, unaided or on the way to what it must see. What it does not know:
whether a scenario is any good.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from heron.scenarios import unaided
from heron.scenarios.builder import build
from heron.scenarios.catalog import catalog
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.sim.graph import next_step


@dataclass(frozen=True)
class Use:
    """What one scenario makes use of."""

    scenario: Scenario
    names: Mapping[str, frozenset[str]]
    """Aspect → names: ``app``, ``screen``, ``read``, ``write``, ``happening``, …"""
    writes: int
    """Writes of the reference solution."""
    records: int
    """Records that the user must have seen to judge."""
    closes: bool
    """Whether help comes too late at some time."""


ASPECTS = (
    *("app", "screen", "read", "write", "happening"),
    *("kind", "setting", "locale", "part", "family"),
)


def use_of(scenario: Scenario, seed: int = 0) -> Use:
    """What a scenario makes use of.

    Raises:
        ScenarioError: it cannot be built.
    """
    stage = build(scenario, seed)
    calls = [*(step.call.name for step in stage.reference), *_looks(stage)]
    effects = {name: tool.effect for name, tool in catalog().tools.items()}
    happenings = [event.name for event in stage.world.queue.events]
    return Use(
        scenario=scenario,
        names={
            "app": frozenset(_apps(stage)),
            "screen": frozenset(_screens(stage)),
            "read": frozenset(name for name in calls if effects[name] == "read"),
            "write": frozenset(name for name in calls if effects[name] == "write"),
            "happening": frozenset(happenings),
            "kind": frozenset({scenario.kind}),
            "setting": frozenset({scenario.setting}),
            "locale": frozenset({scenario.locale}),
            "part": frozenset({scenario.part}),
            "family": frozenset({scenario.family}),
        },
        writes=sum(step.effect == "write" for step in stage.reference),
        records=len(stage.brief.needs),
        closes=stage.moment.closes is not None,
    )


def counts(uses: Iterable[Use]) -> dict[str, dict[str, int]]:
    """Aspect → name → number of scenarios; what none uses stands there with 0."""
    found = {aspect: Counter[str]() for aspect in ASPECTS}
    for use in uses:
        for aspect in ASPECTS:
            found[aspect].update(use.names[aspect])
    return {
        aspect: {
            name: found[aspect][name]
            for name in sorted({*found[aspect], *_known().get(aspect, ())})
        }
        for aspect in ASPECTS
    }


def totals(uses: Iterable[Use]) -> dict[str, float | int]:
    """Means and numbers over the goal scenarios among them."""
    goals = [use for use in uses if use.scenario.type == "goal"]
    if not goals:
        return {"goal_scenarios": 0}
    return {
        "goal_scenarios": len(goals),
        "mean_apps": round(statistics.mean(len(use.names["app"]) for use in goals), 2),
        "app_combinations": len({use.names["app"] for use in goals}),
        "mean_writes": round(statistics.mean(use.writes for use in goals), 2),
        "most_writes": max(use.writes for use in goals),
        "fewest_writes": min(use.writes for use in goals),
        "two_records_or_more": sum(use.records >= 2 for use in goals),
        "moment_matters": sum(use.closes for use in goals),
    }


def _known() -> dict[str, Iterable[str]]:
    """Everything that could be used, by aspect."""
    known = catalog()
    return {
        "app": known.apps,
        "screen": [screen.__name__ for app in known.apps.values() for screen in app.SCREENS],
        "read": [name for name, tool in known.tools.items() if tool.effect == "read"],
        "write": [name for name, tool in known.tools.items() if tool.effect == "write"],
        "happening": known.happenings,
    }


def _apps(stage: Stage) -> Iterator[str]:
    """Apps of what opens the window, of what must be seen, of the reference solution."""
    world = stage.world
    opening = [e.name for e in world.queue.events if e.key == stage.moment.event]
    for name in (*opening, *(step.call.name for step in stage.reference)):
        app = name.partition(".")[0]
        if app in world.apps:
            yield app
    needed = {need.ref for need in stage.brief.needs}
    created = [e for e in world.queue.events if e.reserve is not None and e.reserve[1] in needed]
    yield from (event.name.partition(".")[0] for event in created)
    kinds = {record.KIND for ref in needed if (record := world.record(ref)) is not None}
    yield from (a.NAME for a in world.apps.values() if any(map(a.table_of, kinds)))


def _looks(stage: Stage) -> Iterator[str]:
    yield from (call.name for call in (stage.cue.looks if stage.cue is not None else ()))


def _screens(stage: Stage) -> Iterator[str]:
    """Screens that the user sees; the stage's phone is at its start again afterwards."""
    world = stage.world
    start = world.snapshot()
    yield from (turn.view.screen for turn in unaided.play(stage))
    world.restore(start)
    unaided.play(stage, until=lambda _: unaided.opened(stage))
    for need in stage.brief.needs:
        while need.ref not in world.opened:
            act = next_step(world, need.ref)
            if act is None or world.user_act(act).error is not None:
                break
            yield world.phone.view().screen
    world.restore(start)
