"""Configurations on the same scenarios and seeds: figures, differences, verdicts, warnings.

All differences of one comparison are corrected together (Holm), and their number is told. What it
does not know: where rows come from, the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from heron.contracts import Record
from heron.errors import InputError
from heron.eval.grid import common_keys, side_by_side
from heron.eval.resampling import DRAWS, Interval, cluster_weights
from heron.eval.scoring.cautions import cautions, mixtures, pooled_types, unknown_order
from heron.eval.scoring.columns import Columns, Floats
from heron.eval.scoring.estimates import Estimate, intervals
from heron.eval.scoring.features import Features
from heron.eval.scoring.metric import Metric
from heron.eval.scoring.multiple import holm
from heron.eval.scoring.pairs import Paired, paired
from heron.eval.scoring.permutation import FLIPS, Tested
from heron.eval.scoring.power import ALPHA, Detectable


class Figure(Record):
    """A metric of one configuration."""

    metric: str
    value: float | None
    reason: str | None
    interval: Interval | None


class Side(Record):
    """One configuration."""

    label: str
    episodes: int
    faults: int
    figures: tuple[Figure, ...]


class Difference(Record):
    """First minus second, in the metric's own unit."""

    metric: str
    first: str
    second: str
    difference: float | None
    interval: Interval | None
    test: Tested | None
    corrected: float | None
    """The test's p by Holm, over all differences of the comparison."""
    detectable: Detectable | None
    verdict: str
    """In words."""


class Comparison(Record):
    """All of it."""

    metrics: tuple[str, ...]
    scenarios: int
    episodes: int
    """Of each configuration."""
    left_out: int
    """Episodes that another configuration has no counterpart of."""
    sides: tuple[Side, ...]
    differences: tuple[Difference, ...]
    tests: int
    """Comparisons that were corrected for together."""
    alpha: float = ALPHA
    warnings: tuple[str, ...]
    seed: int
    draws: int


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How to compare."""

    seed: int = 0
    draws: int = DRAWS
    flips: int = FLIPS
    runs: int | None = None
    """For which number of runs to tell the minimum detectable difference."""
    with_first: bool = False
    """Compare each with the first only."""


def aligned(
    sides: Mapping[str, Iterable[Features]],
) -> tuple[dict[str, Columns], int]:
    """Every configuration's rows of what all have, in the same order, and how many were left out.

    Raises:
        InputError: an episode twice, a scenario in different versions, or nothing in common.
    """
    pairs = ((label, row) for label, rows in sides.items() for row in rows)
    table = side_by_side(pairs, lambda label: label)
    if not table:
        raise InputError("the runs hold no episodes")
    common = common_keys(table)
    kept = {label: Columns([own[key] for key in common]) for label, own in table.items()}
    return kept, sum(map(len, table.values())) - len(table) * len(common)


def compare(
    sides: Mapping[str, Iterable[Features]],
    metrics: Sequence[Metric],
    settings: Settings | None = None,
) -> Comparison:
    """Compare configurations.

    Args:
        sides: label → rows, the first one first.
        metrics: by which.
        settings: how.

    Raises:
        InputError: there are fewer than two, or they have nothing in common.
    """
    how = settings or Settings()
    if len(sides) < 2:
        raise InputError("there is one configuration only: nothing to compare it with")
    kept, left_out = aligned(sides)
    whole = next(iter(kept.values()))
    weights = cluster_weights(whole.scenarios, how.seed, how.draws)
    figures = {
        label: intervals(columns, metrics, how.seed, how.draws) for label, columns in kept.items()
    }
    differences = _differences(kept, metrics, weights, how)
    return Comparison(
        metrics=tuple(metric.name for metric in metrics),
        scenarios=len(whole.scenarios),
        episodes=len(whole),
        left_out=left_out,
        sides=tuple(_side(label, kept[label], figures[label]) for label in kept),
        differences=tuple(differences),
        tests=sum(difference.test is not None for difference in differences),
        warnings=tuple(_warnings(kept, metrics, figures, differences, left_out)),
        seed=how.seed,
        draws=how.draws,
    )


def _side(label: str, columns: Columns, figures: Mapping[str, Estimate]) -> Side:
    return Side(
        label=label,
        episodes=len(columns),
        faults=int(columns.column("fault").sum()),
        figures=tuple(
            Figure(metric=name, value=found.value, reason=found.reason, interval=found.interval)
            for name, found in figures.items()
        ),
    )


def _differences(
    kept: Mapping[str, Columns], metrics: Sequence[Metric], weights: Floats, how: Settings
) -> list[Difference]:
    pairs = [
        (first, second)
        for first, second in combinations(kept, 2)
        if not how.with_first or first == next(iter(kept))
    ]
    found = [
        (
            metric,
            pair,
            paired(
                kept[pair[0]],
                kept[pair[1]],
                metric,
                weights,
                seed=how.seed,
                flips=how.flips,
                runs=how.runs,
            ),
        )
        for metric in metrics
        for pair in pairs
    ]
    tests = [own.test.p for _, _, own in found if own.test is not None]
    corrected = iter(holm(tests))
    return [
        _difference(metric, pair, own, next(corrected) if own.test is not None else None)
        for metric, pair, own in found
    ]


def _difference(
    metric: Metric, pair: tuple[str, str], own: Paired, corrected: float | None
) -> Difference:
    return Difference(
        metric=metric.name,
        first=pair[0],
        second=pair[1],
        difference=own.difference,
        interval=own.interval,
        test=own.test,
        corrected=corrected,
        detectable=own.detectable,
        verdict=verdict(metric, own, corrected),
    )


def verdict(metric: Metric, own: Paired, corrected: float | None, alpha: float = ALPHA) -> str:
    """What a difference says, in words."""
    if own.difference is None:
        return f"cannot be told: {own.reason}"
    if corrected is None:
        return "not tested: see its interval"
    if corrected >= alpha:
        return "not told apart"
    if metric.better is None:
        return "first is higher" if own.difference > 0 else "second is higher"
    first = (own.difference > 0) == (metric.better == "up")
    return "first is better" if first else "second is better"


def _warnings(
    kept: Mapping[str, Columns],
    metrics: Sequence[Metric],
    figures: Mapping[str, Mapping[str, Estimate]],
    differences: Sequence[Difference],
    left_out: int,
) -> list[str]:
    found: list[str] = []
    if left_out:
        found.append(
            f"{left_out} episodes are left out: other configurations lack their counterparts"
        )
    found += mixtures(kept)
    own = {label: cautions(columns) for label, columns in kept.items()}
    shared = [line for line in next(iter(own.values())) if all(line in o for o in own.values())]
    found += shared
    found += [f"{k}: {line}" for k, lines in own.items() for line in lines if line not in shared]
    for metric in metrics:
        found += pooled_types(next(iter(kept.values())), metric)
        named = {label: figures[label][metric.name] for label in kept}
        found += unknown_order(list(kept), named, metric)
        found += _too_small(metric, differences)
    return found


def _too_small(metric: Metric, differences: Sequence[Difference]) -> list[str]:
    """Differences that so few runs and scenarios would miss."""
    small = [
        d
        for d in differences
        if d.metric == metric.name
        and d.difference
        and d.detectable is not None
        and d.detectable.difference is not None
        and abs(d.difference) < d.detectable.difference
        and (d.corrected is None or d.corrected >= ALPHA)
    ]
    if not small:
        return []
    named = ", ".join(f"{d.first} and {d.second}" for d in small)
    line = (
        f"the difference in {metric.title} is smaller than what so many runs can show, of {named}"
    )
    return [f"{line}: that it is not found does not mean that there is none"]
