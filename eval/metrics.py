"""Metrics: pure functions over episode records, each with its denominator and empty case.

Where a denominator is empty the value is ``None``, never 0. Definitions follow PARE
(arXiv 2604.00842) unless said otherwise; goal scenarios count for success, quiet and restraint
ones for silence, all of them for rates of proposals. What it does not know: files, tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import comb

from heron.contracts import Answer, Decision, EpisodeRecord

FIRST_ANSWERS: tuple[Answer, ...] = ("accept", "reject", "gather_context", "ignore")


def goals(episodes: Iterable[EpisodeRecord]) -> list[EpisodeRecord]:
    """Episodes of goal scenarios."""
    return [e for e in episodes if e.type == "goal"]


def quiet_ones(episodes: Iterable[EpisodeRecord]) -> list[EpisodeRecord]:
    """Episodes in which no help is wanted."""
    return [e for e in episodes if e.type != "goal"]


def success_rate(episodes: Sequence[EpisodeRecord]) -> float | None:
    """Successful goal episodes / goal episodes; faults are not successful."""
    return _mean([e.verdict.outcome == "success" for e in goals(episodes)])


def silence_rate(episodes: Sequence[EpisodeRecord]) -> float | None:
    """Silent quiet episodes / quiet episodes; faults are not silent."""
    return _mean([e.verdict.outcome == "silent" for e in quiet_ones(episodes)])


def success_at_k(episodes: Sequence[EpisodeRecord], k: int) -> float | None:
    """Mean over goal scenarios of the chance that any of ``k`` runs succeeds.

    The unbiased estimator 1 - C(n-c, k) / C(n, k) (Chen et al. 2021, arXiv 2107.03374) for ``n``
    runs of which ``c`` succeed; with n = k it is PARE's success@k.
    """
    return _per_scenario(episodes, k, lambda n, c: 1 - comb(n - c, k) / comb(n, k))


def success_pow_k(episodes: Sequence[EpisodeRecord], k: int) -> float | None:
    """Mean over goal scenarios of the chance that all of ``k`` runs succeed.

    The unbiased estimator C(c, k) / C(n, k) (tau-bench, arXiv 2406.12045); with n = k it is
    PARE's success^k.
    """
    return _per_scenario(episodes, k, lambda n, c: comb(c, k) / comb(n, k))


def pare_success_at_k(episodes: Sequence[EpisodeRecord]) -> float | None:
    """Goal scenarios of which any run succeeds / goal scenarios: PARE's own, each scenario with as
    many runs as it has.
    """
    return _mean([any(won) for won in _runs(episodes).values()])


def pare_success_pow_k(episodes: Sequence[EpisodeRecord]) -> float | None:
    """Goal scenarios of which every run succeeds / goal scenarios: PARE's own, as above."""
    return _mean([all(won) for won in _runs(episodes).values()])


def proposals(episodes: Iterable[EpisodeRecord]) -> int:
    """Proposals shown."""
    return sum(turn.proposal is not None for e in episodes for turn in e.turns)


def turns(episodes: Iterable[EpisodeRecord]) -> int:
    """Turns planned: an episode cut short by a fault counts in full."""
    return sum(e.config.turns for e in episodes)


def proposal_rate(episodes: Sequence[EpisodeRecord]) -> float | None:
    """Proposals shown / turns."""
    return _ratio(proposals(episodes), turns(episodes))


def acceptance_rate(episodes: Sequence[EpisodeRecord]) -> float | None:
    """Proposals accepted, at once or after looking / proposals shown.

    Withdrawn, expired and ignored ones stay in the denominator.
    """
    accepted = sum(d.answer == "accept" for d in decisions(episodes))
    return _ratio(accepted, proposals(episodes))


