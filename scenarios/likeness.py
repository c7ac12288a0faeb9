"""How much two scenarios say the same: shared runs of words, over all their texts.

Slots count as one word, so scenarios that are copies but for names and times are found. What it
does not know: what the texts mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from heron.scenarios.document import strings
from heron.scenarios.schema import Scenario
from heron.scenarios.template import PLACEHOLDER

RUN = 4
"""Words in a run."""
TOO_MUCH = 0.5
"""Share of the shorter scenario's runs from which on two are near-duplicates."""
SECTIONS = ("summary", "slots", "phone", "events", "user", "proposals")

_WORD = re.compile(r"[\w']+")


class Pair(NamedTuple):
    """Two scenarios, and the share of runs of the one with fewer that the other has as well."""

    one: str
    other: str
    share: float


def runs_of_words(scenario: Scenario) -> frozenset[tuple[str, ...]]:
    """All runs of ``RUN`` words in a scenario's texts."""
    data = scenario.document.data
    found: set[tuple[str, ...]] = set()
    for section in SECTIONS:
        for text in strings(data.get(section)):
            words = _WORD.findall(PLACEHOLDER.sub(" _ ", text).casefold())
            found.update(zip(*(words[i:] for i in range(RUN)), strict=False))
    return frozenset(found)


def near_duplicates(
    scenarios: Sequence[Scenario],
    beside: Sequence[Scenario] = (),
    at_least: float = TOO_MUCH,
) -> list[Pair]:
    """Pairs that say the same, the most alike first.

    Args:
        scenarios: compared with one another.
        beside: compared with ``scenarios`` alone.
        at_least: share of shared runs.
    """
    runs = {id(s): runs_of_words(s) for s in (*scenarios, *beside)}
    pairs: Iterable[tuple[Scenario, Scenario]] = [
        *combinations(scenarios, 2),
        *((one, other) for one in scenarios for other in beside),
    ]
    found = [
        Pair(one.id, other.id, round(share, 3))
        for one, other in pairs
        if (share := shared(runs[id(one)], runs[id(other)])) >= at_least
    ]
    return sorted(found, key=lambda pair: (-pair.share, pair.one, pair.other))


def shared(one: frozenset[Any], other: frozenset[Any]) -> float:
    """Share of the runs of the one with fewer that the other has as well."""
    fewer = min(len(one), len(other))
    return len(one & other) / fewer if fewer else 0.0
