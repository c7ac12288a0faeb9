"""``heron users ablation``: do observers keep their rank whoever the user is?

What it does not know: how ranks are compared (see ``heron.eval.ablation``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from heron.cli import options
from heron.cli.columns import columns

HELP = """Compare how observers rank under different users, from stored runs.

Each run is one user with one observer; all of them over the same scenarios and seeds, with the same
executor and settings. Tells each observer's success and acceptance under each user, Kendall's tau-b
between the users' rankings, and whether a model as user favours itself as observer. Intervals
resample scenarios. See docs/decision-points.md.

Examples:

  heron bench --user scripted:strict --observer rules --executor oracle --out runs/strict-rules

  heron users ablation runs/strict-rules runs/strict-always runs/lenient-rules runs/lenient-always

  heron users ablation runs/ablation/* --json
"""


def ablation(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN_DIR…", help="Folders of stored runs.")],
    seed: Annotated[int, typer.Option("--seed", help="Of the bootstrap.")] = 0,
    draws: Annotated[int, typer.Option("--draws", min=1, help="Resamples of scenarios.")] = 1000,
    as_json: options.Json = False,
) -> None:
    """See ``HELP``."""
    from heron.eval.ablation import ablation as figures_of
    from heron.eval.grid import grid_of
    from heron.eval.store import read_episodes

    grid = grid_of(episode for path in runs for episode in read_episodes(path))
    found = figures_of(grid, seed=seed, draws=draws)
    if as_json:
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        for line in _lines(found):
            typer.echo(line)
    for warning in found["warnings"]:
        typer.echo(f"heron: warning: {warning}", err=True)


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    users, observers = len(found["users"]), len(found["observers"])
    yield (
        f"{users} users × {observers} observers, {found['scenarios']} scenarios, "
        f"{found['episodes']} episodes"
    )
    yield ""
    yield columns([_HEADING, *map(_cell, found["cells"])], right=(3, 4, 5, 7))
    if found["kendall"]:
        yield ""
        yield columns(
            [("KENDALL'S TAU-B OF", "USER", "AND USER", "TAU", ""), *map(_tau, found["kendall"])],
            right=(3,),
        )
    yield ""
    yield f"same-model bias of acceptance: {_bias(found['same_model'])}"


_HEADING = (
    "USER",
    "OBSERVER",
    "SUCCESS",
    "RANK",
    "FAULTS",
    "PROPOSALS",
    "ACCEPTANCE",
    "RANK",
)


def _cell(cell: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        cell["user"],
        cell["observer"],
        _share(cell["success_rate"], cell["success_interval"]),
        _rank(cell["success_rank"]),
        str(cell["faults"]),
        str(cell["proposals"]),
        _share(cell["acceptance_rate"], cell["acceptance_interval"]),
        _rank(cell["acceptance_rank"]),
    )


def _tau(row: Mapping[str, Any]) -> tuple[str, ...]:
    first, second = row["users"]
    if row["tau"] is None:
        return row["by"], first, second, "–", row["reason"]
    return row["by"], first, second, f"{row['tau']:.2f}", _from_to(row["interval"])


def _bias(found: Mapping[str, Any]) -> str:
    if found["estimate"] is None:
        return f"– ({found['reason']})"
    points = f"{100 * found['estimate']:+.1f} percentage points"
    interval = found["interval"]
    if interval is None:
        return f"{points}, no interval"
    low, high = 100 * interval["low"], 100 * interval["high"]
    return f"{points} ({interval['level']:.0%} interval {low:+.1f} to {high:+.1f})"


def _share(rate: float | None, interval: Mapping[str, Any] | None) -> str:
    from heron.eval.table import percent

    if rate is None or interval is None:
        return percent(rate)
    return f"{percent(rate)} ({100 * interval['low']:.1f} to {100 * interval['high']:.1f})"


def _rank(rank: float | None) -> str:
    return "–" if rank is None else f"{rank:g}"


def _from_to(interval: Mapping[str, Any] | None) -> str:
    if interval is None:
        return "no interval"
    text = f"{interval['level']:.0%} interval {interval['low']:.2f} to {interval['high']:.2f}"
    undefined = interval["undefined"]
    return f"{text} ({undefined} resamples undefined)" if undefined else text
