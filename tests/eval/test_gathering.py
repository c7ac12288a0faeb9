"""Gatherings are told from an episode's turns: how long, what was looked at, how it ended."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from heron.contracts import Act, Decision, Item, Proposal, ScreenView, TurnRecord, UserStep
from heron.eval.gathering import gatherings, mean_looks, mean_seconds

START = datetime(2026, 3, 10, 9, 0)
GO = UserStep(move=Act(app="system", action="back"))


def turn(number: int, answer: str = "", shows: str = "", **more: Any) -> TurnRecord:
    """A turn, 20 s after the last, with a decision on p1 and records in full on the screen."""
    items = [Item(ref=ref, kind="email", text=ref, shows=("*",)) for ref in shows.split()]
    items.append(Item(ref="row", kind="email", text="in a list", shows=("title",)))
    decision = {"proposal_id": "p1", "turn": number, "answer": answer}
    return TurnRecord(
        turn=number,
        time=START + timedelta(seconds=20 * number),
        view=ScreenView(app="email", screen="Mail", title="Mail", items=tuple(items)),
        step=GO,
        decision=Decision.model_validate(decision) if answer else None,
        **more,
    )


def offered(number: int) -> TurnRecord:
    return turn(number, proposal=Proposal(proposal_id="p1", turn=number, text="Shall I?"))


LOOKED = (
    offered(1),
    turn(2, "gather_context", "before"),
    turn(3, "ignore", "m1"),
    turn(4, "gather_context"),
)


def test_a_gathering_is_one_stretch_from_the_first_look_to_the_answer() -> None:
    (found,) = gatherings([*LOOKED, turn(5, "gather_context", "m2 m1"), turn(6, "accept", "m3")])
    assert (found.from_turn, found.to_turn, found.looks, found.end) == (2, 6, 3, "accept")
    assert found.seconds == 80
    assert found.refs == ("m1", "m2", "m3")


@pytest.mark.parametrize(
    ("last", "end"),
    [
        (turn(5, "reject"), "reject"),
        (turn(5, "ignore", expired="p1"), "expired"),
        (turn(5, "gather_context", withdrawn="p1"), "withdrawn"),
        (turn(5, "gather_context"), "open"),
    ],
)
def test_how_it_ended(last: TurnRecord, end: str) -> None:
    (found,) = gatherings([*LOOKED, last])
    assert (found.end, found.to_turn) == (end, 5)


def test_an_answer_at_once_is_no_gathering() -> None:
    assert gatherings([offered(1), turn(2, "accept")]) == ()
    assert gatherings([]) == ()


def test_the_last_turns_look_shows_nothing_yet() -> None:
    (found,) = gatherings([offered(1), turn(2, "gather_context", "before")])
    assert (found.refs, found.seconds, found.end) == ((), 0, "open")


def test_without_any_there_is_no_mean() -> None:
    assert mean_looks([]) is mean_seconds([]) is None
