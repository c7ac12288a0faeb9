"""Acceptance and first answers over any course that proposals can take."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.eval.records import START, episode

from heron.contracts import (
    Act,
    Answered,
    EpisodeRecord,
    Idle,
    Propose,
    ScreenView,
    TurnRecord,
    UserStep,
)
from heron.eval import metrics
from heron.eval.gathering import gatherings, mean_looks, mean_seconds
from heron.eval.offers import Offers
from heron.eval.summary import summarise
from heron.eval.table import rows

STEPS = {
    "accept": UserStep(move=Answered(answer="accept")),
    "reject": UserStep(move=Answered(answer="reject")),
    "look": UserStep(move=Act(app="system", action="back"), looking=True),
    "errand": UserStep(move=Act(app="system", action="back")),
    "idle": UserStep(move=Idle()),
}
COURSE = st.lists(
    st.tuples(st.sampled_from(sorted(STEPS)), st.sampled_from(["propose", "withdraw", "wait"])),
    max_size=12,
)


def played(course: list[tuple[str, str]]) -> EpisodeRecord:
    """An episode in which user and observer did so, turn by turn."""
    offers, turns = Offers(), []
    for number, (user, observer) in enumerate(course, 1):
        decision = offers.decide(STEPS[user], number)
        expired = offers.expire()
        made = offers.make(Propose(text="Shall I?"), number) if observer == "propose" else None
        turns.append(
            TurnRecord(
                turn=number,
                time=START,
                view=ScreenView(app="system", screen="Home", title="Home"),
                step=STEPS[user],
                decision=decision,
                expired=expired,
                proposal=made,
                withdrawn=offers.withdraw() if observer == "withdraw" else None,
            )
        )
    return episode("failure", *turns).model_copy(update={"gatherings": gatherings(turns)})


@given(st.lists(COURSE, max_size=4))
def test_first_answers_add_up_to_one_and_acceptance_keeps_all_in_its_denominator(
    courses: list[list[tuple[str, str]]],
) -> None:
    episodes = [played(course) for course in courses]
    shown = metrics.proposals(episodes)
    first, rate = metrics.first_answers(episodes), metrics.acceptance_rate(episodes)
    if shown == 0:
        assert first is None
        assert rate is None
        return
    assert first is not None
    assert rate is not None
    assert sum(first.values()) == pytest.approx(1)
    ends = _ends(episodes)
    assert ends.total() == shown
    assert rate == pytest.approx(ends["accept"] / shown)
    # Who accepts at once has accepted; who looks first may or may not.
    assert first["accept"] - 1e-9 <= rate <= first["accept"] + first["gather_context"] + 1e-9


@given(COURSE)
def test_gatherings_are_the_proposals_that_were_looked_at(course: list[tuple[str, str]]) -> None:
    one = played(course)
    share = metrics.gather_context_share([one])
    looked = {g.proposal_id for g in one.gatherings}
    assert len(looked) == len(one.gatherings)
    first = metrics.first_answers([one])
    if first is not None:
        shown = metrics.proposals([one])
        assert first["gather_context"] * shown <= len(looked) + 1e-9
    assert bool(looked) == bool(share)
    decided = sum(d.answer == "gather_context" for d in metrics.decisions([one]))
    assert sum(g.looks for g in one.gatherings) == decided
    assert (mean_looks([one]) is None) == (not looked)


def _ends(episodes: list[EpisodeRecord]) -> Counter[str]:
    """How each proposal ended, by the harness's own account."""
    ends: Counter[str] = Counter()
    for one in episodes:
        for turn in one.turns:
            if turn.decision is not None and turn.decision.answer in ("accept", "reject"):
                ends[turn.decision.answer] += 1
            ends["expired"] += turn.expired is not None
            ends["withdrawn"] += turn.withdrawn is not None
        ends["open"] += metrics.proposals([one]) - sum(
            (t.decision is not None and t.decision.answer in ("accept", "reject"))
            + (t.expired is not None)
            + (t.withdrawn is not None)
            for t in one.turns
        )
    assert min(ends.values(), default=0) >= 0
    return ends


def test_the_summary_has_looks_time_and_errors() -> None:
    looked = played([("idle", "propose"), ("look", "wait"), ("look", "wait"), ("accept", "wait")])
    summary = summarise([looked], 1)
    assert (summary["gathering_looks"], summary["gathering_seconds"]) == (2, 0)
    assert summary["user_errors"] is None
    assert mean_seconds([played([("idle", "propose"), ("look", "wait")])]) is None
    shown = {row.name.strip(): row.value for row in rows(summary)}
    assert shown["looks / time until the answer"].startswith("2.0 / 0")
