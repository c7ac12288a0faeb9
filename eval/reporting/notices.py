"""What has to be said before figures are read. What it does not know: how it is shown."""

from __future__ import annotations

from collections.abc import Sequence

from heron.eval.reporting.figures import Figures
from heron.eval.reporting.material import Material
from heron.eval.scoring.cautions import cautions, mixtures

TOLD = 8
"""Lines about damaged files that are repeated."""


def warnings_of(material: Material, figures: Sequence[Figures]) -> list[str]:
    """One line each."""
    return [
        *_own(figures),
        *(_sentence(line) for line in mixtures({one.mark.said: one.columns for one in figures})),
        *_scenarios(material),
        *material.told[:TOLD],
        *([f"{len(material.told) - TOLD} more such lines."] if len(material.told) > TOLD else []),
    ]


def _own(figures: Sequence[Figures]) -> list[str]:
    """Each caution once, with the configurations that it is about."""
    about: dict[str, list[str]] = {}
    for one in figures:
        for line in cautions(one.columns):
            about.setdefault(line, []).append(one.mark.said)
    told = []
    for line, marks in about.items():
        if len(marks) == len(figures):
            told.append(_sentence(line))
        else:
            told.append(f"{', '.join(marks)}: {line}.")
    return told


def _scenarios(material: Material) -> list[str]:
    hashes: dict[str, set[str]] = {}
    for row in material.features:
        hashes.setdefault(row.scenario, set()).add(row.scenario_hash)
    mixed = sorted(name for name, found in hashes.items() if len(found) > 1)
    if not mixed:
        return []
    return [
        (
            f"{len(mixed)} scenarios were played in several versions, {mixed[0]} among them; all "
            f"versions are counted."
        )
    ]


def _sentence(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}."
