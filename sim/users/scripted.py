"""The scripted user: an errand, eyes, a memory, and three answers to an offer.

It acts by what its view shows; what it knows of the phone's content it has read off the screens.
An offer is judged by its sentence (``judge``) and by what the user has seen:

- vague → rejected at once
- not everything needed has been seen → it goes and looks, whether the offer is right or not
- seen → accepted if it fits and is in time, else rejected with a reason

Then it carries on with its errand where it left off. A persona shifts these rules; all that it
leaves to chance is drawn from seeded streams, and never by whether the offer is right. What it does
not know: the reference solution, the observer, other people's scenarios.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from heron.contracts import Answered, Idle, Proposal, Reply, UserStep, UserView
from heron.seeds import stream
from heron.sim.users.brief import Need, Preferences, UserBrief
from heron.sim.users.errand import Errand, Router
from heron.sim.users.judge import judge
from heron.sim.users.knowledge import Knowledge
from heron.sim.users.persona import NEUTRAL, Persona
from heron.sim.users.reasons import REASONS, Why

PLAIN = Persona(name=NEUTRAL, summary="Judges by the rubric and by what it has seen.")
PURCHASES = frozenset({"shopping.checkout", "cab.order_ride"})
"""Write tools that spend money."""


@dataclass(frozen=True)
class Luck:
    """What an episode leaves to chance: a stream of its own for each thing that is drawn."""

    seed: int = 0
    scenario: str = ""

    def happens(self, probability: float, *path: str | int) -> bool:
        """Whether it does; nothing is drawn where that is certain."""
        if probability <= 0 or probability >= 1:
            return probability >= 1
        return stream(self.seed, self.scenario, "user", *path).random() < probability


class ScriptedUser:
    """A deterministic user; makes no call to any model.

    Args:
        brief: what it knows of its scenario.
        router: the way through the phone.
        persona: what kind of user it is.
        luck: of the episode.
    """

    def __init__(
        self, brief: UserBrief, router: Router, persona: Persona = PLAIN, luck: Luck | None = None
    ) -> None:
        self.brief, self.persona = brief, persona
        self._luck = luck or Luck()
        self._knowledge = Knowledge()
        self._errand = Errand(brief, router, self._knowledge)
        self._interruptions: dict[str, datetime] = {}
        self._looks: dict[str, int] = {}
        self._asked_to_spend = False

    def step(self, view: UserView) -> UserStep:
        """What the user does now."""
        step = self._step(view)
        pace = self.persona.pace
        return step if pace == 1.0 else step.model_copy(update={"pace": pace})

    def _step(self, view: UserView) -> UserStep:
        if not self._happens(self.persona.attention, "attention", view.turn):
            return UserStep(move=Idle(), note="does not look at the phone")
        self._knowledge.note(view.screen)
        if view.question is not None:
            self._interruptions.setdefault(f"question {view.question}", view.time)
            return UserStep(move=Reply(text=self.brief.reply))
        if view.proposal is not None:
            self._interruptions.setdefault(view.proposal.proposal_id, view.time)
            return self._answer(view, view.proposal)
        return self._errand.step(view)

    def _happens(self, probability: float, what: str, which: str | int) -> bool:
        return self._luck.happens(probability, self.persona.name, what, which)

    # --- offers ---

    def _answer(self, view: UserView, proposal: Proposal) -> UserStep:
        persona = self.persona
        sense, why = judge(self.brief.rubric, proposal.text, proposal.plan, persona.strictness)
        if sense == "vague":
            return self._say(why)
        if len(proposal.text) > persona.longest_offer:
            return self._say("long")
        missing = [need for need in self.brief.needs if not self._knowledge.knows(need)]
        if missing and not self._happens(persona.trust, "trust", proposal.proposal_id):
            return self._look(missing[0], view, proposal.proposal_id)
        if sense == "fits":
            why = self._objection(view, proposal.proposal_id) or why
        return self._say(why)

    def _objection(self, view: UserView, proposal_id: str) -> Why | None:
        """What speaks against an offer that fits, if anything does."""
        window, hour = self.brief.window, f"{view.time:%H:%M}"
        if not self.brief.wanted:
            return "unwanted"
        if window.opens is not None and view.time < window.opens:
            return "early"
        if window.closes is not None and view.time > window.closes:
            return "late"
        if any(p.not_before is not None and hour < p.not_before for p in self._preferences()):
            return "hour"
        if not self._happens(1 - self._weariness(view.time), "fatigue", proposal_id):
            return "fatigue"
        spends = not PURCHASES.isdisjoint(self.brief.rubric.tools)
        if spends and any(p.confirm_purchases for p in self._preferences()):
            first, self._asked_to_spend = not self._asked_to_spend, True
            return "confirm" if first else None
        return None

    def _preferences(self) -> tuple[Preferences, Preferences]:
        return self.persona.preferences, self.brief.preferences

    def _weariness(self, now: datetime) -> float:
        """What earlier interruptions take off the probability of a yes; each fades with time."""
        if not self.persona.fatigue:
            return 0.0
        *earlier, _ = self._interruptions.values()
        ages = [(now - then).total_seconds() / self.persona.recovery_s for then in earlier]
        return self.persona.fatigue * math.fsum(math.pow(0.5, age) for age in ages)

    def _look(self, need: Need, view: UserView, proposal_id: str) -> UserStep:
        looks = self._looks.get(proposal_id, 0)
        if looks >= self.persona.patience:
            return self._say("patience")
        act = self._errand.way_to(need.ref, view)
        if act is None:
            return self._say("unseen").model_copy(update={"lost": True})
        self._looks[proposal_id] = looks + 1
        self._errand.leave(view)
        return UserStep(move=act, looking=True, note=f"looks at {need.ref} first")

    def _say(self, why: Why) -> UserStep:
        reason = REASONS[self.persona.language][why]
        answer: Literal["accept", "reject"] = "accept" if why == "fits" else "reject"
        return UserStep(move=Answered(answer=answer, reason=reason, why=why))
