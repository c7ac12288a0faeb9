"""Puts decision points before a user, one by one; every judgement is on disk before the next.

This is one more edge at which a part's fault is recorded instead of raised. What it does not know:
figures, the terminal.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self

from pydantic import ValidationError

from heron.contracts import Answer, Record, StepCost, Usage
from heron.errors import Fault, InputError, Unavailable
from heron.eval.judging.answerers import Answerer
from heron.eval.judging.points import DecisionPoint, Recorded


class Judgement(Record):
    """One point, as it was recorded and as the user under test answered it."""

    version: int = 1
    judge: str
    """The user under test."""
    point_id: str
    point: str
    """sha256 of the point that was judged."""
    scenario: str
    user: str
    """Who decided in the recording."""
    observer: str
    recorded: Recorded
    said: Answer | None
    """``None``: no valid answer; ``problem`` says why."""
    reason: str = ""
    problem: str | None = None
    fault: bool = False
    """The user broke or could not be asked; not the same as an answer that cannot be understood."""
    cost: StepCost | None = None
    usage: Usage = Usage()


OPENING = b'{"version":1,"judge":'
"""What a judgement's line begins with: by it a torn one is known from another's file."""


def judge(point: DecisionPoint, spec: str, answerer: Answerer) -> Judgement:
    """Put one point before the user; a part that breaks is recorded, not raised."""
    try:
        answered = answerer.answer(point)
    except Fault as fault:
        return _of(point, spec, problem=str(fault), fault=True)
    return _of(point, spec, **dict(answered))


def _of(point: DecisionPoint, spec: str, **result: object) -> Judgement:
    return Judgement.model_validate(
        {
            "judge": spec,
            "point_id": point.point_id,
            "point": point.digest,
            "scenario": point.scenario,
            "user": point.user,
            "observer": point.observer,
            "recorded": point.decision,
            "said": None,
            **result,
        }
    )


class JudgementStore:
    """An append-only file of judgements, which knows what an earlier run left in it.

    Args:
        file: JSON lines; made if it is not there. A last line torn off in mid-write is cut off.

    Raises:
        InputError: it holds something else.
        Unavailable: it cannot be read or written.
    """

    def __init__(self, file: Path) -> None:
        self._path = file
        self._found: dict[tuple[str, str], Judgement] = {}
        try:
            self._file: BinaryIO = file.open("a+b")
            self._file.seek(0)
            end = self._read()
            self._file.truncate(end)
        except OSError as error:
            raise Unavailable(f"cannot write to {file}: {error.strerror}") from error

    def of(self, point: DecisionPoint, spec: str) -> Judgement | None:
        """What an earlier run found; a fault is no finding, and the point is judged again."""
        return self._found.get((spec, point.digest))

    def append(self, judgement: Judgement) -> None:
        """Write one judgement and wait until it is on disk."""
        try:
            self._file.write(judgement.model_dump_json().encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise Unavailable(f"cannot write to {self._path}: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # a full disk: ``append`` has told it, and closing tries again
            self._file.close()

    def _read(self) -> int:
        """Where the whole lines end."""
        end = 0
        for number, line in enumerate(self._file, 1):
            whole = line.endswith(b"\n")
            if not whole and OPENING.startswith(line[: len(OPENING)]):
                break
            try:
                found = Judgement.model_validate_json(line if whole else b"")
            except ValidationError as error:
                self._file.close()
                raise InputError(
                    f"{self._path}:{number}: no judgement; choose another --out"
                ) from error
            end += len(line)
            if not found.fault:
                self._found[(found.judge, found.point)] = found
        return end
