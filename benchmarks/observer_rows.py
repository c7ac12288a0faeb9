"""Rows of ``observer.py``: ratios with the target that each is held to, and the table of them.

What it does not know: models, and how anything is measured.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

Clock = Literal["cpu", "wall"]
CLOCKS: Final[tuple[Clock, ...]] = ("cpu", "wall")


class Spent(NamedTuple):
    """Seconds of one measured piece of work."""

    cpu: float
    wall: float

    def by(self, clock: Clock) -> float:
        """Seconds by one of the clocks."""
        return self.cpu if clock == "cpu" else self.wall

    def __sub__(self, other: Spent) -> Spent:
        """What lies between two readings of the clocks."""
        return Spent(self.cpu - other.cpu, self.wall - other.wall)


@dataclass
class Samples:
    """Measured work by name, in the order in which it was done."""

    spent: dict[str, list[Spent]] = field(default_factory=lambda: defaultdict(list))
    tokens: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Tokens evaluated."""

    def add(self, name: str, spent: Spent, tokens: int = 0) -> None:
        """One more sample."""
        self.spent[name].append(spent)
        self.tokens[name].append(tokens)

    def median(self, name: str, clock: Clock = "cpu") -> float:
        """Seconds."""
        return statistics.median(one.by(clock) for one in self.spent[name])

    def per_token(self, name: str, clock: Clock = "cpu") -> float:
        """Median of seconds per token evaluated."""
        pairs = zip(self.spent[name], self.tokens[name], strict=True)
        return statistics.median(one.by(clock) / count for one, count in pairs)

    def total(self, name: str, clock: Clock = "cpu") -> float:
        """Seconds of all samples."""
        return sum(one.by(clock) for one in self.spent[name])


@dataclass(frozen=True, kw_only=True)
class Row:
    """One figure."""

    name: str
    cpu: float | None
    """By CPU time, or the figure itself where time plays no part; None: see ``reason``."""
    wall: float | None = None
    """The same by wall time, for comparison; on a busy machine it says little."""
    at_most: float | None = None
    at_least: float | None = None
    unit: str = "×"
    parts: Mapping[str, object] = field(default_factory=dict)
    """What it was made of."""
    reason: str = ""
    """Why there is no figure, or how to read it."""

    @property
    def met(self) -> bool | None:
        """Whether the target is reached; None where there is no target or no figure."""
        if self.cpu is None or (self.at_most is None and self.at_least is None):
            return None
        above = self.at_least is None or self.cpu >= self.at_least
        return above and (self.at_most is None or self.cpu <= self.at_most)

    def record(self) -> dict[str, object]:
        """For machines."""
        return {
            "name": self.name,
            "cpu": _rounded(self.cpu),
            "wall": _rounded(self.wall),
            "unit": self.unit,
            "at_most": self.at_most,
            "at_least": self.at_least,
            "met": self.met,
            "parts": dict(self.parts),
            "reason": self.reason or None,
        }


def ratio(
    name: str,
    above: Mapping[Clock, float],
    below: Mapping[Clock, float],
    *,
    at_most: float | None = None,
    at_least: float | None = None,
    parts: Mapping[str, object] | None = None,
    reason: str = "",
) -> Row:
    """A row of two times measured in one run, each by both clocks."""
    return Row(
        name=name,
        cpu=above["cpu"] / below["cpu"],
        wall=above["wall"] / below["wall"],
        at_most=at_most,
        at_least=at_least,
        parts=parts or {},
        reason=reason,
    )


def missing(name: str, reason: str) -> Row:
    """A row without a figure."""
    return Row(name=name, cpu=None, reason=reason)


def both(samples: Samples, name: str, *, per_token: bool = False) -> dict[Clock, float]:
    """Medians by both clocks."""
    take = samples.per_token if per_token else samples.median
    return {clock: take(name, clock) for clock in CLOCKS}


def per_new_token(spent: Sequence[Spent], new: Sequence[int | None]) -> dict[Clock, float]:
    """Seconds per new token over a stretch of turns.

    Args:
        spent: per turn.
        new: tokens that came with the turn; None where old ones were evaluated again as well, so
            that they cannot be told apart: such a turn counts as the mean of the others.
    """
    known = [count for count in new if count is not None]
    tokens = len(new) * sum(known) / len(known)
    return {clock: sum(one.by(clock) for one in spent) / tokens for clock in CLOCKS}


def table(rows: Sequence[Row]) -> str:
    """For people, one line a row."""
    lines = [f"  {'':52} {'CPU':>8} {'wall':>8}  target"]
    for row in rows:
        figure = "–" if row.cpu is None else f"{row.cpu:.3g} {row.unit}".strip()
        wall = "" if row.wall is None else f"{row.wall:.3g} {row.unit}".strip()
        lines.append(f"  {row.name:52} {figure:>8} {wall:>8}  {_target(row)}".rstrip())
        if row.parts:
            lines.append("      " + ", ".join(f"{key} {_text(v)}" for key, v in row.parts.items()))
        if row.reason:
            lines.append(f"      {row.reason}")
    return "\n".join(lines)


def _target(row: Row) -> str:
    bounds = (("≤", row.at_most), ("≥", row.at_least))
    said = " ".join(f"{sign} {bound:g}" for sign, bound in bounds if bound is not None)
    word = {True: "met", False: "MISSED", None: ""}[row.met]
    return f"{said} {word}".strip()


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _text(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
