"""How a replayed observer compares with what is recorded; every share with its denominator.

An offer hits a recorded one that the user accepted if it comes at most ``slack`` turns before or
after; each is paired at most once, the nearest first. What it does not know: text, terminals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heron.contracts import Record
from heron.eval.offers import EXPIRES_AFTER
from heron.eval.replaying.seat import Replayed
from heron.eval.replaying.stream import Moment, Offer, RecordedStream


class Shown(Record):
    """A stream as an observer went through it."""

    stream: RecordedStream
    observer: str
    moments: tuple[Replayed, ...]
    fault: str | None = None
    """Why it ends early."""

    @property
    def diverged(self) -> int | None:
        """First turn in which it offered and the recorded assistant did not, or the reverse."""
        pairs = zip(self.moments, self.stream.moments, strict=False)
        for own, recorded in pairs:
            if (own.offer is None) != (recorded.done.offer is None):
                return own.turn
        return None


class Agreement(Record):
    """Offers of one observer, or of one threshold, beside the recorded ones."""

    observer: str
    threshold: float | None = None
    """``None``: as the observer decided itself."""
    streams: int
    turns: int
    proposals: int
    accepted: int
    """Recorded offers that the user accepted."""
    hits: int
    """Of those, the ones that an offer meets."""
    misses: int
    declined: int
    """Offers that meet a recorded one which the user did not accept."""
    extra: int
    """Offers that meet none that is recorded."""
    precision: float | None
    """``hits / proposals``; ``None`` of no proposals."""
    recall: float | None
    """``hits / accepted``; ``None`` where none was accepted."""
    f1: float | None
    phone_h: float | None
    """Hours on the phones' clocks."""
    false_alarms_per_hour: float | None
    """``(declined + extra) / phone_h``."""
    judged: int
    """Offers in streams that say when help is wanted, if at all."""
    timely: int
    """Of those, made while help was of use."""
    early: int
    late: int
    unwanted: int
    """Made where no help was wanted, or where it never began to be of use."""


class Cost(Record):
    """What one observer's answers took."""

    observer: str
    answers: int
    looks: int
    not_recorded: int
    """Looks that the record could not answer."""
    p50_s: float | None
    p95_s: float | None
    cpu_s: float | None
    evaluated: int | None
    """Tokens evaluated."""
    generated: int | None
    faults: int


def agreement(shown: Sequence[Shown], slack: int, threshold: float | None = None) -> Agreement:
    """One observer over all streams.

    Args:
        shown: its ways through them.
        slack: turns by which an offer may miss the recorded one.
        threshold: take its scores at this threshold in place of its own decisions.
    """
    counts = dict.fromkeys(
        ("turns", "proposals", "accepted", "hits", "declined", "extra", "judged", "timely",
         "early", "late", "unwanted"), 0
    )  # fmt: skip
    hours: list[float] = []
    for one in shown:
        made = spoken(one, threshold)
        accepted, others = _recorded(one)
        hits = _pairs(made, accepted, slack)
        rest = [turn for turn in made if turn not in hits]
        declined = _pairs(rest, others, slack)
        counts["turns"] += len(one.moments)
        counts["proposals"] += len(made)
        counts["accepted"] += len(accepted)
        counts["hits"] += len(hits)
        counts["declined"] += len(declined)
        counts["extra"] += len(rest) - len(declined)
        for name in _times(one, made):
            counts["judged"] += 1
            counts[name] += 1
        if one.stream.phone_s is not None and one.fault is None:
            hours.append(one.stream.phone_s / 3600)
    precision, recall = _share("hits", "proposals", counts), _share("hits", "accepted", counts)
    both = precision is not None and recall is not None
    phone = sum(hours) if hours else None
    return Agreement(
        observer=shown[0].observer,
        threshold=threshold,
        streams=len(shown),
        misses=counts["accepted"] - counts["hits"],
        precision=precision,
        recall=recall,
        f1=2 * counts["hits"] / (counts["proposals"] + counts["accepted"]) if both else None,
        phone_h=phone,
        false_alarms_per_hour=(counts["declined"] + counts["extra"]) / phone if phone else None,
        **counts,
    )


