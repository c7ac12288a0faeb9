"""Puts a decision point before a scripted user: its scenario is played again up to the moment.

Everybody does what was recorded, while the user under test watches with its own eyes and memory;
only its answer at the last turn is its own. What it does not know: how answers are compared.
"""

from __future__ import annotations

import time
from typing import Any

from heron.contracts import (
    Answer,
    Execution,
    MemorySample,
    Observation,
    ObserverAnswer,
    StepCost,
    Task,
    Usage,
    UserStep,
    UserView,
    Wait,
)
from heron.errors import Fault
from heron.eval.episode import Episode, Limits, Parts
from heron.eval.judging.export import screen_in_words
from heron.eval.judging.points import DecisionPoint, PlayedExecution, PlayedTurn, Replay
from heron.eval.judging.scenes import Scenes
from heron.eval.staging import failures_of, staged
from heron.eval.users.scripted import make
from heron.executor.baselines import Reference
from heron.observer.setup import Cue
from heron.protocols import Toolset, User
from heron.scenarios.stage import Stage


class LeftBehind(Fault):
    """A moment that cannot be reached any more."""


def answer_again(point: DecisionPoint, persona: str, scenes: Scenes) -> tuple[Answer, str]:
    """What a scripted user answers at the moment, and why.

    Args:
        point: from a Heron episode.
        persona: of the user under test.
        scenes: finds the scenario.

    Raises:
        LeftBehind: the scenario is not here, has changed, or does not lead to the moment.
        InputError: there is no such persona.
    """
    replay = point.replay
    if replay is None:
        raise LeftBehind("it names no Heron scenario to be played again")
    scenario = scenes.find(point.scenario)
    if scenario is None:
        raise LeftBehind(f"there is no scenario {point.scenario!r}")
    if scenario.hash != replay.scenario_hash:
        raise LeftBehind(f"scenario {point.scenario!r} has changed since it was recorded")
    stage = staged(scenario, replay.seed, replay.config)
    try:
        again = reach(stage, replay, make(stage, persona))
    finally:
        stage.world.close()
    view = again.view
    if view is None or view.proposal is None:
        raise LeftBehind("no proposal is open at its last turn")
    if view.proposal.text != point.proposal:
        raise LeftBehind("another proposal is open at its last turn")
    if screen_in_words(view.screen) != point.context[-1].screen:
        raise LeftBehind("another screen is in front at its last turn")
    return _answer(again.last)


def reach(stage: Stage, replay: Replay, user: User) -> UserAgain:
    """Play a stage up to the moment; its phone is left there, after ``user``'s own step.

    Raises:
        LeftBehind: a part broke on the way.
    """
    again = UserAgain(user, replay.turns)
    parts = Parts(
        observer=ObserverAgain(replay.turns),
        executor=ExecutorAgain(replay.turns),
        user=again,
        failures=failures_of(stage, replay.config),
    )
    limits = Limits(
        turns=len(replay.turns) + 1, looks=replay.config.max_looks, steps=replay.config.max_steps
    )
    course = Episode(stage.world, parts, limits).play()
    if course.fault is not None:
        raise LeftBehind(f"the {course.fault.part} broke: {course.fault.message}")
    return again


def _answer(step: UserStep) -> tuple[Answer, str]:
    if step.move.type == "answered":
        return step.move.answer, step.move.reason
    return ("gather_context", step.note) if step.looking else ("ignore", step.note)


class UserAgain:
    """Does what was recorded, and at the last turn what the user under test would do.

    Args:
        user: under test; it sees every turn.
        turns: what was recorded.
    """

    def __init__(self, user: User, turns: tuple[PlayedTurn, ...]) -> None:
        self._user, self._turns, self._at = user, turns, 0
        self.view: UserView | None = None
        """What it had before it at the last turn."""
        self.last: UserStep

    def step(self, view: UserView) -> UserStep:
        """The turn's step."""
        own = self._user.step(view)
        if self._at == len(self._turns):
            self.view, self.last = view, own
            return own
        self._at += 1
        return self._turns[self._at - 1].step


class ObserverAgain:
    """Answers what was recorded, turn by turn and look by look."""

    def __init__(self, turns: tuple[PlayedTurn, ...]) -> None:
        self._turns = turns
        self.info: dict[str, Any] = {}

    def begin(self, cue: Cue | None, seed: int) -> None:
        """Nothing to make ready."""

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]:
        """The recorded answer; after the record's end it waits."""
        played = self._turns[observation.turn - 1 : observation.turn]
        answers = played[0].answers if played else ()
        answer = answers[observation.step] if observation.step < len(answers) else Wait()
        return answer, StepCost(wall_s=0.0, reason="recorded")

    def memory(self) -> MemorySample:
        """None of its own."""
        return MemorySample(anonymous=None, file_backed=None, reason="recorded")

    def close(self) -> None:
        """Nothing to end."""


class ExecutorAgain:
    """Makes the recorded calls, in order."""

    def __init__(self, turns: tuple[PlayedTurn, ...]) -> None:
        self._left = [turn.execution for turn in turns if turn.execution is not None]
        self.spent: Usage | None = None

    def begin(self, reference: Reference) -> None:
        """Nothing to make ready."""

    def start(self, task: Task, tools: Toolset) -> tuple[Execution, StepCost]:
        """The next execution of the record; one beyond it does nothing."""
        began = time.perf_counter()
        self._grant = task.grant.grant_id
        return self._next(tools), StepCost(wall_s=time.perf_counter() - began, reason="recorded")

    def resume(self, reply: str, tools: Toolset) -> tuple[Execution, StepCost]:
        """As it went on after the user's answer."""
        return self._next(tools), StepCost(wall_s=0.0, reason="recorded")

    def close(self) -> None:
        """Nothing to end."""

    def _next(self, tools: Toolset) -> Execution:
        played = (
            self._left.pop(0) if self._left else PlayedExecution(calls=(), end="none", message="")
        )
        results = tuple(tools.call(call) for call in played.calls)
        return Execution(
            grant_id=self._grant,
            end=played.end,
            message=played.message,
            calls=results,
            steps=len(results),
        )
