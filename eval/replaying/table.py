"""Replays as rows of text: turn by turn, and in sum. What it does not know: the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heron.contracts import Seen
from heron.eval.replaying.results import Agreement, Cost, Shown
from heron.eval.replaying.seat import Replayed
from heron.eval.replaying.stream import Moment

Row = tuple[str, ...]
WIDTH = 60
"""Characters of a text in a cell."""


def turns(shown: Sequence[Shown]) -> Iterator[Row]:
    """One stream under several observers, a row a turn, a heading first."""
    yield ("TURN", "WHAT HAPPENED", "RECORDED", *(one.observer.upper() for one in shown))
    by_turn = [{each.turn: each for each in one.moments} for one in shown]
    for moment in shown[0].stream.moments:
        cells = (_did(found.get(moment.turn)) for found in by_turn)
        yield (str(moment.turn), _happened(moment), _recorded(moment), *cells)


def _happened(moment: Moment) -> str:
    told = [_seen(seen) for seen in moment.new if seen.type in ("notification", "action")]
    return cut("; ".join(told)) or "nothing"


def _seen(seen: Seen) -> str:
    if seen.type == "notification":
        return f"{seen.app}: {seen.title}"
    if seen.type == "action":
        told = " ".join(str(value) for value in seen.arguments.values() if value not in (None, ""))
        failed = " (failed)" if seen.error else ""
        return f"user {seen.app}.{seen.action} {told}".rstrip() + failed
    return seen.type


def _recorded(moment: Moment) -> str:
    done = moment.done
    looks = f"{len(done.looks)} looks, " if done.looks else ""
    if done.offer is not None:
        how = done.offer.answer + (" after a look" if done.offer.gathered else "")
        return f"{looks}{how}: {cut(done.offer.text, 40)}"
    if done.absent:
        return "(nothing recorded)"
    return f"{looks}withdrew" if done.withdrew else f"{looks}waited"


def _did(replayed: Replayed | None) -> str:
    if replayed is None:
        return "–"
    spent = f"{1000 * sum(each.wall_s for each in replayed.costs):.0f} ms"
    evaluated = [each.evaluated for each in replayed.costs if each.evaluated]
    tokens = f" {sum(evaluated)} tok" if evaluated else ""
    score = f" {replayed.score:.2f}" if replayed.score is not None else ""
    looks = sum(answer.answer.type == "look" for answer in replayed.answers)
    looked = f"{looks} looks, " if looks else ""
    return f"{looked}{_answer(replayed)}{score} [{spent}{tokens}]"


def _answer(replayed: Replayed) -> str:
    if replayed.offer is not None:
        return f"offers “{cut(replayed.offer.text)}”"
    if replayed.withdrew:
        return "withdraws"
    return "refused offer" if replayed.refused else "waits"


def agreement_rows(found: Sequence[Agreement]) -> Iterator[Row]:
    """Sums, a row per observer and threshold, a heading first."""
    yield (
        "OBSERVER", "AT", "OFFERS", "HITS", "MISSED", "DECLINED", "EXTRA", "PRECISION", "RECALL",
        "F1", "FALSE/H", "TIMELY", "EARLY", "LATE", "UNWANTED",
    )  # fmt: skip
    for one in found:
        judged = (one.timely, one.early, one.late, one.unwanted)
        yield (
            one.observer,
            "own" if one.threshold is None else f"{one.threshold:g}",
            *map(str, (one.proposals, one.hits, one.misses, one.declined, one.extra)),
            _ratio(one.precision, one.hits, one.proposals),
            _ratio(one.recall, one.hits, one.accepted),
            _number(one.f1, 2),
            _number(one.false_alarms_per_hour, 1),
            *(str(count) if one.judged else "–" for count in judged),
        )


def cost_rows(found: Sequence[Cost]) -> Iterator[Row]:
    """What observers cost, a row each, a heading first."""
    yield (
        "OBSERVER", "ANSWERS", "LOOKS", "NOT RECORDED", "P50 MS", "P95 MS", "CPU S", "EVALUATED",
        "GENERATED", "FAULTS",
    )  # fmt: skip
    for one in found:
        yield (
            one.observer,
            *map(str, (one.answers, one.looks, one.not_recorded)),
            *(_number(None if s is None else 1000 * s, 1) for s in (one.p50_s, one.p95_s)),
            _number(one.cpu_s, 2),
            *(_number(count, 0) for count in (one.evaluated, one.generated)),
            str(one.faults),
        )


def _ratio(value: float | None, part: int, whole: int) -> str:
    return "–" if value is None else f"{value:.2f} ({part}/{whole})"


def _number(value: float | None, places: int) -> str:
    return "–" if value is None else f"{value:.{places}f}"


def cut(text: str, width: int = WIDTH) -> str:
    """A text in one line of bounded width."""
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"
