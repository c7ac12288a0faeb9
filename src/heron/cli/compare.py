"""``heron compare``: configurations laid side by side, with what their differences bear.

What it does not know: how differences are tested (see ``heron.eval.scoring``).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heron.cli import options
from heron.cli.columns import columns
from heron.cli.errors import SETTINGS
from heron.errors import InputError

if TYPE_CHECKING:
    from heron.eval.scoring.comparison import Comparison, Difference, Side
    from heron.eval.scoring.decomposition import Decomposition

app = typer.Typer(**SETTINGS)

HELP = """Compare configurations on the same scenarios and seeds, from stored runs.

Every configuration that the runs hold is one side. Tells each one's figure, and for each pair the
difference with an interval (scenarios resampled), a permutation test over scenarios, its p
corrected for the number of comparisons (Holm), the smallest difference that so many runs would
show, and a verdict. Warnings name what the table does not bear. See docs/metrics.md.

Examples:

  heron compare runs/rules runs/always

  heron compare runs/main/* --metric success --metric silence --first

  heron compare runs/a runs/b --metric success --runs 8

  heron compare runs/rules --decompose
"""


@app.command(help=HELP)
def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN_DIR…", help="Folders of stored runs.")],
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", help="By which; repeat or use commas [success_rate]."),
    ] = None,
    first: Annotated[
        bool, typer.Option("--first", help="Compare each with the first only, not all pairs.")
    ] = False,
    plan: Annotated[
        int | None,
        typer.Option("--runs", min=1, help="Smallest difference for so many runs [those played]."),
    ] = None,
    decompose: Annotated[
        bool,
        typer.Option(
            "--decompose",
            help="Split the loss between observer and executor; needs the runs that 'heron bench "
            "--decompose' makes.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Of resampling and test.")] = 0,
    draws: Annotated[int, typer.Option("--draws", min=1, help="Resamples of scenarios.")] = 1000,
    as_json: options.Json = False,
) -> None:
    """See ``HELP``."""
    if decompose:
        _decompose(runs, seed, draws, as_json=as_json)
        return
    from heron.eval.scoring.catalogue.all_metrics import metric_named
    from heron.eval.scoring.comparison import Settings
    from heron.eval.scoring.comparison import compare as compared
    from heron.eval.scoring.configurations import configurations, labels

    asked = [name for part in metric or ["success_rate"] for name in part.split(",") if name]
    if not asked:
        raise InputError("--metric names no metric; docs/metrics.md lists them")
    wanted = [metric_named(name) for name in dict.fromkeys(asked)]
    found = configurations(runs)
    names = labels(list(found))
    how = Settings(seed=seed, draws=draws, runs=plan, with_first=first)
    told = compared({names[place]: rows for place, rows in found.items()}, wanted, how)
    _show(told, as_json=as_json)


def _decompose(runs: list[Path], seed: int, draws: int, *, as_json: bool) -> None:
    import json

    from heron.eval.counterfactual import FOLDER
    from heron.eval.scoring.configurations import configurations
    from heron.eval.scoring.decomposition import decompositions

    more = [found for run in runs for found in sorted((run / FOLDER).glob("*")) if found.is_dir()]
    sides = {place.config: rows for place, rows in configurations([*runs, *more]).items()}
    told = decompositions(sides, seed, draws)
    if as_json:
        typer.echo(json.dumps([own.model_dump(mode="json") for own in told], indent=2))
    else:
        for own in told:
            for line in decomposition_lines(own):
                typer.echo(line)
    for warning in dict.fromkeys(line for own in told for line in own.warnings):
        typer.echo(f"heron: warning: {warning}", err=True)


def decomposition_lines(own: Decomposition) -> Iterator[str]:
    """A decomposition as lines of the terminal."""
    from heron.eval.table import between, percent

    rows = [
        ("success", own.success),
        ("  with the oracle executor (observer alone)", own.observer_alone),
        ("  with the oracle observer (executor alone)", own.executor_alone),
        ("  with both oracles", own.ceiling),
        ("loss", own.loss),
        ("  of that the observer's", own.to_observer),
        ("  of that the executor's", own.to_executor),
        ("  the rest", own.rest),
    ]
    yield (
        f"observer {own.observer}, executor {own.executor}: {own.episodes} goal episodes of "
        f"{own.scenarios} scenarios"
    )
    shown = []
    for name, share in rows:
        at = share.interval
        told = between(at.low, at.high, "share") if at is not None else ""
        shown.append((name, percent(share.value), told))
    yield columns(shown, right=(1,))


def _show(told: Comparison, *, as_json: bool) -> None:
    if as_json:
        typer.echo(told.model_dump_json(indent=2))
    else:
        for line in _lines(told):
            typer.echo(line)
    for warning in told.warnings:
        typer.echo(f"heron: warning: {warning}", err=True)


def _lines(told: Comparison) -> Iterator[str]:
    from heron.eval.scoring.catalogue.all_metrics import METRICS

    titles = [METRICS[name].title.upper() for name in told.metrics]
    yield (
        f"{len(told.sides)} configurations on the same {told.scenarios} scenarios, "
        f"{told.episodes} episodes each"
    )
    yield ""
    yield columns([("CONFIGURATION", *titles, "FAULTS"), *map(_side, told.sides)])
    yield ""
    yield columns(
        [
            ("FIRST", "SECOND", "BY", "FIRST - SECOND", "P", "CORRECTED", "DETECTABLE", "VERDICT"),
            *map(_difference, told.differences),
        ],
        right=(4, 5),
    )
    yield ""
    yield (
        f"P: permutation test over scenarios, two-sided; corrected for {told.tests} "
        f"comparison{'s' * (told.tests != 1)} (Holm), a verdict needs under {told.alpha:g}"
    )
    yield "DETECTABLE: what would be found four times in five, with so many scenarios and runs"


def _side(side: Side) -> tuple[str, ...]:
    from heron.eval.scoring.catalogue.all_metrics import METRICS
    from heron.eval.table import between, figure

    shown = []
    for own in side.figures:
        unit, at = METRICS[own.metric].unit, own.interval
        text = figure(own.value, unit)
        shown.append(text if at is None else f"{text} {between(at.low, at.high, unit)}")
    return side.label, *shown, str(side.faults)


def _difference(own: Difference) -> tuple[str, ...]:
    from heron.eval.scoring.catalogue.all_metrics import METRICS
    from heron.eval.table import DASH, apart, between

    metric, at = METRICS[own.metric], own.interval
    text = apart(own.difference, metric.unit)
    if at is not None:
        text = f"{text} {between(at.low, at.high, metric.unit, signed=True)}"
    least = own.detectable.difference if own.detectable is not None else None
    return (
        own.first,
        own.second,
        metric.title,
        text,
        DASH if own.test is None else _p(own.test.p),
        DASH if own.corrected is None else _p(own.corrected),
        DASH if least is None else apart(least, metric.unit).lstrip("+"),
        own.verdict,
    )


def _p(value: float) -> str:
    return f"{value:.4f}" if value < 0.1 else f"{value:.2f}"
