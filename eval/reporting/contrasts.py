"""Configurations against one another, pair by pair on what both were played on, corrected together.

Unlike ``scoring.comparison``, a pair need not share its scenarios and seeds with the others. What
it does not know: how a difference is tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from heron.errors import InputError
from heron.eval.reporting.drawing import Point, span
from heron.eval.reporting.figures import Figures, metric
from heron.eval.reporting.pieces import Cell, Column, Table, cell
from heron.eval.resampling import DRAWS, cluster_weights
from heron.eval.scoring.comparison import aligned, verdict
from heron.eval.scoring.multiple import holm
from heron.eval.scoring.pairs import Paired, paired
from heron.eval.scoring.power import ALPHA
from heron.eval.table import DASH, apart

METRICS = ("success_rate", "silence_rate", "interruption_cost")
ALL_PAIRS = 6
"""Configurations up to which each is compared with each; of more, each with the first one."""
BETTER = ("first is better", "second is better")


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """First minus second."""

    metric: str
    first: Figures
    second: Figures
    episodes: int
    """Of each of the two, on the same scenarios and seeds."""
    found: Paired
    corrected: float | None
    """The test's p by Holm, over all contrasts."""
    verdict: str

    @property
    def better(self) -> Figures | None:
        """The one that is borne out as better."""
        return {BETTER[0]: self.first, BETTER[1]: self.second}.get(self.verdict)


def contrasts(figures: Sequence[Figures]) -> tuple[list[Contrast], list[str]]:
    """All that can be compared, and why others cannot."""
    tried: list[tuple[str, Figures, Figures, int, Paired]] = []
    refused: list[str] = []
    for first, second in pairs(figures):
        try:
            kept, _ = aligned({"first": first.features, "second": second.features})
        except InputError as error:
            refused.append(f"{first.mark.said} and {second.mark.said}: {error}")
            continue
        weights = cluster_weights(kept["first"].scenarios, 0, DRAWS)
        for name in METRICS:
            found = paired(kept["first"], kept["second"], metric(name), weights)
            if found.difference is not None:
                tried.append((name, first, second, len(kept["first"]), found))
    tried.sort(key=lambda one: METRICS.index(one[0]))
    tests = iter(holm([found.test.p for *_, found in tried if found.test is not None]))
    corrected = [next(tests) if found.test is not None else None for *_, found in tried]
    return [
        Contrast(
            metric=name,
            first=first,
            second=second,
            episodes=episodes,
            found=found,
            corrected=p,
            verdict=verdict(metric(name), found, p),
        )
        for (name, first, second, episodes, found), p in zip(tried, corrected, strict=True)
    ], refused


def pairs(figures: Sequence[Figures]) -> list[tuple[Figures, Figures]]:
    """Each with each, or, of many, each with the first."""
    if len(figures) <= ALL_PAIRS:
        return list(combinations(figures, 2))
    return [(figures[0], other) for other in figures[1:]]


def borne_out(figures: Sequence[Figures], found: Sequence[Contrast]) -> set[tuple[int, str]]:
    """(row, metric) of configurations that are better than every other one."""
    marked = set()
    for row, one in enumerate(figures):
        for name in METRICS:
            own = [c for c in found if c.metric == name and one in (c.first, c.second)]
            if len(own) == len(figures) - 1 > 0 and all(c.better is one for c in own):
                marked.add((row, name))
    return marked


def table(found: Sequence[Contrast], count: int) -> Table:
    """The contrasts as a table."""
    tests = sum(one.corrected is not None for one in found)
    scope = "Each with each" if count <= ALL_PAIRS else "Each with the most successful one"
    return Table(
        name="contrasts",
        caption=f"{scope}, on the scenarios and seeds that both were played on. First minus second "
        "with a 95 % interval; p by a permutation test over scenarios, corrected for "
        f"{tests} tests (Holm). Detectable: the smallest true difference that so many runs would "
        f"show four times out of five. Told apart where the corrected p is below {ALPHA:g}.",
        sortable=True,
        columns=(
            Column(title="first", text=True),
            Column(title="second", text=True),
            Column(title="figure", text=True),
            Column(title="difference"),
            Column(title="p"),
            Column(title="corrected p"),
            Column(title="detectable"),
            Column(title="episodes of each"),
            Column(title="verdict", text=True),
        ),
        rows=tuple(_row(one) for one in found),
    )


def _row(one: Contrast) -> tuple[Cell, ...]:
    unit = metric(one.metric).unit

    def show(value: float | None) -> str:
        return apart(value, unit)

    own = one.found
    between = own.interval
    point = Point(own.difference, between.low, between.high) if between else Point(own.difference)
    detectable = own.detectable.difference if own.detectable else None
    return (
        one.first.mark.cell(one.first.mark.sub),
        one.second.mark.cell(one.second.mark.sub),
        cell(metric(one.metric).title),
        Cell(text=show(own.difference), sort=own.difference, between=span(point, show)),
        _p(own.test.p if own.test else None),
        _p(one.corrected),
        Cell(text=show(detectable).lstrip("+"), sort=detectable),
        cell(f"{one.episodes:,}", one.episodes),
        Cell(text=_worded(one), sort=one.verdict, best=False),
    )


def _worded(one: Contrast) -> str:
    better = one.better
    return one.verdict if better is None else f"{better.mark.key} is better"


def _p(value: float | None) -> Cell:
    if value is None:
        return Cell(text=DASH)
    return Cell(text="<0.001" if value < 0.001 else f"{value:.3f}", sort=value)
