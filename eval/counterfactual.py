"""The counterfactual runs of a configuration: with an oracle executor, an oracle observer, both.

With an oracle executor only the observer can fail; with an oracle observer only the executor. What
it does not know: what the runs say (see ``scoring.decomposition``).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from heron.contracts import EpisodeConfig

Part = Literal["observer", "executor", "ceiling"]
"""What is the configuration's own: the observer alone, the executor alone, neither."""

PARTS: Final[tuple[Part, ...]] = get_args(Part)
ORACLE: Final = "oracle"
FOLDER: Final = "counterfactual"
"""Beneath a run's folder: one folder for each part."""


def counterpart(config: EpisodeConfig, part: Part) -> EpisodeConfig:
    """The configuration with everything but ``part`` replaced by its oracle."""
    return config.model_copy(
        update={
            "observer": config.observer if part == "observer" else ORACLE,
            "executor": config.executor if part == "executor" else ORACLE,
        }
    )


def counterparts(config: EpisodeConfig) -> dict[Part, EpisodeConfig]:
    """Those that are another configuration than this one and than each other."""
    found: dict[Part, EpisodeConfig] = {}
    for part in PARTS:
        other = counterpart(config, part)
        if other != config and other not in found.values():
            found[part] = other
    return found
