"""Shows how a long transfer goes on: a bar in a terminal, a few plain lines elsewhere, on stderr.

The time left is estimated from this run's own speed: bytes that an earlier run left do not count.
What it does not know: what is transferred.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self, TextIO

import typer

if TYPE_CHECKING:
    from rich.progress import TaskID

STEP = 0.1
"""Share of the whole after which a plain line is due, …"""

PAUSE_S = 2.0
"""… unless the last one is younger than that."""


class TransferBar:
    """A bar that is drawn by rich. A context manager."""

    def __init__(self, stream: TextIO | None = None) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=Console(file=stream or sys.stderr),
        )
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._progress.stop()

    def note(self, text: str) -> None:
        """A line above the bar."""
        self._progress.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def begin(self, what: str, done: int, total: int) -> None:
        """A new bar; the last one is taken away."""
        if self._task is not None:
            self._progress.remove_task(self._task)
        self._task = self._progress.add_task(what, total=total, completed=done)

    def at(self, done: int) -> None:
        """Move the bar."""
        if self._task is not None:
            self._progress.update(self._task, completed=done)


class TransferLines:
    """A line now and then, for logs. A context manager."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._what, self._begin, self._total, self._next = "", 0, 1, 0.0
        self._since = self._told = self._clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """Nothing is open."""

    def note(self, text: str) -> None:
        """A line."""
        typer.echo(text, err=True)

    def begin(self, what: str, done: int, total: int) -> None:
        """Say what begins, and from where."""
        self._what, self._begin, self._total = what, done, total
        self._next = done / total + STEP
        self._since = self._told = self._clock()
        kept = f", {done / 1e6:,.0f} MB are there" if done else ""
        self.note(f"{what}: {total / 1e6:,.0f} MB{kept}")

    def at(self, done: int) -> None:
        """A line, if one is due."""
        now = self._clock()
        if done / self._total < self._next or now - self._told < PAUSE_S:
            return
        self._next, self._told = done / self._total + STEP, now
        spent, got = now - self._since, done - self._begin
        left = spent * (self._total - done) / got if got else 0.0
        self.note(
            f"{self._what}: {done / 1e6:,.0f} of {self._total / 1e6:,.0f} MB, "
            f"about {left:,.0f} s left"
        )


def transfer() -> TransferBar | TransferLines:
    """A bar if stderr is a terminal, otherwise lines."""
    return TransferBar() if sys.stderr.isatty() else TransferLines()