def spoken(shown: Shown, threshold: float | None = None) -> list[int]:
    """Turns in which an observer offered something.

    With a threshold: in which its score reached it and no offer of its own was open, by the same
    rule for how long one stays open. That is approximate, since what an observer reads after it
    spoke is not what it read in the replay.
    """
    if threshold is None:
        return [each.turn for each in shown.moments if each.offer is not None]
    moments = {moment.turn: moment for moment in shown.stream.moments}
    made: list[int] = []
    free_from = -1
    for each in shown.moments:
        score = each.score
        if score is None or score < threshold or each.turn < free_from:
            continue
        made.append(each.turn)
        offer = moments[each.turn].done.offer
        answered = None if offer is None else _ended(shown.stream, each.turn, offer)
        free_from = each.turn + EXPIRES_AFTER if answered is None else answered
    return made


def _ended(stream: RecordedStream, turn: int, offer: Offer) -> int | None:
    """The turn in which a recorded offer's answer is told; ``None`` if it never is."""
    for moment in stream.moments:
        if moment.turn > turn and any(
            seen.type == "answer" and seen.proposal_id == offer.proposal_id for seen in moment.new
        ):
            return moment.turn
    return None


def _recorded(shown: Shown) -> tuple[list[int], list[int]]:
    """Turns of recorded offers, as far as the observer came: accepted ones, and others."""
    reached = {each.turn for each in shown.moments}
    accepted: list[int] = []
    others: list[int] = []
    for moment, offer in shown.stream.offers:
        if moment.turn in reached:
            (accepted if offer.answer == "accept" else others).append(moment.turn)
    return accepted, others


def _pairs(made: Sequence[int], recorded: Sequence[int], slack: int) -> dict[int, int]:
    """Turn of an offer → turn of the recorded one that it meets; the nearest pairs first."""
    near = sorted(
        (abs(own - other), own, other)
        for own in made
        for other in recorded
        if abs(own - other) <= slack
    )
    found: dict[int, int] = {}
    for _, own, other in near:
        if own not in found and other not in found.values():
            found[own] = other
    return found


def _times(shown: Shown, made: Sequence[int]) -> list[str]:
    """Of each offer whether it was timely, where the stream says."""
    header = shown.stream.header
    if header.wanted is None:
        return []
    times = {moment.turn: moment.time for moment in shown.stream.moments}
    found = []
    for turn in made:
        if not header.wanted or header.opened is None:
            found.append("unwanted")
        elif times[turn] < header.opened:
            found.append("early")
        elif header.closes is not None and times[turn] > header.closes:
            found.append("late")
        else:
            found.append("timely")
    return found


def _share(part: str, whole: str, counts: dict[str, int]) -> float | None:
    return counts[part] / counts[whole] if counts[whole] else None


def cost(shown: Sequence[Shown]) -> Cost:
    """What one observer's answers took over all streams."""
    costs = [each for one in shown for moment in one.moments for each in moment.costs]
    answers = [a for one in shown for moment in one.moments for a in moment.answers]
    walls = [each.wall_s for each in costs]
    return Cost(
        observer=shown[0].observer,
        answers=len(answers),
        looks=sum(each.answer.type == "look" for each in answers),
        not_recorded=sum(moment.not_recorded for one in shown for moment in one.moments),
        p50_s=float(np.percentile(walls, 50)) if walls else None,
        p95_s=float(np.percentile(walls, 95)) if walls else None,
        cpu_s=_sum([each.cpu_s for each in costs]),
        evaluated=_whole([each.evaluated for each in costs]),
        generated=_whole([each.generated for each in costs]),
        faults=sum(one.fault is not None for one in shown),
    )


def _sum(values: Sequence[float | None]) -> float | None:
    """Of all; ``None`` if one is not known, or there are none."""
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _whole(values: Sequence[int | None]) -> int | None:
    found = _sum(values)
    return None if found is None else int(found)


def same_as_recorded(moment: Moment, replayed: Replayed) -> bool:
    """Whether both spoke, with the same words, or neither did."""
    recorded, own = moment.done.offer, replayed.offer
    if recorded is None or own is None:
        return (recorded is None) == (own is None)
    return recorded.text == own.text
