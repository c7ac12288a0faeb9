"""The fixed stream: what an observer sees of scripted users whom nobody helps, always the same.

It depends on the scenarios and a seed alone, and has a digest, so that two machines can tell that
they measured the same. Its looks are answered with what it has shown before. What it does not
know: models, costs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Final

from heron.contracts import (
    ActionSeen,
    Evidence,
    LookSeen,
    NotificationSeen,
    Observation,
    Record,
    ToolCall,
    ToolResult,
)
from heron.errors import InputError
from heron.eval.calibration.streams import record, sample
from heron.eval.projection import Kind, phone_seconds
from heron.scenarios.schema import Scenario
from heron.seeds import EVALUATION

PER_LOOK: Final = 3
"""Records that a look brings."""
_TURNS: Final = 10


class Visit(Record):
    """A stretch of the stream: one scenario from its start."""

    scenario: str
    observations: tuple[Observation, ...]

    @property
    def phone_s(self) -> float:
        """Seconds on the phone's clock."""
        times = {observation.turn: observation.time for observation in self.observations}
        return phone_seconds(list(times.values())) or 0.0


class FixedStream(Record):
    """All of it."""

    seed: int
    visits: tuple[Visit, ...]

    @property
    def observations(self) -> int:
        """How many."""
        return sum(len(visit.observations) for visit in self.visits)

    @property
    def phone_s(self) -> float:
        """Seconds on the phone's clock."""
        return sum(visit.phone_s for visit in self.visits)

    @property
    def digest(self) -> str:
        """Names the content, whatever the order of keys in it."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def fixed_stream(scenarios: Sequence[Scenario], events: int, seed: int) -> FixedStream:
    """Play scenarios, spread over the families, until there are ``events`` observations.

    Raises:
        InputError: the seed is none for evaluation, or there are too few scenarios.
    """
    if seed not in EVALUATION:
        raise InputError(
            f"seed {seed} is not for evaluation; those are {EVALUATION.start} to "
            f"{EVALUATION.stop - 1}"
        )
    visits: list[Visit] = []
    left = events
    for scenario in sample(scenarios, -(-events // _TURNS)):
        if left <= 0:
            break
        seen = record(scenario, seed, turns=_TURNS).observations[:left]
        visits.append(Visit(scenario=scenario.id, observations=seen))
        left -= len(seen)
    if left > 0:
        raise InputError(
            f"{len(scenarios)} scenarios give {events - left} observations, not {events}; "
            f"ask for fewer events"
        )
    return FixedStream(seed=seed, visits=tuple(visits))


def kind_of(observation: Observation) -> Kind:
    """What it is about."""
    if any(isinstance(seen, NotificationSeen) for seen in observation.new):
        return "event"
    acted = any(isinstance(seen, ActionSeen) for seen in observation.new)
    return "action" if acted else "idle"


class Looks:
    """Answers looks in the phone's place: with the newest records that the stream has shown."""

    def __init__(self) -> None:
        self._shown: list[Evidence] = []

    def note(self, observation: Observation) -> None:
        """Remember the records of an observation; one with a brief begins anew."""
        if observation.brief is not None:
            self._shown.clear()
        self._shown += _records(observation)

    def after(self, observation: Observation, call: ToolCall) -> Observation:
        """The observation that follows a look."""
        found = ToolResult(call=call, ok=True, shown=tuple(self._shown[-PER_LOOK:]))
        return observation.model_copy(
            update={
                "step": observation.step + 1,
                "new": (LookSeen(result=found),),
                "looks_left": observation.looks_left - 1,
                "brief": None,
            }
        )


def _records(observation: Observation) -> Iterator[Evidence]:
    for seen in observation.new:
        if isinstance(seen, NotificationSeen) and seen.record is not None:
            yield seen.record
