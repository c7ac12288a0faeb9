"""How the observer carries itself towards the user: all that can forbid an offer, or take one back.

It joins what was offered before (``restraint``), when the user lets itself be interrupted
(``manners``) and whether the open offer still stands (``moot``). What it does not know: the model,
and what is offered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from pydantic import JsonValue

from heron.contracts import Observation, Propose
from heron.observer.manners import Interruptions, Manners
from heron.observer.moot import OpenOffer
from heron.observer.restraint import Budget, PastProposals, Unlimited, is_quiet

MOST_SPENT: Final = 64
"""Offers whose times are kept for a budget that has to be filled again."""


class Conduct:
    """The conduct of one observer in one episode.

    Args:
        manners: what the user asks for.
        budget: how often the user may be interrupted, beside what manners say.
    """

    def __init__(self, manners: Manners | None = None, budget: Budget | None = None) -> None:
        self._manners = manners or Manners()
        self._budget = budget or Unlimited()
        self._interruptions = Interruptions(self._manners)
        self._offer = OpenOffer()
        self._past = PastProposals(firm=self._manners.firm)
        self._spent: deque[datetime] = deque(maxlen=MOST_SPENT)

    def note(self, observation: Observation) -> bool:
        """Take in what is new; whether the open offer is to be taken back."""
        self._past.note(observation)
        self._interruptions.note(observation)
        moot = self._offer.note(observation)
        if moot is None or not self._manners.withdraw:
            return False
        if moot == "changed":
            self._past.drop()
        return True

    def allows(self, observation: Observation) -> bool:
        """Whether an offer may be made now."""
        return (
            observation.open_proposal is None
            and self._past.has_news
            and not is_quiet(observation.device)
            and self._budget.allows(observation.time)
            and self._interruptions.allows(observation.time)
        )

    def repeats(self, text: str, refs: Sequence[str]) -> bool:
        """Whether an offer is in substance one that is settled."""
        return self._past.repeats(text, refs)

    def propose(self, proposal: Propose, now: datetime) -> None:
        """An offer is made."""
        self._past.propose(proposal)
        self._offer.propose(proposal)
        self._spend(now)

    def _spend(self, time: datetime) -> None:
        self._budget.spend(time)
        self._interruptions.spend(time)
        self._spent.append(time)

    def save(self) -> dict[str, JsonValue]:
        """All of it, as ``load`` takes it."""
        return {
            "past": self._past.save(),
            "offer": self._offer.save(),
            "snoozed": self._interruptions.save(),
            "spent": [f"{time}" for time in self._spent],
        }

    def load(self, saved: Mapping[str, Any]) -> None:
        """Go on with what ``save`` gave."""
        self._past = PastProposals.load(saved["past"], firm=self._manners.firm)
        self._offer.load(saved["offer"])
        self._interruptions.load(saved["snoozed"])
        for spent in map(datetime.fromisoformat, saved["spent"]):
            self._spend(spent)
