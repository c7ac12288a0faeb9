"""A report as Markdown: the same sections, tables and sentences; charts as their figures.

What it does not know: HTML, metrics.
"""

from __future__ import annotations

from collections.abc import Iterator

from heron.eval.reporting.pieces import (
    Cell,
    Chart,
    Facts,
    Note,
    Piece,
    Prose,
    Report,
    Row,
    Section,
    Table,
)


def markdown(report: Report) -> str:
    """The whole."""
    lines = [f"# {report.title}", "", report.kicker, "", report.lead, ""]
    for note in report.notes:
        lines += _note(note)
    for section in report.sections:
        lines += section_lines(section)
    return "\n".join(lines).rstrip() + "\n"


def section_lines(section: Section) -> list[str]:
    """A section under its heading; nothing, if all of it is for the page only."""
    body = [line for piece in section.pieces for line in _piece(piece)]
    return [f"## {section.title}", "", *body] if body else []


def _piece(piece: Piece) -> Iterator[str]:
    if isinstance(piece, Table):
        yield from _table(piece)
    elif isinstance(piece, Chart):
        yield from _chart(piece)
    elif isinstance(piece, Row):
        for chart in piece.charts:
            yield from _chart(chart)
    elif isinstance(piece, Note):
        yield from _note(piece)
    elif isinstance(piece, Prose):
        yield from (piece.text, "")
    elif isinstance(piece, Facts):
        for name, values in piece.pairs:
            yield from (f"- {name}: {'; '.join(values)}",)
        yield ""


def _note(note: Note) -> list[str]:
    title = [f"> **{note.title}**", ">"] if note.title else []
    return [*title, *(f"> - {line}" for line in note.lines), ""]


def _chart(chart: Chart) -> Iterator[str]:
    yield from (f"### {chart.title}", "", chart.caption, "", chart.said, "")
    yield from _rows(chart.table)


def _table(table: Table) -> Iterator[str]:
    yield from (table.caption, "")
    yield from _rows(table)


def _rows(table: Table) -> Iterator[str]:
    groups = [name for name, width in table.groups for _ in range(width)]
    heads = [
        f"{group}: {column.title}" if group else column.title
        for group, column in zip(groups or [""] * len(table.columns), table.columns, strict=True)
    ]
    yield _line([head.replace("\u00ad", "") for head in heads])
    yield "|" + "|".join(":---" if column.text else "---:" for column in table.columns) + "|"
    for row in table.rows:
        yield _line([_cell(cell) for cell in row])
    yield ""


def _cell(cell: Cell) -> str:
    text = f"{cell.key} {cell.text}" if cell.key else cell.text
    text = f"**{text}**" if cell.best else text
    if cell.between:
        text += f" ({cell.between})"
    return f"{text}, {cell.sub}" if cell.sub else text


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|").replace("\n", " ") for text in cells) + " |"
