"""Mutants of the offer: other words, the wrong thing, the wrong moment, before all is seen.

Several offers are made in one episode, one after the other, where the answer to one does not
hang on the others. What it does not know: what is done after an accept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from heron.contracts import Decision
from heron.eval.gathering import unseen
from heron.eval.prover.ground import TURNS, Ground, Played
from heron.eval.prover.seats import Offer, Speaker
from heron.eval.prover.trials import Kind, Trial, judged, left_out
from heron.scenarios import unaided
from heron.scenarios.check import NOTHING_SAID, previews
from heron.scenarios.document import Path_
from heron.sim.users.judge import judge

EARLY = 3
"""Times that the right offer is made before its time."""


def offers(ground: Ground) -> Iterator[Trial]:
    """All mutants of the offer."""
    yield from _accepted(ground)
    yield from _vague(ground)
    yield from _wrong(ground)
    yield from _unseen(ground)
    yield from _early(ground)
    yield from _late(ground)
    yield from _previews(ground)


# --- series of offers ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Answered:
    """An offer of a series, and what the user made of it."""

    text: str
    decisions: tuple[Decision, ...]
    blind: bool = False
    """Whether it was refused before the user had seen all that it needs to judge."""

    @property
    def final(self) -> str:
        """The last answer; ``none`` if there was not any."""
        return self.decisions[-1].answer if self.decisions else "none"

    @property
    def reason(self) -> str:
        """What the user said last."""
        return self.decisions[-1].reason if self.decisions else "no answer in time"


def _series(ground: Ground, texts: Sequence[str], plan: tuple[str, ...]) -> list[_Answered]:
    """Make offers one after the other from the right moment on."""
    refs = ground.stage.cue.refs if ground.stage.cue else ()
    speaker = Speaker([Offer(text, plan, refs) for text in texts], ground.open)
    played = ground.play(speaker, turns=TURNS + 2 * len(texts))
    return _answers(ground, played, texts)


def _answers(ground: Ground, played: Played, texts: Sequence[str]) -> list[_Answered]:
    made = [turn.proposal.proposal_id for turn in played.course.turns if turn.proposal]
    made += [""] * (len(texts) - len(made))
    found = []
    for text, proposal in zip(texts, made, strict=False):
        decisions = tuple(d for d in played.course.decisions if d.proposal_id == proposal)
        refused = [d.turn for d in decisions if d.answer == "reject"]
        needs = ground.stage.brief.needs
        blind = bool(refused) and bool(unseen(played.course.turns, needs, refused[0]))
        found.append(_Answered(text, decisions, blind))
    return found


def _plan(ground: Ground) -> tuple[str, ...]:
    return ground.stage.cue.plan if ground.stage.cue else ()


# --- right words --------------------------------------------------------------------------------


def _accepted(ground: Ground) -> Iterator[Trial]:
    texts = ground.stage.proposals.reference
    for index, answered in enumerate(_series(ground, texts, _plan(ground))):
        problem = None
        if answered.final != "accept":
            # Later ones of a series may be too late; alone each has all the time there is.
            alone = ground.play(ground.oracle(answered.text))
            problem = _refused(_answers(ground, alone, [answered.text])[0])
        path: Path_ = ("proposals", "reference", index)
        mutant = f"reference proposal {index + 1}"
        remedy = "mend the sentence or the rubric"
        yield judged("accepted", ground.seed, mutant, problem, path, remedy)


def _refused(answered: _Answered) -> str | None:
    return None if answered.final == "accept" else f"it is not accepted: {answered.reason}"


# --- wrong words --------------------------------------------------------------------------------


def _vague(ground: Ground) -> Iterator[Trial]:
    vague: list[tuple[str, str, Path_]] = [
        *((text, repr(text), ("rubric",)) for text in NOTHING_SAID),
        *(
            (wrong.text, f"wrong vague: {wrong.text!r}", ("proposals", "wrong", index))
            for index, wrong in enumerate(ground.stage.proposals.wrong)
            if wrong.why == "vague"
        ),
    ]
    answers = _series(ground, [text for text, _, _ in vague], ())
    for (_, mutant, path), answered in zip(vague, answers, strict=True):
        answer = answered.decisions[0].answer if answered.decisions else "none"
        problem = None
        if any(d.answer == "accept" for d in answered.decisions):
            problem = "it is accepted"
        elif answer != "reject":
            problem = f"it is not refused at once but answered with {answer}"
        remedy = "narrow rubric.object, act and topic"
        yield judged("vague", ground.seed, mutant, problem, path, remedy)


def _wrong(ground: Ground) -> Iterator[Trial]:
    wrong = [(i, w) for i, w in enumerate(ground.stage.proposals.wrong) if w.why != "vague"]
    answers = _series(ground, [w.text for _, w in wrong], ())
    for (index, offer), answered in zip(wrong, answers, strict=True):
        problem = None
        if any(d.answer == "accept" for d in answered.decisions):
            problem = "it is accepted"
        elif answered.final != "reject":
            problem = "it is never answered"
        elif answered.blind or judge(ground.stage.brief.rubric, offer.text, ())[0] == "vague":
            problem = "it is refused without a look"
        path: Path_ = ("proposals", "wrong", index)
        remedy = (
            "add what it is about to rubric.topic"
            if problem and "without" in problem
            else f"narrow rubric.{offer.why}, or name it in rubric.against"
        )
        mutant = f"wrong {offer.why}: {offer.text!r}"
        yield judged("wrong", ground.seed, mutant, problem, path, remedy)


# --- before all is seen -------------------------------------------------------------------------


def _unseen(ground: Ground) -> Iterator[Trial]:
    mutant = "offered before all is seen"
    path: Path_ = ("user", "needs")
    cue = ground.stage.cue
    offer = Offer(cue.text, cue.plan, cue.refs) if cue else Offer("")
    for stage in (ground.without_habits(), ground.stage):
        speaker = Speaker([offer], ground.open)
        played = ground.play(speaker, user=ground.make_user(stage))
        decisions = played.course.decisions
        if decisions:
            break
    else:
        yield left_out("unseen", ground.seed, mutant, "the offer is never answered")
        return
    first = decisions[0]
    missing = unseen(played.course.turns, stage.brief.needs, first.turn)
    problem = None
    remedy = "name under user.needs what must be seen to judge the offer"
    if first.answer == "accept" and (missing or not stage.brief.needs):
        problem = "it is accepted before the user has seen anything of it"
    elif not missing:
        yield left_out("unseen", ground.seed, mutant, "the user has seen all by itself by then")
        return
    elif first.answer != "gather_context":
        problem = f"the user does not look but answers {first.answer}: {first.reason}"
        remedy = "let what is needed be there, and be found, when the window opens"
    yield judged("unseen", ground.seed, mutant, problem, path, remedy)


# --- at the wrong time --------------------------------------------------------------------------


def _early(ground: Ground) -> Iterator[Trial]:
    mutant = "offered before the window opens"
    cue = ground.stage.cue
    if cue is None or (ground.stage.moment.event is None and ground.stage.moment.opens is None):
        yield left_out("early", ground.seed, mutant, "the window has no beginning of its own")
        return
    offer = Offer(cue.text, cue.plan, cue.refs)
    played = ground.play(Speaker([offer] * EARLY, lambda: not ground.open()))
    opens = ground.opened_at() or datetime.min
    time_of = {turn.turn: turn.time for turn in played.course.turns}
    answers = [d for d in played.course.decisions if time_of[d.turn] < opens]
    if not answers:
        yield left_out("early", ground.seed, mutant, "it opens before anybody could answer")
        return
    problem = "it is accepted" if any(d.answer == "accept" for d in answers) else None
    remedy = "let window.opens be known, or name under user.needs what only comes then"
    yield judged("early", ground.seed, mutant, problem, ("window", "opens"), remedy)


def _late(ground: Ground) -> Iterator[Trial]:
    mutant = "offered after the window has closed"
    closes, cue = ground.stage.moment.closes, ground.stage.cue
    if closes is None or cue is None:
        yield left_out("late", ground.seed, mutant, "the window does not close")
        return
    speaker = Speaker([Offer(cue.text, cue.plan, cue.refs)], lambda: True)
    played = ground.play(speaker, begin=closes + timedelta(seconds=1))
    accepted = any(d.answer == "accept" for d in played.course.decisions)
    problem = "it is accepted" if accepted else None
    remedy = "a fault of the user: see heron.sim.users.scripted"
    yield judged("late", ground.seed, mutant, problem, ("window", "closes"), remedy)


# --- previews -----------------------------------------------------------------------------------


def _previews(ground: Ground) -> Iterator[Trial]:
    """Plays the user unaided up to the moment of help, then reads the notifications."""
    kind: Kind = "preview"
    ground.world.restore(ground.start)
    unaided.play(ground.stage, until=lambda _: ground.open())
    found = list(previews(ground.stage))
    if not found:
        yield judged(kind, ground.seed, "all notifications", None)
    for problem in found:
        trial = judged(kind, ground.seed, "a notification", problem.text, problem.path)
        yield replace(trial, remedy=problem.remedy or "")
