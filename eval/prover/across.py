"""Everybody's reference proposals in everybody's scenario: where are they accepted?

Pure judging of the sentences, without the plans that come with them and with everything seen, so
that the words alone have to tell. Scenarios in which no help is wanted accept nothing. What it
does not know: phones, episodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heron.eval.prover.trials import Offered
from heron.sim.users.judge import judge

MOST = 0.01
"""Share of foreign proposals that may be accepted."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A proposal that is accepted where it does not belong."""

    source: str
    """Scenario whose proposal it is."""
    target: str
    """Scenario in which it is accepted."""
    seed: int
    text: str
    siblings: bool
    """Whether both are of one family."""


@dataclass(frozen=True, slots=True)
class Across:
    """How many foreign proposals were judged, and which were accepted."""

    judged: int
    strays: tuple[Stray, ...]

    @property
    def share(self) -> float | None:
        """Accepted of judged; ``None`` where there was nothing to judge."""
        return len(self.strays) / self.judged if self.judged else None

    @property
    def passed(self) -> bool:
        """Whether no more than ``MOST`` were accepted."""
        return self.share is None or self.share <= MOST


def across(targets: Iterable[Offered], everybody: Sequence[Offered]) -> Across:
    """Judge the proposals of all others by the rubric of each target, seed by seed."""
    count = 0
    strays: list[Stray] = []
    for target in targets:
        for other in everybody:
            if other.seed != target.seed or other.scenario == target.scenario:
                continue
            count += len(other.texts)
            if not target.wanted:
                continue
            strays += [
                Stray(other.scenario, target.scenario, target.seed, text, _siblings(other, target))
                for text in other.texts
                if judge(target.rubric, text, ())[0] == "fits"
            ]
    return Across(count, tuple(strays))


def together(parts: Iterable[Across]) -> Across:
    """The sum of several."""
    found = list(parts)
    return Across(
        sum(part.judged for part in found),
        tuple(stray for part in found for stray in part.strays),
    )


def _siblings(one: Offered, other: Offered) -> bool:
    return one.family == other.family
