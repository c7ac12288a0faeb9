"""One turn of an episode as plain data: the screen, the user's step, the observer, the executor.

What it does not know: the turns before, but for the screen, which is left out where it is the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from heron.contracts import (
    Execution,
    ObserverTurn,
    Scores,
    ScreenView,
    StepCost,
    ToolResult,
    TurnRecord,
    UserStep,
)
from heron.eval.reporting.viewer.compact import Data, compact, figure, plain, short
from heron.eval.reporting.viewer.effects import Effects, changes_of
from heron.eval.reporting.viewer.spending import step_cost, usage_of

ANSWER = 300
"""Characters of what a call came back with, where it shows no records."""


def turn_of(
    turn: TurnRecord,
    before: ScreenView | None,
    effects: Effects,
    costs: Iterator[StepCost],
    executor_costs: Iterator[StepCost],
) -> Data:
    """One turn.

    Args:
        turn: as stored.
        before: the screen of the turn before.
        effects: the episode's log.
        costs: of the observer's answers from here on; those of this turn are taken.
        executor_costs: of the executions from here on.
    """
    decision = turn.decision
    return compact(
        n=turn.turn,
        time=f"{turn.time:%Y-%m-%d %H:%M:%S}",
        screen=None if turn.view == before else _screen(turn.view),
        previews=[
            compact(app=p.app, title=p.title, text=p.preview, ref=p.ref) for p in turn.previews
        ],
        step=_step(turn.step),
        error=turn.error,
        changes=effects.of_user(turn.turn),
        answer=None
        if decision is None
        else compact(
            proposal=decision.proposal_id,
            answer=decision.answer,
            reason=decision.reason,
            why=decision.why,
        ),
        expired=turn.expired,
        execution=None
        if turn.execution is None
        else _execution(turn.execution, turn.turn, effects, next(executor_costs, None)),
        observer=[_observed(one, turn.turn, effects, next(costs, None)) for one in turn.observer],
        proposal=turn.proposal.proposal_id if turn.proposal else None,
        withdrawn=turn.withdrawn,
    )


def _screen(view: ScreenView) -> Data:
    return compact(
        app=view.app,
        name=view.screen,
        title=view.title,
        items=[
            compact(ref=i.ref, kind=i.kind, text=plain(i.text), full="*" in i.shows)
            for i in view.items
        ],
    )


def _step(step: UserStep) -> Data:
    move = step.move
    content = plain(move.model_dump(mode="json", exclude_defaults=True, exclude={"type"}))
    return compact(
        do=move.type,
        **content,
        looking=step.looking,
        note=step.note,
        pace=figure(step.pace) if step.pace != 1 else None,
        lost=step.lost,
        invalid=step.invalid or None,
        gave_up=step.gave_up,
    )


def _observed(one: ObserverTurn, turn: int, effects: Effects, cost: StepCost | None) -> Data:
    answer = one.answer
    content: Data = {}
    if answer.type == "look":
        entry = effects.take(answer.call, turn, None)
        content = {
            "call": answer.call.name,
            "args": plain(answer.call.arguments),
            "error": entry.error if entry else None,
            "noise": entry.noise if entry else None,
        }
    elif answer.type == "propose":
        content = {"text": answer.text, "plan": list(answer.plan), "refs": list(answer.refs)}
    return compact(type=answer.type, **content, scores=_scores(answer.scores), cost=step_cost(cost))


def _scores(scores: Scores | None) -> list[float | int | None] | None:
    """Of wait, look and propose."""
    if scores is None:
        return None
    return [figure(scores.wait), figure(scores.look), figure(scores.propose)]


def _execution(done: Execution, turn: int, effects: Effects, cost: StepCost | None) -> Data:
    return compact(
        grant=done.grant_id,
        end=done.end,
        message=short(done.message),
        steps=done.steps or None,
        calls=[_call(result, turn, done.grant_id, effects) for result in done.calls],
        usage=usage_of(done.usage),
        cost=step_cost(cost),
    )


def _call(result: ToolResult, turn: int, grant: str, effects: Effects) -> Data:
    entry = effects.take(result.call, turn, grant)
    changes = changes_of(entry)
    shown = [compact(ref=e.ref, kind=e.kind, text=e.text) for e in result.shown]
    silent = not shown and not changes and result.ok and result.value is not None
    return compact(
        name=result.call.name,
        args=plain(result.call.arguments),
        error=None if result.ok else result.error or "refused",
        noise=entry.noise if entry else None,
        effect=entry.effect if entry else None,
        shown=[] if changes else shown,
        value=short(str(result.value), ANSWER) if silent else None,
        changes=changes,
    )
