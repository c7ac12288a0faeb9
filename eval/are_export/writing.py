"""Writes ARE files of scenarios, each whole or not at all.

What it does not know: the terminal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from heron.contracts import EpisodeRecord, Record
from heron.errors import HeronError, InputError, Unavailable
from heron.eval.are_export.scenario import export, file_name
from heron.eval.are_export.trace import export_episode, trace_name
from heron.eval.judging.replay import LeftBehind
from heron.eval.judging.scenes import Scenes
from heron.eval.store import read_episodes
from heron.eval.store.choosing import chosen_by
from heron.eval.whole_files import write_whole
from heron.scenarios.are.export.ledger import Dialect
from heron.scenarios.schema import Scenario


class Written(Record):
    """What became of a scenario or an episode."""

    name: str
    """Scenario and seed, ``id#seed``."""
    status: Literal["written", "refused"]
    file: str | None = None
    left_out: tuple[str, ...] = ()
    """What ARE's part of the file does not say, or why nothing was written."""

    @property
    def line(self) -> str:
        """In one line."""
        if self.status == "refused":
            return f"{self.name}: refused: {'; '.join(self.left_out)}"
        number = len(self.left_out)
        more = f" ({number} things have no counterpart in ARE)" if number else ""
        return f"{self.file}{more}"


def write_scenarios(
    scenarios: Iterable[Scenario],
    seeds: Iterable[int],
    out: Path,
    told: Callable[[Written], None],
    *,
    force: bool = False,
    dialect: Dialect = "pare",
) -> None:
    """Write a file for each scenario and seed; one that cannot be written stops no other.

    Args:
        scenarios: which.
        seeds: under which.
        out: the folder; it is made.
        told: told of each as it is done.
        force: write over files that are there.
        dialect: whose classes the file names.

    Raises:
        Unavailable: the folder cannot be written to.
    """
    make(out)
    chosen = tuple(seeds)
    for scenario in scenarios:
        for seed in chosen:
            told(_written(scenario, seed, out, force=force, dialect=dialect))


def _written(scenario: Scenario, seed: int, out: Path, *, force: bool, dialect: Dialect) -> Written:
    name = f"{scenario.id}#{seed}"
    target = out / f"{file_name(scenario.id, seed)}.json"
    try:
        check_free(target, force=force)
        made = export(scenario, seed, dialect)
    except Unavailable:
        raise
    except HeronError as error:
        return Written(name=name, status="refused", left_out=(" ".join(str(error).split()),))
    write(target, made.data)
    return Written(name=name, status="written", file=str(target), left_out=made.left_out)


def write_traces(
    paths: Iterable[Path],
    out: Path,
    told: Callable[[Written], None],
    *,
    chosen: str | None = None,
    force: bool = False,
) -> None:
    """Write a file for each episode of some runs; one that cannot be written stops no other.

    Args:
        paths: folders of runs, or files of episodes.
        out: the folder; it is made.
        told: told of each as it is done.
        chosen: ``SCENARIO`` or ``SCENARIO#SEED``: only these.
        force: write over files that are there.

    Raises:
        InputError: there are no such episodes.
        Unavailable: the folder cannot be written to.
    """
    scenes, taken = Scenes(), set[Path]()
    make(out)
    count, meant = 0, chosen_by(chosen)
    for path in paths:
        for episode in filter(meant, read_episodes(path)):
            count += 1
            told(_traced(episode, scenes, out, taken, force=force))
    if not count:
        which = f"episode {chosen!r}" if chosen is not None else "episode"
        raise InputError(f"{', '.join(map(str, paths))}: there is no {which}")


def _traced(
    episode: EpisodeRecord, scenes: Scenes, out: Path, taken: set[Path], *, force: bool
) -> Written:
    name = f"{episode.scenario}#{episode.seed}"
    target = _free(out / f"{trace_name(episode)}.json", taken)
    try:
        check_free(target, force=force)
        made = export_episode(episode, scenes)
    except (HeronError, LeftBehind) as error:
        return Written(name=name, status="refused", left_out=(" ".join(str(error).split()),))
    write(target, made.data)
    taken.add(target)
    return Written(name=name, status="written", file=str(target), left_out=made.left_out)


def _free(target: Path, taken: set[Path]) -> Path:
    """A name that this export has not given: several configurations play the same episode."""
    number, made = 1, target
    while made in taken:
        number += 1
        made = target.with_name(f"{target.stem}.{number}.json")
    return made


def check_free(target: Path, *, force: bool) -> None:
    """That a file may be written.

    Raises:
        InputError: it is there already.
    """
    if target.exists() and not force:
        raise InputError(f"{target} is there already (--force writes over it)")


def make(out: Path) -> None:
    """Make a folder.

    Raises:
        Unavailable: it cannot be made.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"{out} cannot be made: {error.strerror}") from error


def write(target: Path, data: Mapping[str, Any]) -> None:
    """The whole file or none: written beside it, then moved into its place.

    Raises:
        Unavailable: it cannot be written.
    """
    write_whole(target, json.dumps(data, indent=2, ensure_ascii=False) + "\n")
