"""The life of proposals."""

from __future__ import annotations

from heron.contracts import Act, Answered, Evidence, Idle, NotificationSeen, Propose, UserStep
from heron.eval.offers import EXPIRES_AFTER, MOST_LOOKING, Offers

MAIL = Evidence(ref="m1", kind="email", text="from Ann")
IDLE = UserStep(move=Idle())
LOOK = UserStep(move=Act(app="system", action="back"), looking=True)


def offered() -> Offers:
    offers = Offers()
    seen = NotificationSeen(app="email", title="Ann", text="hi", record=MAIL)
    offers.note_shown((seen,))
    assert offers.make(Propose(text=" Shall  I\nreply? ", refs=("m1", "m2")), 1) is not None
    return offers


def test_a_proposal_is_one_line_and_rests_only_on_what_was_shown() -> None:
    proposal = offered().made[0]
    assert proposal.text == "Shall I reply?"
    assert proposal.evidence == (MAIL,)


def test_one_at_a_time_and_never_an_empty_one() -> None:
    offers = offered()
    assert offers.make(Propose(text="And this?"), 2) is None
    assert Offers().make(Propose(text="  "), 1) is None


def test_long_texts_are_cut() -> None:
    proposal = Offers().make(Propose(text="x" * 500), 1)
    assert proposal is not None
    assert len(proposal.text) == 160


def test_it_expires_after_three_turns_without_an_answer() -> None:
    offers = offered()
    for turn in range(EXPIRES_AFTER):
        assert offers.expire() is None
        decision = offers.decide(IDLE, turn)
        assert decision is not None
        assert decision.answer == "ignore"
    assert offers.expire() == "p1"
    assert offers.open is None


def test_looking_suspends_expiry_for_six_turns() -> None:
    offers = offered()
    for turn in range(MOST_LOOKING + EXPIRES_AFTER):
        assert offers.expire() is None, turn
        offers.decide(LOOK, turn)
    assert offers.expire() == "p1"


def test_an_answer_closes_it_and_the_next_gets_a_new_id() -> None:
    offers = offered()
    decision = offers.decide(UserStep(move=Answered(answer="reject", reason="no")), 2)
    assert decision is not None
    assert (decision.answer, decision.reason) == ("reject", "no")
    assert offers.decide(IDLE, 3) is None
    following = offers.make(Propose(text="And this?"), 3)
    assert following is not None
    assert following.proposal_id == "p2"


def test_withdrawing_closes_it() -> None:
    offers = offered()
    assert offers.withdraw() == "p1"
    assert offers.withdraw() is None


def test_an_answer_to_nothing_decides_nothing() -> None:
    assert Offers().decide(UserStep(move=Answered(answer="accept")), 1) is None
    offers = offered()
    offers.withdraw()
    assert offers.decide(UserStep(move=Answered(answer="accept")), 2) is None
