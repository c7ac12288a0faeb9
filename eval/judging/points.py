"""Decision points: what a user had seen, what it was offered, and what it answered first.

One JSON object a line; docs/decision-points.md describes the format. A line that is none is told
by its number and does not keep the others from being read. What it does not know: who judges.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, ValidationError

from heron.contracts import EpisodeConfig, ObserverAnswer, Record, ToolCall, UserStep
from heron.errors import InputError, Unavailable

Recorded = Literal["accept", "reject", "gather_context"]
"""What can be recorded: a proposal that was never answered is no decision point."""


class Step(Record):
    """Something that the user did, in words."""

    action: str
    result: str = ""
    """What came of it; empty if nothing is known."""


class Moment(Record):
    """One turn as the user had it: what came, what was on the screen, what it did.

    In the last one it has not done anything yet: the proposal waits for its answer.
    """

    turn: Annotated[int, Field(ge=0)]
    notifications: tuple[str, ...] = ()
    screen: tuple[str, ...] = ()
    """Title and items of the screen in front, line by line; empty if not recorded."""
    steps: tuple[Step, ...] = ()


class PlayedExecution(Record):
    """An execution's calls, so that the phone can be brought to where they led."""

    calls: tuple[ToolCall, ...]
    end: Literal["done", "gave_up", "limit", "question", "none"]
    message: str


class PlayedTurn(Record):
    """What everybody did in a turn of a Heron episode."""

    step: UserStep
    answers: tuple[ObserverAnswer, ...] = ()
    execution: PlayedExecution | None = None


class Replay(Record):
    """How to bring a scenario's phone to the moment; a scripted user judges nothing else."""

    config: EpisodeConfig
    scenario_hash: str
    seed: int
    run: int = 0
    turns: tuple[PlayedTurn, ...]
    """Every turn before the one in which the proposal was answered."""


class DecisionPoint(Record):
    """One moment at which a proposal was answered."""

    version: Literal[1] = 1
    point_id: Annotated[str, Field(min_length=1)]
    """Names the point within its file."""
    scenario: str = ""
    user: str
    """The user that decided: ``scripted:strict``, the name of a model, or a person's code."""
    observer: str
    """Who proposed: an observer's spec or the name of a model."""
    goal: str = ""
    """What the user was after; empty if not recorded."""
    context: tuple[Moment, ...]
    proposal: Annotated[str, Field(min_length=1)]
    decision: Recorded
    reason: str = ""
    """Of the recorded decision, in words; never shown to who judges."""
    replay: Replay | None = None

    @property
    def digest(self) -> str:
        """sha256 of the point: a judgement belongs to this text of it."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


class BadLine(NamedTuple):
    """A line that is no decision point."""

    number: int
    problem: str


class PointFile(NamedTuple):
    """What a file holds."""

    points: tuple[DecisionPoint, ...]
    bad: tuple[BadLine, ...]


def read_points(file: Path, limit: int | None = None) -> PointFile:
    """The decision points of a file, each line in Heron's own format or in PARE's.

    Args:
        file: JSON lines.
        limit: read no more points than this.

    Raises:
        InputError: the file cannot be read.
    """
    from heron.eval.judging.pare import is_pare, point_of_pare

    points: list[DecisionPoint] = []
    bad: list[BadLine] = []
    known: set[str] = set()
    for number, line in _lines(file):
        if limit is not None and len(points) >= limit:
            break
        try:
            value = json.loads(line)
            if not isinstance(value, dict):
                raise ValueError("not a JSON object")  # noqa: TRY004  (told like all the others)
            pare = is_pare(value)
            point = point_of_pare(value) if pare else DecisionPoint.model_validate(value)
            if point.point_id in known:
                raise ValueError(f"a point {point.point_id!r} stands above already")
        except ValueError as error:
            bad.append(BadLine(number, problem_of(error)))
            continue
        known.add(point.point_id)
        points.append(point)
    return PointFile(tuple(points), tuple(bad))


def write_points(file: Path, points: Iterable[DecisionPoint]) -> int:
    """Write decision points, whole file or nothing; how many.

    Raises:
        Unavailable: it cannot be written.
    """
    part, count = file.with_name(file.name + ".part"), 0
    try:
        with part.open("w", encoding="utf-8") as out:
            for point in points:
                out.write(point.model_dump_json() + "\n")
                count += 1
        part.replace(file)
    except OSError as error:
        raise Unavailable(f"cannot write {file}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    return count


def problem_of(error: ValueError) -> str:
    """An error of reading as one line with its key."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"]))
        return f"{where}: {first['msg']}" if where else str(first["msg"])
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON: {error.msg} at column {error.colno}"
    return str(error)


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, with their numbers from 1."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {file}: it is not UTF-8") from error
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line
