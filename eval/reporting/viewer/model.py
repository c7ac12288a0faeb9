"""The content of one episode for the viewer: plain data, everything that is shown and no more.

Defaults are left out (see ``compact``): a reader takes what is missing as nothing. What it does not
know: the page.
"""

from __future__ import annotations

from heron.contracts import EpisodeRecord
from heron.eval.attribution import attribute
from heron.eval.reporting.viewer.compact import Data, compact, figure
from heron.eval.reporting.viewer.effects import Effects
from heron.eval.reporting.viewer.offers import offers
from heron.eval.reporting.viewer.rows import key_of, setting_of
from heron.eval.reporting.viewer.spending import egress, shared_reasons, totals
from heron.eval.reporting.viewer.thresholds import thresholds_of
from heron.eval.reporting.viewer.turns import turn_of
from heron.scenarios.stage import Stage


def view_of(episode: EpisodeRecord, scenario: Data | None = None, key: str | None = None) -> Data:
    """One episode.

    Args:
        episode: as stored.
        scenario: what ``about`` says of it, if it is at hand.
        key: if another than ``key_of`` gives.
    """
    config, verdict = episode.config, episode.verdict
    effects = Effects(episode)
    events = effects.events()
    cause = attribute(episode)
    turns = _turns(episode, effects, events)
    return compact(
        key=key or key_of(episode),
        scenario=episode.scenario,
        seed=episode.seed,
        run=episode.run or None,
        type=episode.type,
        kind=episode.kind,
        observer=config.observer,
        executor=config.executor,
        user=config.user,
        setting=setting_of(config),
        about=scenario,
        thresholds=thresholds_of(config.observer),
        outcome=verdict.outcome,
        passed=verdict.passed and episode.fault is None,
        checks=[compact(name=c.name, failed=not c.passed, detail=c.detail) for c in verdict.checks],
        cause=cause.model_dump() if cause else None,
        fault=episode.fault.model_dump() if episode.fault else None,
        mistakes=_mistakes(episode),
        gatherings=[
            compact(
                proposal=g.proposal_id,
                start=g.from_turn,
                until=g.to_turn,
                looks=g.looks,
                seconds=figure(g.seconds),
                refs=list(g.refs),
                end=g.end,
            )
            for g in episode.gatherings
        ],
        proposals=offers(episode),
        unknown=shared_reasons([one["cost"] for turn in turns for one in turn.get("observer", [])]),
        turns=turns,
        later=events.get(None, []),
        costs=totals(episode),
        egress=egress(episode),
    )


def about(stage: Stage) -> Data:
    """What the scenario says of itself: what the user wanted, and when help was useful."""
    scenario, window = stage.scenario, stage.brief.window
    return compact(
        summary=scenario.summary,
        goal=stage.brief.goal,
        family=scenario.family,
        opens=f"{window.opens:%Y-%m-%d %H:%M:%S}" if window.opens else None,
        closes=f"{window.closes:%Y-%m-%d %H:%M:%S}" if window.closes else None,
        wanted=[{"call": step.call.name, "args": step.call.arguments} for step in stage.reference],
    )


def _turns(
    episode: EpisodeRecord, effects: Effects, events: dict[int | None, list[Data]]
) -> list[Data]:
    costs, executor_costs = iter(episode.costs.steps), iter(episode.costs.executor)
    screens = [None, *(turn.view for turn in episode.turns)]
    return [
        turn_of(turn, before, effects, costs, executor_costs)
        | compact(events=events.get(turn.turn, []))
        for turn, before in zip(episode.turns, screens, strict=False)
    ]


def _mistakes(episode: EpisodeRecord) -> Data | None:
    """What the simulated user did wrong, by turn; ``None`` where that was not assessed."""
    if episode.user_errors is None:
        return None
    return compact(**{k: list(v) for k, v in episode.user_errors.model_dump().items()})
