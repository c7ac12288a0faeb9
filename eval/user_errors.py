"""The simulated user's own errors in an episode: lost, refused, misjudged, invalid.

Found from the episode's record alone, with the scenario's brief and the persona as the measure, so
that scripted and model users are held to the same. What a persona allows (a strict one refusing an
unspecific offer, a tired one refusing anything) is no error. What it does not know: who the user
is, whether the episode was a success.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from heron.contracts import EpisodeRecord, Gathering, LogEntry, Proposal, TurnRecord, UserErrors
from heron.eval.offers import MOST_LOOKING
from heron.eval.users.briefing import split_persona
from heron.registry import split_spec
from heron.scenarios.stage import Stage
from heron.sim.users.brief import Need, Preferences, UserBrief
from heron.sim.users.judge import Strictness, judge
from heron.sim.users.knowledge import Knowledge
from heron.sim.users.persona import Persona, persona_of
from heron.sim.users.scripted import PURCHASES

GENEROUS: Mapping[Strictness, Strictness] = {
    "lenient": "lenient",
    "normal": "normal",
    "strict": "normal",
}
"""A yes is an error if neither the rubric nor the persona allows it."""
SEVERE: Mapping[Strictness, Strictness] = {
    "lenient": "normal",
    "normal": "normal",
    "strict": "strict",
}
"""A no is an error if both of them call for a yes."""


@dataclass(frozen=True)
class Matter:
    """What an episode's user is held to."""

    brief: UserBrief
    persona: Persona
    there: frozenset[str]
    """Ids of those records it needs that the phone held at the start."""


def user_errors(
    matter: Matter,
    turns: Sequence[TurnRecord],
    gathered: Sequence[Gathering],
    log: Sequence[LogEntry],
) -> UserErrors:
    """What the user did wrong.

    Args:
        matter: brief and persona.
        turns: as played.
        gathered: the episode's gatherings.
        log: the whole log; it tells when a record came to be there.
    """
    unseen = _Unseen(matter, log, turns)
    return UserErrors(
        lost=tuple(sorted({*_no_way(unseen, turns), *_no_answer(matter, unseen, turns, gathered)})),
        refused=tuple(t.turn for t in turns if t.step.move.type == "act" and t.error is not None),
        misjudged=tuple(_misjudged(matter, unseen, turns)),
        invalid=tuple(t.turn for t in turns if t.step.gave_up),
    )


def matter_of(stage: Stage, persona: Persona) -> Matter:
    """What a stage's user is held to; the stage's phone is at its start."""
    needs = (need.ref for need in stage.brief.needs)
    there = frozenset(ref for ref in needs if stage.world.record(ref) is not None)
    return Matter(stage.brief, persona, there)


def persona_in(spec: str) -> Persona:
    """The persona that a user's spec names: ``scripted:strict``, ``gguf:<model>#strict``.

    Raises:
        UnknownName: there is no such persona.
        InputError: its file is no persona.
    """
    name, argument = split_spec(spec)
    return persona_of(argument) if name == "scripted" else split_persona(argument)[1]


def totals(episodes: Iterable[EpisodeRecord]) -> dict[str, int] | None:
    """Kind of error → how often over all episodes; ``None`` if none was assessed."""
    found = [e.user_errors for e in episodes if e.user_errors is not None]
    if not found:
        return None
    return {kind: sum(len(getattr(e, kind)) for e in found) for kind in UserErrors.model_fields}


class _Unseen:
    """Which needs had not been seen at a turn although they were there."""

    def __init__(
        self, matter: Matter, log: Sequence[LogEntry], turns: Sequence[TurnRecord]
    ) -> None:
        self._came = came(log)
        self._there = matter.there
        knowledge = Knowledge()
        self._missing: dict[int, tuple[Need, ...]] = {}
        for turn in turns:
            knowledge.note(turn.view)
            needs = matter.brief.needs
            self._missing[turn.turn] = tuple(n for n in needs if not knowledge.knows(n))

    def of(self, turn: TurnRecord) -> tuple[Need, ...]:
        """Needs to be seen yet, all of whose records were there; none if one was not."""
        missing = self._missing[turn.turn]
        return missing if all(self._was_there(need.ref, turn) for need in missing) else ()

    def absent(self, turn: TurnRecord) -> bool:
        """Whether something needed was not there yet."""
        return not all(self._was_there(need.ref, turn) for need in self._missing[turn.turn])

    def _was_there(self, ref: str, turn: TurnRecord) -> bool:
        if ref in self._there:
            return True
        came = self._came.get(ref)
        return came is not None and came <= (turn.turn, turn.time)


