"""``run.json``: what a run's folder is a run of, and each session that worked on it.

It stands beside the episodes from before the first of them, so that a killed run can be gone on
with from its folder alone. What it does not know: what was played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout
from pydantic import ValidationError

from heron.contracts import EpisodeConfig, Record
from heron.errors import InputError, Unavailable
from heron.eval.provenance import Provenance
from heron.eval.summary import write_json

RUN = "run.json"
LOCK = ".lock"
PATIENCE_S = 600.0
"""A summary of many episodes takes a while."""


class Choice(Record):
    """Which scenarios: what was asked for, since files may change."""

    split: str | None = None
    part: str | None = None
    scenarios: tuple[str, ...] = ()
    """Ids or files, as they were named; then there is no split."""


class RunPlan(Record):
    """What a run plays: every scenario of a choice with every seed, under one configuration."""

    config: EpisodeConfig
    choice: Choice
    runs: int
    seed: int
    threads: int


class RunFile(Record):
    """The content of ``run.json``."""

    version: Literal[1] = 1
    plan: RunPlan | None = None
    """``None``: a file of its own says what is played, as with sweeps."""
    sessions: tuple[Provenance, ...] = ()
    """One per process that wrote episodes here, in order."""

    @property
    def models(self) -> dict[str, str]:
        """Role → sha256 of the files that the run began with."""
        first = self.sessions[0].models if self.sessions else {}
        return {role: file.sha256 for role, file in first.items()}


def read_run(folder: Path) -> RunFile:
    """What a folder is a run of.

    Raises:
        InputError: it does not say, or says it in a way that this version does not know.
    """
    file = folder / RUN
    try:
        return RunFile.model_validate_json(file.read_bytes())
    except FileNotFoundError as error:
        what = "there is no such folder" if not folder.exists() else f"it holds no {RUN}"
        raise InputError(f"cannot go on with {folder}: {what}; begin it with --out") from error
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "file"
        raise InputError(
            f"{file}: {where}: {first['msg']}; play anew with another --out"
        ) from error


def begin_session(folder: Path, session: Provenance, plan: RunPlan | None = None) -> RunFile:
    """Note that a process begins to work on a folder; it must hold the folder's lock.

    Args:
        folder: of the run.
        session: of this process.
        plan: what is played, at the first session.

    Raises:
        InputError: what is there cannot be read.
        Unavailable: it cannot be written.
    """
    there = (folder / RUN).exists()
    old = read_run(folder) if there else RunFile(plan=plan)
    new = old.model_copy(update={"sessions": (*old.sessions, session)})
    try:
        write_json(folder / RUN, new.model_dump(mode="json"))
    except OSError as error:
        raise Unavailable(f"cannot write to {folder}: {error.strerror}") from error
    return new


def check_plan(folder: Path, plan: RunPlan) -> None:
    """That a part of a run is of the run whose other parts lie in the folder.

    Raises:
        InputError: it is not.
    """
    if read_run(folder).plan != plan:
        raise InputError(
            f"{folder} is a run of something else: give every shard the same options, or choose "
            f"another --out"
        )


@contextmanager
def only_one(folder: Path, several: bool = True) -> Iterator[None]:
    """Keep other processes that work on the same folder from ``run.json`` and the summary.

    Args:
        folder: of the run; it is there.
        several: whether there can be others.

    Raises:
        Unavailable: another one does not let go.
    """
    if not several:
        yield
        return
    try:
        with FileLock(folder / (RUN + LOCK), timeout=PATIENCE_S):
            yield
    except Timeout as error:
        raise Unavailable(f"another process keeps {folder / RUN} locked") from error


def check_models(folder: Path, began: Mapping[str, str], now: Mapping[str, str]) -> None:
    """That a run goes on with the files that it began with.

    Raises:
        InputError: a file of the same name holds something else.
    """
    for role in sorted({*began, *now}):
        if began.get(role) != now.get(role):
            raise InputError(
                f"{folder} was begun with another {role} file (sha256 {_short(began.get(role))}, "
                f"now {_short(now.get(role))}): put that file back, or play anew with another --out"
            )


def differences(first: Provenance, now: Provenance) -> Iterator[str]:
    """What a reader should know of a run that goes on elsewhere: measured costs do not mix."""
    if first.device != now.device:
        yield "this is another device than the run began on: costs of both are in its figures"
    changed = [
        f"{name} {first.libraries.get(name, 'none')} → {now.libraries.get(name, 'none')}"
        for name in sorted({*first.libraries, *now.libraries})
        if first.libraries.get(name) != now.libraries.get(name)
    ]
    if changed:
        yield f"libraries differ from those that the run began with: {', '.join(changed)}"


def _short(sha256: str | None) -> str:
    return "none" if sha256 is None else f"{sha256[:12]}…"
