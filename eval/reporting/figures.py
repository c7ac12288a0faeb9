"""Figures of configurations, formatted: a metric's value with its interval, or why there is none.

What it does not know: which figure is shown where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from heron.eval.reporting.drawing import Mark, Point, Show
from heron.eval.reporting.material import Played
from heron.eval.resampling import DRAWS
from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.scoring.catalogue.costs import DISCLOSURE
from heron.eval.scoring.columns import Columns
from heron.eval.scoring.estimates import Estimate, estimate, intervals
from heron.eval.scoring.features import Features
from heron.eval.scoring.metric import Metric, OverRuns, Quantile, Ratio, Unit
from heron.eval.table import DASH, number, percent, seconds, size

QUANTILE_DRAWS = 200
"""A resample of a quantile sorts all decisions anew, so that these take fewer."""
PART_DRAWS = 400
"""Resamples for a part of the scenarios, such as one kind."""

EGRESS = Ratio(
    name="egress",
    title="bytes off the device per episode",
    section=DISCLOSURE,
    unit="bytes",
    better="down",
    meaning="Bytes of request bodies handed to models off the device, before and after an accept.",
    above={"egress_before": 1, "egress_after": 1},
    below={"episodes": 1},
    empty="nothing was played",
)
OWN: Mapping[str, Metric] = {EGRESS.name: EGRESS}


def metric(name: str) -> Metric:
    """A metric of the catalogue, or of the report's own."""
    return OWN.get(name) or METRICS[name]


@dataclass
class Figures:
    """One configuration with its figures, each computed once."""

    mark: Mark
    played: Played
    columns: Columns
    k: int = 1
    """Runs that success@k and success^k are told for."""
    known: dict[str, Point] = field(default_factory=dict)

    def get(self, name: str) -> Point:
        """A figure with its interval."""
        if name not in self.known:
            self.take([name])
        return self.known[name]

    def take(self, names: Iterable[str]) -> None:
        """Compute several at once, which costs little more than one."""
        wanted = [self._of_k(metric(name)) for name in names if name not in self.known]
        for kind, draws in ((False, DRAWS), (True, QUANTILE_DRAWS)):
            group = [one for one in wanted if isinstance(one, Quantile) == kind]
            if group:
                found = intervals(self.columns, group, draws=draws)
                self.known.update({name: point(one) for name, one in found.items()})

    def take_plain(self, names: Iterable[str]) -> None:
        """Compute some without their intervals, where these are not shown."""
        for one in (metric(name) for name in names if name not in self.known):
            self.known[one.name] = point(estimate(self.columns, one))

    def _of_k(self, one: Metric) -> Metric:
        return replace(one, k=self.k) if isinstance(one, OverRuns) and one.unbiased else one

    @property
    def features(self) -> Sequence[Features]:
        """Its episodes."""
        return self.columns.rows


def point(found: Estimate) -> Point:
    """An estimate as it is drawn."""
    interval = found.interval
    if interval is None:
        return Point(found.value, why=found.reason or "")
    return Point(found.value, interval.low, interval.high)


def part(features: Sequence[Features], name: str) -> Point:
    """A figure of some episodes."""
    found = intervals(features, [metric(name)], draws=PART_DRAWS)
    return point(found[name])


def runs_of(features: Iterable[Features]) -> tuple[int, int]:
    """Fewest and most runs of a scenario."""
    counts: dict[str, int] = {}
    for row in features:
        counts[row.scenario] = counts.get(row.scenario, 0) + 1
    return min(counts.values()), max(counts.values())


# --- formats --------------------------------------------------------------------------------------


def show_as(unit: Unit) -> Show:
    """How values of a unit are written."""
    return _SHOWS.get(unit, number)


def _decimals(count: int, suffix: str = "") -> Show:
    def show(value: float | None) -> str:
        return DASH if value is None else f"{value:,.{count}f}{suffix}"

    return show


def _significant(suffix: str = "") -> Show:
    def show(value: float | None) -> str:
        if value is None:
            return DASH
        return f"{value:,.0f}{suffix}" if abs(value) >= 1000 else f"{value:.3g}{suffix}"

    return show


def _time(value: float | None) -> str:
    """Three digits at most, in the unit in which it reads best."""
    if value is None or value < 1e-3:
        return seconds(value)
    return f"{value:,.3g} s" if value >= 0.9995 else f"{1e3 * value:.3g} ms"


def _bytes(value: float | None) -> str:
    return size(value) if value is None or value < 1e8 else f"{value / 1e6:,.0f} MB"


def _money(value: float | None) -> str:
    if value is None:
        return DASH
    return "0 USD" if value == 0 else f"{value:.2g} USD"


_SHOWS: Mapping[str, Callable[[float | None], str]] = {
    "share": percent,
    "per turn": percent,
    "per hour": _decimals(2),
    "turns": _decimals(1),
    "s": _time,
    "J": _significant(" J"),
    "mWh/h": _significant(" mWh"),
    "bytes": _bytes,
    "USD": _money,
    "points": _decimals(2),
}
