"""The scored part of a run's table: sparing, as it stands among much else.

What it does not know: how a table is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.table import Row, between, figure, percent

BEHAVIOUR: Sequence[tuple[str, tuple[str, ...]]] = (
    ("offers in time / early / late", ("timely_share", "early_share", "late_share")),
    ("  turns from the opening to the first in time", ("turns_to_offer",)),
    ("false alarms per hour (quiet)", ("false_alarms_per_hour",)),
    (
        "silent after a rejection / on that matter",
        ("stop_after_rejection", "stop_after_rejection_matter"),
    ),
    ("interruption cost per episode", ("interruption_cost",)),
    ("executor success given an accept", ("executor_success",)),
)
INTERVENTIONS: Sequence[tuple[str, tuple[str, ...]]] = (
    (
        "precision / recall / F1",
        ("intervention_precision", "intervention_recall", "intervention_f1"),
    ),
    (
        "as ProactiveBench counts: recall / precision / accuracy / false alarm / F1",
        tuple(
            f"proactivebench_{name}"
            for name in ("recall", "precision", "accuracy", "false_alarm", "f1")
        ),
    ),
    (
        "as ContextAgent counts: accuracy / missed / false",
        tuple(f"contextagent_{name}" for name in ("accuracy", "missed", "false")),
    ),
)


def scored_rows(summary: Mapping[str, Any]) -> list[Row]:
    """Sections beside the score; nothing for runs that were summed up before there were any."""
    metrics = summary.get("metrics")
    if metrics is None:
        return []
    return [
        *(Row("timing and restraint", name, _joined(metrics, own)) for name, own in BEHAVIOUR),
        *(Row("interventions", name, _joined(metrics, own)) for name, own in INTERVENTIONS),
        *_decomposed(summary.get("decomposition") or []),
        *(Row("read with care", f"{at}", line) for at, line in enumerate(summary["cautions"], 1)),
    ]


def _joined(metrics: Mapping[str, Any], names: Sequence[str]) -> str:
    """One value with its interval, or several without."""
    values = [figure(metrics[name]["value"], METRICS[name].unit) for name in names]
    if len(names) == 1 and metrics[names[0]]["interval"] is not None:
        at = metrics[names[0]]["interval"]
        return f"{values[0]} {between(at['low'], at['high'], METRICS[names[0]].unit)}"
    return " / ".join(values)


def _decomposed(found: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    for own in found:
        for name, key in (
            ("observer alone: success with the oracle executor", "observer_alone"),
            ("executor alone: success with the oracle observer", "executor_alone"),
            ("loss", "loss"),
            ("  of that the observer's", "to_observer"),
            ("  of that the executor's", "to_executor"),
            ("  the rest", "rest"),
        ):
            at = own[key]["interval"]
            told = f" {between(at['low'], at['high'], 'share')}" if at is not None else ""
            yield Row("decomposition", name, percent(own[key]["value"]) + told)
