"""Success against what it costs: latency, memory, energy, bytes, interruptions.

What it does not know: how a frontier is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from heron.eval.reporting.drawing import Point, pareto
from heron.eval.reporting.figures import Figures, metric, show_as
from heron.eval.reporting.pieces import Chart, Prose
from heron.eval.table import percent

COSTS = (
    ("decision_s_p95", "Success against time per decision", "time per decision, p95", "s"),
    ("memory_anonymous", "Success against memory", "memory of the observer's own", "B"),
    ("joules_per_decision", "Success against energy", "energy per decision", "J"),
    ("egress", "Success against disclosure", "bytes off the device per episode", "B"),
    ("interruption_cost", "Success against interruptions", "interruption cost per episode", ""),
)


def tradeoffs(figures: Sequence[Figures]) -> tuple[list[Chart], list[Prose]]:
    """The charts that can be drawn, and a note on those that cannot."""
    charts, missing = [], []
    success = [one.get("success_rate") for one in figures]
    for name, title, axis, suffix in COSTS:
        costs = [one.get(name) for one in figures]
        chart = pareto(
            name=f"pareto-{name.replace('_', '-')}",
            title=title,
            cost=axis,
            marks=[one.mark for one in figures],
            costs=costs,
            success=success,
            show=show_as(metric(name).unit),
            percent=percent,
            suffix=suffix,
        )
        if chart is not None:
            charts.append(chart)
            continue
        missing.append(f"{title}: not drawn, as {_why(figures, name, costs)}.")
    return charts, [Prose(text=line, quiet=True) for line in missing]


def _why(figures: Sequence[Figures], name: str, costs: Sequence[Point]) -> str:
    known = [point.value for point in costs if point.value is not None]
    if len(known) > 1:
        return f"it is the same for all: {show_as(metric(name).unit)(known[0])}"
    why = next((reason for one in figures if (reason := _reason(one, name))), "")
    count = "no configuration" if not known else "one configuration only"
    return f"it is known of {count}" + (f" ({why})" if why else "")


def _reason(one: Figures, name: str) -> str:
    """Why one configuration has no such figure, as its episodes say."""
    if one.get(name).value is not None:
        return ""
    what = {"memory_anonymous": "memory_reason", "joules_per_decision": "energy_reason"}.get(name)
    told = [getattr(row, what) for row in one.features if getattr(row, what)] if what else []
    return told[0] if told else one.get(name).why
