"""What a report is made of, before it is HTML or Markdown: sections of tables, charts and notes.

What it does not know: episodes, metrics, how anything is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from heron.eval.table import DASH

Better = Literal["up", "down"]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell of a table."""

    text: str
    sort: float | str | None = None
    """What a table is sorted by; ``None`` is unknown and stays below."""
    between: str = ""
    """An interval, beneath the value."""
    best: bool = False
    title: str = ""
    """What the value is made of, or why there is none."""
    key: str = ""
    """The letter of a configuration."""
    hue: str = ""
    """Its colour, as CSS."""
    sub: str = ""
    """A second line."""


def cell(text: str | float | None, sort: float | str | None = None) -> Cell:
    """A cell without anything beside its text; a dash for ``None``."""
    shown = DASH if text is None else str(text)
    return Cell(text=shown, sort=shown if sort is None and text is not None else sort)


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column's head."""

    title: str
    text: bool = False
    """Words, aligned left; numbers are aligned right."""
    group: str = ""
    """Columns side by side with the same group stand under one head."""
    better: Better | None = None
    help: str = ""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table with its caption."""

    name: str
    """For anchors and tests; letters and hyphens."""
    caption: str
    """A sentence or two; what stands before the first full stop is emphasised."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sortable: bool = False
    leaders: bool = False
    """One row per configuration, whose name stays in view."""
    foreign: bool = False
    """Figures of another benchmark."""

    @property
    def groups(self) -> list[tuple[str, int]]:
        """(group, columns) in order; empty without groups."""
        found: list[tuple[str, int]] = []
        for column in self.columns:
            if found and found[-1][0] == column.group:
                found[-1] = (column.group, found[-1][1] + 1)
            else:
                found.append((column.group, 1))
        return found if any(name for name, _ in found) else []

    @property
    def starts(self) -> frozenset[int]:
        """Columns at which a group begins."""
        places, at = [], 0
        for _, width in self.groups:
            places.append(at)
            at += width
        return frozenset(places[1:])


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart, what it says in words, and its figures."""

    name: str
    title: str
    caption: str
    """How to read it."""
    said: str
    """What can be seen, in a sentence or two: the chart for those who do not see it."""
    figure: Mapping[str, Any]
    """``data`` and ``layout`` for plotly.js; colours as ``var(--name)``."""
    table: Table


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something that has to be said before figures are read."""

    lines: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class Prose:
    """A paragraph."""

    text: str
    quiet: bool = False
    """By the way."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Names and values."""

    pairs: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, kw_only=True)
class Row:
    """Charts side by side."""

    charts: tuple[Chart, ...]


@dataclass(frozen=True, kw_only=True)
class Legend:
    """Which letter and colour stands for which configuration."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True)
class Raw:
    """A part that is HTML already; other forms of the report leave it out."""

    html: str


Piece = Table | Chart | Note | Prose | Facts | Row | Legend | Raw


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the report under a heading."""

    name: str
    title: str
    pieces: tuple[Piece, ...]
    short: str = ""
    """In the contents; the title, if empty."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """The whole."""

    title: str
    kicker: str
    """A line above the title."""
    lead: str
    """What came out, in two or three sentences."""
    sections: tuple[Section, ...]
    notes: tuple[Note, ...] = ()
    colophon: str = ""
