"""``heron report``: stored runs as one HTML page, Markdown, CSV or Parquet.

What it does not know: what a report says (see ``heron.eval.reporting``).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heron.cli import options
from heron.cli.errors import SETTINGS
from heron.errors import InputError

if TYPE_CHECKING:
    from heron.contracts import EpisodeRecord
    from heron.eval.reporting.make import Made

app = typer.Typer(**SETTINGS)

PAGE = "report.html"
EVERY = 500
"""Episodes between two lines of progress."""

HELP = """Make a report of stored runs: one HTML page that opens from disk and needs no network.

Each configuration that the runs hold is a row: leaderboard, paired comparisons, what success costs,
reliability, kinds and apps, noise, causes of failures, costs, and the episodes turn by turn. Failed
episodes lie in the page, with a sample of the others; the rest is in a folder beside it.

Examples:

  heron report runs/20260310-090000

  heron report runs/rules runs/always runs/oracle --out compared.html

  heron report runs/main/* --markdown results.md --csv episodes.csv --parquet episodes.parquet
"""


@app.command(help=HELP)
def report(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN…", help="Folders of runs, or files of episodes.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Page to write, or a folder for it [report.html in the run]."),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Also write the report as Markdown.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Also write one line per episode as CSV.")
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", help="The same as Parquet (needs pyarrow).")
    ] = None,
    episodes: Annotated[
        bool, typer.Option("--episodes/--no-episodes", help="Whether episodes can be looked at.")
    ] = True,
    as_json: options.Json = False,
) -> None:
    """See ``HELP``."""
    from heron.eval.reporting.make import Wanted, make

    wanted = Wanted(
        page=_page(runs, out), markdown=markdown, csv=csv, parquet=parquet, episodes=episodes
    )
    made = make(runs, wanted, progress())
    if as_json:
        typer.echo(json.dumps(made.facts(), indent=2, ensure_ascii=False))
        return
    for line in _told(made):
        typer.echo(line)


def _page(runs: Sequence[Path], out: Path | None) -> Path:
    if out is None:
        first = runs[0]
        return (first if first.is_dir() else first.parent) / PAGE
    if out.is_dir():
        return out / PAGE
    if out.suffix.lower() in (".html", ".htm"):
        return out
    if out.suffix:
        raise InputError(f"--out {out}: name a page that ends in .html, or a folder")
    return out / PAGE


def progress() -> Callable[[EpisodeRecord], None]:
    """Tells every few hundred episodes how many were read; on a terminal in one place."""
    count, start, last = 0, time.monotonic(), 0.0
    terminal = sys.stderr.isatty()

    def tick(_: EpisodeRecord) -> None:
        nonlocal count, last
        count += 1
        passed = time.monotonic() - start
        if count % EVERY == 0 and passed > 1 and passed - last > (0.2 if terminal else 5):
            last = passed
            line = f"{count:,} episodes read"
            typer.echo(f"\r{line}" if terminal else line, nl=not terminal, err=True)

    return tick


def _told(made: Made) -> list[str]:
    lines = [
        (
            f"{made.episodes:,} episodes of {made.configurations} configuration"
            f"{'s' * (made.configurations != 1)}"
        )
    ]
    lines += [f"warning: {line}" for line in made.warnings]
    lines += [f"written to {path}" for path in made.files]
    if made.beside:
        lines.append(
            f"{made.embedded:,} episodes lie in the page, {made.beside:,} in {made.folder}"
        )
    return lines
