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

METRICS: Mapping[str, Metric] = MappingProxyType(
    {metric.name: metric for metric in (*OUTCOMES, *OFFERS, *POINTS, *COSTS)}
)


def metric_named(name: str) -> Metric:
    """The metric of this name.

    Raises:
        UnknownName: there is none; the message says what is near.
    """
    found = METRICS.get(name)
    if found is None:
        raise UnknownName(f"no metric {name!r}; {nearest(name, METRICS)}")
    return found
