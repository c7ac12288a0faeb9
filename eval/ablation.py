"""User-model ablation: the same observers under several users, on the same episodes.

Does an observer's rank depend on who judges it, and does a model as user favour itself as
observer (arXiv 2604.00842 asks the first)? Intervals resample scenarios, one draw for all figures.
What it does not know: how runs are laid side by side (see ``grid``), the terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heron.eval import metrics
from heron.eval.grid import Grid
from heron.eval.ranking import (
    Cell,
    kendall_tau_b,
    overlapping,
    ranks,
    same_model_bias,
    shared_models,
)
from heron.eval.resampling import DRAWS, Interval, cluster_weights, interval_of
from heron.registry import split_spec

By = Literal["success", "acceptance"]
MODEL_KINDS = ("gguf", "litellm")
FEWEST_OBSERVERS = 3

Rates = dict[Cell, float | None]


def ablation(grid: Grid, *, seed: int = 0, draws: int = DRAWS) -> dict[str, Any]:
    """All figures of the ablation, ``None`` with a reason where there is none."""
    counts = Counts.of(grid)
    whole = np.ones(len(counts.scenarios))
    samples = _Samples(grid, len(counts.scenarios))
    for weights in counts.draws(seed, draws):
        samples.add(counts, weights)
    rates = {by: counts.rates(whole, by) for by in BY}
    cells = _cells(grid, counts, rates, samples)
    return {
        "users": list(grid.users),
        "observers": list(grid.observers),
        "scenarios": len(counts.scenarios),
        "episodes": sum(map(len, grid.cells.values())),
        "left_out": grid.left_out,
        "cells": cells,
        "kendall": [
            _kendall(grid, rates[by], samples, by, pair)
            for by in BY
            for pair in combinations(grid.users, 2)
        ],
        "same_model": _same_model(grid, rates["acceptance"], samples),
        "warnings": _warnings(grid, rates["success"], samples),
        "seed": seed,
        "draws": draws,
    }


BY: tuple[By, ...] = ("success", "acceptance")


def model_of(spec: str) -> str | None:
    """The model behind a user or observer, without the user's persona; ``None`` for the others."""
    name, argument = split_spec(spec)
    return f"{name}:{argument.partition('#')[0]}" if name in MODEL_KINDS else None


@dataclass(frozen=True)
class Counts:
    """What rates are made of, per cell and scenario, so that a resample is a weighted sum."""

    cells: tuple[Cell, ...]
    scenarios: tuple[str, ...]
    parts: dict[By, NDArray[np.float64]]
    """(numerator or denominator, cell, scenario)."""

    @classmethod
    def of(cls, grid: Grid) -> Counts:
        """Count."""
        cells, scenarios = tuple(grid.cells), grid.scenarios
        place = {name: at for at, name in enumerate(scenarios)}
        parts = {by: np.zeros((2, len(cells), len(scenarios))) for by in BY}
        for row, cell in enumerate(cells):
            for episode in grid.cells[cell]:
                column = place[episode.scenario]
                goal = episode.type == "goal"
                parts["success"][:, row, column] += episode.verdict.outcome == "success", goal
                accepted = sum(d.answer == "accept" for d in metrics.decisions([episode]))
                parts["acceptance"][:, row, column] += accepted, metrics.proposals([episode])
        return cls(cells, scenarios, parts)

    def rates(self, weights: NDArray[np.float64], by: By) -> Rates:
        """The rate of every cell, each scenario counted as often as its weight says."""
        above, below = self.parts[by] @ weights
        return {
            cell: float(above[row] / below[row]) if below[row] else None
            for row, cell in enumerate(self.cells)
        }

    def draws(self, seed: int, draws: int) -> NDArray[np.float64]:
        """Weights of resampled scenarios, one row per resample."""
        return cluster_weights(self.scenarios, seed, draws)


@dataclass
class _Samples:
    """The figures on every resample."""

    grid: Grid
    clusters: int
    rates: dict[tuple[By, Cell], list[float | None]] = field(default_factory=dict)
    taus: dict[tuple[By, tuple[str, str]], list[float | None]] = field(default_factory=dict)
    bias: list[float | None] = field(default_factory=list)

    def add(self, counts: Counts, weights: NDArray[np.float64]) -> None:
        for by in BY:
            rates = counts.rates(weights, by)
            for cell, rate in rates.items():
                self.rates.setdefault((by, cell), []).append(rate)
            for pair in combinations(self.grid.users, 2):
                self.taus.setdefault((by, pair), []).append(_tau(self.grid, rates, pair))
            if by == "acceptance":
                self.bias.append(same_model_bias(rates, _models(self.grid)))

    def interval(self, values: Sequence[float | None]) -> Interval | None:
        return interval_of(values, clusters=self.clusters)