def first_answers(episodes: Sequence[EpisodeRecord]) -> dict[Answer, float] | None:
    """Distribution of the first answer to each proposal shown; adds up to one.

    The first answer is the first decision other than ``ignore``; where there is none (expired,
    withdrawn, or made in the last turn) it is ``ignore``.
    """
    counts: Counter[Answer] = Counter()
    for episode in episodes:
        counts.update(_first_answer(episode, p) for p in _shown_ids(episode))
    total = counts.total()
    if total == 0:
        return None
    return {answer: counts[answer] / total for answer in FIRST_ANSWERS}


def gather_context_share(episodes: Sequence[EpisodeRecord]) -> float | None:
    """Proposals that the user looked at first / proposals that the user answered or looked at."""
    looked = answered = 0
    for episode in episodes:
        for proposal in _shown_ids(episode):
            kinds = {d.answer for d in decisions([episode]) if d.proposal_id == proposal}
            looked += "gather_context" in kinds
            answered += bool(kinds - {"ignore"})
    return _ratio(looked, answered)


def read_actions(episodes: Sequence[EpisodeRecord]) -> float | None:
    """Successful reads of the assistant per episode."""
    return _assistant_calls(episodes, "read")


def write_actions(episodes: Sequence[EpisodeRecord]) -> float | None:
    """Successful writes of the assistant per episode."""
    return _assistant_calls(episodes, "write")


def tool_failure_rate(episodes: Iterable[EpisodeRecord]) -> float | None:
    """Calls of the assistant that noise made fail / calls of the assistant, looks included."""
    calls = [entry for e in episodes for entry in e.log if entry.actor == "assistant"]
    return _ratio(sum(entry.noise in ("transient", "lasting") for entry in calls), len(calls))


def events_by_the_way(episodes: Iterable[EpisodeRecord]) -> int:
    """Events of noise that happened."""
    return sum(entry.noise == "event" for e in episodes for entry in e.log)


def faults(episodes: Iterable[EpisodeRecord]) -> int:
    """Episodes in which a part broke."""
    return sum(e.fault is not None for e in episodes)


def outcomes(episodes: Iterable[EpisodeRecord]) -> dict[str, int]:
    """How many episodes ended in which way."""
    return dict(sorted(Counter(e.verdict.outcome for e in episodes).items()))


def questions(episodes: Iterable[EpisodeRecord]) -> int:
    """Clarifying questions that interrupted the user."""
    executions = (t.execution for e in episodes for t in e.turns)
    return sum(x is not None and x.end == "question" for x in executions)


def decisions(episodes: Iterable[EpisodeRecord]) -> list[Decision]:
    """All decisions, one for each turn in which a proposal was open."""
    return [t.decision for e in episodes for t in e.turns if t.decision is not None]


def _shown_ids(episode: EpisodeRecord) -> list[str]:
    return [t.proposal.proposal_id for t in episode.turns if t.proposal is not None]


def _first_answer(episode: EpisodeRecord, proposal_id: str) -> Answer:
    for decision in decisions([episode]):
        if decision.proposal_id == proposal_id and decision.answer != "ignore":
            return decision.answer
    return "ignore"


def _assistant_calls(episodes: Sequence[EpisodeRecord], effect: str) -> float | None:
    calls = sum(
        entry.actor == "assistant" and entry.effect == effect and entry.error is None
        for e in episodes
        for entry in e.log
    )
    return _ratio(calls, len(episodes))


def _runs(episodes: Sequence[EpisodeRecord]) -> dict[str, list[bool]]:
    """Goal scenario → whether each of its runs succeeded."""
    runs: dict[str, list[bool]] = {}
    for episode in goals(episodes):
        runs.setdefault(episode.scenario, []).append(episode.verdict.outcome == "success")
    return runs


def _per_scenario(
    episodes: Sequence[EpisodeRecord], k: int, estimate: Callable[[int, int], float]
) -> float | None:
    runs = _runs(episodes)
    if not runs or any(len(results) < k for results in runs.values()):
        return None
    return sum(estimate(len(r), sum(r)) for r in runs.values()) / len(runs)


def _mean(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