def came(log: Sequence[LogEntry]) -> Mapping[str, tuple[int, datetime]]:
    """Record → turn and time at which it was created, where that was in the episode."""
    return {
        change.ref: (entry.turn, entry.time)
        for entry in log
        for change in entry.changes
        if change.op == "create"
    }


def _no_way(unseen: _Unseen, turns: Sequence[TurnRecord]) -> Iterator[int]:
    """Turns at which it found no way to what was there."""
    yield from (turn.turn for turn in turns if turn.step.lost and unseen.of(turn))


def _no_answer(
    matter: Matter, unseen: _Unseen, turns: Sequence[TurnRecord], gathered: Sequence[Gathering]
) -> Iterator[int]:
    """Turns at which a search ended without the thing: out of time, or with all looks used up.

    A persona that does not always look at the phone may run out of time.
    """
    by_turn = {turn.turn: turn for turn in turns}
    for search in gathered:
        if search.end == "open":
            # The turns ran out; it is lost if it went on looking after its looks were used up.
            span = [turn for turn in turns if turn.turn >= search.from_turn]
            out = any(t.step.looking and _ignored(t, search.proposal_id) for t in span)
        elif search.end == "expired":
            out = search.looks >= MOST_LOOKING or matter.persona.attention == 1
        else:
            out = search.end == "reject" and search.looks >= MOST_LOOKING
        if out and unseen.of(by_turn[search.to_turn]):
            yield search.to_turn


def _ignored(turn: TurnRecord, proposal_id: str) -> bool:
    decision = turn.decision
    return (
        decision is not None and decision.proposal_id == proposal_id and decision.answer == "ignore"
    )


def _misjudged(matter: Matter, unseen: _Unseen, turns: Sequence[TurnRecord]) -> Iterator[int]:
    past = _Past()
    for turn in turns:
        decision = turn.decision
        if decision is not None:
            offer = past.shown[decision.proposal_id]
            if decision.answer == "accept" and not _is_right(matter, offer, turn.time, GENEROUS):
                yield turn.turn
            if decision.answer == "reject" and _is_right(matter, offer, turn.time, SEVERE):
                excused = turn.step.lost or unseen.absent(turn)
                if not excused and not _may_refuse(matter, past, offer):
                    yield turn.turn
                past.refused_right = True
        past.add(turn)


@dataclass
class _Past:
    """What had happened up to a turn, as far as a persona's whims go by it."""

    shown: dict[str, Proposal] = field(default_factory=dict)
    looks: Counter[str] = field(default_factory=Counter)
    interruptions: int = 0
    refused_right: bool = False

    def add(self, turn: TurnRecord) -> None:
        """Go on by one turn."""
        if turn.decision is not None and turn.decision.answer == "gather_context":
            self.looks[turn.decision.proposal_id] += 1
        if turn.proposal is not None:
            self.shown[turn.proposal.proposal_id] = turn.proposal
            self.interruptions += 1
        if turn.execution is not None and turn.execution.end == "question":
            self.interruptions += 1


def _is_right(
    matter: Matter, offer: Proposal, now: datetime, measure: Mapping[Strictness, Strictness]
) -> bool:
    """Whether an offer fits, is wanted, and is in time."""
    brief, window = matter.brief, matter.brief.window
    # A model user is not shown the plan: that it took one which contradicts its sentence is no
    # error of judgement, and that it refused one is none either.
    plan = () if measure is GENEROUS else offer.plan
    return (
        brief.wanted
        and judge(brief.rubric, offer.text, plan, measure[matter.persona.strictness]).sense
        == "fits"
        and (window.opens is None or now >= window.opens)
        and (window.closes is None or now <= window.closes)
        and all(
            wish.not_before is None or f"{now:%H:%M}" >= wish.not_before for wish in _wishes(matter)
        )
    )


def _may_refuse(matter: Matter, past: _Past, offer: Proposal) -> bool:
    """Whether the persona may refuse an offer although it is right."""
    persona = matter.persona
    spends = not PURCHASES.isdisjoint(matter.brief.rubric.tools)
    return (
        len(offer.text) > persona.longest_offer
        or past.looks[offer.proposal_id] >= persona.patience
        or (persona.fatigue > 0 and past.interruptions > 1)
        or (
            spends
            and not past.refused_right
            and any(wish.confirm_purchases for wish in _wishes(matter))
        )
    )


def _wishes(matter: Matter) -> tuple[Preferences, Preferences]:
    return matter.persona.preferences, matter.brief.preferences
