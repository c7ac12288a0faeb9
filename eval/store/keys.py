"""Which rows are the same episode: scenario, its content, seed, configuration and code.

All of it stands in the row itself, before the turns, so that a key costs no look at the rest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from heron.contracts import EpisodeConfig, EpisodeRecord


class EpisodeKey(NamedTuple):
    """Two rows with the same key are the same episode, but for what was measured."""

    scenario: str
    scenario_hash: str
    """sha256 of its content."""
    seed: int
    config_hash: str
    """Of the configuration and the model files (see ``config_hash``)."""
    code: str
    """Which code played it; empty in rows that do not say."""


def config_hash(config: EpisodeConfig, models: Mapping[str, str] | None = None) -> str:
    """sha256, hexadecimal, of a configuration and the model files that it was played with.

    Values that are the default's are left out, so that a field that is added later changes
    nothing for rows that were stored before.

    Args:
        config: what was run.
        models: role → sha256 of its model's file.
    """
    content = {"config": config.model_dump(mode="json", exclude_defaults=True)}
    if models:
        content["models"] = dict(models)
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def key_of(episode: EpisodeRecord) -> EpisodeKey:
    """The key of an episode."""
    return EpisodeKey(
        scenario=episode.scenario,
        scenario_hash=episode.scenario_hash,
        seed=episode.seed,
        config_hash=config_hash(episode.config, episode.models),
        code=episode.code or "",
    )
