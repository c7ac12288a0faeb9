"""Stored runs by configuration: where their rows lie, and what their runs say of themselves.

Rows are found by their keys; an episode is read when it is asked for, one at a time. What it does
not know: formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.errors import InputError
from heron.eval.provenance import Provenance
from heron.eval.runs import RUN, RunFile, read_run
from heron.eval.store.reading import episodes_in
from heron.eval.store.rows import Row, Tell, rows_of

PLAIN = re.compile(r"[^A-Za-z0-9.]+")


@dataclass(frozen=True, kw_only=True)
class Stored:
    """All episodes of one configuration and one set of model files."""

    config: EpisodeConfig
    models: dict[str, str]
    """Role → sha256 of its model's file."""
    rows: tuple[Row, ...]
    """Sorted by key."""
    runs: tuple[RunFile, ...]
    """Of the folders that the rows lie in, as far as they say."""
    name: str
    """Fit for a file's name; no other configuration of the same export has it."""

    def episodes(self) -> Iterator[EpisodeRecord]:
        """The episodes, one at a time.

        Raises:
            InputError: a row is damaged.
        """
        return episodes_in(list(self.rows))

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that the rows lie in, by name."""
        return tuple(sorted({row.file.parent for row in self.rows}))

    @property
    def config_hash(self) -> str:
        """Of the store's keys."""
        return self.rows[0].key.config_hash

    @cached_property
    def sessions(self) -> tuple[Provenance, ...]:
        """Processes that wrote episodes, by their start."""
        every = [session for run in self.runs for session in run.sessions]
        return tuple(sorted(every, key=lambda session: (session.started, session.command)))

    @cached_property
    def started(self) -> datetime | None:
        """When the first of them started, UTC; ``None``: no run says."""
        if not self.sessions:
            return None
        return datetime.fromisoformat(self.sessions[0].started).astimezone(UTC)

    def model_name(self, role: str) -> str | None:
        """How the model of a role was asked for."""
        files = [s.models[role].name for s in self.sessions if role in s.models]
        return files[-1] if files else None


def stored(runs: Sequence[Path], tell: Tell) -> list[Stored]:
    """What lies in runs' folders, or files, by configuration, whatever the order of the runs.

    Args:
        runs: folders, or files of episodes; the same episode in several counts once.
        tell: told of torn rows, and of rows with one key that differ.

    Raises:
        InputError: a run is not there, holds no episode, or is damaged.
    """
    grouped: dict[str, list[Row]] = {}
    for row in rows_of(runs, tell):
        grouped.setdefault(row.key.config_hash, []).append(row)
    if not grouped:
        raise InputError(f"{', '.join(map(str, runs))}: no episodes to export")
    firsts = {name: next(episodes_in(rows[:1])) for name, rows in grouped.items()}
    names = _names({name: first.config for name, first in firsts.items()})
    found = [
        Stored(
            config=first.config,
            models=dict(first.models),
            rows=tuple(grouped[name]),
            runs=tuple(_run_files(grouped[name])),
            name=names[name],
        )
        for name, first in firsts.items()
    ]
    return sorted(found, key=lambda own: own.name)


def _run_files(rows: Sequence[Row]) -> Iterator[RunFile]:
    for folder in sorted({row.file.parent for row in rows}):
        if (folder / RUN).exists():
            yield read_run(folder)


def _names(configs: dict[str, EpisodeConfig]) -> dict[str, str]:
    """Hash → the three parts in plain letters; with the hash's beginning where that is no name."""
    plain = {
        name: "-".join(PLAIN.sub("_", part).strip("_") for part in (c.observer, c.executor, c.user))
        for name, c in configs.items()
    }
    several = {name for name in plain.values() if list(plain.values()).count(name) > 1}
    return {
        name: f"{text[:80]}-{name[:8]}" if text in several or len(text) > 80 else text
        for name, text in plain.items()
    }
