"""Tokens of models, whichever way they were counted.

What it does not know: formats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from heron.contracts import EpisodeRecord, StepCost, Usage


class Tokens(NamedTuple):
    """Of one answer, or of several."""

    fresh: int
    """Tokens that went in and were evaluated."""
    reused: int
    """Tokens of the context that were kept from before."""
    out: int

    @property
    def read(self) -> int:
        """All that went in."""
        return self.fresh + self.reused


def tokens_of(cost: StepCost | None) -> Tokens | None:
    """Of one answer; ``None`` where no model was asked, or it did not count."""
    if cost is None:
        return None
    if cost.usage is not None:
        return Tokens(cost.usage.tokens_in, 0, cost.usage.tokens_out)
    if not cost.evaluated and not cost.generated:
        return None
    return Tokens(cost.evaluated or 0, cost.reused or 0, cost.generated or 0)


def of_usage(usage: Usage) -> Tokens | None:
    """Of calls of a chat model; ``None`` if there was none."""
    return Tokens(usage.tokens_in, 0, usage.tokens_out) if usage.calls else None


def by_role(episode: EpisodeRecord) -> Iterator[tuple[str, Tokens]]:
    """Role (observer, executor, user) → its tokens in an episode, of roles that asked a model."""
    simulator = episode.costs.simulator
    for role, every in (
        ("observer", [tokens_of(cost) for cost in episode.costs.steps]),
        ("executor", [of_usage(usage) for usage in episode.costs.usage]),
        ("user", [of_usage(simulator.usage)] if simulator is not None else []),
    ):
        found = [own for own in every if own is not None]
        if found:
            yield role, added(found)


def added(tokens: Iterable[Tokens]) -> Tokens:
    """All of them."""
    own = list(tokens)
    return Tokens(sum(t.fresh for t in own), sum(t.reused for t in own), sum(t.out for t in own))
