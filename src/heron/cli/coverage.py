"""``heron scenarios coverage``: what a suite makes use of, and which scenarios say the same.

What it does not know: how that is counted (see ``heron.scenarios.coverage`` and ``likeness``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

from heron.cli import options
from heron.cli.columns import columns
from heron.cli.scenario_choice import PartOption, SplitOption, selection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from heron.scenarios.schema import Scenario

HELP = """Count what scenarios make use of: apps, screens, tools, happenings, kinds, locales.

Names that no scenario uses stand there with 0; exit code 1 if one of them is a write tool, or if
two scenarios are near-duplicates.

Examples:

  heron scenarios coverage

  heron scenarios coverage --split full --json
"""


def coverage(
    split: SplitOption = None,
    part: PartOption = None,
    as_json: options.Json = False,
) -> None:
    """See ``HELP``."""
    found = count(selection(split, None, part).sound().scenarios)
    if as_json:
        typer.echo(json.dumps(found, indent=2))
    else:
        for line in _lines(found):
            typer.echo(line)
    if found["unused_writes"] or found["near_duplicates"]:
        raise typer.Exit(1)


def count(scenarios: Sequence[Scenario]) -> dict[str, Any]:
    """Totals, counts, write tools that none uses, and near-duplicates."""
    from heron.scenarios.coverage import counts, totals, use_of
    from heron.scenarios.likeness import near_duplicates

    uses = [use_of(scenario) for scenario in scenarios]
    counted = counts(uses)
    return {
        "scenarios": len(scenarios),
        "totals": totals(uses),
        "counts": counted,
        "unused_writes": [name for name, used in counted["write"].items() if not used],
        "near_duplicates": [pair._asdict() for pair in near_duplicates(scenarios)],
    }


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [f"{found['scenarios']} scenarios"]
    lines += [f"  {name.replace('_', ' ')}: {value}" for name, value in found["totals"].items()]
    for aspect, counted in found["counts"].items():
        lines += ["", f"{aspect}:", *_table(counted)]
    unused = ", ".join(found["unused_writes"]) or "none"
    alike = "; ".join(f"{p['one']} and {p['other']} {p['share']}" for p in found["near_duplicates"])
    return [*lines, "", f"write tools never used: {unused}", f"near-duplicates: {alike or 'none'}"]


def _table(counted: dict[str, int]) -> list[str]:
    rows = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [f"  {line}" for line in columns([[name, str(used)] for name, used in rows]).split("\n")]
