"""A sweep's summary: each configuration's main figures, from one pass over the store.

What it does not know: how it is shown. ``heron report`` and ``heron compare`` have all figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heron.contracts import EpisodeConfig
from heron.eval.digest import digest_of_digests, episode_digest
from heron.eval.engine.player import Info
from heron.eval.in_sample import in_sample
from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.scoring.columns import Columns
from heron.eval.scoring.configurations import Place, labels
from heron.eval.scoring.estimates import intervals
from heron.eval.scoring.extraction import features_of
from heron.eval.scoring.features import Features
from heron.eval.scoring.summing import plain
from heron.eval.store import config_hash, read_episodes

FIGURES = (
    "success_rate",
    "silence_rate",
    "acceptance_rate",
    "proposal_rate",
    "interruption_cost",
    "fault_rate",
    "decision_s_p95",
    "usd_per_episode",
)
"""Metrics that the summary holds."""
DRAWS = 400


def summed_up(
    folder: Path, planned: Mapping[EpisodeConfig, int], infos: Mapping[str, Info]
) -> dict[str, Any]:
    """Figures of every configuration that has episodes.

    Args:
        folder: of the sweep.
        planned: configuration → how many episodes it is to have, in order.
        infos: ``config_hash`` → what is known of models.

    Raises:
        InputError: the folder holds no episodes.
    """
    rows: dict[EpisodeConfig, list[Features]] = {config: [] for config in planned}
    digests: dict[EpisodeConfig, list[str]] = {}
    for episode in read_episodes(folder, tell=lambda _: None):
        rows.setdefault(episode.config, []).append(features_of(episode))
        digests.setdefault(episode.config, []).append(episode_digest(episode))
    names = labels([Place(config, "") for config in rows])
    return {
        "episodes": sum(map(len, rows.values())),
        "digest": digest_of_digests(one for own in digests.values() for one in own),
        "configurations": [
            {
                "label": names[Place(config, "")],
                "config": config.model_dump(mode="json"),
                "planned_episodes": planned.get(config, 0),
                "episodes": len(own),
                "scenarios": len({row.scenario for row in own}),
                "in_sample": in_sample(config.observer, _parts(own)),
                "models": infos.get(config_hash(config), {}),
                "digest": digest_of_digests(digests.get(config, [])),
                "metrics": _figures(own),
            }
            for config, own in rows.items()
        ],
    }


def _figures(rows: Sequence[Features]) -> dict[str, Any]:
    if not rows:
        nothing = {"value": None, "interval": None, "reason": "no episode was played"}
        return dict.fromkeys(FIGURES, nothing)
    found = intervals(Columns(tuple(rows)), [METRICS[name] for name in FIGURES], draws=DRAWS)
    return {name: plain(own) for name, own in found.items()}


def _parts(rows: Sequence[Features]) -> Counter[str]:
    return Counter({row.scenario: row.part or "" for row in rows}.values())
