"""The user's answers to proposals in a soak: a simple, seeded rule.

At its next step the user accepts, rejects or goes on ignoring it, whatever it says; one that is
ignored expires. What it does not know: whether an offer is any good.
"""

from __future__ import annotations

from collections import deque
from typing import Final, Literal

from heron.contracts import PROPOSAL_LENGTH, AnswerSeen, Evidence, Proposal, Propose, Seen
from heron.eval.offers import EXPIRES_AFTER
from heron.eval.soak.records import Checkpoint
from heron.seeds import stream

ACCEPTS: Final = 0.3
REJECTS: Final = 0.5
REMEMBERED: Final = 64
"""Answered proposals that a repetition is looked for among, the newest."""
MOST_SHOWN: Final = 256


class Answers:
    """Keeps the one open proposal.

    Args:
        seed: of the answers; the answer to the n-th proposal is always the same.
        checkpoint: where to go on.
    """

    def __init__(self, seed: int, checkpoint: Checkpoint | None = None) -> None:
        self._seed = seed
        self.made = checkpoint.made if checkpoint else 0
        self.open: Proposal | None = checkpoint.open if checkpoint else None
        self._answered = deque(checkpoint.answered if checkpoint else (), maxlen=REMEMBERED)
        self._ignored = checkpoint.ignored if checkpoint else 0
        self._shown: dict[str, Evidence] = {}

    @property
    def open_id(self) -> str | None:
        """Of the proposal that waits."""
        return self.open.proposal_id if self.open else None

    @property
    def answered(self) -> tuple[str, ...]:
        """Texts of the newest proposals that were answered."""
        return tuple(self._answered)

    @property
    def ignored(self) -> int:
        """Steps of the user that passed the open one over."""
        return self._ignored

    def note_shown(self, new: tuple[Seen, ...]) -> None:
        """Remember what the observer was shown: only that can become evidence."""
        for seen in new:
            if seen.type == "notification" and seen.record is not None:
                self._shown[seen.record.ref] = seen.record
            elif seen.type == "look":
                self._shown.update({line.ref: line for line in seen.result.shown})
        while len(self._shown) > MOST_SHOWN:
            del self._shown[next(iter(self._shown))]

    def make(self, answer: Propose, turn: int) -> Proposal | None:
        """Open a proposal; ``None`` if it may not be shown (empty, or one is open)."""
        text = " ".join(answer.text.split())[:PROPOSAL_LENGTH]
        if not text or self.open is not None:
            return None
        self.made, self._ignored = self.made + 1, 0
        self.open = Proposal(
            proposal_id=f"p{self.made}",
            turn=turn,
            text=text,
            plan=answer.plan,
            evidence=tuple(self._shown[ref] for ref in answer.refs if ref in self._shown),
        )
        return self.open

    def repeats(self, answer: Propose) -> bool:
        """Whether the user has answered the same words before."""
        return " ".join(answer.text.split())[:PROPOSAL_LENGTH] in self._answered

    def at_action(self) -> AnswerSeen | None:
        """The user does something: how the open proposal ends, if it does."""
        if self.open is None:
            return None
        drawn = stream(self._seed, "soak", "answer", self.made).random()
        if drawn < ACCEPTS:
            return self._end("accept")
        if drawn < ACCEPTS + REJECTS:
            return self._end("reject")
        self._ignored += 1
        return self._end("expired") if self._ignored >= EXPIRES_AFTER else None

    def withdraw(self) -> AnswerSeen | None:
        """The observer takes the open proposal back."""
        return self._end("withdrawn") if self.open is not None else None

    def _end(self, how: Literal["accept", "reject", "expired", "withdrawn"]) -> AnswerSeen | None:
        proposal, self.open = self.open, None
        if proposal is None:
            return None
        if how in ("accept", "reject"):
            self._answered.append(proposal.text)
        return AnswerSeen(proposal_id=proposal.proposal_id, answer=how)
