"""What a soak is told and what it writes down, and the files in which that lies.

Each sample is on disk before the next observation. What it does not know: how things are measured.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

from pydantic import Field, ValidationError

from heron.contracts import Background, ObserverState, Proposal, Record, Seen
from heron.errors import InputError, Unavailable
from heron.eval.soak.clocks import ClockName

_R = TypeVar("_R", bound=Record)

SAMPLES: Final = "soak.jsonl"
PLAN: Final = "plan.json"
CHECKPOINT: Final = "checkpoint.json"
SUMMARY: Final = "summary.json"


class SoakPlan(Record):
    """What is to be run. A soak is resumed with the plan that it began with."""

    observer: str
    clock: ClockName = "virtual"
    usage: str = "typical"
    rate: str | None = None
    """Things per time, all day; ``None``: as the usage says, hour by hour."""
    hours: Annotated[float, Field(gt=0)] | None = None
    events: Annotated[int, Field(gt=0)] | None = None
    """How many events and user actions. With ``hours`` the soak ends at what comes first."""
    seed: int = 0
    background: Background = "light"
    kill_every: Annotated[int, Field(gt=0)] | None = None
    """The observer's process is killed before every so many observations."""
    threads: int = 1
    window: int = 4096


class Sample(Record):
    """One observation with its looks."""

    observation: int
    """From 1 on."""
    events: int
    """Events and actions that have happened, these included."""
    handed: int
    """Events and actions that it handed over."""
    at_s: float
    """When it was handed over, in seconds from the start."""
    answer: Literal["wait", "look", "propose", "withdraw", "none"]
    """The last one; ``none``: it broke twice and was given up."""
    looks: int = 0
    offer: str | None = None
    """Text of a proposal."""
    repeats: bool = False
    """The proposal says what the user has answered before, word for word."""
    told: tuple[str, ...] = ()
    """Answers to proposals that it handed over."""
    stale_s: float | None
    """Age of its newest event when it was answered; ``None``: thinking takes no time."""
    oldest_s: float | None
    """Age of its oldest event when it was answered."""
    backlog: int
    """Events that waited when it had been answered."""
    wall_s: float
    cpu_s: float | None = None
    evaluated: int | None = None
    generated: int | None = None
    anonymous: int | None = None
    """Bytes of the process's own memory, after the answer."""
    file_backed: int | None = None
    process: int
    """Number of the process that answered."""
    trims: int | None = None
    """Of its context, since this process began; as ``again`` and ``recoveries``."""
    again: int | None = None
    """Tokens of turns that were evaluated once more after trims."""
    recoveries: int | None = None
    killed: bool = False
    """The soak killed the process before it."""
    faults: tuple[str, ...] = ()
    """What broke on the way, beside that."""
    restart_s: float | None = None
    """Seconds that starting a new process and restoring its state took."""
    state_lost: bool = False
    """A new process had to begin anew, without any state."""


class Checkpoint(Record):
    """Where a soak stands after an observation."""

    events: int
    observation: int
    at_s: float
    """The clock, after the answer."""
    phone_s: float
    """How far the phone had got when the observation was handed over."""
    process: int
    state: ObserverState | None
    made: int
    """Proposals so far."""
    open: Proposal | None = None
    """The one that waits for its answer."""
    ignored: int = 0
    """Steps of the user that passed it over."""
    answered: tuple[str, ...] = ()
    """Texts of the newest proposals that the user answered."""
    pending: tuple[Seen, ...] = ()
    """What is still to be told."""


class SoakFolder:
    """The files of one soak.

    Args:
        path: the folder.

    Raises:
        Unavailable: it cannot be made or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Unavailable(f"cannot write to {path}: {error.strerror}") from error

    def begin(self, plan: SoakPlan) -> None:
        """Write down what is to be run.

        Raises:
            InputError: a soak lies there already.
        """
        if (self.path / SAMPLES).exists() or (self.path / PLAN).exists():
            raise InputError(f"{self.path} holds a soak already: give --resume or another --out")
        self._replace(PLAN, plan.model_dump_json(indent=2))

    def plan(self) -> SoakPlan:
        """What was run here.

        Raises:
            InputError: nothing, or a file that is no plan.
        """
        return self._read(PLAN, SoakPlan)

    def checkpoint(self) -> Checkpoint | None:
        """Where it stood; ``None`` before the first answer."""
        return self._read(CHECKPOINT, Checkpoint) if (self.path / CHECKPOINT).exists() else None

    def note(self, sample: Sample, checkpoint: Checkpoint) -> None:
        """Write an observation down, at once.

        A stop between the two files costs the sample: the checkpoint is never behind.
        """
        self._replace(CHECKPOINT, checkpoint.model_dump_json())
        try:
            with (self.path / SAMPLES).open("ab") as lines:
                lines.write(sample.model_dump_json(exclude_defaults=True).encode() + b"\n")
        except OSError as error:
            raise Unavailable(f"cannot write to {self.path}: {error.strerror}") from error

    def samples(self) -> Iterator[Sample]:
        """What was written down; a last line that was torn off is left out.

        Raises:
            InputError: a line is no sample.
        """
        file = self.path / SAMPLES
        if not file.exists():
            return
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    yield Sample.model_validate_json(line)
                except ValidationError as error:
                    raise InputError(f"{file}:{number}: no sample of a soak") from error

    def mend(self) -> None:
        """Cut off a last line that was torn off, so that lines can be added."""
        file = self.path / SAMPLES
        if file.exists():
            content = file.read_bytes()
            os.truncate(file, content.rfind(b"\n") + 1)

    def write_summary(self, text: str) -> None:
        """The figures, as JSON."""
        self._replace(SUMMARY, text)

    def _replace(self, name: str, text: str) -> None:
        new = self.path / f"{name}.new"
        try:
            new.write_text(text, encoding="utf-8")
            new.replace(self.path / name)
        except OSError as error:
            raise Unavailable(f"cannot write to {self.path}: {error.strerror}") from error

    def _read(self, name: str, kind: type[_R]) -> _R:
        file = self.path / name
        try:
            return kind.model_validate_json(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"{self.path} holds no soak: {name}: {error.strerror}") from error
        except ValidationError as error:
            raise InputError(f"{file} is not what a soak writes") from error
