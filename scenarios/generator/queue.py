"""The folder in which generated scenarios wait for a person, and what that person decides.

::

    <queue>/<id>.yaml              ready: loads, and the checks find nothing
    <queue>/failed/<key>.yaml      as far as it got
    <queue>/refused/<id>.yaml
    <queue>/entries/<key>.json     state, reasons, what the proof still finds
    <queue>/journal/<key>.jsonl    what the model wrote, answer by answer

A key is ``<seed>-<number>``. What it does not know: models, terminals.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from heron.contracts import Record
from heron.errors import InputError, ScenarioError, UnknownName
from heron.registry import nearest
from heron.scenarios.check import check
from heron.scenarios.document import Document, parse, read
from heron.scenarios.generator.judging import Known
from heron.scenarios.generator.pipeline import Draft
from heron.scenarios.loader import BrokenFile, load_document, load_file
from heron.scenarios.schema import Scenario

State = Literal["ready", "failed", "accepted", "refused"]


class Entry(Record):
    """What is known of one scenario of the queue."""

    key: str
    id: str | None
    """``None`` where not even an idea came."""
    state: State
    file: str | None
    """Within the queue; of accepted ones, where they went."""
    reasons: tuple[str, ...] = ()
    """Why it failed, or was refused."""
    survivors: tuple[str, ...] = ()
    """What the proof found in it."""
    stage: str
    """The last stage that its making reached."""
    repairs: dict[str, int]

    @property
    def name(self) -> str:
        """How a person calls it."""
        return self.id or self.key


class Queue:
    """A queue's folder; made when something is put into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def journal(self, key: str) -> Path:
        """Where the answers of a making are kept."""
        return self.folder / "journal" / f"{key}.jsonl"

    def entries(self, *states: State) -> list[Entry]:
        """Entries of some states, or all, by seed and number.

        Raises:
            InputError: an entry cannot be read.
        """
        found = [self._read(file) for file in (self.folder / "entries").glob("*.json")]
        chosen = [entry for entry in found if not states or entry.state in states]
        return sorted(chosen, key=lambda entry: [int(n) for n in re.findall(r"\d+", entry.key)])

    def entry(self, name: str) -> Entry:
        """The entry of an id or key; of two with one id the one that is not decided.

        Raises:
            UnknownName: there is none.
        """
        entries = self.entries()
        found = [entry for entry in entries if name in (entry.id, entry.key)]
        if not found:
            raise UnknownName(
                f"{self.folder} holds no {name!r}; {nearest(name, [e.name for e in entries])}"
            )
        return min(found, key=lambda entry: entry.state not in ("ready", "failed"))

    def file_of(self, entry: Entry) -> Path:
        """The file of an entry.

        Raises:
            InputError: it has none.
        """
        if entry.file is None:
            raise InputError(f"{entry.name} has no file: its making failed at its {entry.stage}")
        return self.folder / entry.file

    def put(self, key: str, draft: Draft) -> Entry:
        """Keep what the generator made."""
        file = None
        if draft.text is not None:
            file = f"{draft.id}.yaml" if draft.state == "ready" else f"failed/{key}.yaml"
            _write(self.folder / file, draft.text)
        return self._keep(
            Entry(
                key=key,
                id=draft.id,
                state=draft.state,
                file=file,
                reasons=draft.reasons,
                survivors=draft.survivors,
                stage=draft.stage,
                repairs=draft.repairs,
            )
        )

    def learn(self, known: Known) -> None:
        """Tell the generator of everything in the queue that loads."""
        for entry in self.entries():
            if entry.id is not None and entry.file is not None:
                known.ids.add(entry.id)
            if entry.state != "failed" and entry.file is not None:
                try:
                    known.learn(load_file(self.folder / entry.file))
                except ScenarioError:
                    continue

    # --- what a person decides ------------------------------------------------------------------

    def recheck(self, entry: Entry) -> tuple[Entry, list[ScenarioError]]:
        """The entry after its file was edited, and what is wrong with the file now.

        What was proved of it no longer counts. A failed one that is sound now becomes ready.
        """
        file = self.file_of(entry)
        scenario, problems = loaded(file)
        if problems or scenario is None:
            reasons = tuple(str(problem) for problem in problems)
            return self._keep(entry.model_copy(update={"reasons": reasons})), problems
        # A file is called as its id, which the edit may have changed.
        place = self._free(self.folder / f"{scenario.id}.yaml", file)
        file.replace(place)
        sound = {"id": scenario.id, "state": "ready", "file": place.name, "reasons": ()}
        return self._keep(entry.model_copy(update={**sound, "survivors": ()})), []

    def accept(self, entry: Entry, to: Path, *, family: str, splits: Sequence[str] = ()) -> Path:
        """Move a ready scenario to ``<to>/<family>/<id>.yaml`` and return that.

        Raises:
            InputError: it is not ready, has problems now, or there is such a file.
        """
        if entry.state != "ready":
            raise InputError(f"{entry.name} is {entry.state}; only ready scenarios are accepted")
        file = self.file_of(entry)
        text = _with_head(read(file).text, family=family, splits=f"[{', '.join(splits)}]")
        scenario, problems = _loaded(parse(text, str(file)))
        if scenario is None or problems:
            raise problems[0]
        if scenario.family != family:
            raise ScenarioError("it could not be set", file=file, key="family")
        place = self._free(to / family / f"{scenario.id}.yaml")
        _write(place, text)
        file.unlink()
        went = {"state": "accepted", "file": str(place.resolve()), "id": scenario.id}
        self._keep(entry.model_copy(update=went))
        return place

    def refuse(self, entry: Entry, reason: str) -> Entry:
        """Put a scenario aside and keep why.

        Raises:
            InputError: it is decided already, or the reason is empty.
        """
        if entry.state not in ("ready", "failed"):
            raise InputError(f"{entry.name} is {entry.state} already")
        if not reason.strip():
            raise InputError("say why it is refused: --reason TEXT")
        file = None
        if entry.file is not None:
            file = f"refused/{entry.key if entry.state == 'failed' else entry.id}.yaml"
            (self.folder / "refused").mkdir(exist_ok=True)
            self.file_of(entry).replace(self.folder / file)
        aside = {"state": "refused", "file": file, "reasons": (*entry.reasons, reason.strip())}
        return self._keep(entry.model_copy(update=aside))

    # --- files ----------------------------------------------------------------------------------

    def _keep(self, entry: Entry) -> Entry:
        text = entry.model_dump_json(indent=2) + "\n"
        _write(self.folder / "entries" / f"{entry.key}.json", text)
        return entry

    def _read(self, file: Path) -> Entry:
        try:
            return Entry.model_validate_json(file.read_bytes())
        except (OSError, ValidationError) as error:
            first = str(error).splitlines()[0]
            raise InputError(f"{file}: no entry of a review queue: {first}") from error

    def _free(self, place: Path, but: Path | None = None) -> Path:
        if place.exists() and place != but:
            raise InputError(f"{place} is there already; give the scenario another id")
        return place


def _write(file: Path, text: str) -> None:
    """All of it or nothing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(file)


def loaded(file: Path) -> tuple[Scenario | None, list[ScenarioError]]:
    """The scenario in a file whatever the file is called, and what the checks find.

    A failed one lies under its key, and an edit may give another id.
    """
    try:
        return _loaded(parse(read(file).text, str(file)))
    except ScenarioError as error:
        return None, [error]


def _loaded(document: Document) -> tuple[Scenario | None, list[ScenarioError]]:
    try:
        scenario = load_document(document)
    except BrokenFile as error:
        return None, list(error.errors)
    except ScenarioError as error:
        return None, [error]
    return scenario, check(scenario)


def _with_head(text: str, **values: str) -> str:
    """The text with some lines of its head set; comments and all else stay as they are."""
    for name, value in values.items():
        line = f"{name}: {value}"
        text, found = re.subn(rf"(?m)^{name}:.*$", line, text, count=1)
        if not found:
            text = re.sub(r"(?m)^kind:.*$", rf"\g<0>\n{line}", text, count=1)
    return text
