"""Which episodes lie in the page itself: all failures, and a stratified sample of the others.

Where they do not all fit, strata take turns, so that the rare ones are there. What it does not
know: what an episode holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heron.eval.reporting.viewer.rows import Row
from heron.seeds import stream

EMBED = 1000
"""Episodes without a failure that lie in the page."""
BUDGET = 16_000_000
"""Bytes of episodes in a page."""
PASSED_SHARE = 0.15
"""Share of the budget that is kept for episodes without a failure, if there are so many."""


def choose(
    rows: Sequence[Row], embed: int = EMBED, seed: int = 0, budget: int | None = BUDGET
) -> tuple[str, ...]:
    """Keys of the episodes to embed, in the order in which they matter.

    Args:
        rows: of all episodes; their order does not count.
        embed: how many of those that did not fail, at most.
        seed: of the order within strata.
        budget: bytes, by the rows' sizes; ``None``: no limit.
    """
    failures = _in_turns([row for row in rows if not row.passed], seed)
    passed = _in_turns([row for row in rows if row.passed], seed)[:embed]
    if budget is None:
        return tuple(row.key for row in (*failures, *passed))
    kept = min(sum(row.size for row in passed), int(budget * PASSED_SHARE))
    chosen = list(_within(failures, budget - kept))
    left = budget - sum(row.size for row in chosen)
    return tuple(row.key for row in (*chosen, *_within(passed, left)))


def _in_turns(rows: Iterable[Row], seed: int) -> list[Row]:
    """One of each stratum, then the next of each, and so on; shuffled within."""
    strata: dict[tuple[str, ...], list[Row]] = {}
    for row in sorted(rows, key=lambda row: row.key):
        strata.setdefault(row.stratum, []).append(row)
    placed = []
    for name in sorted(strata):
        members = strata[name]
        stream(seed, "viewer", *name).shuffle(members)
        placed += [(place, name, row) for place, row in enumerate(members)]
    return [row for _, _, row in sorted(placed, key=lambda item: item[:2])]


def _within(rows: Iterable[Row], budget: int) -> Iterator[Row]:
    """Rows as long as they fit."""
    left = budget
    for row in rows:
        left -= row.size
        if left < 0:
            return
        yield row
