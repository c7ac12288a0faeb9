"""``heron export``: stored runs as Inspect logs, OpenTelemetry traces and MLflow runs.

What is written for ARE stands in ``export_are``. What it does not know: any of these formats (see
``heron.eval.exporting``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli import export_are, options
from heron.cli.errors import SETTINGS
from heron.errors import InputError

if TYPE_CHECKING:
    from heron.contracts import EpisodeRecord
    from heron.eval.exporting.stored import Stored

app = typer.Typer(**SETTINGS)

Runs = Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs, or files.")]

INSPECT = """Write Inspect logs, one per configuration, which 'inspect view' opens.

Every episode is a sample, the runs of a scenario are its epochs. Needs the extra 'inspect':
pip install 'heron-observer[inspect]'. See docs/exports.md.

Examples:

  heron export inspect runs/mine --out logs/mine.eval

  heron export inspect runs/sweep/* --out logs && inspect view --log-dir logs
"""

OTEL = """Write or send OpenTelemetry traces, one per episode, by the conventions for generative AI.

Needs the extra 'otel': pip install 'heron-observer[otel]'. See docs/exports.md.

Examples:

  heron export otel runs/mine --out traces.jsonl

  heron export otel runs/mine --endpoint http://localhost:4318
"""

MLFLOW = """Log MLflow runs, one per configuration.

Needs the extra 'mlflow': pip install 'heron-observer[mlflow]'. See docs/exports.md.

Examples:

  heron export mlflow runs/mine --tracking mlruns

  heron export mlflow runs/sweep/* --tracking http://localhost:5000 --experiment main-table
"""


@app.callback()
def export() -> None:
    """Give stored runs, and scenarios, to other tools."""


export_are.add(app)


@app.command(help=INSPECT)
def inspect(
    runs: Runs,
    out: Annotated[
        Path,
        typer.Option(
            "--out", help="File that ends in .eval; its name is added to for several. Or a folder."
        ),
    ],
    as_json: options.Json = False,
) -> None:
    """See ``INSPECT``."""
    from heron.eval.exporting.extras import need
    from heron.eval.exporting.inspect_log import write_logs

    need("inspect_ai", "inspect")
    found = _stored(runs)
    with _telling(found) as tell:
        logs = list(write_logs(found, out, tell))
    lines = [
        f"{log.file}: {log.samples} samples{f', {log.errors} with an error' if log.errors else ''}"
        for log in logs
    ]
    _show({"logs": [log.model_dump(mode="json") for log in logs]}, lines, as_json=as_json)


@app.command(help=OTEL)
def otel(
    runs: Runs,
    out: Annotated[Path | None, typer.Option("--out", help="File, a trace a line.")] = None,
    endpoint: Annotated[
        str | None,
        typer.Option(
            "--endpoint", help="Collector that takes OTLP over HTTP, as http://HOST:PORT."
        ),
    ] = None,
    content: Annotated[
        bool,
        typer.Option("--content/--no-content", help="Tell texts, arguments and results as well."),
    ] = True,
    as_json: options.Json = False,
) -> None:
    """See ``OTEL``."""
    from heron.eval.exporting.extras import need
    from heron.eval.exporting.otel import send_traces, write_traces

    if (out is None) == (endpoint is None):
        raise InputError("give either --out FILE or --endpoint URL")
    need("opentelemetry.sdk", "otel")
    found = _stored(runs)
    with _telling(found) as tell:
        if out is not None:
            done = write_traces(found, out, tell, content=content)
        else:
            assert endpoint is not None  # noqa: S101  (one of the two is given)
            done = send_traces(found, endpoint, tell, content=content)
    lines = [f"{done.to}: {done.traces} traces, {done.spans} spans"]
    _show(done.model_dump(mode="json"), lines, as_json=as_json)


@app.command(help=MLFLOW)
def mlflow(
    runs: Runs,
    tracking: Annotated[
        str, typer.Option("--tracking", metavar="URI|FOLDER", help="Where MLflow keeps its runs.")
    ],
    experiment: Annotated[
        str, typer.Option("--experiment", help="By name; made if it is not there.")
    ] = "heron",
    as_json: options.Json = False,
) -> None:
    """See ``MLFLOW``."""
    from heron.eval.exporting.extras import need
    from heron.eval.exporting.mlflow_run import log_runs

    need("mlflow", "mlflow")
    found = _stored(runs)
    with _telling(found) as tell:
        logged = list(log_runs(found, tracking, tell, experiment))
    lines = [
        f"{run.name}: "
        + ("was there already" if run.there_already else f"{run.metrics} metrics")
        + f", run {run.run_id} in experiment {run.experiment}"
        + (f" ({run.left_out} metrics without a value left out)" if run.left_out else "")
        for run in logged
    ]
    _show({"runs": [run.model_dump(mode="json") for run in logged]}, lines, as_json=as_json)


export_are.add(app)


def _stored(runs: Sequence[Path]) -> list[Stored]:
    from heron.eval.exporting.stored import stored

    return stored(runs, lambda line: typer.echo(f"heron: warning: {line}", err=True))


@contextmanager
def _telling(found: Sequence[Stored]) -> Iterator[Callable[[EpisodeRecord], None]]:
    """A bar on a terminal; elsewhere a line now and then, not one per episode."""
    from rich.console import Console
    from rich.progress import Progress

    total, done = sum(len(own.rows) for own in found), 0
    console = Console(stderr=True)
    if console.is_terminal:
        with Progress(console=console, transient=True) as bar:
            task = bar.add_task("exporting", total=total)
            yield lambda _: bar.advance(task)
        return

    def line(_: EpisodeRecord) -> None:
        nonlocal done
        done += 1
        if done % 1000 == 0:
            typer.echo(f"{done}/{total} episodes", err=True)

    yield line


def _show(content: dict[str, Any], lines: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(content, indent=2, ensure_ascii=False))
        return
    for line in lines:
        typer.echo(line)
