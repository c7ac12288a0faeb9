"""The life of proposals within an episode: one open at a time, answered, expired, withdrawn.

An unanswered proposal expires after three turns in which the user neither answered nor went to
look; looking suspends that for at most six turns. What it does not know: the phone, models.
"""

from __future__ import annotations

from dataclasses import dataclass

from heron.contracts import (
    PROPOSAL_LENGTH,
    Decision,
    Evidence,
    Proposal,
    Propose,
    Seen,
    UserStep,
)

EXPIRES_AFTER = 3
MOST_LOOKING = 6


@dataclass
class Open:
    """A proposal that waits for its answer."""

    proposal: Proposal
    ignored: int = 0
    looked: int = 0


class Offers:
    """Keeps the one open proposal, and what the observer has been shown so far."""

    def __init__(self) -> None:
        self.open: Open | None = None
        self.made: list[Proposal] = []
        self._shown: dict[str, Evidence] = {}

    def note_shown(self, new: tuple[Seen, ...]) -> None:
        """Remember the records that an observation showed: only they can become evidence."""
        for seen in new:
            if seen.type == "notification" and seen.record is not None:
                self._shown[seen.record.ref] = seen.record
            elif seen.type == "look":
                self._shown.update({line.ref: line for line in seen.result.shown})

    def make(self, answer: Propose, turn: int) -> Proposal | None:
        """Open a proposal; ``None`` if it may not be shown (empty, or one is open)."""
        text = " ".join(answer.text.split())[:PROPOSAL_LENGTH]
        if not text or self.open is not None:
            return None
        proposal = Proposal(
            proposal_id=f"p{len(self.made) + 1}",
            turn=turn,
            text=text,
            plan=answer.plan,
            evidence=tuple(self._shown[ref] for ref in answer.refs if ref in self._shown),
        )
        self.made.append(proposal)
        self.open = Open(proposal)
        return proposal

    def decide(self, step: UserStep, turn: int) -> Decision | None:
        """What the user's step means for the open proposal; closes it on accept and reject."""
        waiting = self.open
        if waiting is None:
            return None
        proposal_id = waiting.proposal.proposal_id
        if step.move.type == "answered":
            self.open = None
            return Decision(
                proposal_id=proposal_id,
                turn=turn,
                answer=step.move.answer,
                reason=step.move.reason,
                why=step.move.why,
            )
        if step.looking and waiting.looked < MOST_LOOKING:
            waiting.looked += 1
            return Decision(
                proposal_id=proposal_id, turn=turn, answer="gather_context", reason=step.note
            )
        waiting.ignored += 1
        return Decision(proposal_id=proposal_id, turn=turn, answer="ignore")

    def expire(self) -> str | None:
        """Close the open proposal if its time is over; its id if so."""
        waiting = self.open
        if waiting is None or waiting.ignored < EXPIRES_AFTER:
            return None
        self.open = None
        return waiting.proposal.proposal_id

    def withdraw(self) -> str | None:
        """Close the open proposal; its id if there was one."""
        waiting, self.open = self.open, None
        return waiting.proposal.proposal_id if waiting else None
