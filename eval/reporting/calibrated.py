"""Whether an observer's scores mean what they say: its share for speaking, against need.

At each decision point (the observer was asked, no offer was open) the share that it gave to looking
or proposing, whichever is larger, is held against whether help was needed there, as in
``calibration``. Bins of equal width, so that any number of episodes takes the same memory. What it
does not know: what the share was made of.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from heron.contracts import EpisodeRecord, TurnRecord
from heron.eval.scoring.offers import Offers, offers_of

BINS = 10


@dataclass(frozen=True, kw_only=True)
class Bin:
    """Decision points whose share lies between two tenths."""

    count: int
    share: float
    """Mean of the shares."""
    needed: float
    """Share of the points at which help was needed."""


@dataclass
class Reliability:
    """Adds decision points up."""

    counts: list[int] = field(default_factory=lambda: [0] * BINS)
    shares: list[float] = field(default_factory=lambda: [0.0] * BINS)
    needed: list[int] = field(default_factory=lambda: [0] * BINS)

    def add(self, episode: EpisodeRecord) -> None:
        """Take the decision points of an episode in; those without scores do not count."""
        if not _scored(episode) or (episode.type == "goal" and episode.assessment is None):
            return
        offers = offers_of(episode)
        for turn in episode.turns:
            share = _share(turn)
            if share is None or any(offer.waits_at(turn.turn) for offer in offers):
                continue
            place = min(int(share * BINS), BINS - 1)
            self.counts[place] += 1
            self.shares[place] += share
            self.needed[place] += _needed(episode, turn, offers)

    @property
    def total(self) -> int:
        """Points."""
        return sum(self.counts)

    @property
    def bins(self) -> list[Bin]:
        """Those that hold something."""
        return [
            Bin(count=n, share=share / n, needed=needed / n)
            for n, share, needed in zip(self.counts, self.shares, self.needed, strict=True)
            if n
        ]

    @property
    def error(self) -> float | None:
        """Expected calibration error (Naeini et al. 2015); ``None`` without points."""
        if not self.total:
            return None
        return sum(b.count * abs(b.share - b.needed) for b in self.bins) / self.total


def _scored(episode: EpisodeRecord) -> bool:
    """Whether its observer gives scores; the first answers tell."""
    return any(_share(turn) is not None for turn in episode.turns[:3])


def _share(turn: TurnRecord) -> float | None:
    if not turn.observer:
        return None
    scores = turn.observer[0].answer.scores
    return None if scores is None else max(scores.look, scores.propose)


def _needed(episode: EpisodeRecord, turn: TurnRecord, offers: Offers) -> bool:
    found = episode.assessment
    if episode.type != "goal" or found is None or found.opened is None:
        return False
    if turn.time < found.opened or (found.closes is not None and turn.time > found.closes):
        return False
    return not any(
        o.end == "accept" and o.end_turn is not None and o.end_turn <= turn.turn for o in offers
    )
