"""Makes all files of a report from one pass over the runs.

What it does not know: the command line.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heron.contracts import EpisodeRecord
from heron.errors import InputError, Unavailable
from heron.eval.reporting.build import build, figures_of
from heron.eval.reporting.figures import Figures, metric
from heron.eval.reporting.leaderboard import LEADERS, names
from heron.eval.reporting.markdown import markdown
from heron.eval.reporting.material import Watch, read_material
from heron.eval.reporting.page import LIMIT, html
from heron.eval.reporting.tabular import write_csv, write_parquet
from heron.eval.reporting.viewer.collection import Collection, Stages, no_stage
from heron.eval.reporting.viewer.mount import Mounted, mount
from heron.eval.reporting.viewer.stages import StageFinder
from heron.eval.reporting.writing import write_text
from heron.eval.store import episode_files

ABOUT_BYTES = 40_000_000
"""Of stored episodes, about 2,500: up to there the viewer also says what the user wanted, which
takes some milliseconds per scenario and seed."""
RUNS_OWN = frozenset((".json", ".jsonl", ".lock", ".sqlite", ".torn", ".yaml"))
"""Endings of files that a run keeps and no report may take the place of."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which files."""

    page: Path
    markdown: Path | None = None
    csv: Path | None = None
    parquet: Path | None = None
    episodes: bool = True
    """Whether the page holds an episode viewer."""

    @property
    def files(self) -> list[Path]:
        """All of them."""
        return [
            path for path in (self.page, self.markdown, self.csv, self.parquet) if path is not None
        ]


@dataclass(frozen=True, kw_only=True)
class Made:
    """What was made."""

    episodes: int
    figures: tuple[Figures, ...]
    warnings: tuple[str, ...]
    files: tuple[Path, ...]
    embedded: int
    beside: int
    folder: Path | None

    @property
    def configurations(self) -> int:
        """How many."""
        return len(self.figures)

    def facts(self) -> dict[str, Any]:
        """The leaderboard and the files, as plain data."""
        return {
            "episodes": self.episodes,
            "warnings": list(self.warnings),
            "files": [str(path) for path in self.files],
            "episodes_in_page": self.embedded,
            "episodes_beside": self.beside,
            "configurations": [_facts(one) for one in self.figures],
        }


def _facts(one: Figures) -> dict[str, Any]:
    return {
        "key": one.mark.key,
        "name": one.mark.full,
        "config": one.played.config.model_dump(mode="json"),
        "episodes": len(one.features),
        "figures": {
            name: {
                "value": one.get(name).value,
                "low": one.get(name).low,
                "high": one.get(name).high,
                "unit": metric(name).unit,
                "reason": one.get(name).why or None,
            }
            for name in names(LEADERS)
        },
    }


def _stages(runs: Sequence[Path]) -> Stages:
    """What scenarios are about, unless there are so many that finding it takes longer than all."""
    large = sum(f.stat().st_size for run in runs for f in episode_files(run)) > ABOUT_BYTES
    return no_stage if large else StageFinder()


def _check(runs: Sequence[Path], wanted: Wanted) -> None:
    """That no file takes the place of another, or of what is read.

    Raises:
        InputError: one would.
    """
    folders = {(run if run.is_dir() else run.parent).resolve() for run in runs}
    read = {run.resolve() for run in runs if run.is_file()}
    seen: set[Path] = set()
    for path in wanted.files:
        place = path.resolve()
        if place in seen:
            raise InputError(f"{path} is named twice; each file needs a name of its own")
        if place in read or (place.parent in folders and place.suffix in RUNS_OWN):
            raise InputError(f"{path} belongs to the run that is read; name another file")
        seen.add(place)


def make(runs: Sequence[Path], wanted: Wanted, watch: Watch = lambda _: None) -> Made:
    """Read runs once and write what is wanted.

    Args:
        runs: folders of runs, or files of episodes.
        wanted: which files.
        watch: shown every episode as it is read.

    Raises:
        InputError: a run is not there, holds nothing, or is damaged; or a file would take the
            place of another.
        Unavailable: a file cannot be written, or a library for it is not there.
    """
    _check(runs, wanted)
    mounted: Mounted | None = None
    with ExitStack() as opened:
        collection = opened.enter_context(Collection(_stages(runs))) if wanted.episodes else None

        def take(episode: EpisodeRecord) -> None:
            watch(episode)
            if collection is not None:
                collection.add(episode)

        material = read_material(runs, take)
        figures = figures_of(material)
        if collection is not None:
            mounted = mount(collection, wanted.page)
    report = build(material, figures, mounted.html if mounted else "")
    files = [wanted.page]
    page = html(report, viewer=mounted is not None)
    if len(page) > LIMIT:
        raise Unavailable(f"the page would take {len(page):,} bytes; try --no-episodes")
    write_text(wanted.page, page)
    if wanted.markdown is not None:
        write_text(wanted.markdown, markdown(report))
        files.append(wanted.markdown)
    if wanted.csv is not None:
        write_csv(wanted.csv, material.features)
        files.append(wanted.csv)
    if wanted.parquet is not None:
        write_parquet(wanted.parquet, material.features)
        files.append(wanted.parquet)
    return Made(
        episodes=material.episodes,
        figures=tuple(figures),
        warnings=tuple(line for note in report.notes for line in note.lines),
        files=tuple(files),
        embedded=mounted.embedded if mounted else 0,
        beside=mounted.beside if mounted else 0,
        folder=mounted.files[0].parent if mounted and mounted.files else None,
    )
