"""What users make of offers: right, wrong and degraded ones, at the right time, to any persona.

Each offer is made in an episode of its own, so that no answer hangs on another; only where the
count of interruptions is the matter do several follow each other. What it does not know: what is
done after an accept, tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from heron.contracts import PROPOSAL_LENGTH, Answer, Record
from heron.eval.gathering import gatherings, unseen
from heron.eval.prover.ground import TURNS, Ground, Played
from heron.eval.prover.seats import Offer, Speaker
from heron.eval.user_errors import matter_of, user_errors
from heron.eval.users.scripted import make
from heron.scenarios.check import NOTHING_SAID
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.sim.users.brief import Rubric
from heron.sim.users.judge import judge, same_word, words
from heron.sim.users.persona import persona_of

OfferKind = Literal["reference", "degraded", "wrong", "vague", "bait"]
"""``degraded``: a reference proposal with one object left out; ``wrong``: it names the wrong thing
or act; ``bait``: offered where no help is wanted."""

_WORD = re.compile(r"\d+(?:[:.]\d+)+|\w+")


class Reception(Record):
    """One offer made to one user, and what came of it."""

    scenario: str
    seed: int
    persona: str
    kind: OfferKind
    text: str
    earlier: int = 0
    """Vague offers that were made before it."""
    first: Answer | None
    """The first decision; ``None`` if the episode ended without one."""
    accepted: bool
    rejected: bool
    unseen: bool
    """At the first decision there was something to be seen yet."""
    plausible: bool
    """By its words it is about the matter."""
    errors: int
    """Errors of the user in this episode."""


class Tryout:
    """A scenario under a seed, with offers to make and users to make them to.

    Args:
        scenario: which.
        seed: the variant.

    Raises:
        InputError: it cannot be built or played.
    """

    def __init__(self, scenario: Scenario, seed: int) -> None:
        self._ground = Ground(scenario, seed)
        self._stage: Stage = self._ground.stage

    def offers(self) -> Iterator[tuple[OfferKind, str]]:
        """All that the scenario can be tried with."""
        proposals, rubric = self._stage.proposals, self._stage.brief.rubric
        for text in proposals.reference:
            yield "reference", text
            less = degraded(rubric, text)
            if less is not None:
                yield "degraded", less
        for wrong in proposals.wrong:
            yield ("vague" if wrong.why == "vague" else "wrong"), wrong.text
        for text in proposals.bait:
            yield "bait", text

    def answer(self, kind: OfferKind, text: str, persona: str) -> Reception:
        """Make one offer at the right time."""
        if self._stage.cue is not None:
            observer = self._ground.oracle(text)
        else:
            observer = Speaker([Offer(text)], self._ground.open)
        user = make(self._stage, persona)
        return self._told(self._ground.play(observer, user=user), kind, text, persona)

    def after(self, earlier: int, text: str, persona: str) -> Reception:
        """Make one right offer after so many that say nothing."""
        vague = [Offer(NOTHING_SAID[i % len(NOTHING_SAID)]) for i in range(earlier)]
        cue = self._stage.cue
        right = Offer(text, cue.plan, cue.refs) if cue is not None else Offer(text)
        observer = Speaker([*vague, right], self._ground.ready)
        user = make(self._stage, persona)
        played = self._ground.play(observer, user=user, turns=TURNS + 2 * earlier)
        return self._told(played, "reference", text, persona, earlier)

    def close(self) -> None:
        """Let go of the phone."""
        self._ground.close()

    def _told(
        self, played: Played, kind: OfferKind, text: str, persona: str, earlier: int = 0
    ) -> Reception:
        turns = played.course.turns
        shown = " ".join(text.split())[:PROPOSAL_LENGTH]
        made = [t.proposal.proposal_id for t in turns if t.proposal and t.proposal.text == shown]
        decisions = [d for d in played.course.decisions if d.proposal_id in made]
        answers = {d.answer for d in decisions}
        self._ground.world.restore(self._ground.start)
        matter = matter_of(self._stage, persona_of(persona))
        errors = user_errors(matter, turns, gatherings(turns), played.log)
        return Reception(
            scenario=self._stage.scenario.id,
            seed=self._stage.seed,
            persona=persona,
            kind=kind,
            text=text,
            earlier=earlier,
            first=decisions[0].answer if decisions else None,
            accepted="accept" in answers,
            rejected="reject" in answers,
            unseen=bool(decisions)
            and bool(unseen(turns, self._stage.brief.needs, decisions[0].turn)),
            plausible=judge(self._stage.brief.rubric, text, ()).sense != "vague",
            errors=errors.total,
        )


def degraded(rubric: Rubric, text: str) -> str | None:
    """A sentence without what names one object: the first that can be left out.

    Returns:
        ``None`` if nothing can be left out so that the sentence no longer fits.
    """
    for group in rubric.object:
        less = text
        for phrase in sorted(group, key=len, reverse=True):
            less = _without(less, phrase)
        if less != text and judge(rubric, less, ()).why == "object":
            return " ".join(less.split())
    return None


def _without(text: str, phrase: str) -> str:
    """A text without each place at which a phrase stands."""
    wanted = words(phrase)
    spans = [match.span() for match in _WORD.finditer(text)]
    said = [next(iter(words(text[a:b])), "") for a, b in spans]
    cut: set[int] = set()
    for at in range(len(said) - len(wanted) + 1):
        if wanted and all(map(same_word, said[at:], wanted)):
            cut.update(range(at, at + len(wanted)))
    for place in sorted(cut, reverse=True):
        start, end = spans[place]
        text = text[:start] + text[end:]
    return text


def ask(scenario: Scenario, seed: int, personas: Sequence[str]) -> list[Reception]:
    """Every offer of a scenario, made to every persona."""
    tryout = Tryout(scenario, seed)
    try:
        return [tryout.answer(kind, text, p) for kind, text in tryout.offers() for p in personas]
    finally:
        tryout.close()


def ask_again(
    scenario: Scenario, seed: int, personas: Sequence[str], counts: Sequence[int]
) -> list[Reception]:
    """The first right offer of a scenario, after so many that say nothing, to every persona."""
    tryout = Tryout(scenario, seed)
    try:
        texts = [text for kind, text in tryout.offers() if kind == "reference"][:1]
        return [tryout.after(n, text, p) for text in texts for n in counts for p in personas]
    finally:
        tryout.close()
