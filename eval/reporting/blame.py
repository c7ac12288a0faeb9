"""How goal episodes ended and whose fault it was where they failed, as shares and as counts.

What it does not know: how a cause is found (see ``attribution``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from heron.eval.reporting.drawing import stacked
from heron.eval.reporting.figures import Figures
from heron.eval.reporting.pieces import Cell, Chart, Column, Table, cell
from heron.eval.scoring.features import Features
from heron.eval.table import percent

ENDS = (
    "success",
    "done by the user alone",
    "no offer",
    "wrong or badly timed offer",
    "executor",
    "simulated user",
    "infrastructure",
)


def end_of(row: Features) -> str:
    """How a goal episode ended, as one of ``ENDS``."""
    if row.cause == "infrastructure":
        return "infrastructure"
    if row.outcome == "success":
        return "success"
    if row.outcome == "done_by_user":
        return "done by the user alone"
    if row.cause == "observer":
        return "no offer" if row.what == "nothing" else "wrong or badly timed offer"
    return "executor" if row.cause == "executor" else "simulated user"


def ends_chart(figures: Sequence[Figures]) -> Chart | None:
    """A bar per configuration: how its goal episodes ended; ``None`` without any."""
    shown = [one for one in figures if any(row.goal for row in one.features)]
    if not shown:
        return None
    counted = [Counter(end_of(row) for row in one.features if row.goal) for one in shown]
    totals = [sum(counts.values()) for counts in counted]
    kept = [end for end in ENDS if any(counts[end] for counts in counted)]
    return stacked(
        name="ends",
        title="How goal episodes ended",
        caption="Each bar is all goal episodes of a configuration; what is not a success stands "
        "under its first cause.",
        said=_said(shown, counted, totals),
        marks=[one.mark for one in shown],
        parts={
            end: [counts[end] / total for counts, total in zip(counted, totals, strict=True)]
            for end in kept
        },
        counts=totals,
        hues=[ENDS.index(end) for end in kept],
        show=percent,
    )


def _said(
    figures: Sequence[Figures], counted: Sequence[Counter[str]], totals: Sequence[int]
) -> str:
    told = []
    for one, counts, total in zip(figures, counted, totals, strict=True):
        lost = [(end, n) for end, n in counts.most_common() if end != "success"]
        if lost:
            told.append(f"{one.mark.said} {lost[0][0]}, {percent(lost[0][1] / total)}")
    if not told:
        return "Every goal episode succeeded."
    return f"Most frequent end that is no success: {'; '.join(told[:6])}."


def causes_table(figures: Sequence[Figures]) -> Table | None:
    """Failed episodes by cause, quiet ones included; ``None`` if none failed."""
    counted = [
        Counter(
            f"{row.cause}: {(row.what or '').replace('_', ' ')}"
            for row in one.features
            if row.cause
        )
        for one in figures
    ]
    total: Counter[str] = sum(counted, Counter())
    if not total:
        return None
    return Table(
        name="causes",
        caption="Failed episodes by first cause. Goal, quiet and restraint scenarios together; a "
        "needless offer fails a quiet one.",
        sortable=True,
        columns=(
            Column(title="cause", text=True),
            *(Column(title=f"{one.mark.key} {one.mark.full}") for one in figures),
        ),
        rows=tuple(
            (cell(cause), *(_count(counts[cause]) for counts in counted))
            for cause, _ in sorted(total.items(), key=lambda item: (-item[1], item[0]))
        ),
    )


def _count(value: int) -> Cell:
    return Cell(text=f"{value:,}" if value else "0", sort=value)
