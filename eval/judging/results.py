"""What judgements add up to: agreement, by whom and with whom, and what it cost.

Figures are in two forms. *Yes or no*: points that were recorded as, and answered with, accept or
reject; answers that go and look are counted apart. *Three answers*: all points with an answer,
where the recording knows ``gather_context`` at all. What it does not know: the terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, get_args

from heron.contracts import Answer
from heron.eval.agreement import Pair, accuracy, cohen_kappa, confusion
from heron.eval.costs import percentiles
from heron.eval.judging.judge import Judgement
from heron.eval.judging.points import Recorded
from heron.eval.resampling import DRAWS, Interval, cluster_bootstrap

YES_OR_NO: Final = ("accept", "reject")
INVALID: Final = "invalid"
FAULT: Final = "fault"
RECORDED: Final[tuple[str, ...]] = get_args(Recorded)
SAID: Final[tuple[str, ...]] = (*get_args(Answer), INVALID, FAULT)


def results(
    judgements: Sequence[Judgement], *, seed: int = 0, draws: int = DRAWS
) -> dict[str, Any]:
    """All figures of one user's judgements; ``None`` where there is nothing to divide by.

    Args:
        judgements: of one judge.
        seed: of the bootstrap, which resamples scenarios.
        draws: resamples.
    """
    gathers = any(j.recorded == "gather_context" for j in judgements)
    return {
        "points": len(judgements),
        "answered": sum(j.said is not None for j in judgements),
        "gathered": sum(j.said == "gather_context" for j in judgements),
        "ignored": sum(j.said == "ignore" for j in judgements),
        "invalid": sum(j.said is None and not j.fault for j in judgements),
        "faults": sum(j.fault for j in judgements),
        "yes_or_no": _agreement(judgements, yes_or_no, seed, draws),
        "three_answers": _agreement(judgements, every_answer, seed, draws) if gathers else None,
        "confusion": confusion([(j.recorded, _column(j)) for j in judgements], RECORDED, SAID),
        "by_user": _groups(judgements, lambda j: j.user),
        "by_observer": _groups(judgements, lambda j: j.observer),
        "costs": costs(judgements),
        "seed": seed,
    }


def yes_or_no(judgements: Sequence[Judgement]) -> list[Pair]:
    """(recorded, said) where both are accept or reject."""
    return [p for p in every_answer(judgements) if p[0] in YES_OR_NO and p[1] in YES_OR_NO]


def every_answer(judgements: Sequence[Judgement]) -> list[Pair]:
    """(recorded, said) where there is a valid answer."""
    return [(j.recorded, j.said) for j in judgements if j.said is not None]


def costs(judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Of the points that were asked: seconds, tokens, bytes, money."""
    steps = [j.cost for j in judgements if j.cost is not None]
    usage = [j.usage for j in judgements]
    cpu = [step.cpu_s for step in steps if step.cpu_s is not None]
    prices = [use.cost_usd for use in usage if use.remote]
    return {
        "wall_s": percentiles([step.wall_s for step in steps]),
        "cpu_s": percentiles(cpu),
        "tokens_in": sum(use.tokens_in for use in usage),
        "tokens_out": sum(use.tokens_out for use in usage),
        "bytes_out": sum(use.bytes_out for use in usage),
        "egress_bytes": sum(use.bytes_out for use in usage if use.remote),
        "cost_usd": None if not prices or None in prices else sum(p for p in prices if p),
    }


def _agreement(
    judgements: Sequence[Judgement],
    pairs_of: Callable[[Sequence[Judgement]], list[Pair]],
    seed: int,
    draws: int,
) -> dict[str, Any]:
    pairs = pairs_of(judgements)
    clusters = _by_scenario(judgements)
    kappa = cohen_kappa(pairs)
    return {
        "n": len(pairs),
        "accuracy": accuracy(pairs),
        "accuracy_interval": _interval(clusters, lambda j: accuracy(pairs_of(j)), seed, draws),
        "kappa": kappa,
        "kappa_interval": None
        if kappa is None
        else _interval(clusters, lambda j: cohen_kappa(pairs_of(j)), seed, draws),
        "kappa_reason": _reason(pairs) if kappa is None else None,
    }


def _reason(pairs: Sequence[Pair]) -> str:
    return "no such points" if not pairs else "both gave one and the same answer throughout"


def _interval(
    clusters: Mapping[str, Sequence[Judgement]],
    statistic: Callable[[Sequence[Judgement]], float | None],
    seed: int,
    draws: int,
) -> dict[str, Any] | None:
    found: Interval | None = cluster_bootstrap(clusters, statistic, seed, draws)
    return None if found is None else found.model_dump(mode="json")


def _by_scenario(judgements: Sequence[Judgement]) -> dict[str, list[Judgement]]:
    """Points without a scenario are each a cluster of their own."""
    found: dict[str, list[Judgement]] = {}
    for judgement in judgements:
        found.setdefault(judgement.scenario or f"point {judgement.point_id}", []).append(judgement)
    return found


def _groups(
    judgements: Sequence[Judgement], key: Callable[[Judgement], str]
) -> list[dict[str, Any]]:
    """A row for each recorded user or observer, by name."""
    found: dict[str, list[Judgement]] = {}
    for judgement in judgements:
        found.setdefault(key(judgement), []).append(judgement)
    return [{"name": name, **_row(group)} for name, group in sorted(found.items())]


def _row(group: Sequence[Judgement]) -> dict[str, Any]:
    pairs = yes_or_no(group)
    return {
        "points": len(group),
        "recorded_accept": sum(j.recorded == "accept" for j in group) / len(group),
        "said_accept": sum(j.said == "accept" for j in group) / len(group),
        "n": len(pairs),
        "accuracy": accuracy(pairs),
        "kappa": cohen_kappa(pairs),
    }


def _column(judgement: Judgement) -> str:
    if judgement.fault:
        return FAULT
    return INVALID if judgement.said is None else judgement.said
