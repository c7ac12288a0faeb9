"""All that a report needs of its runs, from one pass over the stores; no episode is kept.

What it does not know: metrics, how a report looks.
"""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.errors import InputError
from heron.eval.reporting.calibrated import Reliability
from heron.eval.scoring.extraction import features_of
from heron.eval.scoring.features import Features
from heron.eval.store import SUMMARY, read_episodes

Watch = Callable[[EpisodeRecord], object]
"""Is shown every episode as it passes."""

RUN = "run.json"


@dataclass(kw_only=True)
class Played:
    """All episodes of one configuration, as features."""

    config: EpisodeConfig
    models: dict[str, str]
    """Role → sha256 of its model's file."""
    features: list[Features] = field(default_factory=list)
    reliability: Reliability = field(default_factory=Reliability)


@dataclass(frozen=True, kw_only=True)
class Material:
    """What was read."""

    played: tuple[Played, ...]
    """By configuration."""
    runs: tuple[Path, ...]
    provenance: tuple[tuple[dict[str, Any], ...], ...]
    """For each run its sessions, as far as it says."""
    codes: Counter[str]
    """Version of the code → episodes."""
    told: tuple[str, ...]
    """What was wrong with the files."""

    @property
    def features(self) -> list[Features]:
        """Of all configurations, one after the other."""
        return [row for one in self.played for row in one.features]

    @property
    def episodes(self) -> int:
        """How many."""
        return sum(len(one.features) for one in self.played)


def read_material(runs: Sequence[Path], watch: Watch = lambda _: None) -> Material:
    """Read runs once.

    Args:
        runs: folders, or files of episodes; the same episode in several counts once.
        watch: shown every episode.

    Raises:
        InputError: a run is not there, holds no episode, or is damaged.
    """
    told: list[str] = []
    with _uncollected():
        played, codes = _gathered(read_episodes(*runs, tell=told.append), watch)
    if not played:
        raise InputError(f"{', '.join(map(str, runs))}: no episodes to report on")
    return Material(
        played=played,
        runs=tuple(runs),
        provenance=tuple(tuple(_provenance(run)) for run in runs),
        codes=codes,
        told=tuple(told),
    )


def material_of(episodes: Iterable[EpisodeRecord]) -> Material:
    """The same of episodes at hand; nothing is said of where they come from."""
    played, codes = _gathered(episodes, lambda _: None)
    return Material(played=played, runs=(), provenance=(), codes=codes, told=())


def _gathered(
    episodes: Iterable[EpisodeRecord], watch: Watch
) -> tuple[tuple[Played, ...], Counter[str]]:
    found: dict[tuple[object, ...], Played] = {}
    codes: Counter[str] = Counter()
    for episode in episodes:
        name = (episode.config, *sorted(episode.models.items()))
        one = found.get(name)
        if one is None:
            one = found[name] = Played(config=episode.config, models=dict(episode.models))
        one.features.append(features_of(episode))
        one.reliability.add(episode)
        codes[episode.code or ""] += 1
        watch(episode)
    return tuple(sorted(found.values(), key=_order)), codes


def _order(one: Played) -> tuple[str, list[tuple[str, str]]]:
    """By what was configured, so that the order of runs and rows makes no difference."""
    return one.config.model_dump_json(), sorted(one.models.items())


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the cyclic garbage collector, which would walk all rows again and again.

    Episodes hold no cycles, so that memory stays bounded without it.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _provenance(run: Path) -> Iterator[dict[str, Any]]:
    """The sessions of ``run.json``, or what older runs say in their summary."""
    folder = run if run.is_dir() else run.parent
    sessions = _json(folder / RUN).get("sessions")
    if isinstance(sessions, list):
        yield from (one for one in sessions if isinstance(one, dict))
        return
    older = _json(folder / SUMMARY).get("run")
    if isinstance(older, dict):
        yield older


def _json(path: Path) -> dict[str, Any]:
    """A JSON object; empty where there is none."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
