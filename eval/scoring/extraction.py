"""From an episode to its row of features. Pure; about a tenth of a millisecond per episode.

What it does not know: metrics, files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from heron.contracts import EpisodeRecord, StepCost, Usage
from heron.eval.attribution import attribute
from heron.eval.projection import phone_seconds, total
from heron.eval.scoring.features import Features
from heron.eval.scoring.moments import moments_of
from heron.eval.scoring.offers import Offers, offers_of

Row = dict[str, Any]


def features_of(episode: EpisodeRecord) -> Features:
    """The row of an episode."""
    offers = offers_of(episode)
    return Features(
        **_played(episode),
        **_ended(episode),
        **_turns(episode, offers),
        **_calls(episode, offers),
        **moments_of(episode, offers),
        **_observer(episode),
        **_network(episode),
    )


def _played(episode: EpisodeRecord) -> Row:
    found, config = episode.assessment, episode.config
    return {
        "scenario": episode.scenario,
        "scenario_hash": episode.scenario_hash,
        "code": episode.code,
        "family": found.family if found else None,
        "part": found.part if found else None,
        "type": episode.type,
        "kind": episode.kind,
        "apps": found.apps if found else None,
        "seed": episode.seed,
        "run": episode.run,
        **{name: getattr(config, name) for name in _CONFIG},
    }


_CONFIG = (
    "observer",
    "executor",
    "user",
    "turns",
    "clock",
    "max_looks",
    "max_steps",
    "background",
    "tool_failure",
    "lasting_failures",
    "tool_latency_s",
    "events_per_minute",
)


def _ended(episode: EpisodeRecord) -> Row:
    outcome, cause = episode.verdict.outcome, attribute(episode)
    blamed = cause.cause if cause else None
    return {
        "outcome": outcome,
        "fault_part": episode.fault.part if episode.fault else None,
        "cause": blamed,
        "what": cause.what if cause else None,
        "goal": int(episode.type == "goal"),
        "quiet": int(episode.type != "goal"),
        "success": int(outcome == "success"),
        "silent": int(outcome == "silent"),
        "done_by_user": int(outcome == "done_by_user"),
        "fault": int(episode.fault is not None),
        "failed": int(cause is not None),
        "by_observer": int(blamed == "observer"),
        "by_user": int(blamed == "user"),
        "by_executor": int(blamed == "executor"),
        "by_infrastructure": int(blamed == "infrastructure"),
    }


def _turns(episode: EpisodeRecord, offers: Offers) -> Row:
    goal = episode.type == "goal"
    seconds = phone_seconds([turn.time for turn in episode.turns]) or 0.0
    ends = Counter(offer.end for offer in offers)
    first = Counter(offer.first for offer in offers)
    shown, accepted = len(offers), ends["accept"]
    made = sum(o.answer.type == "propose" for t in episode.turns for o in t.observer)
    errors = episode.user_errors
    return {
        "turns_played": len(episode.turns),
        "phone_s": seconds,
        "quiet_s": 0.0 if goal else seconds,
        "proposals": shown,
        "accepted": accepted,
        "rejected": ends["reject"],
        "expired": ends["expired"],
        "withdrawn": ends["withdrawn"],
        "unanswered": ends["open"],
        "refused": max(0, made - shown),
        "goal_proposals": shown if goal else 0,
        "goal_accepted": accepted if goal else 0,
        "quiet_proposals": 0 if goal else shown,
        "quiet_accepted": 0 if goal else accepted,
        "first_accept": first["accept"],
        "first_reject": first["reject"],
        "first_look": first["gather_context"],
        "first_ignore": first["ignore"],
        "looked": sum(offer.looked for offer in offers),
        "answered": sum(offer.first != "ignore" for offer in offers),
        "questions": sum(
            turn.execution is not None and turn.execution.end == "question"
            for turn in episode.turns
        ),
        "gatherings": len(episode.gatherings),
        "looks": sum(g.looks for g in episode.gatherings),
        "gatherings_ended": sum(g.end != "open" for g in episode.gatherings),
        "gathering_s": sum(g.seconds for g in episode.gatherings if g.end != "open"),
        "user_errors": errors.total if errors is not None else 0,
        "user_assessed": int(errors is not None),
    }


def _calls(episode: EpisodeRecord, offers: Offers) -> Row:
    own = [entry for entry in episode.log if entry.actor == "assistant"]
    done = Counter(entry.effect for entry in own if entry.error is None)
    accepted = episode.type == "goal" and any(offer.end == "accept" for offer in offers)
    return {
        "reads": done["read"],
        "writes": done["write"],
        "calls": len(own),
        "noise_failures": sum(entry.noise in ("transient", "lasting") for entry in own),
        "noise_events": sum(entry.noise == "event" for entry in episode.log),
        "executions": sum(turn.execution is not None for turn in episode.turns),
        "accepted_episode": int(accepted),
        "accepted_success": int(accepted and episode.verdict.outcome == "success"),
    }


def _observer(episode: EpisodeRecord) -> Row:
    steps, costs = episode.costs.steps, episode.costs
    energy = [step.energy for step in steps if step.energy is not None]
    known = [sample.joules for sample in energy if sample.joules is not None]
    memory = [step.memory for step in steps if step.memory is not None]
    memory += [costs.memory] if costs.memory is not None else []
    return {
        "decisions": len(steps),
        "wall_s": tuple(step.wall_s for step in steps),
        "cpu_s": _known(steps, "cpu_s"),
        "queued_s": _known(steps, "queued_s"),
        "first_token_s": _known(steps, "first_token_s"),
        "cpu_total_s": total([step.cpu_s for step in steps]),
        "evaluated": total([step.evaluated for step in steps]),
        "reused": total([step.reused for step in steps]),
        "generated": total([step.generated for step in steps]),
        "woken": sum(step.woken is True for step in steps),
        "gated": sum(step.woken is not None for step in steps),
        "joules": sum(known),
        "joules_known": len(known),
        "joules_total": sum(known) if len(known) == len(steps) else None,
        "memory_anonymous": _largest(m.anonymous for m in memory),
        "memory_file_backed": _largest(m.file_backed for m in memory),
        "memory_kv": _largest(m.kv for m in memory),
        "memory_reason": next((m.reason for m in memory if m.reason), None),
        "energy_reason": next((sample.reason for sample in energy if sample.reason), None),
        "episode_wall_s": costs.wall_s,
        "harness_cpu_s": costs.harness_cpu_s,
    }


def _network(episode: EpisodeRecord) -> Row:
    costs = episode.costs
    own = [step.usage for step in costs.steps if step.usage is not None]
    observer, executor = _egress(own), _egress(costs.usage)
    simulator = costs.simulator.usage if costs.simulator is not None else Usage()
    return {
        "observer_tokens_in": sum(use.tokens_in for use in own),
        "observer_tokens_out": sum(use.tokens_out for use in own),
        "observer_egress": observer,
        "executor_s": tuple(step.wall_s for step in costs.executor),
        "executor_calls": sum(use.calls for use in costs.usage),
        "executor_tokens": sum(use.tokens_in + use.tokens_out for use in costs.usage),
        "executor_tokens_in": sum(use.tokens_in for use in costs.usage),
        "executor_tokens_out": sum(use.tokens_out for use in costs.usage),
        "executor_bytes": sum(use.bytes_out for use in costs.usage),
        "executor_egress": executor,
        "egress_before": costs.egress_before_accept,
        "egress_after": observer + executor - costs.egress_before_accept,
        "cost_usd": _money([*own, *costs.usage]),
        "fields_disclosed": None,
        "simulator_tokens": simulator.tokens_in + simulator.tokens_out,
        "simulator_usd": _money([simulator]),
    }


def _known(steps: Sequence[StepCost], name: str) -> tuple[float, ...]:
    values = (getattr(step, name) for step in steps)
    return tuple(value for value in values if value is not None)


def _largest(values: Iterable[int | None]) -> int | None:
    return max((value for value in values if value is not None), default=None)


def _egress(usage: Sequence[Usage]) -> int:
    return sum(use.bytes_out for use in usage if use.remote)


def _money(usage: Sequence[Usage]) -> float | None:
    """0 where nothing remote was asked; unknown as soon as one price is."""
    return total([use.cost_usd for use in usage if use.remote and use.calls])
