"""What a scenario says of a played episode: when help was useful, and what each offer was worth.

Written into the episode, so that metrics are pure functions of stored rows. The rubric judges
every offer alike, whatever the user made of it: a persona's whims do not count here. What it does
not know: metrics, verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from heron.contracts import Assessment, LogEntry, OfferAssessed, TurnRecord
from heron.eval.user_errors import Matter, came
from heron.scenarios.stage import Stage
from heron.sim.device import Device
from heron.sim.earlier import Assistant
from heron.sim.users.judge import judge

NOT_APPS = frozenset({Device.NAME, Assistant.NAME})
"""Sources of events that are no app of the phone's."""


def outset(stage: Stage) -> Assessment:
    """What is known before anything is played; the stage's phone is at its start."""
    scenario = stage.scenario
    return Assessment(
        family=scenario.family,
        part=scenario.part,
        apps=tuple(sorted(set(_apps(stage)))),
        device=stage.world.device,
        closes=stage.moment.closes if scenario.type == "goal" else None,
    )


def assess(
    start: Assessment,
    stage: Stage,
    matter: Matter,
    turns: Sequence[TurnRecord],
    log: Sequence[LogEntry],
) -> Assessment:
    """Assess an episode.

    Args:
        start: from ``outset``.
        stage: its phone as the episode left it.
        matter: what the user was held to; it knows which records were there at the start.
        turns: as played.
        log: the whole log.
    """
    offers = [turn.proposal for turn in turns if turn.proposal is not None]
    judged = [(o.proposal_id, judge(stage.brief.rubric, o.text, o.plan)) for o in offers]
    return start.model_copy(
        update={
            "opened": _opened(stage, matter, log) if stage.scenario.type == "goal" else None,
            "offers": tuple(
                OfferAssessed(proposal_id=name, sense=found.sense, why=found.why)
                for name, found in judged
            ),
        }
    )


def _opened(stage: Stage, matter: Matter, log: Sequence[LogEntry]) -> datetime | None:
    """The first moment at which the window was open (as ``unaided.opened`` tells)."""
    moment, world = stage.moment, stage.world
    if moment.event is not None:
        return world.queue.state.fired.get(moment.event)
    if moment.opens is not None:
        return moment.opens
    times, start = came(log), world.clock.start
    known = [
        start if need.ref in matter.there else times[need.ref][1]
        for need in stage.brief.needs
        if need.ref in matter.there or need.ref in times
    ]
    return max(known, default=start) if len(known) == len(stage.brief.needs) else None


def _apps(stage: Stage) -> Iterator[str]:
    """Names of apps, some more than once."""
    yield from (step.call.name.partition(".")[0] for step in stage.reference)
    events = (event.do.partition(".")[0] for event in stage.scenario.events)
    yield from (app for app in events if app not in NOT_APPS)
    for need in stage.brief.needs:
        yield from (
            app.NAME
            for app in stage.world.apps.values()
            if any(table.find(need.ref) is not None for table in app.tables.values())
        )
