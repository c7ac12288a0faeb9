"""Noise: tools that fail or take their time, and how often something happens by the way.

Which call fails is drawn per tool and per how many times it has been called in the episode, so it
depends neither on time nor on what else is called: two models that make the same call meet the
same failure. What it does not know: what the events of the surroundings say (see
``scenarios.background``), and who calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from heron.contracts import Probability, Record, ToolCall, ToolResult, ToolSpec
from heron.seeds import stream
from heron.sim.toolset import PhoneTools

Failure = Literal["transient", "lasting"]

_WHY: dict[Failure, str] = {
    "transient": "{tool} did not answer in time and did nothing; another try may work",
    "lasting": "{tool} is out of service and did nothing; it will not be back soon",
}


class FailureSettings(Record):
    """How often tools fail, and what a call takes."""

    probability: Probability = 0.0
    """That a call fails, whatever the kind."""
    lasting: Probability = 0.0
    """Share of the failures that is due to tools which are down for the whole episode; the others
    concern one call alone."""
    latency_s: float = Field(default=0.0, ge=0)
    """Seconds that each call takes on the phone's clock."""

    @property
    def any(self) -> bool:
        """Whether there is anything to be noticed."""
        return self.probability > 0 or self.latency_s > 0


class ToolFailures:
    """Which calls fail in one episode.

    A tool is down with probability ``p s``, for failures at the rate ``p`` of which the share ``s``
    lasts; a call of a tool that is up fails with ``p (1 - s) / (1 - p s)``. So every call fails
    with probability ``p``.

    Args:
        settings: how often.
        seed: the episode's: of its scenario and variant.
    """

    def __init__(self, settings: FailureSettings, seed: int) -> None:
        self.settings, self._seed = settings, seed
        self._calls: Counter[str] = Counter()
        down = settings.probability * settings.lasting
        self._down = down
        self._once = 1.0 if down == 1 else (settings.probability - down) / (1 - down)

    def of_next_call(self, tool: str) -> Failure | None:
        """Whether and how the next call of ``tool`` fails; each question is a call."""
        number = self._calls[tool]
        self._calls[tool] += 1
        if self._down and stream(self._seed, "tool-down", tool).random() < self._down:
            return "lasting"
        if self._once and stream(self._seed, "tool-failure", tool, number).random() < self._once:
            return "transient"
        return None


class FlakyTools:
    """Tools of which some calls fail: a failed call is a result that is not ``ok`` and a line of
    the log, and does nothing.

    Args:
        tools: the phone's.
        failures: the episode's, shared by all sets of tools that are used in it.
    """

    def __init__(self, tools: PhoneTools, failures: ToolFailures) -> None:
        self._tools, self._failures = tools, failures
        self._names = frozenset(spec.name for spec in tools.specs())

    def specs(self) -> tuple[ToolSpec, ...]:
        """What may be called."""
        return self._tools.specs()

    def call(self, call: ToolCall) -> ToolResult:
        """Call a tool, if it works."""
        if call.name not in self._names:
            return self._tools.call(call)
        if self._failures.settings.latency_s:
            self._tools.wait(self._failures.settings.latency_s)
        kind = self._failures.of_next_call(call.name)
        if kind is None:
            return self._tools.call(call)
        return self._tools.fail(call, _WHY[kind].format(tool=call.name), kind)


def arrivals(seed: int, per_minute: float, minutes: float) -> Iterator[float]:
    """Seconds from the start at which something happens by the way: a Poisson process.

    Args:
        seed: the episode's: of its scenario and variant.
        per_minute: how many in a minute, on average.
        minutes: for how long.
    """
    if per_minute <= 0:
        return
    rng, seconds = stream(seed, "surroundings", "times"), 0.0
    while True:
        seconds += rng.expovariate(per_minute / 60)
        if seconds >= minutes * 60:
            return
        yield seconds
