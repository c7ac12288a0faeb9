"""Episodes of several runs side by side, on the same scenarios and seeds; as a complete table of
users × observers, or by any other name.

What it does not know: rates, ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

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


class Row(Protocol):
    """An episode, or what is known of one."""

    @property
    def scenario(self) -> str: ...
    @property
    def scenario_hash(self) -> str: ...
    @property
    def seed(self) -> int: ...


R = TypeVar("R", bound=Row)
C = TypeVar("C")


def side_by_side(rows: Iterable[tuple[C, R]], told: Callable[[C], str]) -> dict[C, dict[Key, R]]:
    """Rows by where they belong, and there by scenario and seed.

    Args:
        rows: with where each belongs.
        told: a place in words, for messages.

    Raises:
        InputError: a place has an episode twice, or a scenario was played in different versions.
    """
    table: dict[C, dict[Key, R]] = {}
    hashes: dict[str, str] = {}
    for place, row in rows:
        if hashes.setdefault(row.scenario, row.scenario_hash) != row.scenario_hash:
            raise InputError(
                f"the runs were played with different versions of scenario {row.scenario}; play "
                f"them again"
            )
        found = table.setdefault(place, {})
        key = (row.scenario, row.seed)
        if key in found:
            raise InputError(
                f"{key[0]} with seed {key[1]} was played twice with {told(place)}; give each run "
                f"once"
            )
        found[key] = row
    return table


def common_keys(table: Mapping[C, Mapping[Key, R]]) -> list[Key]:
    """What every place has, sorted.

    Raises:
        InputError: nothing.
    """
    common = set.intersection(*(set(found) for found in table.values()))
    if not common:
        raise InputError("the runs have no scenario and seed in common")
    return sorted(common)


def grid_of(episodes: Iterable[EpisodeRecord]) -> Grid:
    """Sort episodes into cells and keep what every cell has.

    Raises:
        InputError: there is none; a cell has an episode twice; runs differ in more than user and
            observer, or in a scenario's text; or nothing is common to all cells.
    """
    table = side_by_side(_placed(episodes), lambda cell: f"user {cell[0]} and observer {cell[1]}")
    if not table:
        raise InputError("the runs hold no episodes")
    return _complete(table)


def _placed(episodes: Iterable[EpisodeRecord]) -> Iterator[tuple[Cell, EpisodeRecord]]:
    first: EpisodeRecord | None = None
    for episode in episodes:
        first = first or episode
        _check(first, episode)
        yield (episode.config.user, episode.config.observer), episode


def _check(first: EpisodeRecord, episode: EpisodeRecord) -> None:
    """That an episode differs from the first in nothing that would be taken for the user."""
    ours, theirs = first.config.model_dump(), episode.config.model_dump()
    for name in ours:
        if name not in ("user", "observer") and ours[name] != theirs[name]:
            raise InputError(
                f"the runs differ in more than user and observer: {name} is {ours[name]!r} and "
                f"{theirs[name]!r}"
            )


def _complete(table: Mapping[Cell, Mapping[Key, EpisodeRecord]]) -> Grid:
    users = tuple(dict.fromkeys(user for user, _ in table))
    observers = tuple(dict.fromkeys(observer for _, observer in table))
    kept = tuple(o for o in observers if all((user, o) in table for user in users))
    cells = [(user, observer) for user in users for observer in kept]
    if not cells:
        raise InputError("no observer was played under every user, so there is nothing to compare")
    common = common_keys({cell: table[cell] for cell in cells})
    return Grid(
        users=users,
        observers=kept,
        cells={cell: [table[cell][key] for key in common] for cell in cells},
        left_out=sum(len(found) for found in table.values()) - len(cells) * len(common),
        dropped=tuple(o for o in observers if o not in kept),
    )
