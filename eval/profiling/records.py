"""What a profile says, as records. What it does not know: how it was measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from pydantic import Field

from heron.contracts import Record, StepCost
from heron.eval.projection import Kind
from heron.models.device import InForce


class Setting(Record):
    """One of the configurations that are compared."""

    observer: str
    """``gguf:<model>``, or another observer that runs in a process of its own."""
    threads: int = 1
    window: int = 4096

    @property
    def model(self) -> str:
        """The observer's short name: without the usual kind and the folder of a file."""
        kind, _, argument = self.observer.partition(":")
        short = Path(argument).name if "/" in argument else argument
        return short if kind == "gguf" else f"{kind}:{short}"

    @property
    def name(self) -> str:
        """In a few words."""
        return (
            f"{self.model}, {self.threads} thread{'s' * (self.threads > 1)}, window {self.window}"
        )


class Speed(Record):
    """Tokens per second over repetitions, as llama-bench tells them."""

    tokens: int
    per_s: tuple[float, ...]
    """Of each repetition, by wall time."""
    per_cpu_s: tuple[float, ...]
    """The same by processor time, which other load on the machine disturbs less."""

    @property
    def mean(self) -> float:
        """Of the wall time's."""
        return mean(self.per_s)

    @property
    def sd(self) -> float | None:
        """Of the sample; ``None`` of one repetition."""
        return stdev(self.per_s) if len(self.per_s) > 1 else None


class Decided(Record):
    """One measured decision."""

    scenario: str
    turn: int
    step: int
    kind: Kind
    """Of the turn's observation."""
    answer: str
    """``wait``, ``look``, ``propose`` or ``withdraw``."""
    cost: StepCost


class StreamFacts(Record):
    """Which stream was read."""

    digest: str
    seed: int
    observations: int
    scenarios: int
    phone_s: float


class Quality(Record):
    """What stored runs say of a model."""

    metric: str
    value: float | None
    counted: int
    """Goal episodes, or proposals: the denominator."""
    runs: tuple[str, ...]
    """Their folders."""


class Profiled(Record):
    """The figures of one setting. Seconds and bytes."""

    setting: Setting
    stream: StreamFacts
    complete: bool
    """Every observation of the stream was answered."""
    faults: int = 0
    """Each ends its scenario, and with it the observations left of that."""
    fault: str | None = None
    """The first."""
    info: dict[str, Any] = Field(default_factory=dict)
    """What runs there; sizes as llama.cpp reports them."""
    in_force: InForce = InForce()
    load: tuple[float, float] | None = None
    """The machine's load average over a minute, before and after."""
    ready_s: float | None = None
    """From the start of the process to the loaded model."""
    prompt: Speed | None = None
    decode: Speed | None = None
    cold: StepCost | None = None
    """First decision of a process that has to evaluate the constant prefix."""
    kept: StepCost | None = None
    """First decision of a process that finds the prefix on disk."""
    decisions: int = 0
    observations: int = 0
    """Those answered; a look makes another decision, not another observation."""
    answers: dict[str, int] = Field(default_factory=dict)
    costs: dict[str, Any] = Field(default_factory=dict)
    """Per decision, per hour and per day; see ``figures``."""
    quality: Quality | None = None
    on_front: bool | None = None
    """No other setting is as good and cheaper, or better and as cheap; ``None``: unknown."""


class Excess(Record):
    """A figure that breaks the budget, or that cannot be held against it."""

    setting: str
    figure: str
    limit: float
    value: float | None
    text: str
    """In one line."""


class Comparison(Record):
    """Everything of one call of ``heron profile``."""

    version: int = 1
    command: str
    machine: str
    heron: str
    limits: dict[str, Any]
    energy: str
    profiles: tuple[Profiled, ...]
    excesses: tuple[Excess, ...] = ()


def speed_of(tokens: int, taken: Sequence[tuple[float, float]]) -> Speed | None:
    """From (wall, CPU) seconds of each repetition; ``None`` of none."""
    if not taken:
        return None
    return Speed(
        tokens=tokens,
        per_s=tuple(tokens / wall for wall, _ in taken),
        per_cpu_s=tuple(tokens / cpu for _, cpu in taken if cpu),
    )
