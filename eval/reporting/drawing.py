"""Charts as data for plotly.js: points, lines, dots and stacked bars with intervals.

Each comes with a sentence about what can be seen and with its figures as a table. Colours are names
of the style sheet's, so that a chart follows the theme. What it does not know: metrics, episodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from heron.eval.reporting.pieces import Cell, Chart, Column, Table, cell
from heron.eval.table import DASH

Show = Callable[[float | None], str]
Data = dict[str, Any]

HUES = 8
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star", "hexagon", "pentagon")
PLACES = ("top right", "top left", "bottom right", "bottom left", "top center", "bottom center")
"""Where a point's letter stands; in turns, since points may lie on one another."""
DASHES = ("solid", "dash", "dot", "dashdot")


class Point(NamedTuple):
    """A figure, with its interval where there is one."""

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""
    """Why there is no value, or what it is made of."""


NOTHING = Point(None)


@dataclass(frozen=True, kw_only=True)
class Mark:
    """How a configuration is shown everywhere: letter, name and place in the palette."""

    key: str
    name: str
    place: int
    sub: str = ""

    @property
    def full(self) -> str:
        """Its name with what sets it apart."""
        return f"{self.name}, {self.sub}" if self.sub else self.name

    @property
    def said(self) -> str:
        """In a sentence."""
        return f"{self.key} ({self.full})"

    @property
    def hue(self) -> str:
        """Its colour."""
        return f"var(--c{self.place % HUES})"

    @property
    def symbol(self) -> str:
        """Another for each turn through the palette, so that colour never stands alone."""
        return SYMBOLS[(self.place + self.place // HUES) % len(SYMBOLS)]

    @property
    def dash(self) -> str:
        """Of its lines."""
        return DASHES[self.place % len(DASHES)]

    def cell(self, sub: str = "") -> Cell:
        """Its name in a table."""
        return Cell(text=self.name, sort=self.name, key=self.key, hue=self.hue, sub=sub)


def shown(point: Point, show: Show, *, best: bool = False) -> Cell:
    """A figure in a table, its interval beneath."""
    between = span(point, show)
    return Cell(
        text=show(point.value), sort=point.value, between=between, best=best, title=point.why
    )


def span(point: Point, show: Show) -> str:
    """An interval, its unit told once; empty where there is none, or it has no width."""
    if point.low is None or point.high is None or point.low == point.high:
        return ""
    low, high = show(point.low), show(point.high)
    unit = low.partition("\u00a0")[2] or low.partition(" ")[2]
    if unit and high.endswith(unit):
        low = low[: -len(unit)].rstrip()
        high = high[: -len(unit)].rstrip() if unit == "%" else high
    return f"{low} to {high}" if low[:1] in "+-" else f"{low}–{high}"


# --- points -------------------------------------------------------------------------------------


def front(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Those that no other beats in the cost at no less success, by rising cost."""
    kept: list[tuple[float, float]] = []
    for x, y in sorted(set(points), key=lambda at: (at[0], -at[1])):
        if not kept or y > kept[-1][1]:
            kept.append((x, y))
    return kept


def pareto(  # noqa: PLR0913 - what a chart is made of
    *,
    name: str,
    title: str,
    cost: str,
    marks: Sequence[Mark],
    costs: Sequence[Point],
    success: Sequence[Point],
    show: Show,
    percent: Show,
    suffix: str = "",
) -> Chart | None:
    """Success against a cost, with the frontier.

    ``None`` where fewer than two can be placed, or all cost the same.
    """
    placed = [
        (mark, x, y)
        for mark, x, y in zip(marks, costs, success, strict=True)
        if x.value is not None and y.value is not None
    ]
    if len(placed) < 2 or len({x.value for _, x, _ in placed}) == 1:
        return None
    edge = front([(x.value or 0.0, y.value or 0.0) for _, x, y in placed])
    on_edge = [mark for mark, x, y in placed if (x.value, y.value) in edge]
    logarithmic = _spreads([x.value or 0.0 for _, x, _ in placed])
    traces = [_edge(edge), *(_placed(mark, x, y, show, percent) for mark, x, y in placed)]
    layout = _layout(x=cost, y="success rate", percent_y=True)
    layout["xaxis"]["type"] = "log" if logarithmic else "linear"
    if not logarithmic:
        layout["xaxis"]["rangemode"] = "tozero"
    if suffix:
        layout["xaxis"].update(tickformat="~s", ticksuffix=suffix)
    names = ", ".join(mark.said for mark in on_edge)
    left = [mark.said for mark in marks if mark not in [one for one, _, _ in placed]]
    said = f"On the frontier: {names}." + (f" Not placed: {', '.join(left)}." if left else "")
    return Chart(
        name=name,
        title=title,
        caption="Up and to the left is better."
        + (" The horizontal scale is logarithmic." if logarithmic else ""),
        said=said,
        figure={"data": traces, "layout": layout},
        table=Table(
            name=f"{name}-table",
            caption=f"{title}.",
            columns=(
                Column(title="configuration", text=True),
                Column(title=cost),
                Column(title="success rate"),
                Column(title="on the frontier", text=True),
            ),
            rows=tuple(
                (mark.cell(), shown(x, show), shown(y, percent), cell(_yes(mark in on_edge)))
                for mark, x, y in zip(marks, costs, success, strict=True)
            ),
        ),
    )


def _spreads(values: Sequence[float]) -> bool:
    return min(values) > 0 and max(values) / min(values) > 30


def _yes(true: bool) -> str:
    return "yes" if true else "no"


def _edge(edge: Sequence[tuple[float, float]]) -> Data:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [x for x, _ in edge],
        "y": [y for _, y in edge],
        "line": {"shape": "hv", "color": "var(--muted)", "width": 1, "dash": "dot"},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _placed(mark: Mark, x: Point, y: Point, show: Show, percent: Show) -> Data:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [x.value],
        "y": [y.value],
        "error_x": _error([x], mark),
        "error_y": _error([y], mark),
        "text": [mark.key],
        "textposition": PLACES[mark.place % len(PLACES)],
        "cliponaxis": False,
        "textfont": {"color": mark.hue, "size": 13},
        "marker": {"color": mark.hue, "symbol": mark.symbol, "size": 10},
        "name": mark.name,
        "hovertemplate": f"{mark.key} {_plain(mark.name)}<br>{percent(y.value)} at {show(x.value)}"
        "<extra></extra>",
        "showlegend": False,
    }


# --- lines --------------------------------------------------------------------------------------


def lines(  # noqa: PLR0913 - what a chart is made of
    *,
    name: str,
    title: str,
    caption: str,
    said: str,
    x_title: str,
    y_title: str,
    xs: Sequence[float],
    series: Mapping[Mark, Sequence[Point]],
    show: Show,
    whole_x: bool = False,
    percent_y: bool = True,
) -> Chart:
    """A line for each configuration over common places on the horizontal axis."""
    traces = [_line(mark, xs, points, show) for mark, points in series.items()]
    layout = _layout(x=x_title, y=y_title, percent_y=percent_y)
    if whole_x:
        layout["xaxis"]["dtick"] = 1 if len(xs) < 12 else None
    return Chart(
        name=name,
        title=title,
        caption=caption,
        said=said,
        figure={"data": traces, "layout": layout},
        table=Table(
            name=f"{name}-table",
            caption=f"{title}.",
            columns=(
                Column(title="configuration", text=True),
                *(Column(title=f"{x:g}") for x in xs),
            ),
            rows=tuple(
                (mark.cell(), *(shown(point, show) for point in points))
                for mark, points in series.items()
            ),
        ),
    )


def _line(mark: Mark, xs: Sequence[float], points: Sequence[Point], show: Show) -> Data:
    return {
        "type": "scatter",
        "mode": "lines+markers+text",
        "x": list(xs),
        "y": [point.value for point in points],
        "error_y": _error(points, mark),
        "connectgaps": False,
        "line": {"color": mark.hue, "dash": mark.dash, "width": 2},
        "marker": {"color": mark.hue, "symbol": mark.symbol, "size": 8},
        "name": f"{mark.key} {_plain(mark.name)}",
        "text": [""] * (len(points) - 1) + [mark.key],
        "textposition": PLACES[mark.place % 2],
        "textfont": {"color": mark.hue, "size": 13},
        "cliponaxis": False,
        "customdata": [show(point.value) for point in points],
        "hovertemplate": "%{x}: %{customdata}<extra>" + mark.key + "</extra>",
        "showlegend": False,
    }


def line_of(mark: Mark, xs: Sequence[float], ys: Sequence[float], texts: Sequence[str]) -> Data:
    """A configuration's line over places of its own."""
    trace = _line(mark, xs, [Point(y) for y in ys], lambda _: "")
    return {**trace, "customdata": list(texts)}


def diagonal_layout(traces: Sequence[Data], *, x: str, y: str) -> Data:
    """A figure of shares against shares, with the line on which both are equal."""
    edge = _edge([(0, 0), (1, 1)])
    edge["line"] = {**edge["line"], "shape": "linear"}
    layout = _layout(x=x, y=y, percent_y=True)
    layout["xaxis"].update(range=[-0.02, 1.02], tickformat=".0%")
    return {"data": [edge, *traces], "layout": layout}


def mark_cells(mark: Mark) -> tuple[Cell]:
    """A configuration at the beginning of a table's row."""
    return (mark.cell(),)


# --- dots: a breakdown ----------------------------------------------------------------------------


def dots(  # noqa: PLR0913 - what a chart is made of
    *,
    name: str,
    title: str,
    caption: str,
    said: str,
    what: str,
    x_title: str,
    labels: Sequence[str],
    series: Mapping[Mark, Sequence[Point]],
    counts: Sequence[int],
    show: Show,
) -> Chart:
    """A row for each label, a dot in it for each configuration.

    Args:
        counts: how many scenarios each label has.
    """
    count = len(series)
    traces = []
    for place, (mark, points) in enumerate(series.items()):
        shift = 0.0 if count == 1 else 0.36 - 0.72 * place / (count - 1)
        trace = _line(mark, [], points, show)
        trace.update(
            mode="markers",
            x=[point.value for point in points],
            y=[len(labels) - 1 - row + shift for row in range(len(labels))],
            error_x={**_error(points, mark), "thickness": 1, "width": 0},
            hovertemplate="%{customdata}<extra>" + mark.key + "</extra>",
        )
        trace.pop("error_y")
        trace["marker"]["size"] = 7 if count < 5 else 6
        traces.append(trace)
    layout = _layout(x=x_title, y="", percent_y=False)
    longest = max((len(label) for label in labels), default=0)
    layout["margin"]["l"] = min(190, 30 + 7 * longest)
    layout["height"] = 130 + len(labels) * max(26, 9 * count)
    layout["xaxis"].update(tickformat=".0%", range=[-0.03, 1.03])
    layout["yaxis"].update(
        tickvals=list(range(len(labels))),
        ticktext=[_plain(label) for label in reversed(labels)],
        range=[-0.6, len(labels) - 0.4],
        showgrid=False,
        zeroline=False,
    )
    layout["shapes"] = [
        {
            "type": "line",
            "xref": "paper",
            "x0": 0,
            "x1": 1,
            "y0": row + 0.5,
            "y1": row + 0.5,
            "line": {"color": "var(--line)", "width": 1},
        }
        for row in range(len(labels) - 1)
    ]
    layout["meta"] = {"narrow": {"l": min(120, 30 + 6 * longest)}}
    return Chart(
        name=name,
        title=title,
        caption=caption,
        said=said,
        figure={"data": traces, "layout": layout},
        table=Table(
            name=f"{name}-table",
            caption=f"{title}.",
            columns=(
                Column(title=what, text=True),
                Column(title="scenarios"),
                *(Column(title=f"{mark.key} {mark.full}") for mark in series),
            ),
            rows=tuple(
                (
                    cell(label),
                    cell(counts[row]),
                    *(shown(points[row], show) for points in series.values()),
                )
                for row, label in enumerate(labels)
            ),
        ),
    )


# --- stacked bars ---------------------------------------------------------------------------------


def stacked(  # noqa: PLR0913 - what a chart is made of
    *,
    name: str,
    title: str,
    caption: str,
    said: str,
    marks: Sequence[Mark],
    parts: Mapping[str, Sequence[float | None]],
    counts: Sequence[int],
    hues: Sequence[int],
    show: Show,
) -> Chart:
    """A bar for each configuration, cut into shares.

    Args:
        parts: what → share of each bar.
        counts: what each bar holds.
        hues: place of each part in the palette of ends.
    """
    names = [f"{mark.key}  {_cut(_plain(mark.full))}" for mark in marks]
    traces: list[Data] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": part,
            "x": list(shares),
            "y": names,
            "marker": {
                "color": f"var(--o{hue})",
                "line": {"color": "var(--panel)", "width": 1},
                "pattern": {
                    "shape": ("", "/", ".", "x", "\\", "-", "+")[hue],
                    "size": 5,
                    "fgcolor": "var(--panel)",
                    "fgopacity": 0.3,
                    "fillmode": "overlay",
                },
            },
            "text": [show(share) if share and share >= 0.06 else "" for share in shares],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "textangle": 0,
            "hovertemplate": f"{part}: %{{x:.1%}}<extra>%{{y}}</extra>",
        }
        for hue, (part, shares) in zip(hues, parts.items(), strict=True)
    ]
    layout = _layout(x="share of goal episodes", y="", percent_y=False)
    longest = max((len(one) for one in names), default=0)
    layout.update(barmode="stack", height=150 + 34 * len(marks), bargap=0.35)
    layout["xaxis"].update(tickformat=".0%", range=[0, 1])
    layout["yaxis"].update(autorange="reversed", showgrid=False, automargin=False)
    layout["margin"]["l"] = min(210, 24 + 7 * longest)
    layout["meta"] = {"narrow": {"l": min(130, 24 + 6 * longest)}}
    return Chart(
        name=name,
        title=title,
        caption=caption,
        said=said,
        figure={"data": traces, "layout": layout},
        table=Table(
            name=f"{name}-table",
            caption=f"{title}.",
            columns=(
                Column(title="configuration", text=True),
                Column(title="episodes"),
                *(Column(title=part) for part in parts),
            ),
            rows=tuple(
                (
                    mark.cell(),
                    cell(counts[row]),
                    *(shown(Point(shares[row]), show) for shares in parts.values()),
                )
                for row, mark in enumerate(marks)
            ),
        ),
    )


# --- what they share ------------------------------------------------------------------------------


def _layout(*, x: str, y: str, percent_y: bool) -> Data:
    axis: Data = {
        "gridcolor": "var(--line)",
        "linecolor": "var(--muted)",
        "zerolinecolor": "var(--line)",
        "tickcolor": "var(--muted)",
        "automargin": True,
        "fixedrange": True,
    }
    layout: Data = {
        "xaxis": {**axis, "title": {"text": x, "standoff": 8}},
        "yaxis": {**axis, "title": {"text": y, "standoff": 8}},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": "var(--ink)", "size": 12, "family": "var(--sans)"},
        "margin": {"l": 56, "r": 24, "t": 14, "b": 48},
        "height": 330,
        "hovermode": "closest",
        "hoverlabel": {"bgcolor": "var(--panel)", "font": {"color": "var(--ink)"}},
        "legend": {
            "orientation": "h",
            "yanchor": "bottom",
            "y": 1.02,
            "x": 0,
            "xanchor": "left",
            "traceorder": "normal",
        },
    }
    if percent_y:
        layout["yaxis"].update(tickformat=".0%", range=[-0.05, 1.1])
    return layout


def _error(points: Sequence[Point], mark: Mark) -> Data:
    above = [_gap(point.high, point.value) for point in points]
    below = [_gap(point.value, point.low) for point in points]
    if not any(above) and not any(below):
        return {"visible": False}
    return {
        "type": "data",
        "symmetric": False,
        "array": above,
        "arrayminus": below,
        "color": mark.hue,
        "thickness": 1.2,
        "width": 3,
    }


def _gap(high: float | None, low: float | None) -> float:
    return 0.0 if high is None or low is None else max(0.0, high - low)


def _cut(text: str, length: int = 34) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _plain(text: str) -> str:
    """Text for plotly.js, which reads some HTML in names and hovers."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") or DASH