def _models(grid: Grid) -> dict[str, str | None]:
    return {spec: model_of(spec) for spec in (*grid.users, *grid.observers)}


def _tau(grid: Grid, rates: Rates, pair: tuple[str, str]) -> float | None:
    first, second = ([rates[user, observer] for observer in grid.observers] for user in pair)
    return kendall_tau_b(first, second)


def _dumped(interval: Interval | None) -> dict[str, Any] | None:
    return None if interval is None else interval.model_dump(mode="json")


def _cells(
    grid: Grid, counts: Counts, rates: Mapping[By, Rates], samples: _Samples
) -> list[dict[str, Any]]:
    placed = {by: _ranked(grid, rates[by]) for by in BY}
    return [
        {
            "user": cell[0],
            "observer": cell[1],
            "episodes": len(grid.cells[cell]),
            "faults": metrics.faults(grid.cells[cell]),
            "proposals": metrics.proposals(grid.cells[cell]),
            **{
                f"{by}_{what}": value
                for by in BY
                for what, value in (
                    ("rate", rates[by][cell]),
                    ("interval", _dumped(samples.interval(samples.rates[by, cell]))),
                    ("rank", placed[by][cell]),
                )
            },
        }
        for cell in counts.cells
    ]


def _ranked(grid: Grid, rates: Rates) -> Rates:
    """The rank of each observer under its user."""
    return {
        (user, observer): rank
        for user in grid.users
        for observer, rank in zip(
            grid.observers, ranks([rates[user, o] for o in grid.observers]), strict=True
        )
    }


def _kendall(
    grid: Grid, rates: Rates, samples: _Samples, by: By, pair: tuple[str, str]
) -> dict[str, Any]:
    tau = _tau(grid, rates, pair)
    found = samples.taus[by, pair]
    reason = (
        None if tau is not None else "fewer than two observers, or a user to whom all are alike"
    )
    return {
        "by": by,
        "users": list(pair),
        "tau": tau,
        "interval": None if tau is None else _dumped(samples.interval(found)),
        "reason": reason,
    }


def _same_model(grid: Grid, rates: Rates, samples: _Samples) -> dict[str, Any]:
    models = shared_models(grid.cells, _models(grid))
    estimate = same_model_bias(rates, _models(grid))
    reason = None
    if not models:
        reason = "no model is both a user and an observer"
    elif estimate is None:
        reason = "it takes another user and another observer beside the model, all with proposals"
    return {
        "estimate": estimate,
        "interval": None if estimate is None else _dumped(samples.interval(samples.bias)),
        "models": list(models),
        "reason": reason,
    }


def _warnings(grid: Grid, rates: Rates, samples: _Samples) -> list[str]:
    found = [f"{observer} is left out: not every user was given it" for observer in grid.dropped]
    if grid.left_out:
        found.append(f"{grid.left_out} episodes are left out: other runs lack their counterparts")
    if len(grid.users) < 2:
        found.append("there is one user only: nothing to compare its ranking with")
    if len(grid.observers) < FEWEST_OBSERVERS:
        found.append(
            f"a ranking of fewer than {FEWEST_OBSERVERS} observers means nothing, and neither does "
            f"a rank correlation"
        )
    found += [line for user in grid.users for line in _unsure(grid, user, rates, samples)]
    return found


def _unsure(grid: Grid, user: str, rates: Rates, samples: _Samples) -> list[str]:
    """Neighbours in success whose order under this user is not known."""
    order = sorted(grid.observers, key=_from_best(user, rates))
    intervals = {o: samples.interval(samples.rates["success", (user, o)]) for o in order}
    pairs = overlapping(intervals, order)
    if not pairs:
        return []
    named = ", ".join(f"{a} and {b}" for a, b in pairs)
    return [f"under {user} the success intervals overlap, so the order is not known, of {named}"]


def _from_best(user: str, rates: Rates) -> Callable[[str], tuple[bool, float]]:
    def place(observer: str) -> tuple[bool, float]:
        rate = rates[user, observer]
        return rate is None, -(rate or 0.0)

    return place
