"""The user does it all itself, on the screens: that is no success of the assistant's.

What cannot be done so is left out and told. What it does not know: how an action is found (see
``handbook``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heron.contracts import Act, Idle, ToolCall, UserStep, UserView
from heron.eval.prover.ground import TURNS, Ground
from heron.eval.prover.handbook import recipe_for
from heron.eval.prover.recipes import acts
from heron.eval.prover.trials import Trial, judged, left_out
from heron.protocols import User
from heron.scenarios.catalog import creates
from heron.scenarios.labels import resolve
from heron.sim.log import Entry
from heron.sim.world import World

MOST = 120
"""Actions that a user takes at most."""


def by_hand(ground: Ground) -> Iterator[Trial]:
    """The one mutant, if the screens allow it."""
    mutant = "the user does it by hand"
    without = [s.call.name for s in _writes(ground) if recipe_for(s.call) is None]
    if without:
        yield left_out("by_hand", ground.seed, mutant, f"no recipe for {without[0]}")
        return
    ground.forward()
    trial = _ByHand(ground)
    taken = 0
    for act in trial.acts():
        ground.world.user_act(act)
        taken += 1
        if taken > MOST:
            break
    if trial.problem is not None or taken > MOST:
        why = trial.problem or "too many actions"
        yield left_out("by_hand", ground.seed, mutant, f"the screens do not allow it: {why}")
        return
    user = HandUser(ground)
    played = ground.play(user=user, turns=TURNS + taken)
    if user.problem is not None:
        yield left_out("by_hand", ground.seed, mutant, f"refused on the way: {user.problem}")
        return
    problem = "it counts as the assistant's success" if played.verdict.passed else None
    remedy = "let the reference change something for good"
    told = f"{mutant}: {played.verdict.outcome}"
    yield judged("by_hand", ground.seed, told, problem, ("reference",), remedy)


def _writes(ground: Ground) -> list[_Step]:
    return [
        _Step(step.call, step.label) for step in ground.stage.reference if step.effect == "write"
    ]


@dataclass(frozen=True)
class _Step:
    """A write of the reference, as a user would do it."""

    call: ToolCall
    label: str | None


class _ByHand:
    """The actions of a whole solution, one after the other, until one is refused."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._ids: dict[str, str] = {}
        self.problem: str | None = None
        """The first refusal."""

    def acts(self) -> Iterator[Act]:
        """Each has to be done before the next is asked for."""
        world = self._ground.world
        for step in _writes(self._ground):
            arguments = {k: resolve(v, self._ids) for k, v in step.call.arguments.items()}
            call = ToolCall(name=step.call.name, arguments=arguments)
            recipe = recipe_for(call)
            mark = len(world.log)
            for act in acts(recipe, world, call) if recipe else ():
                yield act
                done = _last(world)
                if done.error is not None:
                    self.problem = f"{done.name}: {done.error}"
                    return
            self._note(step, mark)

    def _note(self, step: _Step, mark: int) -> None:
        """Remember the record that a step has made."""
        world = self._ground.world
        made = creates(world.directory.tool(step.call.name)[1])
        if step.label is None or made is None:
            return
        for entry in world.log[mark:]:
            for write in entry.writes:
                if write.before is None and isinstance(write.after, made):
                    self._ids[step.label] = write.ref


class HandUser:
    """Goes about its habits until help would be useful, then does all of it itself."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._own: User = ground.make_user(ground.stage)
        self._hands = _ByHand(ground)
        self._acts: Iterator[Act] | None = None

    @property
    def problem(self) -> str | None:
        """The first action that was refused."""
        return self._hands.problem

    def step(self, view: UserView) -> UserStep:
        """What it does now."""
        if self._acts is None:
            if not self._ground.ready():
                return self._own.step(view)
            self._acts = self._hands.acts()
        act = next(self._acts, None)
        return UserStep(move=act or Idle(), note="does it by hand")


def _last(world: World) -> Entry:
    """The user's last action."""
    return next(entry for entry in reversed(world.log) if entry.actor == "user")
