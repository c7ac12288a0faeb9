"""Progress and tables in the terminal: a bar where there is one, plain lines where not."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, groupby
from pathlib import Path
from typing import Any, Protocol, TypeVar

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from heron.contracts import EpisodeRecord
from heron.eval.table import rows
from heron.scenarios.schema import Scenario

T = TypeVar("T")


class EpisodeProgress(Protocol):
    """Told of every episode."""

    def starts(self, scenario: Scenario, seed: int) -> None:
        """An episode begins."""

    def ended(self, episode: EpisodeRecord) -> None:
        """An episode is on disk."""


class BarProgress:
    """A bar with the time left, from the mean of the episodes so far."""

    def __init__(self, bar: Progress, total: int) -> None:
        self._bar = bar
        self._task = bar.add_task("starting", total=total)

    def starts(self, scenario: Scenario, seed: int) -> None:
        """Name the episode."""
        self._bar.update(self._task, description=f"{scenario.id} seed {seed}")

    def ended(self, episode: EpisodeRecord) -> None:
        """One more."""
        self._bar.advance(self._task)


class LineProgress:
    """A line an episode, for logs."""

    def __init__(self, total: int) -> None:
        self._total, self._done, self._start = total, 0, time.monotonic()

    def starts(self, scenario: Scenario, seed: int) -> None:
        """Nothing: the line comes when it has ended."""

    def ended(self, episode: EpisodeRecord) -> None:
        """Say how it ended and how long the rest will take at this pace."""
        self._done += 1
        passed = time.monotonic() - self._start
        left = passed / self._done * (self._total - self._done)
        print(  # noqa: T201
            f"{self._done}/{self._total} {episode.scenario} seed {episode.seed}: "
            f"{episode.verdict.outcome}, {episode.costs.wall_s:.1f} s, {left:.0f} s left",
            file=sys.stderr,
            flush=True,
        )


@contextmanager
def episodes_progress(total: int) -> Iterator[EpisodeProgress]:
    """A bar on a terminal, lines elsewhere; both on stderr."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield LineProgress(total)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        yield BarProgress(bar, total)


@contextmanager
def counting(
    total: int, doing: str, name: Callable[[T], str], line: Callable[[T], str]
) -> Iterator[Callable[[T], None]]:
    """To be told of each thing done: a bar on a terminal, a line each elsewhere; both on stderr.

    Args:
        total: how many there are to do.
        doing: in a word, beside the bar until the first is done.
        name: what is beside the bar once a thing is done.
        line: what is told of it in a log.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        numbers = count(1)
        yield lambda done: typer.echo(f"{next(numbers)}/{total} {line(done)}", err=True)
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda done: bar.update(task, advance=1, description=name(done))


def print_summary(summary: dict[str, Any], folder: Path) -> None:
    """The table of a run on stdout, and where the files are."""
    console = Console()
    config = summary["run"]["config"]
    table = Table(title=f"{config['observer']} → {config['executor']}", title_justify="left")
    table.add_column("")
    table.add_column("", overflow="fold")
    for section, group in groupby(rows(summary), key=lambda row: row.section):
        table.add_section()
        table.add_row(f"[bold]{section}[/bold]", "")
        for row in group:
            table.add_row(row.name, row.value)
    console.print(table)
    console.print(f"digest {summary['digest']}")
    console.print(f"written to {folder}", highlight=False)
