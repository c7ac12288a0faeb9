"""Rows of features as columns, with a scenario index, so that sums are one pass.

What it does not know: metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from heron.eval.scoring.features import Features

Floats = NDArray[np.float64]

EPISODES = "episodes"
"""A column of ones."""


class Columns:
    """Columns of features, made when they are asked for.

    Args:
        rows: one per episode, in any order.
    """

    def __init__(self, rows: Sequence[Features]) -> None:
        self.rows = tuple(rows)
        self._made: dict[str, Floats] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def scenarios(self) -> tuple[str, ...]:
        """Their ids, sorted: the clusters."""
        return tuple(sorted({row.scenario for row in self.rows}))

    @cached_property
    def cluster(self) -> NDArray[np.intp]:
        """Row → place of its scenario."""
        place = {name: at for at, name in enumerate(self.scenarios)}
        return np.array([place[row.scenario] for row in self.rows], dtype=np.intp)

    def column(self, name: str) -> Floats:
        """A numeric field, NaN where it is unknown."""
        if name not in self._made:
            values = (1 if name == EPISODES else getattr(row, name) for row in self.rows)
            self._made[name] = np.array(
                [np.nan if value is None else value for value in values], dtype=np.float64
            )
        return self._made[name]

    def by_scenario(self, values: Floats) -> Floats:
        """Sums of a column per scenario."""
        found = np.zeros(len(self.scenarios))
        np.add.at(found, self.cluster, values)
        return found

    def pooled(self, name: str) -> tuple[Floats, NDArray[np.intp]]:
        """All values of a field that holds several per episode, sorted, with their scenarios."""
        lists = [getattr(row, name) for row in self.rows]
        values = np.array([value for own in lists for value in own], dtype=np.float64)
        owner = np.repeat(self.cluster, [len(own) for own in lists])
        order = np.argsort(values, kind="stable")
        return values[order], owner[order]

    @cached_property
    def fewest_runs(self) -> int:
        """Runs of the goal scenario that has fewest; 0 without any."""
        runs = self.by_scenario(self.column("goal"))
        return int(runs[runs > 0].min(initial=np.inf)) if (runs > 0).any() else 0
