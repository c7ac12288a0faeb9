"""YAML text → plain data, with the line of every key on demand, and a hash of the content.

A small, strict YAML: one document of mappings, lists, strings, numbers, true, false and null.
``on`` is a word, ``09:00`` and ``2026-03-10`` are strings; a key may stand once; anchors, aliases
and tags are refused. What it does not know: which keys a scenario has.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from heron.errors import ScenarioError
from heron.scenarios.bulk import MARK, set_aside

Path_ = tuple[str | int, ...]
"""Keys and list positions that lead to a place in the data."""

MAX_DEPTH = 40


@dataclass(frozen=True)
class Problem:
    """Something wrong at a place in the data."""

    path: Path_
    text: str
    remedy: str | None = None
    at_key: bool = False
    """The key itself is wrong, not what stands under it."""


def strings(data: Any) -> Iterator[str]:
    """All strings within plain data, keys left out, in order."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, list | dict):
        for item in data.values() if isinstance(data, dict) else data:
            yield from strings(item)


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Composes nodes; scalars are resolved by ``_RESOLVERS`` alone, and nothing by its place."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        """The tag of a node that names none."""
        if kind is not yaml.ScalarNode:
            return _TAGS[kind]
        if implicit[0]:
            for tag, pattern in self.yaml_implicit_resolvers.get(value[:1], ()):
                if pattern.match(value):
                    return str(tag)
        return _TAG + "str"

    def descend_resolver(self, *_: Any) -> None:
        """Places are not looked at."""

    def ascend_resolver(self) -> None:
        """Places are not looked at."""


_TAG = "tag:yaml.org,2002:"
_TAGS = {yaml.MappingNode: _TAG + "map", yaml.SequenceNode: _TAG + "seq"}
_NUMBER = "-0123456789"
_RESOLVERS = (
    ("null", r"null|~|", ["n", "~", ""]),
    ("bool", r"true|false", ["t", "f"]),
    ("int", r"-?(?:0|[1-9]\d*)", list(_NUMBER)),
    ("float", r"-?(?:0|[1-9]\d*)\.\d+(?:[eE][-+]?\d+)?", list(_NUMBER)),
)
for _name, _pattern, _first in _RESOLVERS:
    _Loader.add_implicit_resolver(_TAG + _name, re.compile(f"^(?:{_pattern})$"), _first)


@dataclass(frozen=True)
class Document:
    """A parsed file."""

    file: Path | str
    text: str
    parsed: Any = None
    """The data, unless they have been let go."""

    @property
    def data(self) -> Any:
        """What stands in the text; read again each time where it has been let go."""
        return self.parsed if self.parsed is not None else parse(self.text, self.file).parsed

    def slim(self) -> Document:
        """The same without its data, which are large beside what is made of them."""
        made = Document(self.file, self.text)
        made.__dict__["hash"] = self.hash
        return made

    @cached_property
    def hash(self) -> str:
        """sha256 of the content; comments, quotes and line breaks between keys do not count."""
        canonical = json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()

    def error(self, problem: Problem) -> ScenarioError:
        """The problem with its file, line and dotted key."""
        return ScenarioError(
            problem.text,
            file=self.file,
            line=self.line(problem.path),
            key=".".join(map(str, problem.path)) or None,
            remedy=problem.remedy,
        )

    def line(self, path: Path_) -> int:
        """Line of the deepest part of ``path`` that is there, from 1."""
        node = yaml.compose(self.text, _Loader)
        line = node.start_mark.line if node else 0
        for step in path:
            found = _below(node, step)
            if found is None:
                break
            line, node = found
        return int(line) + 1


def parse(text: str, file: Path | str = "<memory>") -> Document:
    """Read a text.

    Raises:
        ScenarioError: it is no YAML of the kind described above.
    """
    short, rows = set_aside(text)
    if rows:
        # Whatever is wrong with a text is told by reading all of it.
        with suppress(yaml.YAMLError, ScenarioError):
            data = _Builder(file, rows).build(yaml.compose(short, _Loader))
            if not rows:
                return Document(file, text, data)
    try:
        node = yaml.compose(text, _Loader)
    except yaml.YAMLError as error:
        raise _syntax(error, file) from error
    if node is None:
        raise ScenarioError("the file is empty", file=file, remedy="see docs/scenario-format.md")
    return Document(file, text, _Builder(file).build(node))


def read(file: Path) -> Document:
    """Read a file.

    Raises:
        ScenarioError: it cannot be read, is not UTF-8, or no YAML of this kind.
    """
    try:
        text = file.read_bytes().decode("utf-8")
    except OSError as error:
        raise ScenarioError(
            f"cannot be read: {error.strerror or error}", file=file, remedy="check the path"
        ) from error
    except UnicodeDecodeError as error:
        raise ScenarioError(
            f"byte {error.start} is not UTF-8", file=file, remedy="save the file as UTF-8"
        ) from error
    return parse(text, file)


_Place = tuple[Any, ...]
"""``(place above, key)``, or empty at the top: cheaper to grow than a path."""


class _Builder:
    """Makes data of nodes."""

    def __init__(self, file: Path | str, rows: dict[str, Any] | None = None) -> None:
        """``rows`` stand for the nodes that are marked with their numbers; each is taken out."""
        self._file = file
        self._rows = rows
        self._seen: set[int] = set()

    def build(self, node: Any, place: _Place = (), line: int = 1, depth: int = 0) -> Any:
        """The data of a node that stands at ``place``, which begins on ``line``."""
        if depth > MAX_DEPTH:
            raise self._error(line, place, "is nested too deeply", f"at most {MAX_DEPTH} levels")
        if id(node) in self._seen:
            raise self._error(line, place, "anchors and aliases are not used", "write it out")
        self._seen.add(id(node))
        kind = type(node)
        if kind is yaml.MappingNode:
            return self._mapping(node, place, depth)
        if kind is yaml.SequenceNode:
            self._expect(node, place, "seq")
            return [
                self.build(item, (place, at), item.start_mark.line + 1, depth + 1)
                for at, item in enumerate(node.value)
            ]
        return self._scalar(node, place)

    def _mapping(self, node: Any, place: _Place, depth: int) -> dict[str, Any]:
        self._expect(node, place, "map")
        made: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key, line = key_node.value, key_node.start_mark.line + 1
            if type(key) is not str or not key:
                raise self._error(line, place, "a key is no word", "keys are words")
            if key in made:
                raise self._error(
                    line, (place, key), "the key stands twice", "remove one of the two"
                )
            key = sys.intern(key)
            made[key] = self.build(value_node, (place, key), line, depth + 1)
        return made

    def _scalar(self, node: Any, place: _Place) -> Any:
        make = _SCALARS.get(node.tag)
        if make is None:
            if node.tag == MARK and self._rows and node.value in self._rows:
                return self._rows.pop(node.value)
            self._expect(node, place, "str")
            return node.value if " " in node.value else sys.intern(node.value)
        try:
            return make(node.value)
        except ValueError as error:
            raise self._error(
                _line(node), place, f"{node.value[:30]!r} is no usable number", "put text in quotes"
            ) from error

    def _expect(self, node: Any, place: _Place, name: str) -> None:
        if node.tag != _TAG + name:
            raise self._error(_line(node), place, f"the tag {node.tag!r} is not used", "remove it")

    def _error(self, line: int, place: _Place, problem: str, remedy: str) -> ScenarioError:
        keys: list[str] = []
        while place:
            place, key = place
            keys.insert(0, str(key))
        key = ".".join(keys) or None
        return ScenarioError(problem, file=self._file, line=line, key=key, remedy=remedy)


def _line(node: Any) -> int:
    return int(node.start_mark.line) + 1


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


_SCALARS: dict[str, Callable[[str], Any]] = {
    _TAG + "null": lambda _: None,
    _TAG + "bool": lambda text: text == "true",
    _TAG + "int": int,
    _TAG + "float": _finite,
}


def _below(node: Any, step: str | int) -> tuple[int, Any] | None:
    """Line and node of what stands under ``step``."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == step:
                return key.start_mark.line, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step].start_mark.line, node.value[step]
    return None


def _syntax(error: yaml.YAMLError, file: Path | str) -> ScenarioError:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "no YAML"
    return ScenarioError(
        " ".join(str(problem).split()),
        file=file,
        line=mark.line + 1 if mark is not None else None,
        remedy="mend the YAML; text with : # { [ or quotes in it belongs in quotes",
    )
