"""What an observer sends to a model behind an address, and what of that is egress."""

from __future__ import annotations

from datetime import datetime

from heron.contracts import (
    Decision,
    Idle,
    ObserverTurn,
    ScreenView,
    StepCost,
    TurnRecord,
    Usage,
    UserStep,
    Wait,
)
from heron.eval.course import Course
from heron.eval.observer_usage import observer_usage


def course(*, remote: bool, accept: int | None) -> Course:
    """Three turns with two answers each of 100 bytes; an accept in a turn, if any."""
    course = Course()
    view = ScreenView(app="home", screen="Home", title="Home")
    for turn in (1, 2, 3):
        answers = tuple(ObserverTurn(step=step, answer=Wait()) for step in (0, 1))
        course.turns.append(
            TurnRecord(
                turn=turn,
                time=datetime(2026, 3, 11),
                view=view,
                step=UserStep(move=Idle()),
                observer=answers,
            )
        )
        usage = Usage(calls=1, bytes_out=100, remote=remote)
        course.observer_costs += [StepCost(wall_s=0.0, usage=usage)] * 2
    if accept is not None:
        course.decisions.append(Decision(proposal_id="p1", turn=accept, answer="accept"))
    return course


def test_bytes_before_the_first_accept_are_counted() -> None:
    assert course(remote=True, accept=None).egress_before_accept == 600
    assert course(remote=True, accept=3).egress_before_accept == 400
    assert course(remote=True, accept=1).egress_before_accept == 0
    assert course(remote=False, accept=None).egress_before_accept == 0


def test_an_observer_that_asks_nobody_has_no_such_figures() -> None:
    assert observer_usage([]) is None
