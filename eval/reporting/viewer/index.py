"""The list of all episodes as columns, short enough for ten thousand.

What it does not know: what an episode holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heron.eval.reporting.viewer.compact import Data
from heron.eval.reporting.viewer.rows import Row

NAMED = (
    "scenario",
    "type",
    "kind",
    "observer",
    "executor",
    "user",
    "setting",
    "outcome",
    "cause",
    "what",
)
"""Columns whose values repeat: each value once, and per row its number."""
COUNTED = ("seed", "proposals", "accepts")
DETAIL = 90
"""Characters of the reason in the list."""


def index_of(rows: Sequence[Row], packs: Mapping[str, int]) -> Data:
    """Columns of the rows.

    Args:
        rows: of all episodes.
        packs: key → number of the pack that holds the episode; absent where none does.
    """
    return {
        "count": len(rows),
        "named": {name: _named([getattr(row, name) for row in rows]) for name in NAMED},
        "counted": {name: [getattr(row, name) for row in rows] for name in COUNTED},
        "tail": [row.key.removeprefix(f"{row.scenario}.{row.seed}.") for row in rows],
        "passed": "".join("1" if row.passed else "0" for row in rows),
        "detail": [row.detail[:DETAIL] for row in rows],
        "pack": [packs.get(row.key, -1) for row in rows],
    }


def _named(values: Sequence[str]) -> Data:
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return {"values": list(numbers), "of": [numbers[value] for value in values]}
