"""Warnings where a table invites a reading that the data does not bear. Pure; lines for a reader.

What it does not know: how a table looks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from heron.eval.in_sample import in_sample
from heron.eval.ranking import overlapping
from heron.eval.scoring.columns import Columns
from heron.eval.scoring.estimates import Estimate
from heron.eval.scoring.metric import Metric, Ratio

FEWEST_SCENARIOS: Final = 20
"""Below, a percentile interval of a bootstrap over scenarios is too narrow to be trusted."""
MOST_FAULTS: Final = 0.01
"""Above this share of faults, figures tell of the machine rather than of the assistant."""
MOST_USER_ERRORS: Final = 0.05
"""Above this share of episodes in which the simulated user erred, as with faults."""


def cautions(columns: Columns, label: str = "") -> list[str]:
    """What has to be said beside the figures of one configuration.

    Args:
        columns: its episodes.
        label: its name, put before each line where several are told of.
    """
    lead = f"{label}: " if label else ""
    return [lead + line for line in _own(columns)] if len(columns) else [f"{lead}no episodes"]


def unknown_order(
    labels: Sequence[str], estimates: Mapping[str, Estimate], metric: Metric
) -> list[str]:
    """Neighbours in a ranking whose order is not known.

    Args:
        labels: of the configurations, in any order.
        estimates: of the metric, by label.
        metric: by which they are ranked.
    """
    known = [label for label in labels if estimates[label].value is not None]
    sign = -1 if metric.better != "down" else 1
    order = sorted(known, key=lambda label: sign * (estimates[label].value or 0.0))
    pairs = overlapping({label: estimates[label].interval for label in known}, order)
    if not pairs:
        return []
    named = ", ".join(f"{a} and {b}" for a, b in pairs)
    line = f"the intervals of {metric.title} overlap, so that they do not tell the order of {named}"
    return [f"{line}; see the paired differences"]


def pooled_types(columns: Columns, metric: Metric) -> list[str]:
    """Whether a figure pools scenarios in which help is wanted with those in which none is."""
    if not isinstance(metric, Ratio):
        return []
    goal = columns.column("goal") != 0
    counted = sum(np.abs(columns.column(name)) for name in metric.below) != 0
    if not (counted & goal).any() or not (counted & ~goal).any():
        return []
    wanted, unwanted = int(goal.sum()), int((~goal).sum())
    return [
        f"{metric.title} pools {wanted} goal episodes with {unwanted} in which no help is wanted"
    ]


def mixtures(sides: Mapping[str, Columns]) -> list[str]:
    """What differs between configurations that are shown side by side."""
    return [*_versions(sides), *_suites(sides)]


def _own(columns: Columns) -> Iterator[str]:
    count = len(columns.scenarios)
    if count < FEWEST_SCENARIOS:
        yield (
            f"{count} scenario{'s' * (count != 1)} only: intervals of fewer than "
            f"{FEWEST_SCENARIOS} are not to be trusted"
        )
    faults = int(columns.column("fault").sum())
    if faults > MOST_FAULTS * len(columns):
        yield f"a part broke in {faults} of {len(columns)} episodes; they count as failures"
    assessed = int(columns.column("user_assessed").sum())
    erring = int((columns.column("user_errors") > 0).sum())
    if erring > MOST_USER_ERRORS * max(1, assessed):
        yield f"the simulated user erred in {erring} of {assessed} episodes"
    yield from _in_sample(columns)
    runs = {int(n) for n in columns.by_scenario(columns.column("episodes"))}
    if len(runs) > 1:
        yield (
            f"scenarios have {min(runs)} to {max(runs)} runs each; success@k and success^k take "
            f"the fewest"
        )
    codes = _codes(columns)
    if len(codes) > 1:
        yield f"its episodes were played by {len(codes)} versions of the code"


def _in_sample(columns: Columns) -> Iterator[str]:
    parts: dict[str, Counter[str]] = {}
    seen: set[tuple[str, str]] = set()
    for row in columns.rows:
        if row.part is not None and (row.observer, row.scenario) not in seen:
            seen.add((row.observer, row.scenario))
            parts.setdefault(row.observer, Counter())[row.part] += 1
    for observer, counted in parts.items():
        told = in_sample(observer, counted)
        if told is not None:
            yield f"{observer} is scored on what it was tuned on, {told}"


def _versions(sides: Mapping[str, Columns]) -> Iterator[str]:
    codes = {label: _codes(columns) for label, columns in sides.items()}
    if len(_union(codes.values())) > 1:
        yield "the configurations were not all played by the same version of the code"


def _suites(sides: Mapping[str, Columns]) -> Iterator[str]:
    suites = {(columns.scenarios, len(columns)) for columns in sides.values()}
    if len(suites) > 1:
        yield "the configurations were not all played on the same scenarios and seeds"


def _codes(columns: Columns) -> frozenset[str]:
    return frozenset(row.code or "" for row in columns.rows)


def _union(found: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*found)
