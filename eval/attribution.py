"""Whose fault a failed episode is: the observer's, the user simulator's, the executor's, the
infrastructure's.

One cause per episode, the first in the order in which things must go right: nothing broke, an
offer was made, the user dealt with it as the scenario asks, it was the right offer at the right
time, and the executor did what it says. A pure function of the record, so stored episodes can be
attributed anew. What it does not know: models, tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from heron.contracts import Decision, EpisodeRecord, Execution, Record
from heron.eval.metrics import decisions

Cause = Literal["observer", "user", "executor", "infrastructure"]
CAUSES: tuple[Cause, ...] = get_args(Cause)


class Attribution(Record):
    """Why an episode failed."""

    cause: Cause
    what: str
    """One word: ``nothing``, ``wrong``, ``too_early``, ``too_late``, ``needless`` (observer);
    ``lost``, ``invalid``, ``misjudged`` (user); ``tool_error``, ``wrong_effects``, ``gave_up``,
    ``limit``, ``side_effects``, ``absent`` (executor); the part that broke (infrastructure)."""
    detail: str
    """In words, for a reader."""


def attribute(episode: EpisodeRecord) -> Attribution | None:
    """The cause of a failure; ``None`` if the episode succeeded or stayed silent."""
    if episode.fault is not None:
        fault = episode.fault
        return _found("infrastructure", fault.part, f"turn {fault.turn}: {fault.message}")
    if episode.verdict.outcome in ("success", "silent"):
        return None
    if episode.type != "goal":
        return _disturbed(episode)
    user = _user(episode)
    if user is not None:
        return user
    accepted = [d for d in decisions([episode]) if d.answer == "accept"]
    return _executor(episode) if accepted else _observer(episode)


def shares(episodes: Iterable[EpisodeRecord]) -> dict[Cause, float] | None:
    """Share of the failed episodes that each cause has; ``None`` if none failed."""
    found = [cause.cause for e in episodes if (cause := attribute(e)) is not None]
    if not found:
        return None
    counted = Counter(found)
    return {cause: counted[cause] / len(found) for cause in CAUSES}


def kinds(episodes: Iterable[EpisodeRecord]) -> dict[str, int]:
    """``cause: what`` → failed episodes, the most frequent first."""
    found = [cause for e in episodes if (cause := attribute(e)) is not None]
    counted = Counter(f"{cause.cause}: {cause.what}" for cause in found)
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


# --- whose fault --------------------------------------------------------------------------------


def _disturbed(episode: EpisodeRecord) -> Attribution:
    """No help was wanted: the first offer is to blame, whatever came of it."""
    errors = episode.user_errors
    if errors is not None and errors.misjudged:
        return _found("user", "misjudged", f"it took an offer in turn {errors.misjudged[0]}")
    offered = [turn for turn in episode.turns if turn.proposal is not None]
    if not offered:
        return _found("executor", "side_effects", _failed_checks(episode))
    first = offered[0]
    assert first.proposal is not None  # noqa: S101  (chosen by it)
    return _found("observer", "needless", f"turn {first.turn} offered: {first.proposal.text}")


def _user(episode: EpisodeRecord) -> Attribution | None:
    errors = episode.user_errors
    if errors is None or not any(turn.proposal is not None for turn in episode.turns):
        return None
    for what, turns, told in (
        ("misjudged", errors.misjudged, "it answered against the scenario's rubric"),
        ("lost", errors.lost, "it found no way to what it wanted to see"),
        ("invalid", (*errors.invalid, *errors.refused), "its action was none that it could take"),
    ):
        if turns:
            return _found("user", what, f"turn {min(turns)}: {told}")
    return None


def _observer(episode: EpisodeRecord) -> Attribution:
    made = [turn for turn in episode.turns if turn.proposal is not None]
    if not made:
        return _found("observer", "nothing", "it never offered anything")
    answers = [d for d in decisions([episode]) if d.answer == "reject"]
    if not answers:
        last = made[-1]
        return _found("observer", "too_late", f"the offer of turn {last.turn} was not answered")
    best = min(answers, key=_distance)
    what = {"early": "too_early", "late": "too_late"}.get(best.why, "wrong")
    return _found("observer", what, f"{_text(episode, best)}: {best.reason}")


def _distance(decision: Decision) -> int:
    """How far from right a refused offer was: bad time, wrong act, wrong thing, nothing said."""
    order = ("late", "early", "act", "against", "object", "plan", "unspecific", "long", "vague")
    return order.index(decision.why) if decision.why in order else len(order)


def _executor(episode: EpisodeRecord) -> Attribution:
    executions = [turn.execution for turn in episode.turns if turn.execution is not None]
    failed = {check.name for check in episode.verdict.checks if not check.passed}
    if not executions or all(execution.end == "none" for execution in executions):
        return _found("executor", "absent", "nothing was done under the grant")
    if "goal" not in failed and failed:
        return _found("executor", "side_effects", _failed_checks(episode))
    refused = _refused(executions)
    if executions[-1].end == "limit":
        return _found("executor", "limit", f"{executions[-1].steps} steps were not enough")
    if refused and not _wrote(executions):
        return _found("executor", "tool_error", refused)
    if executions[-1].end == "gave_up":
        return _found("executor", "gave_up", executions[-1].message)
    return _found("executor", "wrong_effects", _failed_checks(episode))


def _refused(executions: Sequence[Execution]) -> str:
    """The last call that came back with an error, in words; empty if none did."""
    errors = [f"{r.call.name}: {r.error}" for e in executions for r in e.calls if not r.ok]
    return errors[-1] if errors else ""


def _wrote(executions: Sequence[Execution]) -> bool:
    return all(execution.calls and execution.calls[-1].ok for execution in executions)


def _text(episode: EpisodeRecord, decision: Decision) -> str:
    offers = {t.proposal.proposal_id: t.proposal for t in episode.turns if t.proposal is not None}
    offer = offers.get(decision.proposal_id)
    return f"turn {decision.turn}, “{offer.text}”" if offer is not None else f"turn {decision.turn}"


def _failed_checks(episode: EpisodeRecord) -> str:
    failed = [c for c in episode.verdict.checks if not c.passed]
    return "; ".join(f"{c.name}: {c.detail}" if c.detail else c.name for c in failed)


def _found(cause: Cause, what: str, detail: str) -> Attribution:
    return Attribution(cause=cause, what=what, detail=detail)
