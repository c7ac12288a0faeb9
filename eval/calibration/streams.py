"""Streams of observations of a user whom nobody helps, each with whether an offer is of use.

A scenario is played with its scripted user and an observer that always waits, so the observations
are those that any observer sees up to its first offer. They are kept as JSON lines, to be read by
any model without the phone. What it does not know: models, scores.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from heron.contracts import (
    LookSeen,
    MemorySample,
    NotificationSeen,
    Observation,
    ObserverAnswer,
    Record,
    StepCost,
    Wait,
)
from heron.errors import InputError
from heron.eval.episode import Episode, Limits, Parts
from heron.eval.executors import executor_port
from heron.eval.staging import cue_of, goal_of, is_time
from heron.eval.users.scripted import make as scripted_user
from heron.eval.verdict import Goal, decide
from heron.observer.setup import Cue
from heron.scenarios.builder import build
from heron.scenarios.families import Division
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.seeds import stream as random_stream


class Stream(Record):
    """One scenario under one seed."""

    scenario: str
    scenario_hash: str
    family: str
    part: Division
    type: str
    """``goal``, ``quiet`` or ``restraint``."""
    seed: int
    observations: tuple[Observation, ...]
    useful: tuple[bool, ...]
    """For each observation: help is wanted, its window is open, what it needs is there and was
    shown, and the user has not done it alone."""

    @property
    def digest(self) -> str:
        """Names the content."""
        return _digest(self.model_dump_json())

    @property
    def seen(self) -> str:
        """Names what a model reads of it: not the labels, nor the tools, which it is never told."""
        told = {"brief": {"tools", "write_tools"}}
        return _digest("\n".join(each.model_dump_json(exclude=told) for each in self.observations))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class _Recorder:
    """An observer port that waits, and labels what it sees."""

    def __init__(self, stage: Stage, goal: Goal) -> None:
        self._stage, self._goal = stage, goal
        self._cue: Cue | None = cue_of(stage) if stage.scenario.type == "goal" else None
        self._appeared: set[str] = set()
        self.info: dict[str, Any] = {}
        self.observations: list[Observation] = []
        self.useful: list[bool] = []

    def begin(self, cue: Cue | None, seed: int) -> None:
        """Nothing to make ready."""

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]:
        self.observations.append(observation)
        for seen in observation.new:
            if isinstance(seen, NotificationSeen) and seen.record is not None:
                self._appeared.add(seen.record.ref)
            elif isinstance(seen, LookSeen):
                self._appeared.update(shown.ref for shown in seen.result.shown)
        self.useful.append(self._is_useful(observation))
        return Wait(), StepCost(wall_s=0.0, evaluated=0)

    def _is_useful(self, observation: Observation) -> bool:
        cue = self._cue
        if cue is None or not self._appeared.issuperset(cue.after) or not is_time(self._stage):
            return False
        if cue.closes is not None and observation.time > cue.closes:
            return False
        world = self._stage.world
        log = [entry.record(world.app_of) for entry in world.log]
        return decide(self._goal, log, (), (), 0).outcome != "done_by_user"

    def memory(self) -> MemorySample:
        return MemorySample(anonymous=None, file_backed=None, reason="nothing runs")

    def close(self) -> None:
        """Nothing to end."""


def record(scenario: Scenario, seed: int, turns: int = 10) -> Stream:
    """Play a scenario and keep what an observer sees.

    Raises:
        InputError: the scenario cannot be played.
    """
    stage = build(scenario, seed)
    try:
        recorder = _Recorder(stage, goal_of(stage))
        parts = Parts(
            observer=recorder, executor=executor_port("none"), user=scripted_user(stage, "")
        )
        course = Episode(stage.world, parts, Limits(turns=turns)).play()
    finally:
        stage.world.close()
    if course.fault is not None:
        raise InputError(f"{scenario.id}, seed {seed}: {course.fault.message}")
    return Stream(
        scenario=scenario.id,
        scenario_hash=stage.scenario_hash,
        family=scenario.family,
        part=scenario.part,
        type=scenario.type,
        seed=seed,
        observations=tuple(recorder.observations),
        useful=tuple(recorder.useful),
    )


def sample(scenarios: Sequence[Scenario], most: int | None) -> tuple[Scenario, ...]:
    """At most so many scenarios, spread over the families: one of each, then another, and so on."""
    if most is None or len(scenarios) <= most:
        return tuple(scenarios)
    by_family: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        by_family.setdefault(scenario.family, []).append(scenario)
    for family, members in by_family.items():
        random_stream(0, "calibration", family).shuffle(members)
    rounds = max(len(members) for members in by_family.values())
    dealt = [
        members[place]
        for place in range(rounds)
        for members in by_family.values()
        if place < len(members)
    ]
    chosen = {scenario.id for scenario in dealt[:most]}
    return tuple(scenario for scenario in scenarios if scenario.id in chosen)


def write(streams: Iterable[Stream], file: Path) -> int:
    """Write JSON lines; says how many streams.

    Raises:
        InputError: the file cannot be written.
    """
    count = 0
    try:
        with file.open("w", encoding="utf-8") as lines:
            for found in streams:
                lines.write(found.model_dump_json() + "\n")
                count += 1
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from error
    return count


def read(file: Path) -> Iterator[Stream]:
    """The streams of a file.

    Raises:
        InputError: it cannot be read, or a line is no stream.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: no streams: it is not UTF-8") from error
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            yield Stream.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "line"
            raise InputError(f"{file}:{number}: no stream: {where}: {first['msg']}") from error
