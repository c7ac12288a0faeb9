"""One episode in a few lines: what was offered, what became of it, and whose fault it was.

``story`` tells every turn; this tells what mattered. What it does not know: the terminal.
"""

from __future__ import annotations

from collections.abc import Iterator

from heron.contracts import EpisodeRecord, Execution, TurnRecord
from heron.eval.attribution import attribute


def account(episode: EpisodeRecord) -> Iterator[str]:
    """The lines."""
    yield f"{episode.scenario}, seed {episode.seed} ({episode.type}): {episode.verdict.outcome}"
    told = False
    for turn in episode.turns:
        for line in _turn(turn, episode):
            told = True
            yield f"  turn {turn.turn}: {line}"
    if not told:
        yield f"  in {len(episode.turns)} turns nothing was offered"
    for check in episode.verdict.checks:
        if not check.passed:
            yield f"  check {check.name} failed" + (f": {check.detail}" if check.detail else "")
    cause = attribute(episode)
    if cause is None:
        yield "cause: none, nothing went wrong"
    else:
        yield f"cause: {cause.cause}, {cause.what.replace('_', ' ')} ({cause.detail})"


def headline(episode: EpisodeRecord) -> str:
    """One line: the episode and its cause."""
    cause = attribute(episode)
    name = f"{episode.scenario}, seed {episode.seed}"
    if cause is None:
        return f"{name}: {episode.verdict.outcome}"
    return f"{name}: {cause.cause}, {cause.what.replace('_', ' ')} ({cause.detail})"


def _turn(turn: TurnRecord, episode: EpisodeRecord) -> Iterator[str]:
    if turn.decision is not None and turn.decision.answer in ("accept", "reject"):
        reason = f" ({turn.decision.reason})" if turn.decision.reason else ""
        yield f"the user answers {turn.decision.proposal_id}: {turn.decision.answer}{reason}"
    yield from (
        f"the user goes to look before it answers {gathering.proposal_id}"
        for gathering in episode.gatherings
        if gathering.from_turn == turn.turn
    )
    if turn.expired is not None:
        yield f"{turn.expired} expires unanswered"
    if turn.execution is not None:
        yield from _execution(turn.execution)
    if turn.withdrawn is not None:
        yield f"the observer withdraws {turn.withdrawn}"
    if turn.proposal is not None:
        yield f"the observer offers {turn.proposal.proposal_id}: “{turn.proposal.text}”"


def _execution(execution: Execution) -> Iterator[str]:
    calls = [result.call.name for result in execution.calls if result.ok]
    yield f"the executor ends with {execution.end} after {', '.join(calls) or 'no call'}"
    yield from (
        f"{result.call.name} is refused: {result.error}"
        for result in execution.calls
        if not result.ok
    )
