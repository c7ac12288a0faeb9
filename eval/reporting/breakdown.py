"""Charts of one figure cut by something: kinds, apps, runs, noise. What it does not know: HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from heron.eval.reporting.drawing import NOTHING, Mark, Point, dots, lines
from heron.eval.reporting.figures import Figures, metric, part, point, show_as
from heron.eval.reporting.pieces import Chart
from heron.eval.scoring.estimates import intervals
from heron.eval.scoring.features import Features
from heron.eval.scoring.metric import OverRuns
from heron.eval.table import percent

MOST_RUNS = 16
"""Runs up to which a reliability curve is drawn."""
AXES = (
    ("tool_failure", "probability that a tool's call fails"),
    ("events_per_minute", "events by the way per minute of the phone's clock"),
    ("tool_latency_s", "seconds that a tool's call takes"),
)
MEASURES = (
    ("success_rate", "success rate"),
    ("acceptance_rate", "acceptance"),
    ("silence_rate", "silence rate"),
)
LABELS_APART = "_"


def by_kind(figures: Sequence[Figures], goal: bool) -> Chart | None:
    """Success by kind of goal, or silence by kind of quiet scenario."""
    which = "success_rate" if goal else "silence_rate"
    what = "goal" if goal else "quiet"
    return _cut(
        figures,
        which,
        lambda row: (row.kind,) if bool(row.goal) == goal else (),
        name=f"kinds-{what}",
        title="Success by kind of goal" if goal else "Silence by kind of quiet scenario",
        of="kind",
    )


def by_app(figures: Sequence[Figures]) -> Chart | None:
    """Success by app; a scenario counts under each of its apps."""
    return _cut(
        figures,
        "success_rate",
        lambda row: (row.apps or ()) if row.goal else (),
        name="apps",
        title="Success by app",
        of="app",
        more=" A scenario counts under each app that it is about.",
    )


def _cut(
    figures: Sequence[Figures],
    which: str,
    labels_of: Callable[[Features], Iterable[str]],
    *,
    name: str,
    title: str,
    of: str,
    more: str = "",
) -> Chart | None:
    groups = [_groups(one.features, labels_of) for one in figures]
    labels = sorted({label for group in groups for label in group})
    if len(labels) < 2:
        return None
    series = {
        one.mark: [part(group[label], which) if label in group else NOTHING for label in labels]
        for one, group in zip(figures, groups, strict=True)
    }
    counts = [
        len({row.scenario for group in groups for row in group.get(label, ())}) for label in labels
    ]
    return dots(
        name=name,
        title=title,
        caption=f"A row per {of}, a mark per configuration, lines are 95 % intervals.{more}",
        said=_extremes(labels, series),
        what=of,
        x_title=metric(which).title,
        labels=[label.replace("_", " ") for label in labels],
        series=series,
        counts=counts,
        show=percent,
    )


def _groups(
    rows: Iterable[Features], labels_of: Callable[[Features], Iterable[str]]
) -> dict[str, list[Features]]:
    found: dict[str, list[Features]] = {}
    for row in rows:
        for label in labels_of(row):
            found.setdefault(label, []).append(row)
    return found


def _extremes(labels: Sequence[str], series: dict[Mark, list[Point]]) -> str:
    """The label at which each configuration does best and worst, for the first few."""
    told = []
    for mark, points in list(series.items())[:4]:
        known = [
            (p.value, label) for p, label in zip(points, labels, strict=True) if p.value is not None
        ]
        if not known:
            continue
        high, low = max(known), min(known)
        if high[0] == low[0]:
            told.append(f"{mark.said}: {percent(high[0])} throughout")
        else:
            best, worst = (text.replace("_", " ") for _, text in (high, low))
            told.append(
                f"{mark.said}: from {percent(low[0])} ({worst}) to {percent(high[0])} ({best})"
            )
    return "; ".join(told) + "." if told else "No figure is known."


# --- runs -----------------------------------------------------------------------------------------


def reliability(figures: Sequence[Figures], needs: str) -> Chart | None:
    """success@k or success^k over k; ``None`` where there is but one run."""
    most = min(MOST_RUNS, max(one.columns.fewest_runs for one in figures))
    if most < 2:
        return None
    base = metric("success_at_k" if needs == "any" else "success_pow_k")
    assert isinstance(base, OverRuns)  # noqa: S101  (the catalogue's own)
    ks = range(1, most + 1)
    series = {one.mark: _over_k(one, base, ks) for one in figures}
    which = "any" if needs == "any" else "all"
    sign = "@" if needs == "any" else "^"
    ends = [
        f"{mark.said} {percent(points[0].value)} → {percent(points[-1].value)}"
        for mark, points in series.items()
        if points[-1].value is not None
    ]
    return lines(
        name=f"runs-{which}",
        title=f"success{sign}k: {which} of k runs succeed",
        caption=f"How sure one can be: the chance that {which} of k runs of a goal scenario "
        + ("succeeds." if needs == "any" else "succeed."),
        said=f"From k = 1 to k = {most}: {'; '.join(ends[:6])}.",
        x_title="k",
        y_title=f"success{sign}k",
        xs=list(ks),
        series=series,
        show=percent,
        whole_x=True,
    )


def _over_k(one: Figures, base: OverRuns, ks: Sequence[int]) -> list[Point]:
    metrics = [replace(base, name=f"{base.name}_{k}", k=k) for k in ks]
    found = intervals(one.columns, metrics)
    return [point(found[m.name]) for m in metrics]


# --- noise ----------------------------------------------------------------------------------------


def noise(figures: Sequence[Figures]) -> list[Chart]:
    """A curve for each axis of noise along which a configuration varies."""
    charts = []
    for axis, title in AXES:
        families = _families(figures, axis)
        if not families:
            continue
        for which, measure in MEASURES:
            chart = _curve(families, axis, title, which, measure)
            if chart is not None:
                charts.append(chart)
    return charts


def _families(figures: Sequence[Figures], axis: str) -> list[list[Figures]]:
    """Configurations that differ along the axis alone, two at least, by rising noise."""
    found: dict[str, list[Figures]] = {}
    for one in figures:
        rest = one.played.config.model_dump_json(exclude={axis})
        found.setdefault(rest, []).append(one)
    families = [
        sorted(family, key=lambda one: float(getattr(one.played.config, axis)))
        for family in found.values()
    ]
    return [
        family
        for family in families
        if len({getattr(one.played.config, axis) for one in family}) > 1
    ]


def _curve(
    families: Sequence[Sequence[Figures]], axis: str, title: str, which: str, measure: str
) -> Chart | None:
    xs = sorted({float(getattr(one.played.config, axis)) for family in families for one in family})
    series: dict[Mark, list[Point]] = {}
    for family in families:
        at = {float(getattr(one.played.config, axis)): one for one in family}
        series[family[0].mark] = [at[x].get(which) if x in at else NOTHING for x in xs]
    if not any(p.value is not None for points in series.values() for p in points):
        return None
    told = [
        f"{mark.said}: "
        + ", ".join(f"{x:g} → {percent(p.value)}" for x, p in zip(xs, points, strict=True))
        for mark, points in list(series.items())[:4]
    ]
    return lines(
        name=f"noise-{axis.replace(LABELS_APART, '-')}-{which.replace(LABELS_APART, '-')}",
        title=f"{measure.capitalize()} under noise",
        caption=f"Over the {title}; lines are 95 % intervals.",
        said="; ".join(told) + ".",
        x_title=title,
        y_title=measure,
        xs=xs,
        series=series,
        show=show_as(metric(which).unit),
    )
