"""Where an observer sits while a record plays: it sees all of it and moves none of it.

Open loop: what it does has no effect on what follows. Its offer is noted, and

- where the recorded assistant made an offer in the same turn, its own stands for that one: it is
  told the recorded answer, when it came, and what the execution reported;
- elsewhere nobody answers: it is told that the offer expired, three turns later as in an episode,
  so that it is never blocked for longer.

Answers to offers that it did not make it is not told, unless asked for. So an observer that decides
as the recorded one did sees exactly what that one saw. What it does not know: where a record comes
from, and how a replay is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from pydantic import Field

from heron.contracts import (
    AnswerSeen,
    Brief,
    LookSeen,
    Observation,
    ObserverAnswer,
    ObserverTurn,
    Propose,
    Record,
    Scores,
    Seen,
    StepCost,
    ToolCall,
    ToolResult,
)
from heron.eval.observers import ObserverPort
from heron.eval.offers import EXPIRES_AFTER, Offers
from heron.eval.replaying.stream import Header, Moment

Looks = Callable[[ToolCall], ToolResult]
"""Answers a look at a moment."""


class Made(Record):
    """An offer of the replayed observer's."""

    text: str
    plan: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    stands_for: str | None = None
    """Id of the recorded offer in whose place it is."""


class Replayed(Record):
    """What an observer did at a moment, and what that cost."""

    turn: int
    time: datetime
    answers: tuple[ObserverTurn, ...]
    costs: tuple[StepCost, ...]
    offer: Made | None = None
    withdrew: bool = False
    refused: bool = False
    """It offered something while an offer of its own was open, or nothing in words."""
    not_recorded: int = Field(default=0)
    """Looks that the record does not answer."""

    @property
    def score(self) -> float | None:
        """The largest share of ``propose`` among the three words; ``None`` without scores."""
        found = [each.answer.scores for each in self.answers if each.answer.scores is not None]
        return max((_share(scores) for scores in found), default=None)


def _share(scores: Scores) -> float:
    total = scores.wait + scores.look + scores.propose
    return scores.propose / total if total else 0.0


class Seat:
    """One observer's place before one stream.

    Args:
        port: the observer, made ready for this stream.
        header: of the stream.
        show_recorded: tell it also of offers that the recorded assistant alone made.
    """

    def __init__(self, port: ObserverPort, header: Header, *, show_recorded: bool = False) -> None:
        self._port, self._header, self._show = port, header, show_recorded
        self._brief: Brief | None = header.brief
        self._offers = Offers()
        self._since = 0
        self._partner: str | None = None
        """The recorded offer in whose place the open one is."""
        self._own: dict[str, str] = {}
        """Recorded offer → the observer's own in its place."""
        self._extra: list[Seen] = []

    def turn(self, moment: Moment, looks: Looks) -> Replayed:
        """Show a moment; the observer may look before it answers.

        Raises:
            Fault: it broke.
        """
        answers: list[ObserverTurn] = []
        costs: list[StepCost] = []
        new = tuple(self._delta(moment))
        missing = 0
        for step in range(self._header.looks + 1):
            observation = self._observation(moment, step, new)
            answer, cost = self._port.observe(observation)
            answers.append(ObserverTurn(step=step, answer=answer))
            costs.append(cost)
            if answer.type != "look" or observation.looks_left == 0:
                break
            result = looks(answer.call)
            missing += result.error == NOT_RECORDED
            new = (LookSeen(result=result),)
        replayed = Replayed(
            turn=moment.turn,
            time=moment.time,
            answers=tuple(answers),
            costs=tuple(costs),
            not_recorded=missing,
        )
        return replayed.model_copy(update=self._act(answers[-1].answer, moment))

    # --- what it sees ---

    def _observation(self, moment: Moment, step: int, new: tuple[Seen, ...]) -> Observation:
        self._offers.note_shown(new)
        brief, self._brief = self._brief, None
        waiting = self._offers.open
        return Observation(
            turn=moment.turn,
            step=step,
            time=moment.time,
            new=new,
            device=moment.device,
            open_proposal=waiting.proposal.proposal_id if waiting else None,
            looks_left=self._header.looks - step,
            brief=brief,
        )

    def _delta(self, moment: Moment) -> Iterable[Seen]:
        """The moment's delta, the recorded answers turned into its own or left out."""
        extra, self._extra = self._extra, []
        told = [seen for seen in moment.new if _is_answer(seen)]
        yield from (seen for seen in moment.new if not _is_answer(seen))
        yield from extra
        for seen in told:
            turned = self._turned(seen)
            if turned is not None:
                yield turned
        alone = self._offers.open is not None and self._partner is None
        if alone and moment.turn - self._since >= EXPIRES_AFTER:
            yield self._ended(self._offers.withdraw(), "expired")

    def _turned(self, seen: Seen) -> Seen | None:
        if seen.type not in ("answer", "execution"):
            return seen
        own = self._own.get(seen.proposal_id)
        if seen.type == "execution":
            if own is not None:
                return seen.model_copy(update={"proposal_id": own})
            return seen if self._show else None
        if seen.answer in ("withdrawn", "refused"):
            # Both are the recorded assistant's own doing.
            if seen.proposal_id == self._partner:
                self._partner = None
            return None
        if own is None:
            return seen if self._show else None
        if seen.proposal_id != self._partner:
            # It had taken its offer back by then.
            del self._own[seen.proposal_id]
            return None
        self._offers.withdraw()
        self._partner = None
        return seen.model_copy(update={"proposal_id": own})

    def _ended(self, proposal_id: str | None, answer: str, reason: str = "") -> AnswerSeen:
        return AnswerSeen.model_validate(
            {"proposal_id": proposal_id or "", "answer": answer, "reason": reason}
        )

    # --- what it does ---

    def _act(self, answer: ObserverAnswer, moment: Moment) -> dict[str, object]:
        if isinstance(answer, Propose):
            made = self._offers.make(answer, moment.turn)
            if made is None:
                why = "one proposal at a time, and not an empty one"
                self._extra.append(self._ended("", "refused", why))
                return {"refused": True}
            self._since = moment.turn
            recorded = moment.done.offer
            self._partner = recorded.proposal_id if recorded else None
            if recorded is not None:
                self._own[recorded.proposal_id] = made.proposal_id
            offer = Made(text=made.text, plan=made.plan, refs=answer.refs, stands_for=self._partner)
            return {"offer": offer}
        if answer.type == "withdraw":
            taken = self._offers.withdraw()
            self._partner = None
            if taken is not None:
                self._extra.append(self._ended(taken, "withdrawn"))
                return {"withdrew": True}
        return {}


NOT_RECORDED = "not recorded: nobody looked this up at that moment"


def _is_answer(seen: Seen) -> bool:
    """Whether it came of an offer; one turned down before the record began did not."""
    if seen.type == "answer":
        return bool(seen.proposal_id) or seen.answer == "refused"
    return seen.type == "execution"
