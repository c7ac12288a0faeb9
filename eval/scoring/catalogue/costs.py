"""Metrics of what help costs and discloses; all of it measured, ``None`` where it is not."""

from __future__ import annotations

from heron.eval.scoring.catalogue.outcomes import NOTHING
from heron.eval.scoring.metric import Largest, Metric, Quantile, Ratio, Unit

NO_DECISION = "the observer decided nothing"
NO_TIME = "the phone's clock did not move"
NOT_MEASURED = "nothing was measured"


def _ratio(  # noqa: PLR0913 - a row of a table
    name: str,
    title: str,
    unit: Unit,
    above: str,
    below: str,
    meaning: str,
    *,
    scale: float = 1.0,
    section: str = "observer's cost",
    empty: str = NO_DECISION,
    unmeasured: str = "",
) -> Ratio:
    return Ratio(
        name=name,
        title=title,
        section=section,
        unit=unit,
        better="down",
        meaning=meaning,
        above={above: 1},
        below={below: 1},
        scale=scale,
        empty=empty,
        unmeasured=unmeasured,
    )


def _quantiles(name: str, title: str, of: str, meaning: str) -> tuple[Quantile, ...]:
    return tuple(
        Quantile(
            name=f"{name}_p{percent}",
            title=f"{title}, p{percent}",
            section="observer's cost",
            unit="s",
            better="down",
            meaning=f"{meaning} Pooled over all decisions.",
            of=of,
            at=percent / 100,
            empty=NOT_MEASURED,
        )
        for percent in (50, 95, 99)
    )


def _largest(name: str, title: str, meaning: str) -> Largest:
    return Largest(
        name=name,
        title=title,
        section="observer's cost",
        unit="bytes",
        better="down",
        meaning=f"{meaning} The largest sample; no interval.",
        of=name,
        empty=NOT_MEASURED,
        unmeasured="memory_reason",
    )


DISCLOSURE = "disclosure and money"

COSTS: tuple[Metric, ...] = (
    *_quantiles("decision_s", "time per decision", "wall_s", "Wall time of an answer."),
    *_quantiles("decision_cpu_s", "CPU time per decision", "cpu_s", "CPU time of an answer."),
    *_quantiles("queued_s", "wait before a decision", "queued_s", "From arrival to the work."),
    *_quantiles(
        "first_token_s", "time to the first logits", "first_token_s", "From arrival to logits."
    ),
    _ratio(
        "duty_cycle",
        "duty cycle",
        "share",
        "cpu_total_s",
        "phone_s",
        "CPU seconds of the observer's process per second of use on the phone's clock.",
        empty=NO_TIME,
    ),
    _ratio(
        "cpu_s_per_hour",
        "CPU seconds per hour of use",
        "s",
        "cpu_total_s",
        "phone_s",
        "CPU seconds of the observer's process per hour of use on the phone's clock.",
        scale=3600.0,
        empty=NO_TIME,
    ),
    _ratio(
        "joules_per_decision",
        "energy per decision",
        "J",
        "joules",
        "joules_known",
        "Over the decisions whose energy is known.",
        empty="no decision's energy is known",
        unmeasured="energy_reason",
    ),
    _ratio(
        "mwh_per_hour",
        "energy per hour of use",
        "mWh/h",
        "joules_total",
        "phone_s",
        "Only where every decision's energy is known.",
        scale=1000.0,
        empty=NO_TIME,
        unmeasured="energy_reason",
    ),
    _ratio(
        "tokens_evaluated",
        "tokens evaluated per decision",
        "count",
        "evaluated",
        "decisions",
        "Tokens of the prompt that were not kept from before.",
    ),
    _ratio(
        "tokens_generated",
        "tokens generated per decision",
        "count",
        "generated",
        "decisions",
        "Tokens that the model wrote.",
        unmeasured="the observer has no model that tells",
    ),
    _ratio(
        "wake_share",
        "decisions for which a gate woke the model",
        "share",
        "woken",
        "gated",
        "Of those that passed a gate.",
        empty="there is no gate",
    ),
    _largest("memory_anonymous", "memory of its own", "Anonymous memory of its process."),
    _largest("memory_file_backed", "memory mapped from files", "Such as weights."),
    _largest("memory_kv", "memory of the window", "Part of its own memory."),
    _ratio(
        "cloud_tokens",
        "tokens of the executor's model per episode",
        "count",
        "executor_tokens",
        "episodes",
        "In and out, over all executions.",
        section=DISCLOSURE,
        empty=NOTHING,
    ),
    _ratio(
        "egress_before_accept",
        "bytes off the device before an accept, per episode",
        "bytes",
        "egress_before",
        "episodes",
        "Bytes of request bodies handed to models off the device before the first accept.",
        section=DISCLOSURE,
        empty=NOTHING,
    ),
    _ratio(
        "egress_after_accept",
        "bytes off the device after an accept, per episode",
        "bytes",
        "egress_after",
        "episodes",
        "Bytes of request bodies handed to models off the device from the first accept on.",
        section=DISCLOSURE,
        empty=NOTHING,
    ),
    _ratio(
        "fields_disclosed",
        "record fields disclosed per episode",
        "count",
        "fields_disclosed",
        "episodes",
        "Fields of records that left the device in requests.",
        section=DISCLOSURE,
        empty=NOTHING,
        unmeasured="fields that leave the device are not counted yet",
    ),
    _ratio(
        "usd_per_episode",
        "money per episode",
        "USD",
        "cost_usd",
        "episodes",
        "Of the assistant's remote models; unknown as soon as one price is.",
        section=DISCLOSURE,
        empty=NOTHING,
    ),
    _ratio(
        "usd_per_success",
        "money per success",
        "USD",
        "cost_usd",
        "success",
        "Price of the assistant's remote models in all episodes, per successful goal episode.",
        section=DISCLOSURE,
        empty="nothing succeeded",
    ),
)
