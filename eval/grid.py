"""Episodes of several runs as a complete table: users × observers, on the same scenarios and seeds.

What it does not know: rates, ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from heron.contracts import EpisodeRecord
from heron.errors import InputError
from heron.eval.ranking import Cell

Key = tuple[str, int]
"""(scenario, seed)."""


@dataclass(frozen=True)
class Grid:
    """Episodes as a complete table of users × observers over the same scenarios and seeds."""

    users: tuple[str, ...]
    observers: tuple[str, ...]
    cells: dict[Cell, list[EpisodeRecord]]
    left_out: int
    """Episodes that another cell has no counterpart of."""
    dropped: tuple[str, ...] = ()
    """Observers that not every user was given."""

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Their ids, sorted."""
        return tuple(sorted({e.scenario for found in self.cells.values() for e in found}))


def grid_of(episodes: Iterable[EpisodeRecord]) -> Grid:
    """Sort episodes into cells and keep what every cell has.

    Raises:
        InputError: there is none; a cell has an episode twice; runs differ in more than user and
            observer, or in a scenario's text; or nothing is common to all cells.
    """
    table: dict[Cell, dict[Key, EpisodeRecord]] = {}
    first: EpisodeRecord | None = None
    hashes: dict[str, str] = {}
    for episode in episodes:
        first = first or episode
        _check(first, episode, hashes)
        cell = (episode.config.user, episode.config.observer)
        found = table.setdefault(cell, {})
        key = (episode.scenario, episode.seed)
        if key in found:
            raise InputError(
                f"{key[0]} with seed {key[1]} was played twice with user {cell[0]} and observer "
                f"{cell[1]}; give each run once"
            )
        found[key] = episode
    if first is None:
        raise InputError("the runs hold no episodes")
    return _complete(table)


def _check(first: EpisodeRecord, episode: EpisodeRecord, hashes: dict[str, str]) -> None:
    """That an episode differs from the first in nothing that would be taken for the user."""
    ours, theirs = first.config.model_dump(), episode.config.model_dump()
    for name in ours:
        if name not in ("user", "observer") and ours[name] != theirs[name]:
            raise InputError(
                f"the runs differ in more than user and observer: {name} is {ours[name]!r} and "
                f"{theirs[name]!r}"
            )
    if hashes.setdefault(episode.scenario, episode.scenario_hash) != episode.scenario_hash:
        raise InputError(
            f"the runs were played with different versions of scenario {episode.scenario}; play "
            f"them again"
        )


def _complete(table: Mapping[Cell, Mapping[Key, EpisodeRecord]]) -> Grid:
    users = tuple(dict.fromkeys(user for user, _ in table))
    observers = tuple(dict.fromkeys(observer for _, observer in table))
    kept = tuple(o for o in observers if all((user, o) in table for user in users))
    cells = [(user, observer) for user in users for observer in kept]
    if not cells:
        raise InputError("no observer was played under every user, so there is nothing to compare")
    common = set.intersection(*(set(table[cell]) for cell in cells))
    if not common:
        raise InputError("the runs have no scenario and seed in common")
    return Grid(
        users=users,
        observers=kept,
        cells={cell: [table[cell][key] for key in sorted(common)] for cell in cells},
        left_out=sum(len(found) for found in table.values()) - len(cells) * len(common),
        dropped=tuple(o for o in observers if o not in kept),
    )
