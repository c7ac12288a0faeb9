"""When to keep still: busy users, answers already given, and a budget of interruptions.

What it does not know: how sure the observer is (see ``decide``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

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
    known: frozenset[str]


class PastProposals:
    """The observer's own offers and how they ended, so that none is repeated.

    An offer that was accepted, turned down or left to expire counts as settled. It may be made
    again once a notification comes about one of its records; an offer that rests on a record
    first shown after the answer is a new one.
    """

    def __init__(self) -> None:
        self._pending: Propose | None = None
        self._settled: list[_Settled] = []
        self._known: set[str] = set()
        self._news = True

    def propose(self, proposal: Propose) -> None:
        """An offer is made now."""
        self._pending = proposal
        self._news = False

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
                        self._known.add(seen.record.ref)
                case ActionSeen() if self._pending is None:
                    self._news = True

    def _settle(self, seen: AnswerSeen) -> None:
        if seen.text:
            self._settled.append(_Settled(frozenset(), words(seen.text), frozenset(self._known)))
            return
        pending, self._pending = self._pending, None
        if pending is None or seen.answer == "refused":
            return
        self._settled.append(
            _Settled(frozenset(pending.refs), words(pending.text), frozenset(self._known))
        )

    def _reopen(self, ref: str) -> None:
        self._settled = [offer for offer in self._settled if ref not in offer.refs]

    def repeats(self, text: str, refs: Sequence[str]) -> bool:
        """Whether an offer is in substance one that is settled."""
        offered, said = frozenset(refs), words(text)
        for past in self._settled:
            if offered - past.refs - past.known:
                continue
            same_records = bool(offered) and offered <= past.refs
            if same_records or _overlap(said, past.words) >= ALIKE:
                return True
        return False


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    union = one | other
    return len(one & other) / len(union) if union else 1.0
