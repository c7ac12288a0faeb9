"""What became of each proposal of an episode. What it does not know: whether it was any good."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from heron.contracts import Answer, EpisodeRecord

OfferEnd = Literal["accept", "reject", "expired", "withdrawn", "open"]


@dataclass(slots=True)
class Offer:
    """One proposal that was shown."""

    proposal_id: str
    turn: int
    time: datetime
    first: Answer = "ignore"
    """The first answer other than ``ignore``."""
    looked: bool = False
    end: OfferEnd = "open"
    """``open``: the episode ended first."""
    end_turn: int | None = None

    def waits_at(self, turn: int) -> bool:
        """Whether it was open when the observer was asked in a turn.

        The user answers before the observer is asked; a withdrawal is the observer's own answer.
        """
        if turn <= self.turn:
            return False
        return self.end_turn is None or turn < self.end_turn + (self.end == "withdrawn")


Offers = Sequence[Offer]


def offers_of(episode: EpisodeRecord) -> list[Offer]:
    """All proposals shown, in order."""
    found: dict[str, Offer] = {}
    for turn in episode.turns:
        if turn.decision is not None:
            offer = found.get(turn.decision.proposal_id)
            if offer is not None:
                _note(offer, turn.decision.answer, turn.turn)
        for name, end in ((turn.expired, "expired"), (turn.withdrawn, "withdrawn")):
            if name is not None and name in found:
                found[name].end, found[name].end_turn = end, turn.turn  # type: ignore[assignment]
        if turn.proposal is not None:
            name = turn.proposal.proposal_id
            found[name] = Offer(name, turn.turn, turn.time)
    return list(found.values())


def _note(offer: Offer, answer: Answer, turn: int) -> None:
    if answer == "ignore":
        return
    if offer.first == "ignore":
        offer.first = answer
    if answer == "gather_context":
        offer.looked = True
    else:
        offer.end, offer.end_turn = answer, turn
