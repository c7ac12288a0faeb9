"""Loads scenario files: one, some, or a split; a broken file does not stop the others.

A file is parsed, validated, and its names are checked, all without a look at any other file. What
it does not know: seeds and phones (``builder``), and whether a scenario is any good (``check``).
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from heron.errors import ScenarioError, UnknownName
from heron.registry import nearest
from heron.scenarios import names, rules
from heron.scenarios.document import Document, Path_, Problem, read
from heron.scenarios.families import Division
from heron.scenarios.schema import Scenario, Split

DATA = Path(__file__).parent / "data"
"""The suite that Heron ships: ``<family>/<id>.yaml``."""

Reader = Callable[[Path], Scenario]
"""Makes a scenario of a file; ``load_file``, or a cache before it."""


@dataclass(frozen=True)
class Suite:
    """Scenarios, and what was wrong with the files that are none."""

    scenarios: tuple[Scenario, ...]
    errors: tuple[ScenarioError, ...] = ()

    def __iter__(self) -> Iterator[Scenario]:
        return iter(self.scenarios)

    def __len__(self) -> int:
        return len(self.scenarios)

    def sound(self) -> Suite:
        """Itself.

        Raises:
            ScenarioError: a file is broken; the first error, with the number of others.
        """
        if not self.errors:
            return self
        first, *others = self.errors
        if not others:
            raise first
        raise ScenarioError(
            first.problem,
            file=first.file,
            line=first.line,
            key=first.key,
            remedy=f"{first.remedy}; {len(others)} more problems: heron scenarios check",
        )


class BrokenFile(ScenarioError):
    """A file with problems; the message is that of the first."""

    def __init__(self, errors: Sequence[ScenarioError]) -> None:
        first = errors[0]
        super().__init__(
            first.problem, file=first.file, line=first.line, key=first.key, remedy=first.remedy
        )
        self.errors = tuple(errors)


def load_file(file: Path) -> Scenario:
    """The scenario in a file.

    Raises:
        ScenarioError: it is none; a ``BrokenFile`` holds all its problems.
    """
    return load_document(read(file))


def load_document(document: Document) -> Scenario:
    """The scenario in a document.

    Raises:
        BrokenFile: it is none.
    """
    try:
        scenario = Scenario.of(document)
    except ValidationError as error:
        found = list(_structure(error, document))
    else:
        found = [*rules.problems(scenario), *names.problems(scenario)]
        if not found:
            return scenario.settle()
    raise BrokenFile([document.error(problem) for problem in found])


def load_suite(
    *splits: Split,
    part: Division | None = None,
    ids: Iterable[str] | None = None,
    files: Iterable[Path] | None = None,
    root: Path = DATA,
    reader: Reader = load_file,
) -> Suite:
    """Scenarios of some splits, by id, or in files; all of ``root`` if nothing is given.

    Args:
        splits: only those of any of these splits; each once.
        part: only those of this part. Broken files are reported whatever their split
            and part.
        ids: only these, in this order; no other file is read.
        files: these files instead of ``root``'s.
        root: folder of ``<family>/<id>.yaml``.
        reader: makes a scenario of a file.

    Raises:
        UnknownName: there is no scenario with one of the ids.
    """
    found: list[Scenario] = []
    errors: list[ScenarioError] = []
    with uncollected():
        for file in _files(ids, files, root):
            try:
                scenario = reader(file)
                if files is None:
                    _check_folder(scenario, file)
            except ScenarioError as error:
                errors += error.errors if isinstance(error, BrokenFile) else [error]
            else:
                wanted = not splits or any(split in scenario.splits for split in splits)
                if wanted and part in (None, scenario.part):
                    found.append(scenario)
    return Suite(tuple(found), (*errors, *_twice(found)))


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for circles of garbage: a quarter of the time, and what is loaded stays."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _files(ids: Iterable[str] | None, files: Iterable[Path] | None, root: Path) -> list[Path]:
    if files is not None:
        return list(files)
    if ids is None:
        return sorted(root.glob("*/*.yaml"), key=lambda file: (file.parent.name, file.stem))
    known = {file.stem: file for file in sorted(root.glob("*/*.yaml"))}
    chosen = []
    for name in ids:
        if name not in known:
            raise UnknownName(f"unknown scenario {name!r}; {nearest(name, known)}")
        chosen.append(known[name])
    return chosen


def _check_folder(scenario: Scenario, file: Path) -> None:
    if scenario.family != file.parent.name:
        problem = f"the file lies in the folder {file.parent.name!r}"
        raise scenario.error(Problem(("family",), problem, f"move it to {scenario.family}/"))


def _twice(scenarios: Iterable[Scenario]) -> Iterator[ScenarioError]:
    seen: dict[str, Scenario] = {}
    for scenario in scenarios:
        other = seen.setdefault(scenario.id, scenario)
        if other is not scenario:
            problem = f"{scenario.id!r} is also the id of {other.document.file}"
            yield scenario.error(Problem(("id",), problem, "rename one of the two"))


# --- pydantic's errors in our words -------------------------------------------------------------


def _structure(error: ValidationError, document: Document) -> Iterator[Problem]:
    """One problem per place; a union's alternatives are told together."""
    told: dict[Path_, str] = {}
    for line in error.errors(include_url=False):
        context = line.get("ctx") or {}
        path = _there(line["loc"], document)
        if line["type"] == "unknown_key":
            yield Problem((*path, str(context["key"])), line["msg"], str(context["remedy"]))
        elif line["type"] == "missing":
            name = str(line["loc"][-1])
            yield Problem(path, f"{name!r} is missing", f"add {name}")
        elif path in told:
            continue
        else:
            told[path] = line["msg"]
            yield Problem(path, _complaint(line["msg"]), _remedy(line))


def _there(location: tuple[str | int, ...], document: Document) -> Path_:
    """The part of pydantic's location that is in the data; it adds names of alternatives."""
    node, path = document.data, []
    for step in location:
        below = node.get(step) if isinstance(node, dict) else None
        if isinstance(node, list) and isinstance(step, int) and step < len(node):
            below = node[step]
        if below is None:
            break
        node = below
        path.append(step)
    return tuple(path)


def _complaint(message: str) -> str:
    return message[:1].lower() + message[1:]


def _remedy(line: ErrorDetails) -> str:
    kind, context = line["type"], str(line.get("ctx") or "")
    if kind == "literal_error":
        return nearest(str(line["input"]), re.findall(r"'([^']+)'", line["ctx"]["expected"]))
    if kind == "string_pattern_mismatch":
        return "words of small letters, digits and _" if "a-z" in context else "write HH:MM"
    return _REMEDIES.get(kind, "see docs/scenario-format.md")


_REMEDIES = {
    "string_type": "put it in quotes",
    "dict_type": "write keys and values below it",
    "model_type": "write keys and values below it",
    "model_attributes_type": "write keys and values below it",
    "list_type": "write a list: lines that begin with -, or [a, b]",
}
