"""The proposals of an episode with what became of each.

What it does not know: whether they were right.
"""

from __future__ import annotations

from collections.abc import Sequence

from heron.contracts import EpisodeRecord, Proposal, TurnRecord
from heron.eval.reporting.viewer.compact import Data, compact


def offers(episode: EpisodeRecord) -> list[Data]:
    """One per proposal: what was said, on what it rests, when and how it ended, first answers."""
    return [
        _offer(turn.proposal, episode.turns) for turn in episode.turns if turn.proposal is not None
    ]


def _offer(proposal: Proposal, turns: Sequence[TurnRecord]) -> Data:
    end, until, reason, why = _end(proposal, turns)
    return compact(
        id=proposal.proposal_id,
        turn=proposal.turn,
        text=proposal.text,
        plan=list(proposal.plan),
        evidence=[compact(ref=e.ref, kind=e.kind, text=e.text) for e in proposal.evidence],
        first=_first_answer(proposal, turns),
        end=end,
        until=until,
        reason=reason,
        why=why,
    )


def _end(proposal: Proposal, turns: Sequence[TurnRecord]) -> tuple[str, int, str, str]:
    """How it ended, in which turn, and the user's words."""
    for turn in turns:
        decision = turn.decision
        if (
            decision is not None
            and decision.proposal_id == proposal.proposal_id
            and decision.answer in ("accept", "reject")
        ):
            return decision.answer, turn.turn, decision.reason, decision.why
        if turn.expired == proposal.proposal_id:
            return "expired", turn.turn, "", ""
        if turn.withdrawn == proposal.proposal_id:
            return "withdrawn", turn.turn, "", ""
    return "open", turns[-1].turn, "", ""


def _first_answer(proposal: Proposal, turns: Sequence[TurnRecord]) -> str | None:
    """What the user did first when the proposal was there."""
    decisions = (turn.decision for turn in turns if turn.decision is not None)
    found = (d.answer for d in decisions if d.proposal_id == proposal.proposal_id)
    return next(found, None)
