"""What has to be said before figures are read: faults, in-sample scores, mixed versions, few runs.

What it does not know: comparisons (see ``contrasts``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from heron.eval.in_sample import in_sample
from heron.eval.reporting.figures import Figures, runs_of
from heron.eval.reporting.material import TOLD, Material

FEW = 30
"""Scenarios below which an interval is too wide to rank anything by."""
CODE = 10


def warnings_of(material: Material, figures: Sequence[Figures]) -> list[str]:
    """One line each, the gravest first."""
    return [
        *(line for one in figures for line in _in_sample(one)),
        *_faults(figures),
        *_versions(material),
        *_unequal(figures),
        *_few(figures),
        *material.told[:TOLD],
        *([f"{len(material.told) - TOLD} more such lines"] if len(material.told) > TOLD else []),
    ]


def _in_sample(one: Figures) -> list[str]:
    parts = Counter(
        dict.fromkeys({(row.scenario, row.part) for row in one.features if row.part}, 1)
    )
    counted: Counter[str] = Counter()
    for _, part in parts:
        counted[str(part)] += 1
    told = in_sample(one.played.config.observer, counted)
    if told is None:
        return []
    return [f"{one.mark.key} ({one.mark.name}) is scored in-sample on {told}"]


def _faults(figures: Sequence[Figures]) -> list[str]:
    counted = [(one.mark, sum(row.fault for row in one.features)) for one in figures]
    told = [f"{mark.key} ({mark.name}) {count}" for mark, count in counted if count]
    if not told:
        return []
    return [
        f"A part broke in some episodes: {', '.join(told)}. They count as failures in every figure"
    ]


def _versions(material: Material) -> list[str]:
    told = []
    hashes: dict[str, set[str]] = {}
    for row in material.features:
        hashes.setdefault(row.scenario, set()).add(row.scenario_hash)
    mixed = sorted(name for name, found in hashes.items() if len(found) > 1)
    if mixed:
        told.append(
            f"{len(mixed)} scenarios were played in several versions, {mixed[0]} among them; "
            "all of these are counted"
        )
    if len(material.codes) > 1:
        named = ", ".join(
            f"{code[:CODE] or 'not noted'} ({count} episodes)"
            for code, count in sorted(material.codes.items())
        )
        told.append(f"Episodes come from several versions of the code: {named}")
    return told


def _unequal(figures: Sequence[Figures]) -> list[str]:
    sets = {frozenset((row.scenario, row.seed) for row in one.features) for one in figures}
    if len(sets) < 2:
        return []
    common = frozenset.intersection(*sets)
    return [
        "Configurations were not played on the same scenarios and seeds: "
        f"{len(common)} of {len(frozenset.union(*sets))} are common to all. Compare rows with "
        "care; the paired comparisons use what both have"
    ]


def _few(figures: Sequence[Figures]) -> list[str]:
    fewest = min(len({row.scenario for row in one.features if row.goal}) for one in figures)
    told = []
    if 0 < fewest < FEW:
        told.append(f"There are only {fewest} goal scenarios: intervals are wide")
    if min(runs_of(one.features)[0] for one in figures) == 1:
        told.append("Some scenarios were played once only, so nothing is said of reliability")
    return told
