"""Stored runs by configuration, under names that say what sets each apart.

Episodes are read one by one and kept as rows of features. What it does not know: figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.errors import InputError
from heron.eval.scoring.extraction import features_of
from heron.eval.scoring.features import Features
from heron.eval.store import read_episodes


class Place(NamedTuple):
    """Where an episode belongs."""

    config: EpisodeConfig
    folder: str
    """Empty, unless two runs are of the same configuration."""


Rows = list[Features]


def configurations(runs: Sequence[Path]) -> dict[Place, Rows]:
    """Configuration → its rows, in the order of the runs.

    A configuration that is spread over several folders (a sweep, shards) is one. If two folders
    hold the same episode of it, they are taken as two things to compare.

    Raises:
        InputError: a folder is not there or holds no episodes.
    """
    found: dict[Path, dict[EpisodeConfig, Rows]] = {}
    for run in runs:
        own = found.setdefault(run, {})
        for episode in read_episodes(run):
            own.setdefault(episode.config, []).append(features_of(episode))
        if not own:
            raise InputError(f"{run} holds no episodes")
    return _merged(found)


def by_configuration(episodes: Iterable[EpisodeRecord]) -> dict[EpisodeConfig, Rows]:
    """The same of episodes at hand."""
    found: dict[EpisodeConfig, Rows] = {}
    for episode in episodes:
        found.setdefault(episode.config, []).append(features_of(episode))
    return found


def labels(places: Sequence[Place]) -> dict[Place, str]:
    """Place → a name: the settings by which the places differ, or the folder."""
    dumped = [place.config.model_dump() for place in places]
    names = [n for n in EpisodeConfig.model_fields if len({str(own[n]) for own in dumped}) > 1]
    found = {
        place: ", ".join(_told(names, own)) or place.folder or place.config.observer
        for place, own in zip(places, dumped, strict=True)
    }
    several = {label for label in found.values() if list(found.values()).count(label) > 1}
    return {
        place: f"{label} ({place.folder})" if label in several and place.folder else label
        for place, label in found.items()
    }


def _told(names: Sequence[str], config: Mapping[str, object]) -> Iterator[str]:
    """Settings in words; the three parts go without their names where they alone differ."""
    for name in names:
        if name == "observer" and len(names) == 1:
            yield str(config[name])
        else:
            yield f"{name.removesuffix('_s').replace('_', ' ')} {config[name]}"


def _merged(found: Mapping[Path, Mapping[EpisodeConfig, Rows]]) -> dict[Place, Rows]:
    merged: dict[Place, Rows] = {}
    for config in dict.fromkeys(config for own in found.values() for config in own):
        parts = {run: own[config] for run, own in found.items() if config in own}
        keys = [(row.scenario, row.seed) for rows in parts.values() for row in rows]
        if len(parts) > 1 and len(set(keys)) < len(keys):
            merged.update({Place(config, str(run)): rows for run, rows in parts.items()})
        else:
            merged[Place(config, "")] = [row for rows in parts.values() for row in rows]
    return merged
