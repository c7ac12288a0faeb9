"""What stored runs say of the models that are profiled. What it does not know: costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from heron.contracts import EpisodeRecord
from heron.errors import HeronError, InputError
from heron.eval import metrics
from heron.eval.profiling.records import Quality
from heron.eval.store import read_episodes
from heron.models.store import resolve
from heron.registry import split_spec

Metric = Literal["success", "acceptance"]


class StoredQuality:
    """Episodes of stored runs, by observer.

    Args:
        folders: of runs.
        metric: successful goal episodes / goal episodes, or accepted / shown proposals.

    Raises:
        InputError: a folder holds no episodes.
    """

    def __init__(self, folders: Sequence[Path], metric: Metric) -> None:
        self._metric = metric
        self._episodes: dict[str, list[EpisodeRecord]] = {}
        self._folders: dict[str, list[str]] = {}
        for folder in folders:
            episodes = list(read_episodes(folder))
            if not episodes:
                raise InputError(f"{folder} holds no episodes")
            name = _identity(episodes[0].config.observer)
            self._episodes.setdefault(name, []).extend(episodes)
            self._folders.setdefault(name, []).append(str(folder))

    def of(self, observer: str) -> Quality | None:
        """Of an observer; ``None`` where no run had it."""
        name = _identity(observer)
        episodes = self._episodes.get(name)
        if episodes is None:
            return None
        if self._metric == "success":
            value, counted = metrics.success_rate(episodes), len(metrics.goals(episodes))
        else:
            value, counted = metrics.acceptance_rate(episodes), metrics.proposals(episodes)
        return Quality(
            metric=self._metric, value=value, counted=counted, runs=tuple(self._folders[name])
        )


def _identity(observer: str) -> str:
    """An observer whose model is named in another way is the same."""
    kind, argument = split_spec(observer)
    model, mark, options = argument.partition("?")
    try:
        return f"{kind}:{resolve(model).name}{mark}{options}"
    except HeronError:
        return observer
