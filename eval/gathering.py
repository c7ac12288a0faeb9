"""Gathering context: when a user went to look before it answered, and what it saw.

Pure functions over turns and episodes. The observer is told none of this: it sees the user's
actions and, at the end, an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Literal

from heron.contracts import EpisodeRecord, Gathering, TurnRecord
from heron.sim.users.brief import Need
from heron.sim.users.knowledge import Knowledge

End = Literal["accept", "reject", "expired", "withdrawn", "open"]


def gatherings(turns: Sequence[TurnRecord]) -> tuple[Gathering, ...]:
    """One per proposal that the user went to look for, in the order in which they began."""
    begun: dict[str, list[int]] = {}
    for place, turn in enumerate(turns):
        if turn.decision is not None and turn.decision.answer == "gather_context":
            begun.setdefault(turn.decision.proposal_id, []).append(place)
    return tuple(_one(turns, proposal, looks) for proposal, looks in begun.items())


def unseen(turns: Sequence[TurnRecord], needs: Iterable[Need], upto: int) -> list[Need]:
    """What has not been on the user's screens by a turn, counted as ``turn.turn`` is."""
    knowledge = Knowledge()
    for turn in turns:
        if turn.turn <= upto:
            knowledge.note(turn.view)
    return [need for need in needs if not knowledge.knows(need)]


def mean_looks(episodes: Iterable[EpisodeRecord]) -> float | None:
    """Steps taken in order to look per gathering; ``None`` without any gathering."""
    looks = [gathering.looks for e in episodes for gathering in e.gatherings]
    return fmean(looks) if looks else None


def mean_seconds(episodes: Iterable[EpisodeRecord]) -> float | None:
    """From the first look to the end, on the phone's clock, per gathering that the proposal's
    end closed; ``None`` without any.
    """
    ended = [g.seconds for e in episodes for g in e.gatherings if g.end != "open"]
    return fmean(ended) if ended else None


def _one(turns: Sequence[TurnRecord], proposal: str, looks: Sequence[int]) -> Gathering:
    end, last = _end(turns, proposal, looks[0])
    # A look shows at the turn after it, if there is one.
    seen = (turns[place + 1] for place in looks if place + 1 < len(turns))
    full = (item.ref for turn in seen for item in turn.view.items if "*" in item.shows)
    return Gathering(
        proposal_id=proposal,
        from_turn=turns[looks[0]].turn,
        to_turn=turns[last].turn,
        started=turns[looks[0]].time,
        ended=turns[last].time,
        looks=len(looks),
        refs=tuple(dict.fromkeys(ref for ref in full if ref is not None)),
        end=end,
    )


def _end(turns: Sequence[TurnRecord], proposal: str, first: int) -> tuple[End, int]:
    """How the proposal ended after its first look, and at which place in ``turns``."""
    for place, turn in enumerate(turns[first:], first):
        decision = turn.decision
        if decision is not None and decision.proposal_id == proposal:
            if decision.answer == "accept":
                return "accept", place
            if decision.answer == "reject":
                return "reject", place
        if turn.expired == proposal:
            return "expired", place
        if turn.withdrawn == proposal:
            return "withdrawn", place
    return "open", len(turns) - 1
