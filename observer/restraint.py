"""When to keep still: busy users, answers already given, and a budget of interruptions.

What it does not know: how sure the observer is (see ``decide``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol, Self

from pydantic import JsonValue

from heron.contracts import (
    ActionSeen,
    AnswerSeen,
    DeviceStatus,
    NotificationSeen,
    Observation,
    Propose,
)
from heron.observer.text import words

BUSY: Final = frozenset({"driving", "presenting", "asleep"})
"""Activities in which nobody is to be spoken to. A meeting is none: people read in meetings."""

MOST_SETTLED: Final = 256
"""Settled offers that are remembered, the newest."""
MOST_KNOWN: Final = 1024
"""Records that notifications brought and that are remembered, the newest. An observer can name far
fewer (see ``seen``), so what is forgotten here cannot be offered any more."""

ALIKE: Final = 0.6
"""Share of common words (Jaccard) from which two sentences are the same offer."""


def is_quiet(device: DeviceStatus) -> bool:
    """Whether the user is not to be disturbed now."""
    return device.do_not_disturb or device.activity in BUSY


class Budget(Protocol):
    """How often the user may be interrupted."""

    def allows(self, time: datetime) -> bool:
        """Whether one more proposal may be made at ``time``."""

    def spend(self, time: datetime) -> None:
        """A proposal was made at ``time``."""


class Unlimited:
    """The budget without a limit."""

    def allows(self, time: datetime) -> bool:
        """Always."""
        return True

    def spend(self, time: datetime) -> None:
        """Nothing is counted."""


@dataclass(frozen=True)
class _Settled:
    """An offer that is over, and what was known when it was."""

    refs: frozenset[str]
    words: frozenset[str]
    since: int
    """How many records notifications had brought by then."""


class PastProposals:
    """The observer's own offers and how they ended, so that none is repeated.

    An offer that was accepted, turned down or left to expire counts as settled. It may be made
    again once a notification comes about one of its records; an offer that rests on a record
    first shown after the answer is a new one.

    Args:
        firm: of these, only one shown by a notification makes an offer new: an old record that
            was merely looked up since does not.
    """

    def __init__(self, *, firm: bool = False) -> None:
        self._firm = firm
        self._pending: Propose | None = None
        self._settled: list[_Settled] = []
        self._known: dict[str, int] = {}
        """Record → its number among those that notifications brought."""
        self._brought = 0
        self._news = True

    def propose(self, proposal: Propose) -> None:
        """An offer is made now."""
        self._pending = proposal
        self._news = False

    def drop(self) -> None:
        """The open offer is taken back because what it rests on has changed: nothing is settled."""
        self._pending = None

    @property
    def has_news(self) -> bool:
        """Whether a notification came since the last offer was made, or the user did something
        since it was answered: without either there is nothing new to offer.
        """
        return self._news

    def note(self, observation: Observation) -> None:
        """Take in answers and news, in order."""
        for seen in observation.new:
            match seen:
                case AnswerSeen():
                    self._settle(seen)
                case NotificationSeen():
                    self._news = True
                    if seen.record is not None:
                        self._reopen(seen.record.ref)
                        self._learn(seen.record.ref)
                case ActionSeen() if self._pending is None:
                    self._news = True

    def _learn(self, ref: str) -> None:
        if ref not in self._known:
            self._brought += 1
        self._known[ref] = self._known.pop(ref, self._brought)
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]

    def _settle(self, seen: AnswerSeen) -> None:
        refs: tuple[str, ...] = ()
        text = seen.text
        if not text:
            pending, self._pending = self._pending, None
            if pending is None or seen.answer == "refused":
                return
            refs, text = pending.refs, pending.text
        self._settled.append(_Settled(frozenset(refs), words(text), self._brought))
        del self._settled[:-MOST_SETTLED]

    def _reopen(self, ref: str) -> None:
        self._settled = [offer for offer in self._settled if ref not in offer.refs]

    def repeats(self, text: str, refs: Sequence[str]) -> bool:
        """Whether an offer is in substance one that is settled."""
        offered, said = frozenset(refs), words(text)
        for past in self._settled:
            before = {ref for ref in offered if self._known.get(ref, past.since + 1) <= past.since}
            later = offered - past.refs - before
            if self._firm:
                later &= self._known.keys()
            if later:
                continue
            same_records = bool(offered) and offered <= past.refs
            if same_records or _overlap(said, past.words) >= ALIKE:
                return True
        return False

    def save(self) -> dict[str, JsonValue]:
        """All of it, as ``load`` takes it."""
        settled: list[JsonValue] = [
            [[*sorted(past.refs)], [*sorted(past.words)], past.since] for past in self._settled
        ]
        return {
            "pending": self._pending.model_dump(mode="json") if self._pending else None,
            "settled": settled,
            "known": [[ref, number] for ref, number in self._known.items()],
            "brought": self._brought,
            "news": self._news,
        }

    @classmethod
    def load(cls, saved: Mapping[str, Any], *, firm: bool = False) -> Self:
        """What ``save`` gave."""
        past = cls(firm=firm)
        pending = saved["pending"]
        past._pending = Propose.model_validate(pending) if pending else None
        past._settled = [
            _Settled(frozenset(refs), frozenset(said), since)
            for refs, said, since in saved["settled"]
        ]
        past._known = dict(saved["known"])
        past._brought, past._news = saved["brought"], saved["news"]
        return past


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    union = one | other
    return len(one & other) / len(union) if union else 1.0
