"""One process's work on a sweep's folder: plays what is missing there, and sums up all of it.

The folder holds the sweep's own text (``sweep.yaml``), so that it can be gone on with from the
folder alone. What it does not know: options, the terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.errors import InputError, Unavailable
from heron.eval.batch import Bench, Plan
from heron.eval.engine.engine import Engine, Starts
from heron.eval.engine.unit import Keyring, Shard, Unit
from heron.eval.provenance import provenance
from heron.eval.runs import RUN, begin_session, differences, only_one, read_run
from heron.eval.session import check_free
from heron.eval.stale import Stale, sort_out
from heron.eval.store import SUMMARY, EpisodeKey, EpisodeStore
from heron.eval.summary import write_json
from heron.eval.sweep.matrix import Part, units_of_parts
from heron.eval.sweep.outcome import summed_up
from heron.eval.sweep.reading import SweepFile

SWEEP = "sweep.yaml"


class SweepSession:
    """Plays a sweep in a folder.

    Args:
        folder: of the sweep.
        file: the sweep.
        parts: what it plays.
        command: the words of the command line.
        engine: what plays; it stays the caller's to close.
        resume: go on with what is there.
        stale: what becomes of rows that other code or other scenario files made.
        shard: only this part, into a file of its own beside those of the other parts.

    Raises:
        InputError: the folder is taken, or a configuration cannot be played.
        UnknownName: an observer, executor, user or model that there is not.
    """

    def __init__(
        self,
        folder: Path,
        file: SweepFile,
        parts: Sequence[Part],
        command: Sequence[str],
        *,
        engine: Engine,
        resume: bool = False,
        stale: Stale = "refuse",
        shard: Shard | None = None,
    ) -> None:
        self.folder, self.file, self.parts = folder, file, tuple(parts)
        self._command, self._engine = command, engine
        self._resume, self._stale, self._shard = resume, stale, shard
        if not resume:
            check_free(folder, shard)
        check_names(self.parts)
        self.units = units_of_parts(self.parts)
        """Of the whole sweep."""
        self._keys = Keyring()
        self._store: EpisodeStore | None = None
        self._done: set[EpisodeKey] = set()
        self.notes: list[str] = []
        """Lines for the user."""
        self._to_come: list[Unit] = []
        self._begun = False

    @property
    def to_come(self) -> Sequence[Unit]:
        """What this session plays, in order."""
        return self._to_come

    def planned(self) -> dict[EpisodeConfig, int]:
        """Configuration → episodes of the whole sweep."""
        return dict(Counter(unit.config for unit in self.units))

    def start(self) -> None:
        """Take the folder.

        Raises:
            HeronError: it cannot be taken, or does not fit.
        """
        several = self._shard is not None
        shard = str(self._shard) if several else None
        if self._resume or several:
            self._check_text(there=self._resume)
        self._store = EpisodeStore(self.folder, shard=shard, resume=self._resume)
        self.notes += self._store.mended
        now = provenance(self._command)
        if self._resume and (self.folder / RUN).exists():
            first = read_run(self.folder)
            if first.sessions:
                self.notes += differences(first.sessions[0], now)
        wanted = {self._keys.key(unit) for unit in self.units}
        if self._resume:
            found = sort_out(self.folder, self._store, wanted, self._stale)
            self._done = found.done
            self.notes += found.notes
        with only_one(self.folder, several):
            begin_session(self.folder, now)
            self._write_text()
        self._begun = True
        own = (unit for unit in self.units if self._shard is None or self._shard.holds(unit))
        self._to_come = [unit for unit in own if self._keys.key(unit) not in self._done]

    def play(self, starts: Starts) -> Iterator[EpisodeRecord]:
        """Play the episodes that are missing; each is on disk before it is handed out.

        Args:
            starts: told before each episode begins.
        """
        assert self._store is not None  # noqa: S101  (start comes first)
        for episode in self._engine.play(self._to_come, starts):
            self._store.append(episode)
            yield episode

    def finish(self) -> dict[str, Any] | None:
        """Sum up all of the sweep's episodes and write that.

        Returns:
            the summary; ``None`` if there are no episodes.

        Raises:
            Unavailable: it cannot be written.
        """
        if not self._begun:
            return None
        with only_one(self.folder, self._shard is not None):
            try:
                summary = summed_up(self.folder, self.planned(), self._engine.info)
            except InputError:
                # Not a row was played.
                return None
            head = {"sweep": self.file.sweep.name, "planned_episodes": len(self.units)}
            sessions = read_run(self.folder).sessions
            run = {
                "command": sessions[0].command,
                "version": sessions[-1].heron,
                "sessions": [{"started": s.started, "command": s.command} for s in sessions],
            }
            summary = {**head, **summary, "run": run}
            try:
                write_json(self.folder / SUMMARY, summary)
            except OSError as error:
                raise Unavailable(f"cannot write to {self.folder}: {error.strerror}") from error
        return summary

    def close(self) -> None:
        """Let go of the folder."""
        if self._store is not None:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check_text(self, *, there: bool) -> None:
        """That the folder is of this sweep."""
        text = self.folder / SWEEP
        if not text.exists():
            if there:
                raise InputError(f"{self.folder} is no sweep: it holds no {SWEEP}")
            return
        if text.read_text(encoding="utf-8") != self.file.kept:
            raise InputError(
                f"{self.folder} is of another sweep than this file (see {text}); choose another "
                f"--out, or go on with it by --resume {self.folder}"
            )

    def _write_text(self) -> None:
        text = self.folder / SWEEP
        if text.exists():
            return
        try:
            text.write_text(self.file.kept, encoding="utf-8")
        except OSError as error:
            raise Unavailable(f"cannot write {text}: {error.strerror}") from error


def check_names(parts: Sequence[Part]) -> None:
    """That every configuration can be played here, as far as that can be told without loading.

    Raises:
        InputError: one cannot.
    """
    for part in parts:
        Bench(Plan(config=part.config, seed=part.seed, threads=part.threads)).close()
