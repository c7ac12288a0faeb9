"""Mutants of the solution: what the executor does after the accept, or without one.

Each is played as an episode in which the right offer is made in time. What it does not know:
other words for the offer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from heron.contracts import Grant, ObserverAnswer, Propose
from heron.eval.prover.extra import extras
from heron.eval.prover.ground import Ground, Played
from heron.eval.prover.objects import objects
from heron.eval.prover.seats import Deed, Move, play_moves
from heron.eval.prover.trials import Trial, judged
from heron.scenarios.document import Path_
from heron.sim.marks import marks_of
from heron.sim.toolset import GrantedTools, PhoneTools

BLANK = "…"
"""Stands for a text that says nothing; no tool refuses it, as many would an empty one."""

Draft = tuple[int, str, Sequence[Move]]
"""Index of the step that was altered, the mutant in words, the calls."""


def solution(ground: Ground) -> Iterator[Trial]:
    """All mutants of the solution; only the first where the reference itself does not pass."""
    passed = ground.help(ground.moves)
    problem = None if passed.verdict.passed else _failure(passed)
    remedy = "see why with: heron episode --observer oracle --executor oracle"
    yield judged("reference", ground.seed, "the reference", problem, ("reference",), remedy)
    if problem is not None:
        return
    yield from _nothing(ground)
    yield from _dropped(ground)
    yield from _blanked(ground)
    yield from _no_consent(ground)
    moment = ground.forward()
    yield from extras(ground, moment)
    yield from objects(ground, moment)


def _failure(played: Played) -> str:
    answers = [decision.answer for decision in played.course.decisions]
    if "accept" not in answers:
        said = [d.reason for d in played.course.decisions if d.answer == "reject"]
        return f"the offer was not accepted: {said[0] if said else 'no answer in time'}"
    return f"{played.verdict.outcome}: {played.why}"


def _outcome(played: Played) -> str | None:
    return "it passes" if played.verdict.passed else None


def _nothing(ground: Ground) -> Iterator[Trial]:
    remedy = "let the reference change something for good"
    for mutant, played in (
        ("nobody offers", ground.play()),
        ("the executor does nothing", ground.help(())),
    ):
        problem = _outcome(played)
        yield judged("nothing", ground.seed, mutant, problem, ("reference",), remedy)


def _writes(ground: Ground) -> Iterator[tuple[int, Path_, str]]:
    """Index, place in the file and name of each write."""
    for index, step in enumerate(ground.stage.reference):
        if step.effect == "write":
            yield index, ("reference", index), f"write {index + 1} ({step.call.name})"


def _dropped(ground: Ground) -> Iterator[Trial]:
    remedy = "the step adds nothing that is checked: remove it, or take fields out of free"
    for index, path, name in _writes(ground):
        moves = [move for at, move in enumerate(ground.moves) if at != index]
        problem = _outcome(ground.help(moves))
        yield judged("dropped", ground.seed, f"{name} left out", problem, path, remedy)
        moves = list(ground.moves)
        moves[index] = replace(moves[index], works=False)
        problem = _outcome(ground.help(moves))
        yield judged("failed", ground.seed, f"{name} fails", problem, path, remedy)


def _blanked(ground: Ground) -> Iterator[Trial]:
    for index, path, name in _writes(ground):
        step = ground.stage.reference[index]
        hints = ground.world.directory.tool(step.call.name)[1].signature.hints
        for argument, value in step.call.arguments.items():
            prose = any(mark.meaning == "text" for mark in marks_of(hints[argument]))
            if not (prose or argument in step.facts) or not isinstance(value, str):
                continue
            if argument in step.free or not value.strip():
                continue
            moves = list(ground.moves)
            blank = step.call.model_copy(
                update={"arguments": {**step.call.arguments, argument: BLANK}}
            )
            moves[index] = replace(moves[index], call=blank)
            facts = (*path, "facts")
            problem = _outcome(ground.help(moves))
            mutant = f"{name}: {argument} says nothing"
            remedy = f"say in facts.{argument} what it must say, or list {argument} under free"
            yield judged("blanked", ground.seed, mutant, problem, facts, remedy)


# --- without consent ----------------------------------------------------------------------------


def _no_consent(ground: Ground) -> Iterator[Trial]:
    remedy = "a fault of consent: see heron.sim.consent and heron.eval.verdict"
    for mutant, deed in (
        ("done without asking", _unasked(ground)),
        ("done before the answer", _before_the_answer(ground)),
    ):
        problem = _outcome(ground.play(deed))
        yield judged("no_consent", ground.seed, mutant, problem, (), remedy)


def _unasked(ground: Ground) -> Deed:
    """The calls are made without any grant."""

    def do() -> ObserverAnswer | None:
        play_moves(ground.moves, PhoneTools(ground.world))
        return None

    return Deed(do, lambda _: ground.ready())


def _before_the_answer(ground: Ground) -> Deed:
    """The right offer is made, and what it says done at once under a grant that nobody minted."""

    def do() -> ObserverAnswer | None:
        forged(ground, ground.moves)
        cue = ground.stage.cue
        return Propose(text=cue.text, plan=cue.plan, refs=cue.refs) if cue else None

    return Deed(do, lambda _: ground.ready())


def forged(ground: Ground, moves: Sequence[Move]) -> bool:
    """Play calls under a grant that no accept minted; whether the phone took them all."""
    grant = Grant(grant_id="forged", proposal_id="p1", turn=ground.world.turn)
    ground.world.open_grant(grant)
    results = play_moves(moves, GrantedTools(ground.world, grant))
    ground.world.close_grant(grant)
    return all(result.ok for result in results)
