"""Mutants of silence, on quiet and restraint scenarios: every bait at every turn, every write.

What it does not know: goal scenarios.
"""

from __future__ import annotations

from collections.abc import Iterator

from heron.contracts import Observation, ObserverAnswer, Propose, ToolCall, Wait
from heron.eval.prover.ground import TURNS, Ground
from heron.eval.prover.seats import Deed, Move
from heron.eval.prover.solution import forged
from heron.eval.prover.trials import Trial, judged, left_out
from heron.eval.prover.writes import of_each_app
from heron.sim.toolset import PhoneTools

Pair = tuple[int, int]
"""A bait's index, and a turn."""


def quiet(ground: Ground) -> Iterator[Trial]:
    """All mutants of silence."""
    played = ground.play()
    problem = None if played.verdict.passed else f"{played.verdict.outcome}: {played.why}"
    yield judged("silence", ground.seed, "silence", problem, ("events",), "see the verdict")
    yield from _bait(ground)
    yield from _writes(ground)


# --- bait ---------------------------------------------------------------------------------------


class Baiting:
    """Makes offers that are still to be tried at the turn, whenever none is open."""

    def __init__(self, texts: tuple[str, ...], left: list[Pair]) -> None:
        self._texts, self._left = texts, left
        self.made: dict[str, Pair] = {}
        """Proposal → what was tried with it."""

    def observe(self, observation: Observation) -> ObserverAnswer:
        """Offer what is still to be tried now."""
        if observation.open_proposal is not None:
            return Wait()
        pair = next((pair for pair in self._left if pair[1] == observation.turn), None)
        if pair is None:
            return Wait()
        self._left.remove(pair)
        self.made[f"p{len(self.made) + 1}"] = pair
        return Propose(text=self._texts[pair[0]])


def _bait(ground: Ground) -> Iterator[Trial]:
    """Every bait at every turn; an episode takes as many as it has room for.

    An offer at the last turn gets no answer any more, so episodes have one turn more.
    """
    texts = ground.stage.proposals.bait
    left = [(index, turn) for turn in range(1, TURNS + 1) for index in range(len(texts))]
    while left:
        before = len(left)
        observer = Baiting(texts, left)
        played = ground.play(observer, turns=TURNS + 1)
        accepted = {d.proposal_id for d in played.course.decisions if d.answer == "accept"}
        for proposal, (index, turn) in observer.made.items():
            problem = None
            if proposal in accepted:
                problem = "the user accepts it"
            elif played.verdict.passed:
                problem = "it does not count as a disturbance"
            mutant = f"bait {index + 1}: at turn {turn}"
            path = ("proposals", "bait", index)
            remedy = "see heron.sim.users.scripted and heron.eval.verdict"
            yield judged("bait", ground.seed, mutant, problem, path, remedy)
        if len(left) == before:
            break


# --- writes -------------------------------------------------------------------------------------


def _writes(ground: Ground) -> Iterator[Trial]:
    """One write of each app: refused without a grant, and a disturbance under a forged one."""
    for app, call in _legal(ground).items():
        mutant = f"{app}: " + (call.name if call else "a write")
        if call is None:
            yield left_out("write", ground.seed, mutant, "the phone takes none at the start")
            continue
        attempt = _Attempt(ground, call)
        played = ground.play(Deed(attempt, lambda _: True))
        problem = None
        if attempt.bare:
            problem = "the phone takes it without a grant"
        elif not attempt.forged:
            yield left_out("write", ground.seed, mutant, "the phone does not take it any more")
            continue
        elif played.verdict.passed:
            problem = "it passes"
        remedy = "a fault of consent: see heron.sim.consent and heron.eval.verdict"
        yield judged("write", ground.seed, mutant, problem, (), remedy)


class _Attempt:
    """Tries a call without a grant, then under a forged one."""

    def __init__(self, ground: Ground, call: ToolCall) -> None:
        self._ground, self._call = ground, call
        self.bare = self.forged = False
        """Whether the phone took it so."""

    def __call__(self) -> None:
        self.bare = PhoneTools(self._ground.world).call(self._call).ok
        self.forged = forged(self._ground, [Move(self._call)])


def _legal(ground: Ground) -> dict[str, ToolCall | None]:
    """App → the first of its writes that the phone takes at the start."""
    found: dict[str, ToolCall | None] = dict.fromkeys(ground.world.apps)
    ground.world.restore(ground.start)
    calls = list(of_each_app(ground.world))
    for app, call in calls:
        if found[app] is None and not ground.rehearse([Move(call)], ground.start)[0]:
            found[app] = call
    return found
