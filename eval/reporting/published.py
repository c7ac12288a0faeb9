"""Figures that others published on another benchmark, for orientation only.

From the table of *Proactive Agent Research Environment* (arXiv 2604.00842) for Pare-Bench: another
set of scenarios, simulated user GPT-5-mini, 10 turns, 4 runs, shares in per cent. What it does not
know: Heron's own figures.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from heron.eval.reporting.pieces import Cell, Column, Table, cell
from heron.eval.table import DASH


class Published(NamedTuple):
    """A row of the paper's table, per cent; ``None``: not given there."""

    model: str
    at_4: float | None
    pow_4: float | None
    success: float
    proposal_rate: float | None
    acceptance: float | None


ROWS: Final = (
    Published("Claude 4.5 Sonnet", 60.8, 18.2, 42.0, 12.8, 78.2),
    Published("Gemini 3 Flash", 64.3, 16.1, 42.1, 19.1, 67.1),
    Published("GPT-5", 57.3, 17.5, 37.4, 28.1, 70.2),
    Published("Gemini 3 Pro", None, None, 35.1, None, None),
    Published("Qwen 3 4B Instruct", 35.0, 6.3, 18.5, 20.5, 63.7),
    Published("Llama 3.2 3B Instruct", 23.8, 1.4, 10.0, 23.0, 58.4),
    Published("Gemma 3 4B Instruct", 7.7, 0.7, 3.0, 14.2, 17.6),
)

CAPTION: Final = (
    "Another benchmark, not comparable: published on Pare-Bench (arXiv 2604.00842). Other "
    "scenarios, other checks, a simulated user that is GPT-5-mini, 10 turns, 4 runs. Read it for "
    "the order of magnitude, not against the rows above."
)


def published_table() -> Table:
    """The paper's rows, marked as another benchmark's."""
    return Table(
        name="published-table",
        caption=CAPTION,
        foreign=True,
        columns=(
            Column(title="observer and executor", text=True),
            Column(title="success"),
            Column(title="success@4"),
            Column(title="success^4"),
            Column(title="proposals per turn"),
            Column(title="acceptance"),
        ),
        rows=tuple(
            (
                cell(row.model),
                *map(_share, (row.success, row.at_4, row.pow_4, row.proposal_rate, row.acceptance)),
            )
            for row in ROWS
        ),
    )


def _share(value: float | None) -> Cell:
    return Cell(text=DASH if value is None else f"{value:.1f} %", sort=value)
