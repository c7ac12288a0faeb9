"""Metrics of a run as JSON: every metric with its interval, and what the figures do not bear."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from heron.eval.resampling import DRAWS
from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.scoring.cautions import cautions
from heron.eval.scoring.columns import Columns
from heron.eval.scoring.estimates import Estimate, intervals
from heron.eval.scoring.features import Features


def scored(features: Iterable[Features], seed: int = 0, draws: int = DRAWS) -> dict[str, Any]:
    """``metrics`` by name, each with value, interval and, without a value, the reason; ``cautions``
    in words.
    """
    columns = Columns(tuple(features))
    found = intervals(columns, METRICS.values(), seed, draws)
    return {
        "metrics": {name: plain(own) for name, own in found.items()},
        "cautions": cautions(columns) if len(columns) else [],
    }


def plain(own: Estimate) -> dict[str, Any]:
    """An estimate as JSON."""
    return {
        "value": own.value,
        "interval": None if own.interval is None else own.interval.model_dump(mode="json"),
        "reason": own.reason,
    }
