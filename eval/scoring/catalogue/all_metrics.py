"""All metrics by name, in the order in which tables show them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from heron.errors import UnknownName
from heron.eval.scoring.catalogue.costs import COSTS
from heron.eval.scoring.catalogue.offers import OFFERS
from heron.eval.scoring.catalogue.outcomes import OUTCOMES
from heron.eval.scoring.catalogue.points import POINTS
from heron.eval.scoring.metric import Metric
from heron.registry import nearest

FILES: Mapping[str, tuple[Metric, ...]] = MappingProxyType(
    {"outcomes.py": OUTCOMES, "offers.py": OFFERS, "points.py": POINTS, "costs.py": COSTS}
)
"""File beside this one → the metrics that it defines."""

METRICS: Mapping[str, Metric] = MappingProxyType(
    {metric.name: metric for metrics in FILES.values() for metric in metrics}
)


def metric_named(name: str) -> Metric:
    """The metric of this name; ``success`` is ``success_rate``, ``timely`` is ``timely_share``.

    Raises:
        UnknownName: there is none; the message says what is near.
    """
    wanted = name.strip().replace("-", "_")
    for full in (wanted, f"{wanted}_rate", f"{wanted}_share"):
        if full in METRICS:
            return METRICS[full]
    raise UnknownName(f"no metric {name!r}; {nearest(wanted, METRICS)}")
