"""A fake observer process for soaks. Its spec says what it does:

``offers``     an observer on a played model that always wants to propose the same
``forgets``    the same, without a state that could be restored
``takes:S``    waits, and says that it took S seconds
``slows:S``    waits, and says that it took S seconds more each time
``leaks:N``    waits, and keeps N bytes more each time
``breaks:N``   waits, and raises a fault at each observation of a turn that N divides, once
``broken``     always raises a fault
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tests.observer.moments import first_of

from heron.contracts import Observation, ObserverAnswer, ObserverState, StepCost, Wait
from heron.errors import ModelFault
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.observer import ANSWER, _restore
from heron.eval.workers.serve import Handler, serve
from heron.observer.gguf import GgufObserver
from heron.observer.settings import GgufSettings
from heron.protocols import Observer, Schema
from heron.registry import split_spec


class Eager:
    """A decision model that always proposes the first of everything allowed."""

    def begin(self, system: str, examples: Sequence[tuple[str, str]] = ()) -> None:
        """Nothing to prepare."""

    def extend(self, text: str, *, keep: bool = False) -> None:
        """Nothing is remembered."""

    def option_logprobs(self, options: Sequence[str]) -> tuple[float, ...]:
        return tuple(-0.01 if option == "propose" else -5.0 for option in options)

    def choose(self, option: str) -> None:
        """Nothing is remembered."""

    def generate(self, schema: Schema, *, opening: str = "", max_tokens: int = 160) -> str:
        return json.dumps(first_of(schema))

    def take_cost(self) -> StepCost:
        return StepCost(wall_s=0.001, cpu_s=0.001, evaluated=10, generated=0)


class Waiting:
    """Waits, with a fault or a growing memory where it is to have one."""

    def __init__(self, kind: str, argument: str) -> None:
        self._kind, self._argument = kind, argument
        self._kept: list[Any] = []
        self._turn = 0

    def save(self) -> ObserverState:
        return ObserverState(own={"turn": self._turn})

    def load(self, state: ObserverState, brief: Any) -> None:
        self._turn = int(state.own["turn"])  # type: ignore[arg-type]
        self._kept.append("restored")

    def observe(self, observation: Observation) -> Wait:
        at_risk = self._kind == "breaks" and observation.turn % int(self._argument) == 0
        if self._kind == "broken" or (at_risk and "restored" not in self._kept):
            raise ModelFault("the logits are not numbers")
        if observation.brief is None and observation.turn != self._turn + 1:
            raise ModelFault(f"turn {observation.turn} after {self._turn}")
        self._kept = ["x" * 0] if self._kind == "breaks" else self._kept
        if self._kind == "leaks":
            self._kept.append(bytearray(b"x" * int(self._argument)))
        self._turn = observation.turn
        return Wait()


class Forgetful:
    """The observer without its state."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def observe(self, observation: Observation) -> ObserverAnswer:
        return self._observer.observe(observation)


def make(settings: Message, _channel: Channel) -> tuple[Message, Handler]:
    kind, argument = split_spec(settings["spec"])
    eager = GgufObserver(Eager(), GgufSettings(look_first=False))
    made = {"offers": eager, "forgets": Forgetful(eager)}
    observer: Any = made.get(kind) or Waiting(kind, argument)
    asked = 0

    def handle(message: Message) -> Message:
        nonlocal asked
        if "restore" in message:
            return _restore(observer, message)
        asked += 1
        answer = observer.observe(Observation.model_validate(message["observation"]))
        took = {"takes": 1, "slows": asked}.get(kind, 0) * float(argument or 0)
        cost = StepCost(wall_s=took, cpu_s=took, evaluated=3, generated=0)
        state = observer.save().model_dump(mode="json") if hasattr(observer, "save") else None
        return {
            "answer": ANSWER.dump_python(answer, mode="json"),
            "cost": cost.model_dump(),
            "state": state,
            "context": {"trims": asked // 10, "again": asked // 10 * 100, "recoveries": 0},
        }

    return {"ready": {}}, handle


if __name__ == "__main__":
    serve(make)
