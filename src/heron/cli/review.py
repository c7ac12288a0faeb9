"""``heron scenarios review``: look at generated scenarios and decide about each.

What it does not know: how a queue is kept (see ``heron.scenarios.generator.queue``).
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from heron.cli import options
from heron.cli.columns import columns
from heron.cli.generate import DEFAULT_QUEUE
from heron.errors import HeronError, InputError, UnknownName
from heron.registry import nearest

if TYPE_CHECKING:
    from heron.scenarios.generator.queue import Entry, Queue, State

HELP = """Look at generated scenarios: accept, edit, refuse.

Without further options the ready ones are shown one after the other. Accepted files go to
TO/FAMILY/ID.yaml; refused ones stay in the queue with the reason.

Examples:

  heron scenarios review

  heron scenarios review --list --json

  heron scenarios review --accept kiln_cools_longer --family pottery_days --splits full

  heron scenarios review --refuse 0-004 --reason "the preview says it all"
"""
_QUESTION = "[a]ccept, [e]dit, [r]efuse, [s]kip, [q]uit"


def review(
    queue: Annotated[Path, typer.Option("--queue", help="The queue's folder.")] = DEFAULT_QUEUE,
    listed: Annotated[bool, typer.Option("--list", help="List all of the queue.")] = False,
    state: Annotated[
        str | None, typer.Option("--state", help="Only ready, failed, accepted or refused ones.")
    ] = None,
    shown: Annotated[str | None, typer.Option("--show", metavar="ID", help="Tell one.")] = None,
    accepted: Annotated[
        str | None, typer.Option("--accept", metavar="ID", help="Accept one.")
    ] = None,
    edited: Annotated[
        str | None, typer.Option("--edit", metavar="ID", help="Edit one, then check it again.")
    ] = None,
    refused: Annotated[
        str | None, typer.Option("--refuse", metavar="ID", help="Refuse one.")
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why it is refused.")] = "",
    family: Annotated[
        str | None, typer.Option("--family", help="Family of what is accepted.")
    ] = None,
    splits: Annotated[str, typer.Option("--splits", help="Splits of what is accepted.")] = "",
    to: Annotated[
        Path | None,
        typer.Option("--to", help="Folder of families for what is accepted [QUEUE/accepted]."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """See ``HELP``."""
    from heron.scenarios.generator.queue import Queue

    if not queue.is_dir():
        raise InputError(f"there is no queue {queue}; heron scenarios generate makes one")
    if sum(bool(chosen) for chosen in (listed, shown, accepted, edited, refused)) > 1:
        raise InputError("give one of --list, --show, --accept, --edit and --refuse")
    desk = _Desk(Queue(queue), to or queue / "accepted", as_json=as_json)
    if shown:
        desk.show(shown)
    elif accepted:
        desk.accept(accepted, family, splits)
    elif edited:
        desk.edit(edited)
    elif refused:
        desk.refuse(refused, reason)
    elif listed or as_json:
        desk.list(_state(state))
    else:
        desk.go_through(_state(state) or "ready", family, splits)


def _state(name: str | None) -> State | None:
    from heron.scenarios.generator.queue import State

    if name is not None and name not in get_args(State):
        raise UnknownName(f"unknown state {name!r}; {nearest(name, get_args(State))}")
    return cast("State | None", name)


class _Desk:
    """What can be done with a queue."""

    def __init__(self, queue: Queue, to: Path, *, as_json: bool) -> None:
        self._queue, self._to, self._as_json = queue, to, as_json

    def list(self, state: State | None) -> None:
        """All entries, or those of a state."""
        entries = self._queue.entries(*([state] if state else []))
        if self._as_json:
            typer.echo(json.dumps([entry.model_dump(mode="json") for entry in entries], indent=2))
            return
        rows = [("key", "id", "state", "reached", "repairs", "survivors")]
        for entry in entries:
            repairs, survivors = sum(entry.repairs.values()), len(entry.survivors)
            named = (entry.key, entry.id or "–", entry.state, entry.stage)
            rows.append((*named, str(repairs), str(survivors)))
        typer.echo(columns(rows))

    def show(self, name: str) -> None:
        """Tell one."""
        entry = self._queue.entry(name)
        if self._as_json:
            typer.echo(entry.model_dump_json(indent=2))
            return
        for line in self._told(entry):
            typer.echo(line)

    def accept(self, name: str, family: str | None, splits: str) -> None:
        """Move one to where accepted ones go."""
        if family is None:
            raise InputError("say to which family it belongs: --family NAME")
        entry = self._queue.entry(name)
        place = self._queue.accept(entry, self._to, family=_family(family), splits=_splits(splits))
        typer.echo(f"accepted: {place}")

    def refuse(self, name: str, reason: str) -> None:
        """Put one aside."""
        entry = self._queue.refuse(self._queue.entry(name), reason)
        typer.echo(f"refused: {entry.name}")

    def edit(self, name: str) -> Entry:
        """Open one in the editor and check what comes of it."""
        entry = self._queue.entry(name)
        if entry.state not in ("ready", "failed"):
            raise InputError(f"{entry.name} is {entry.state}; its file is left alone")
        file = self._queue.file_of(entry)
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
        if not editor:
            raise InputError(f"set EDITOR to edit {file}")
        try:
            subprocess.run([*shlex.split(editor), str(file)], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise InputError(f"the editor {editor!r} failed: {error}") from error
        entry, problems = self._queue.recheck(entry)
        for problem in problems:
            typer.echo(str(problem))
        typer.echo(
            f"{entry.name}: {len(problems)} problems" if problems else f"{entry.name}: sound"
        )
        return entry

    def go_through(self, state: State, family: str | None, splits: str) -> None:
        """One after the other, asking."""
        entries = self._queue.entries(state)
        if not entries:
            typer.echo(f"nothing in {self._queue.folder} is {state}")
        for number, entry in enumerate(entries, 1):
            typer.echo(f"--- {number} of {len(entries)}")
            if not self._decided(entry.key, family, splits):
                return

    def _decided(self, key: str, family: str | None, splits: str) -> bool:
        """Ask about one until there is a decision; ``False`` to end."""
        self.show(key)
        while True:
            answer = typer.prompt(_QUESTION, default="s").strip().lower()[:1]
            try:
                match answer:
                    case "q":
                        return False
                    case "a":
                        named = family or typer.prompt("family")
                        self.accept(key, named, splits or typer.prompt("splits", default=""))
                        return True
                    case "r":
                        self.refuse(key, typer.prompt("why"))
                        return True
                    case "e":
                        self.edit(key)
                        self.show(key)
                    case "s":
                        return True
            except HeronError as error:
                typer.echo(f"heron: {error}", err=True)

    def _told(self, entry: Entry) -> Iterator[str]:
        """In words: the story, where it comes from, what was found."""
        from heron.scenarios import describe
        from heron.scenarios.builder import build
        from heron.scenarios.generator.queue import loaded

        yield f"{entry.key}: {entry.state}, reached {entry.stage}"
        repairs = ", ".join(f"{stage} {times}" for stage, times in entry.repairs.items())
        yield f"repairs: {repairs or 'none'}"
        if entry.file is not None:
            file = self._queue.file_of(entry)
            yield f"file: {file}"
            scenario, problems = loaded(file)
            if scenario is not None:
                came = scenario.provenance
                if came is not None:
                    yield f"by {came.model}, seed {came.seed}, Heron {came.heron}, {came.date}"
                yield ""
                if not problems:
                    yield from describe.lines(build(scenario, 0))
            yield from (f"found: {problem}" for problem in problems)
        yield from (f"reason: {reason}" for reason in entry.reasons)
        yield from (f"survives the proof: {survivor}" for survivor in entry.survivors)


def _family(name: str) -> str:
    if not name or not name.replace("_", "a").isalnum() or not name[0].islower():
        raise InputError(f"{name!r} is no name of a family: small letters, digits and _")
    return name


def _splits(text: str) -> list[str]:
    from heron.scenarios.schema import Split

    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in get_args(Split):
            raise UnknownName(f"unknown split {name!r}; {nearest(name, get_args(Split))}")
    return names
