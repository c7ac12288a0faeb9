"""The calibration curve: how often help was needed where the observer's share said so.

What it does not know: how shares are counted (see ``calibrated``).
"""

from __future__ import annotations

from collections.abc import Sequence

from heron.eval.reporting.calibrated import Bin
from heron.eval.reporting.drawing import Mark, diagonal_layout, line_of, mark_cells
from heron.eval.reporting.figures import Figures
from heron.eval.reporting.pieces import Chart, Column, Table, cell
from heron.eval.table import percent

CAPTION = (
    "At every decision point, the share that the observer gave to speaking against how often help "
    "was needed there. On the dotted line a share means what it says; a bare model's shares are "
    "scores, not probabilities."
)


def calibration(figures: Sequence[Figures]) -> Chart | None:
    """A line for each configuration whose observer gives scores; ``None`` if none does."""
    scored = [one for one in figures if one.played.reliability.total]
    if not scored:
        return None
    bins = {one.mark: one.played.reliability.bins for one in scored}
    traces = [
        line_of(
            mark,
            [b.share for b in found],
            [b.needed for b in found],
            [f"{percent(b.needed)} of {b.count}" for b in found],
        )
        for mark, found in bins.items()
    ]
    errors = [
        f"{one.mark.said} {100 * (one.played.reliability.error or 0):.1f} points "
        f"over {one.played.reliability.total} decision points"
        for one in scored
    ]
    return Chart(
        name="calibration",
        title="Do the observer's scores mean what they say?",
        caption=CAPTION,
        said=f"Expected calibration error: {'; '.join(errors)}.",
        figure=diagonal_layout(traces, x="share given to speaking", y="help was needed"),
        table=_table(bins),
    )


def _table(bins: dict[Mark, list[Bin]]) -> Table:
    return Table(
        name="calibration-table",
        caption="Decision points by the share given to speaking.",
        columns=(
            Column(title="configuration", text=True),
            Column(title="mean share"),
            Column(title="help was needed"),
            Column(title="decision points"),
        ),
        rows=tuple(
            (
                *mark_cells(mark),
                cell(percent(b.share), b.share),
                cell(percent(b.needed), b.needed),
                cell(f"{b.count:,}", b.count),
            )
            for mark, found in bins.items()
            for b in found
        ),
    )
