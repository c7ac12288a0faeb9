"""The leaderboard, and the tables beside it: offers, costs. What it does not know: charts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from heron.eval.reporting.drawing import shown
from heron.eval.reporting.figures import Figures, metric, show_as
from heron.eval.reporting.pieces import Cell, Column, Table

Wanted = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""(group, (metric, short title)) in order."""

LEADERS: Wanted = (
    (
        "help",
        (
            ("success_rate", "success"),
            ("success_at_k", "success@{k}"),
            ("success_pow_k", "success^{k}"),
            ("acceptance_rate", "accept\u00adance"),
            ("proposal_rate", "proposals per turn"),
        ),
    ),
    (
        "restraint",
        (
            ("silence_rate", "silence"),
            ("false_alarms_per_hour", "false alarms per hour"),
            ("interruption_cost", "inter\u00adruption cost"),
        ),
    ),
    (
        "on the device",
        (
            ("decision_s_p50", "time p50"),
            ("decision_s_p95", "time p95"),
            ("memory_anonymous", "own memory"),
            ("joules_per_decision", "energy per decision"),
        ),
    ),
    (
        "off the device",
        (("egress", "bytes per episode"), ("usd_per_episode", "money per episode")),
    ),
)
OFFERS: Wanted = (
    (
        "interventions",
        (
            ("intervention_precision", "precision"),
            ("intervention_recall", "recall"),
            ("intervention_f1", "F1"),
        ),
    ),
    (
        "time",
        (
            ("timely_share", "in time"),
            ("early_share", "too early"),
            ("late_share", "too late"),
            ("turns_to_offer", "turns to the first"),
        ),
    ),
    (
        "answers",
        (
            ("gather_context_share", "looked first"),
            ("rejected_share", "rejected"),
            ("expired_share", "expired"),
            ("stop_after_rejection", "silent after a rejection"),
        ),
    ),
    ("given an accept", (("executor_success", "executor success"),)),
)
OTHERS: Wanted = (
    (
        "as ProactiveBench counts",
        (
            ("proactivebench_recall", "recall"),
            ("proactivebench_precision", "precision"),
            ("proactivebench_accuracy", "accuracy"),
            ("proactivebench_false_alarm", "false alarm"),
            ("proactivebench_f1", "F1"),
        ),
    ),
    (
        "as ContextAgent counts",
        (
            ("contextagent_accuracy", "accuracy"),
            ("contextagent_missed", "missed"),
            ("contextagent_false", "false detections"),
        ),
    ),
)
COSTS: Wanted = (
    (
        "wall time per decision",
        (("decision_s_p50", "p50"), ("decision_s_p95", "p95"), ("decision_s_p99", "p99")),
    ),
    (
        "CPU and waiting",
        (
            ("decision_cpu_s_p95", "CPU p95"),
            ("first_token_s_p95", "first logits p95"),
            ("queued_s_p95", "queued p95"),
            ("duty_cycle", "duty cycle"),
        ),
    ),
    (
        "energy",
        (("joules_per_decision", "per decision"), ("mwh_per_hour", "per hour of use")),
    ),
    (
        "tokens per decision",
        (("tokens_evaluated", "evaluated"), ("tokens_generated", "written")),
    ),
    (
        "memory",
        (("memory_anonymous", "own"), ("memory_file_backed", "mapped"), ("memory_kv", "window")),
    ),
    (
        "cloud, per episode",
        (
            ("cloud_tokens", "tokens"),
            ("egress_before_accept", "bytes before an accept"),
            ("egress_after_accept", "bytes after"),
            ("usd_per_success", "money per success"),
        ),
    ),
)


def names(wanted: Wanted) -> list[str]:
    """The metrics of a table."""
    return [name for _, pairs in wanted for name, _ in pairs]


def table_of(
    wanted: Wanted,
    figures: Sequence[Figures],
    *,
    name: str,
    caption: str,
    best: Collection[tuple[int, str]] = (),
    intervals: bool = True,
) -> Table:
    """A row per configuration, a column per metric.

    Args:
        best: (row, metric) of figures that are borne out as better than all others.
        intervals: whether each value has its interval beneath it.
    """
    k = figures[0].k if figures else 1
    columns = [
        Column(
            title=title.format(k=k),
            group=group,
            better=metric(which).better,
            help=f"{metric(which).title}: {metric(which).meaning}",
        )
        for group, pairs in wanted
        for which, title in pairs
    ]
    return Table(
        name=name,
        caption=caption,
        sortable=len(figures) > 1,
        leaders=True,
        columns=(Column(title="configuration", text=True), *columns),
        rows=tuple(
            (
                one.mark.cell(one.mark.sub),
                *(
                    _cell(one, which, best=(row, which) in best, interval=intervals)
                    for which in names(wanted)
                ),
            )
            for row, one in enumerate(figures)
        ),
    )


def _cell(one: Figures, which: str, *, best: bool, interval: bool) -> Cell:
    point = one.get(which)
    show = show_as(metric(which).unit)
    return shown(point if interval else point._replace(low=None, high=None), show, best=best)
