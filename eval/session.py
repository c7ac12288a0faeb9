"""One process's work on a run's folder: plays what is missing there, and sums up all of it.

What it does not know: options, the terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from heron.contracts import EpisodeRecord
from heron.errors import InputError, Unavailable
from heron.eval.batch import Bench, Plan
from heron.eval.engine.engine import Engine
from heron.eval.engine.unit import Shard, Unit, units_of
from heron.eval.in_sample import in_sample
from heron.eval.provenance import provenance
from heron.eval.report import markdown
from heron.eval.runs import (
    RUN,
    RunFile,
    RunPlan,
    begin_session,
    check_models,
    check_plan,
    differences,
    only_one,
    read_run,
)
from heron.eval.stale import Stale, sort_out
from heron.eval.store import REPORT, SUMMARY, EpisodeKey, EpisodeStore, key_of, read_episodes
from heron.eval.store.files import file_name
from heron.eval.store.keys import config_hash
from heron.eval.summary import summarise, write_json
from heron.models.machine import machine_line
from heron.scenarios.schema import Scenario


class Session:
    """Plays a run in a folder.

    Args:
        folder: of the run.
        plan: what the run plays.
        suite: the scenarios of its choice, as they are now.
        command: the words of the command line.
        resume: go on with what is there.
        stale: what becomes of rows that other code or other scenario files made.
        engine: what plays; it stays the caller's to close. This process does, if not given.
        shard: only this part, into a file of its own beside those of the other parts.

    Raises:
        InputError: the folder is taken, or does not fit the plan.
        UnknownName: an observer, executor, user or model that there is not.
    """

    def __init__(
        self,
        folder: Path,
        plan: RunPlan,
        suite: Sequence[Scenario],
        command: Sequence[str],
        *,
        resume: bool = False,
        stale: Stale = "refuse",
        engine: Engine | None = None,
        shard: Shard | None = None,
    ) -> None:
        self.folder, self.plan, self.suite = folder, plan, suite
        self._command, self._resume, self._stale = command, resume, stale
        self._engine, self._shard = engine, shard
        if not resume:
            check_free(folder, shard)
        self.player = Bench(
            Plan(config=plan.config, runs=plan.runs, seed=plan.seed, threads=plan.threads)
        )
        self.notes: list[str] = []
        """Lines for the user."""
        self._store: EpisodeStore | None = None
        self._done: set[EpisodeKey] = set()
        self._played: list[EpisodeRecord] = []
        self._run = RunFile(plan=plan)

    @property
    def planned(self) -> int:
        """Episodes of the whole run, or of its shard."""
        if self._shard is None:
            return len(self.suite) * self.plan.runs
        return sum(map(self._shard.holds, self._units()))

    @property
    def left(self) -> int:
        """Episodes that are still to be played."""
        return sum(self._key(unit) not in self._done for unit in self._own()) - len(self._played)

    def start(self) -> None:
        """Take the folder and load what can be loaded, so that what is wrong ends a run early.

        Raises:
            HeronError: the folder cannot be taken, or the observer or the user cannot be made.
        """
        here = self._engine is None
        if here and not self._resume:
            # First, so that a wrong name leaves no folder behind.
            self.player.start()
        if self._shard is not None and (self.folder / RUN).exists():
            check_plan(self.folder, self.plan)
        shard = None if self._shard is None else str(self._shard)
        self._store = EpisodeStore(self.folder, shard=shard, resume=self._resume)
        self.notes += self._store.mended
        now = provenance(self._command, self.plan.config)
        if self._resume:
            first = read_run(self.folder)
            check_models(self.folder, first.models, self.player.models)
            if first.sessions:
                self.notes += differences(first.sessions[0], now)
            self._sort_out(self._store)
        if here and self._resume and self.left:
            self.player.start()
        with only_one(self.folder, self._shard is not None):
            self._run = begin_session(self.folder, now, self.plan)

    def play(self, starts: Callable[[Scenario, int], None]) -> Iterator[EpisodeRecord]:
        """Play the episodes that are missing; each is on disk before it is handed out.

        Args:
            starts: told before each episode begins.
        """
        assert self._store is not None  # noqa: S101  (start comes first)
        for episode in self._episodes_to_come(starts):
            self._store.append(episode)
            self._played.append(episode)
            yield episode

    def finish(
        self, more: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], list[EpisodeRecord]] | None:
        """Sum up all of the run's episodes, those of earlier sessions included, and write that.

        Args:
            more: further parts of the summary.

        Returns:
            summary and episodes; ``None`` if there are none, or the session did not come to play.

        Raises:
            Unavailable: the files cannot be written.
        """
        if not self._run.sessions:
            return None
        with only_one(self.folder, self._shard is not None):
            episodes = self._episodes()
            if not episodes:
                return None
            summary = {**self._summary(episodes), **(more or {})}
            try:
                write_json(self.folder / SUMMARY, summary)
                (self.folder / REPORT).write_text(markdown(summary, episodes), encoding="utf-8")
            except OSError as error:
                raise Unavailable(f"cannot write to {self.folder}: {error.strerror}") from error
        return summary, episodes

    def close(self) -> None:
        """End the processes and let go of the folder."""
        self.player.close()
        if self._store is not None:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- inside ---

    def _units(self) -> list[Unit]:
        return units_of(self.player.plan, self.suite)

    def _own(self) -> list[Unit]:
        """The units of this session's part of the run."""
        shard = self._shard
        return [unit for unit in self._units() if shard is None or shard.holds(unit)]

    def _key(self, unit: Unit) -> EpisodeKey:
        return self.player.key(unit.scenario, unit.run)

    def _episodes_to_come(self, starts: Callable[[Scenario, int], None]) -> Iterator[EpisodeRecord]:
        units = (unit for unit in self._own() if self._key(unit) not in self._done)
        if self._engine is not None:
            yield from self._engine.play(units, lambda unit: starts(unit.scenario, unit.seed))
            return
        for unit in units:
            starts(unit.scenario, unit.seed)
            yield self.player.episode(unit.scenario, unit.run)

    def _info(self, role: str) -> dict[str, Any]:
        """What is known of a part's model."""
        if self._engine is None:
            part = self.player.observer if role == "observer" else self.player.user
            return part.info
        found = self._engine.info.get(config_hash(self.plan.config), {})
        return dict(found.get(role, {}))

    def _sort_out(self, store: EpisodeStore) -> None:
        """Tell the rows that count from those that other code or other scenario files made.

        Raises:
            InputError: there are some of the latter, and nobody said what to do with them.
        """
        runs = range(self.plan.runs)
        wanted = {self.player.key(scenario, run) for scenario in self.suite for run in runs}
        found = sort_out(self.folder, store, wanted, self._stale)
        self._done = found.done
        self.notes += found.notes

    def _episodes(self) -> list[EpisodeRecord]:
        if self._resume or self._shard is not None:
            return list(read_episodes(self.folder))
        return sorted(self._played, key=key_of)

    def _summary(self, episodes: list[EpisodeRecord]) -> dict[str, Any]:
        summary = summarise(episodes, self.plan.runs)
        parts = Counter[str](scenario.part for scenario in self.suite)
        summary["planned_episodes"] = len(self.suite) * self.plan.runs
        summary["parts"] = dict(sorted(parts.items()))
        summary["in_sample"] = in_sample(self.plan.config.observer, parts)
        last = self._run.sessions[-1]
        summary["run"] = {
            "command": self._run.sessions[0].command,
            "config": self.plan.config.model_dump(mode="json"),
            "choice": self.plan.choice.model_dump(mode="json"),
            "seed": self.plan.seed,
            "threads": self.plan.threads,
            "window": self.plan.config.window,
            "model": self._info("observer"),
            "user_model": self._info("user"),
            "machine": machine_line(),
            "version": last.heron,
            "codes": sorted({episode.code or "unknown" for episode in episodes}),
            "git": last.git.model_dump(mode="json"),
            "python": last.python,
            "libraries": last.libraries,
            "device": last.device.model_dump(mode="json"),
            "models": {role: file.model_dump(mode="json") for role, file in last.models.items()},
            "sessions": [
                {"started": session.started, "command": session.command}
                for session in self._run.sessions
            ],
        }
        return summary


def check_free(folder: Path, shard: Shard | None = None) -> None:
    """That a new run can begin in a folder: it may be there, but without episodes.

    Args:
        folder: of the run.
        shard: the part that begins; then other parts may have some there.

    Raises:
        InputError: it cannot.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder for the results")
    names = "episodes*.jsonl" if shard is None else file_name(str(shard))
    taken = next((file for file in folder.glob(names) if file.stat().st_size), None)
    if taken is not None:
        raise InputError(
            f"{folder} already holds {taken.name}; choose another --out, or go on with it by "
            f"--resume {folder}"
        )
