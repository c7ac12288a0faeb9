"""The summary of a run: every metric and every cost, as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from heron.contracts import EpisodeRecord
from heron.eval import attribution, costs, gathering, metrics, user_errors
from heron.eval.digest import digest_of
from heron.eval.observer_usage import observer_usage
from heron.eval.scoring.extraction import features_of
from heron.eval.scoring.summing import scored
from heron.eval.simulator import simulator_figures


def summarise(episodes: Sequence[EpisodeRecord], k: int) -> dict[str, Any]:
    """All figures of a run of ``k`` runs per scenario; ``None`` where a denominator is empty."""
    goal, quiet = metrics.goals(episodes), metrics.quiet_ones(episodes)
    return {
        "episodes": len(episodes),
        "goal_episodes": len(goal),
        "quiet_episodes": len(quiet),
        "faults": metrics.faults(episodes),
        "k": k,
        "success_rate": metrics.success_rate(episodes),
        "success_at_k": metrics.success_at_k(episodes, k),
        "success_pow_k": metrics.success_pow_k(episodes, k),
        "silence_rate": metrics.silence_rate(episodes),
        "outcomes": metrics.outcomes(episodes),
        "proposals": metrics.proposals(episodes),
        "proposal_rate": metrics.proposal_rate(episodes),
        "acceptance_rate": metrics.acceptance_rate(episodes),
        "goal_acceptance_rate": metrics.acceptance_rate(goal),
        "quiet_acceptance_rate": metrics.acceptance_rate(quiet),
        "gather_context_share": metrics.gather_context_share(episodes),
        "first_answers": metrics.first_answers(episodes),
        "gathering_looks": gathering.mean_looks(episodes),
        "gathering_seconds": gathering.mean_seconds(episodes),
        "user_errors": user_errors.totals(episodes),
        "attribution": attribution.shares(episodes),
        "questions": metrics.questions(episodes),
        "read_actions": metrics.read_actions(episodes),
        "write_actions": metrics.write_actions(episodes),
        "tool_failure_rate": metrics.tool_failure_rate(episodes),
        "events_by_the_way": metrics.events_by_the_way(episodes),
        "egress_bytes_before_accept": costs.egress_before_accept(episodes),
        "observer": costs.observer_costs(episodes),
        "observer_network": observer_usage(episodes),
        "executor": costs.executor_costs(episodes),
        "simulator": simulator_figures(episodes),
        "harness_cpu_s": sum(e.costs.harness_cpu_s for e in episodes),
        "wall_s": sum(e.costs.wall_s for e in episodes),
        **scored(features_of(episode) for episode in episodes),
        "digest": digest_of(episodes),
    }


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON file whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)
