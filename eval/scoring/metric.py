"""What a metric is: terms summed per scenario, and a value of those sums.

Because every metric but a quantile is a function of sums over scenarios, a bootstrap that draws
scenarios is one product of matrices (see ``estimates``). An undefined value is NaN here and
``None`` outside. What it does not know: which metrics there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import comb
from typing import Literal

import numpy as np

from heron.eval.scoring.columns import Columns, Floats
from heron.eval.scoring.features import Features

Unit = Literal[
    "share", "per turn", "per hour", "turns", "count", "s", "J", "mWh/h", "bytes", "USD", "points"
]
Better = Literal["up", "down"]
Terms = Mapping[str, float]
"""Field of ``Features`` → weight in the sum."""


@dataclass(frozen=True, kw_only=True)
class Metric(ABC):
    """A named figure."""

    name: str
    title: str
    section: str
    unit: Unit
    better: Better | None
    """Which way is better; ``None``: neither by itself."""
    meaning: str
    """What it says, in a sentence or two."""
    empty: str
    """Why there is no value where there is none."""
    source: str = ""
    """Where the definition comes from; empty: Heron's own."""
    unmeasured: str = ""
    """Why it is unknown where no episode knows it; or the field of ``Features`` that says so."""

    @property
    @abstractmethod
    def formula(self) -> str:
        """In terms of the fields of ``Features``."""

    @property
    @abstractmethod
    def fields(self) -> tuple[str, ...]:
        """The fields that it reads."""

    def unknown(self, columns: Columns) -> str | None:
        """Why it cannot be told although there is something to be told; ``None``: it can."""
        for name in self.fields:
            missing = int(np.isnan(columns.column(name)).sum())
            if missing == len(columns) and self.unmeasured:
                return self.why(columns)
            if missing:
                return f"{name} is not known in {missing} of {len(columns)} episodes"
        return None

    def why(self, columns: Columns) -> str | None:
        """Why nothing was measured, as far as that is known."""
        if self.unmeasured not in Features.__slots__:
            return self.unmeasured or None
        reasons = (getattr(row, self.unmeasured) for row in columns.rows)
        return next((reason for reason in reasons if reason), None)


@dataclass(frozen=True, kw_only=True)
class Summed(Metric):
    """A metric that is a function of sums over scenarios."""

    @abstractmethod
    def sums(self, columns: Columns) -> Floats:
        """(terms, scenarios)."""

    @abstractmethod
    def value(self, sums: Floats) -> Floats:
        """Of (terms, …) the values (…), NaN where they are not defined."""


@dataclass(frozen=True, kw_only=True)
class Ratio(Summed):
    """A weighted sum of fields over another, each over all episodes."""

    above: Terms
    below: Terms
    scale: float = 1.0

    @property
    def formula(self) -> str:
        text = f"{_sum(self.above)} / {_sum(self.below)}"
        return text if self.scale == 1 else f"{self.scale:g} × {text}"

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self.above, *self.below]))

    def sums(self, columns: Columns) -> Floats:
        return np.array([_weighed(columns, terms) for terms in (self.above, self.below)])

    def value(self, sums: Floats) -> Floats:
        return self.scale * _divided(sums[0], sums[1])


@dataclass(frozen=True, kw_only=True)
class Harmonic(Summed):
    """The harmonic mean of two ratios: F1 of a precision and a recall."""

    first: Ratio
    second: Ratio

    @property
    def formula(self) -> str:
        return f"2 / (1 / {self.first.name} + 1 / {self.second.name})"

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self.first.fields, *self.second.fields]))

    def sums(self, columns: Columns) -> Floats:
        return np.concatenate([self.first.sums(columns), self.second.sums(columns)])

    def value(self, sums: Floats) -> Floats:
        first, second = self.first.value(sums[:2]), self.second.value(sums[2:])
        # Where nothing was right both are 0, and so is their mean.
        both = np.where(first + second == 0, 1.0, first + second)
        return 2 * first * second / both


@dataclass(frozen=True, kw_only=True)
class OverRuns(Summed):
    """A mean over goal scenarios of a chance that some or all of k runs succeed."""

    needs: Literal["any", "all"]
    unbiased: bool
    """``False``: PARE's own, with k the runs that a scenario has."""
    k: int | None = field(default=None)
    """``None``: the fewest runs that any goal scenario has."""

    @property
    def formula(self) -> str:
        if not self.unbiased:
            which = "any run" if self.needs == "any" else "every run"
            return f"goal scenarios in which {which} succeeds / goal scenarios"
        share = "1 - C(n-c, k) / C(n, k)" if self.needs == "any" else "C(c, k) / C(n, k)"
        return f"mean over goal scenarios of {share}"

    @property
    def fields(self) -> tuple[str, ...]:
        return ("success", "goal")

    def unknown(self, columns: Columns) -> str | None:
        if self.unbiased and columns.fewest_runs < (self.k or 1) and columns.fewest_runs:
            return f"a scenario has {columns.fewest_runs} runs, fewer than {self.k}"
        return super().unknown(columns)

    def sums(self, columns: Columns) -> Floats:
        runs = columns.by_scenario(columns.column("goal"))
        won = columns.by_scenario(columns.column("success"))
        k = self.k or columns.fewest_runs
        value = [
            self._chance(int(n), int(c), k if self.unbiased else int(n)) if n else 0.0
            for n, c in zip(runs, won, strict=True)
        ]
        return np.array([value, runs > 0], dtype=np.float64)

    def _chance(self, n: int, c: int, k: int) -> float:
        if k > n:
            return np.nan
        if self.needs == "all":
            return comb(c, k) / comb(n, k)
        return 1 - comb(n - c, k) / comb(n, k)

    def value(self, sums: Floats) -> Floats:
        return _divided(sums[0], sums[1])


@dataclass(frozen=True, kw_only=True)
class Quantile(Metric):
    """A quantile of a field that holds several values per episode, pooled (linear, as NumPy's)."""

    of: str
    at: float

    @property
    def formula(self) -> str:
        return f"{100 * self.at:g}th percentile of {self.of}"

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.of,)

    def unknown(self, columns: Columns) -> str | None:
        return None


@dataclass(frozen=True, kw_only=True)
class Largest(Metric):
    """The largest value of a field; it has no interval."""

    of: str

    @property
    def formula(self) -> str:
        return f"largest {self.of}"

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.of,)

    def unknown(self, columns: Columns) -> str | None:
        return None


def _weighed(columns: Columns, terms: Terms) -> Floats:
    weighed = sum(weight * columns.column(name) for name, weight in terms.items())
    return columns.by_scenario(np.asarray(weighed, dtype=np.float64))


def _divided(above: Floats, below: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below == 0, np.nan, above / np.where(below == 0, np.nan, below))


def _sum(terms: Terms) -> str:
    parts = [name if weight == 1 else f"{weight:g} × {name}" for name, weight in terms.items()]
    text = " + ".join(parts).replace("+ -1 × ", "- ")
    return text if len(parts) == 1 else f"({text})"
