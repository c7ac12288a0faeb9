"""A failed episode has one cause, found in the order in which things must go right."""

from __future__ import annotations

from typing import Any

import pytest
from tests.eval.records import episode, turn

from heron.contracts import (
    Check,
    Decision,
    EpisodeRecord,
    Execution,
    ToolCall,
    ToolResult,
    TurnRecord,
    UserErrors,
    Verdict,
)
from heron.eval.account import account, headline
from heron.eval.attribution import CAUSES, attribute, kinds, shares

BAD = Check(name="goal", passed=False, detail="nothing of the kind was done")
SIDE = Check(name="collateral", passed=False, detail="event.delete e4")


def failed(*turns: TurnRecord, checks: tuple[Check, ...] = (BAD,), **more: Any) -> EpisodeRecord:
    """A goal episode that failed."""
    made = episode("failure", *turns)
    verdict = Verdict(outcome="failure", checks=checks)
    return made.model_copy(update={"verdict": verdict, **more})


def quiet(*turns: TurnRecord, checks: tuple[Check, ...] = (), **more: Any) -> EpisodeRecord:
    """A quiet episode that was disturbed."""
    made = episode("disturbed", *turns, kind="quiet")
    verdict = Verdict(outcome="disturbed", checks=checks)
    return made.model_copy(update={"verdict": verdict, **more})


def refused(why: str, number: int = 3) -> TurnRecord:
    """A turn in which p1 is turned down."""
    decision = Decision(proposal_id="p1", turn=number, answer="reject", reason="no", why=why)
    return turn(number).model_copy(update={"decision": decision})


def carried_out(end: str, ok: bool = True, number: int = 3) -> TurnRecord:
    """A turn in which p1 is accepted and something is done under its grant."""
    result = ToolResult(
        call=ToolCall(name="calendar.edit_calendar_event"),
        ok=ok,
        error=None if ok else "no such event",
    )
    execution = Execution.model_validate(
        {"grant_id": "g1", "end": end, "message": "I could not.", "calls": (result,), "steps": 10}
    )
    return turn(number, "accept").model_copy(update={"execution": execution})


OFFER = turn(2, proposal="p1")


@pytest.mark.parametrize(
    ("found", "cause", "what"),
    [
        (failed(turn(1)), "observer", "nothing"),
        (failed(OFFER, refused("object")), "observer", "wrong"),
        (failed(OFFER, refused("early")), "observer", "too_early"),
        (failed(OFFER, refused("late")), "observer", "too_late"),
        (failed(OFFER, turn(3, "ignore")), "observer", "too_late"),
        (failed(OFFER, refused("vague"), refused("late", 5)), "observer", "too_late"),
        (failed(OFFER, carried_out("done")), "executor", "wrong_effects"),
        (failed(OFFER, carried_out("limit")), "executor", "limit"),
        (failed(OFFER, carried_out("gave_up")), "executor", "gave_up"),
        (failed(OFFER, carried_out("gave_up", ok=False)), "executor", "tool_error"),
        (failed(OFFER, carried_out("none")), "executor", "absent"),
        (failed(OFFER, turn(3, "accept")), "executor", "absent"),
        (failed(OFFER, carried_out("done"), checks=(SIDE,)), "executor", "side_effects"),
        (failed(OFFER, user_errors=UserErrors(misjudged=(4,))), "user", "misjudged"),
        (failed(OFFER, user_errors=UserErrors(lost=(4,))), "user", "lost"),
        (failed(OFFER, user_errors=UserErrors(refused=(4,))), "user", "invalid"),
        (quiet(OFFER), "observer", "needless"),
        (quiet(OFFER, user_errors=UserErrors(misjudged=(3,))), "user", "misjudged"),
        (quiet(turn(1), checks=(SIDE,)), "executor", "side_effects"),
        (episode("failure", OFFER, fault=True), "infrastructure", "observer"),
        (episode("disturbed", kind="restraint", fault=True), "infrastructure", "observer"),
    ],
)
def test_the_cause(found: EpisodeRecord, cause: str, what: str) -> None:
    attributed = attribute(found)
    assert attributed is not None
    assert (attributed.cause, attributed.what) == (cause, what)
    assert attributed.detail


def test_errors_of_a_user_who_had_nothing_to_answer_do_not_excuse_the_observer() -> None:
    attributed = attribute(failed(turn(1), user_errors=UserErrors(refused=(2,))))
    assert attributed is not None
    assert attributed.cause == "observer"


def test_what_went_well_has_no_cause() -> None:
    assert attribute(episode("success", OFFER, carried_out("done"))) is None
    assert attribute(episode("silent", turn(1), kind="quiet")) is None
    assert headline(episode("success")) == "s1, seed 0: success"


def test_shares_are_of_the_failed_ones_and_add_up_to_one() -> None:
    found = shares(
        [
            episode("success"),
            failed(turn(1)),
            failed(OFFER, refused("act")),
            failed(OFFER, carried_out("limit")),
            episode("failure", fault=True),
        ]
    )
    assert found == {"observer": 0.5, "user": 0.0, "executor": 0.25, "infrastructure": 0.25}
    assert sum(found.values()) == 1
    assert tuple(found) == CAUSES
    assert shares([episode("success")]) is None


def test_kinds_are_counted_the_most_frequent_first() -> None:
    found = kinds([failed(turn(1)), failed(OFFER, refused("act")), failed(turn(1))])
    assert found == {"observer: nothing": 2, "observer: wrong": 1}


def test_the_account_says_what_was_offered_what_became_of_it_and_why() -> None:
    told = list(account(failed(OFFER, carried_out("gave_up", ok=False))))
    assert told[0] == "s1, seed 0 (goal): failure"
    assert "  turn 2: the observer offers p1: “Shall I?”" in told
    assert "  turn 3: the user answers p1: accept" in told
    assert "  turn 3: calendar.edit_calendar_event is refused: no such event" in told
    assert told[-1].startswith("cause: executor, tool error (calendar.edit_calendar_event: ")
    assert "  in 1 turns nothing was offered" in list(account(failed(turn(1))))
