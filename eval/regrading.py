"""Scores stored episodes anew with today's checks: no model runs, and no user is played.

What an episode wanted is found again from its scenario, seed and configuration; what came of it
stands in its row: the log, the answers, the turns. A scenario whose file says something else today
is graded by today's file and told apart. What it does not know: whether an older Heron built the
same phone from the same file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from heron.contracts import EpisodeConfig, EpisodeRecord, Grant, Outcome, Record, Verdict
from heron.errors import InputError
from heron.eval.gathering import gatherings
from heron.eval.scoring.assessing import assess, outset
from heron.eval.staging import goal_of, staged
from heron.eval.user_errors import matter_of, persona_in, user_errors
from heron.eval.verdict import Goal, decide
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage

Content = Literal["same", "changed", "gone", "unplayable"]
"""The scenario's file today: as when the episode was played, another content, not there, or one
that makes no phone or has no reference solution."""


class CheckChange(Record):
    """A check that says something else today. ``None``: there was or is no such check."""

    name: str
    before: bool | None
    after: bool | None
    detail: str
    """What it says today, or said where it is no more."""


class Regraded(Record):
    """What became of an episode's score."""

    scenario: str
    seed: int
    observer: str
    content: Content
    before: Outcome
    after: Outcome | None
    """``None``: it cannot be graded, and the row stays as it was."""
    checks: tuple[CheckChange, ...] = ()
    user_errors: bool = False
    """Whether other errors are found of the user than before."""
    reason: str = ""
    """Why it cannot be graded."""

    @property
    def changed(self) -> bool:
        """Whether outcome, checks or the user's errors are others than before."""
        return self.after is not None and (
            self.before != self.after or bool(self.checks) or self.user_errors
        )


@dataclass(frozen=True)
class _Matter:
    """A phone at its start and what was wanted, for all episodes of a scenario and seed."""

    stage: Stage
    goal: Goal


def regrade(
    episodes: Iterable[EpisodeRecord], scenarios: Mapping[str, Scenario]
) -> Iterator[tuple[EpisodeRecord, Regraded]]:
    """Grade episodes; they are best sorted by scenario and seed, as the store reads them.

    Args:
        episodes: as stored.
        scenarios: by id, as they are today.

    Yields:
        each episode as it is graded today, and what that changed. One that cannot be graded comes
        back as it was.
    """
    matters: dict[tuple[object, ...], _Matter | InputError] = {}
    try:
        for episode in episodes:
            scenario = scenarios.get(episode.scenario)
            if scenario is None:
                yield episode, _ungraded(episode, "gone", "there is no such scenario today")
                continue
            of = _phone(episode)
            if of not in matters:
                _let_go(matters)
                matters[of] = _matter(scenario, episode)
            matter = matters[of]
            if isinstance(matter, InputError):
                yield episode, _ungraded(episode, "unplayable", str(matter))
                continue
            graded = _graded(episode, matter)
            same = scenario.hash == episode.scenario_hash
            yield graded, _compared(episode, graded, "same" if same else "changed")
    finally:
        _let_go(matters)


def counts(found: Iterable[Regraded]) -> dict[str, int]:
    """How many episodes were graded, changed, and are told apart."""
    every = list(found)
    kinds = Counter(one.content for one in every)
    return {
        "episodes": len(every),
        "changed": sum(one.changed for one in every),
        "outcome_changed": sum(one.after not in (None, one.before) for one in every),
        "scenario_changed": kinds["changed"],
        "scenario_gone": kinds["gone"],
        "scenario_unplayable": kinds["unplayable"],
    }


# --- inside -------------------------------------------------------------------------------------


def _phone(episode: EpisodeRecord) -> tuple[object, ...]:
    """All that a phone at its start is made of (see ``staging.staged``)."""
    config = episode.config
    return (
        episode.scenario,
        episode.seed,
        config.background,
        config.events_per_minute,
        config.turns,
    )


def _matter(scenario: Scenario, episode: EpisodeRecord) -> _Matter | InputError:
    config: EpisodeConfig = episode.config
    try:
        stage = staged(scenario, episode.seed, config)
        return _Matter(stage, goal_of(stage))
    except InputError as error:
        return error


def _let_go(matters: dict[tuple[object, ...], _Matter | InputError]) -> None:
    for matter in matters.values():
        if isinstance(matter, _Matter):
            matter.stage.world.close()
    matters.clear()


def _graded(episode: EpisodeRecord, matter: _Matter) -> EpisodeRecord:
    stage = matter.stage
    answered = [turn.decision for turn in episode.turns if turn.decision is not None]
    accepts = [decision for decision in answered if decision.answer == "accept"]
    held = matter_of(stage, persona_in(episode.config.user))
    gathered = gatherings(episode.turns)
    update: dict[str, object] = {
        "type": stage.scenario.type,
        "kind": stage.scenario.kind,
        "verdict": decide(
            matter.goal,
            episode.log,
            # Each accept mints one, in order (see ``Episode``).
            [
                Grant(grant_id=f"g{number}", proposal_id=accept.proposal_id, turn=accept.turn)
                for number, accept in enumerate(accepts, 1)
            ],
            [accept.proposal_id for accept in accepts],
            sum(turn.proposal is not None for turn in episode.turns),
            episode.fault,
        ),
        "gatherings": gathered,
        "user_errors": user_errors(held, episode.turns, gathered, episode.log),
    }
    if episode.assessment is not None:
        # When the window opened is not in the log where an event without effect opens it.
        opened = {"opened": episode.assessment.opened}
        judged = assess(outset(stage), stage, held, episode.turns, episode.log)
        update["assessment"] = judged.model_copy(update=opened)
    return episode.model_copy(update=update)


def _ungraded(episode: EpisodeRecord, content: Content, reason: str) -> Regraded:
    return Regraded(
        scenario=episode.scenario,
        seed=episode.seed,
        observer=episode.config.observer,
        content=content,
        before=episode.verdict.outcome,
        after=None,
        reason=reason,
    )


def _compared(old: EpisodeRecord, new: EpisodeRecord, content: Content) -> Regraded:
    return Regraded(
        scenario=old.scenario,
        seed=old.seed,
        observer=old.config.observer,
        content=content,
        before=old.verdict.outcome,
        after=new.verdict.outcome,
        checks=tuple(_changes(old.verdict, new.verdict)),
        user_errors=old.user_errors is not None and old.user_errors != new.user_errors,
    )


def _changes(old: Verdict, new: Verdict) -> Iterator[CheckChange]:
    before = {check.name: check for check in old.checks}
    after = {check.name: check for check in new.checks}
    for name in dict.fromkeys([*before, *after]):
        was, now = before.get(name), after.get(name)
        if was != now:
            yield CheckChange(
                name=name,
                before=was.passed if was else None,
                after=now.passed if now else None,
                detail=now.detail if now else was.detail if was else "",
            )
