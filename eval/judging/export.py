"""Makes decision points of stored episodes: each proposal at the moment of its first answer.

A proposal that was never answered (expired, withdrawn, made in the last turn) makes none. What it
does not know: files, and who will judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heron.contracts import EpisodeRecord, Execution, Proposal, ScreenView, TurnRecord, UserStep
from heron.eval.judging.points import (
    DecisionPoint,
    Moment,
    PlayedExecution,
    PlayedTurn,
    Replay,
    Step,
)
from heron.eval.judging.scenes import Scenes


def points_of(episodes: Iterable[EpisodeRecord], scenes: Scenes) -> Iterator[DecisionPoint]:
    """The decision points of episodes, in order.

    Args:
        episodes: as stored.
        scenes: finds their scenarios, for the user's goal; one that is not found, or is another
            by now, leaves the goal empty.
    """
    for episode in episodes:
        goal: str | None = None
        for proposal, at in first_answers(episode):
            if goal is None:
                goal = scenes.goal(episode.scenario, episode.scenario_hash, episode.seed)
            yield _point(episode, proposal, at, goal)


def first_answers(episode: EpisodeRecord) -> Iterator[tuple[Proposal, int]]:
    """Each proposal that was answered, and the place of the turn in which it first was."""
    shown = {t.proposal.proposal_id: t.proposal for t in episode.turns if t.proposal is not None}
    for place, turn in enumerate(episode.turns):
        decision = turn.decision
        if decision is not None and decision.answer != "ignore":
            proposal = shown.pop(decision.proposal_id, None)
            if proposal is not None:
                yield proposal, place


def _point(episode: EpisodeRecord, proposal: Proposal, at: int, goal: str) -> DecisionPoint:
    before, now = episode.turns[:at], episode.turns[at]
    decision = now.decision
    assert decision is not None and decision.answer != "ignore"  # noqa: S101, PT018
    name = f"{episode.scenario}/{episode.seed}/{episode.run}/{proposal.proposal_id}"
    return DecisionPoint(
        point_id=f"{name}/{episode.config.observer}/{episode.config.user}",
        scenario=episode.scenario,
        user=episode.config.user,
        observer=episode.config.observer,
        goal=goal,
        context=(*_moments(before), _moment(now, ())),
        proposal=proposal.text,
        decision=decision.answer,
        reason=decision.reason,
        replay=_replay(episode, before),
    )


def _replay(episode: EpisodeRecord, before: Sequence[TurnRecord]) -> Replay | None:
    """``None`` where models' thinking took time: that is not in the record turn by turn."""
    if episode.config.clock == "measured":
        return None
    return Replay(
        config=episode.config,
        scenario_hash=episode.scenario_hash,
        seed=episode.seed,
        run=episode.run,
        turns=played_turns(before),
    )


def played_turns(turns: Sequence[TurnRecord]) -> tuple[PlayedTurn, ...]:
    """What everybody did in some turns, as it can be played again."""
    return tuple(
        PlayedTurn(
            step=turn.step,
            answers=tuple(one.answer for one in turn.observer),
            execution=_played(turn.execution),
        )
        for turn in turns
    )


def _played(execution: Execution | None) -> PlayedExecution | None:
    if execution is None:
        return None
    return PlayedExecution(
        calls=tuple(result.call for result in execution.calls),
        end=execution.end,
        message=execution.message,
    )


# --- in words ---


def _moments(turns: Sequence[TurnRecord]) -> Iterator[Moment]:
    texts = {t.proposal.proposal_id: t.proposal.text for t in turns if t.proposal is not None}
    for turn in turns:
        yield _moment(turn, tuple(_steps(turn, texts)))


def _moment(turn: TurnRecord, steps: tuple[Step, ...]) -> Moment:
    return Moment(
        turn=turn.turn,
        notifications=tuple(f"{p.app}, {p.title}: {p.preview}" for p in turn.previews),
        screen=screen_in_words(turn.view),
        steps=steps,
    )


def screen_in_words(view: ScreenView) -> tuple[str, ...]:
    """A screen's app and title, then its items, a line each."""
    return (f"{view.app}, {view.title}", *(" ".join(item.text.split()) for item in view.items))


def _steps(turn: TurnRecord, texts: dict[str, str]) -> Iterator[Step]:
    """The user's step, and what an execution reported."""
    decision, result = turn.decision, turn.error or ""
    if decision is not None and decision.answer in ("accept", "reject"):
        offer = texts.get(decision.proposal_id, "")
        yield Step(action=f"{decision.answer} the offer “{offer}”")
    elif turn.step.move.type != "idle":
        yield Step(action=_words(turn.step), result=result)
    execution = turn.execution
    if execution is not None and execution.message:
        yield Step(action="are told by the assistant", result=execution.message)


def _words(step: UserStep) -> str:
    move = step.move
    if move.type == "act":
        arguments = ", ".join(f"{name}={value}" for name, value in move.arguments.items())
        return f"{move.app}.{move.action}({arguments})"
    return f"reply “{move.text}”" if move.type == "reply" else move.type
