"""The digest of a run: sha256 over its episodes without measured costs.

Two runs of the same configuration and seeds have the same digest if and only if everything that
is not a measurement was the same: order of rows and the observer's floating-point scores do not
count, the scores because another processor may round them otherwise. Nor does which code and which
model file played (``PROVENANCE``); what a field says that was added later (``LATER``) counts where
it is not the default, so that digests taken before are still to be had.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from heron.contracts import EpisodeConfig, EpisodeRecord

PROVENANCE = {"code", "models"}
LATER = {name: EpisodeConfig.model_fields[name].default for name in ("window",)}
"""Fields of the configuration that digests are older than → their default."""


def digest_of(episodes: Iterable[EpisodeRecord]) -> str:
    """sha256, hexadecimal, over the sorted digests of the episodes."""
    return digest_of_digests(map(episode_digest, episodes))


def digest_of_digests(digests: Iterable[str]) -> str:
    """sha256, hexadecimal, over the sorted digests of episodes."""
    return hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()


def episode_digest(episode: EpisodeRecord) -> str:
    """sha256 of one episode without what was measured."""
    content = episode.model_dump(mode="json", exclude={"costs", "assessment", *PROVENANCE})
    _drop_measured(content)
    for name, default in LATER.items():
        if content["config"][name] == default:
            del content["config"][name]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _drop_measured(node: Any) -> None:
    if isinstance(node, dict):
        node.pop("scores", None)
        node.pop("usage", None)
        for value in node.values():
            _drop_measured(value)
    elif isinstance(node, list):
        for value in node:
            _drop_measured(value)
