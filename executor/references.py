"""Narrows a tool's parameter schema to what the model may say: ids that it was shown, dates in one
form, prose of bounded length.

A parameter that names a record carries ``x-ref: kind``, one that is prose ``x-text: true``; both
marks may stand at the value, at its array, or at its alternatives. A small model invents ids where
it may, and a large one does so sometimes, so the narrowed schema is what both are offered and
what both are checked against.

What it does not know: what the kinds mean, and how a model is held to a schema.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from heron.contracts import Evidence
from heron.errors import InputError
from heron.protocols import Schema

Node = dict[str, JsonValue]

YEAR = "[0-9]{4}"
MONTH_DAY = "-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]"
FORMS = {"date-time": f"{MONTH_DAY} {CLOCK}$", "date": f"{MONTH_DAY}$", "time": f"^{CLOCK}$"}
"""Format → end of the pattern of the one form it is written in. The format itself is left out: RFC
3339 wants a zone, which the phone's floating time does not have."""

MOST_ITEMS = 20
"""Items of an array without a bound of its own; without one a small model may never close it."""

NOT_NOW = "not now"
"""A required parameter that there is not."""

NULL: Node = {"type": "null"}
SILENT = frozenset({"title", "default", "examples"})
"""Keywords that constrain nothing and cost tokens."""


class Shown:
    """Ids that the model has been shown, by kind, in the order of showing."""

    def __init__(self, evidence: Iterable[Evidence] = ()) -> None:
        self._ids: dict[str, dict[str, None]] = {}
        self.add(evidence)

    def add(self, evidence: Iterable[Evidence]) -> None:
        """More was shown."""
        for record in evidence:
            self._ids.setdefault(record.kind, {})[record.ref] = None

    def of(self, kind: str) -> list[str]:
        """The ids of one kind."""
        return list(self._ids.get(kind, {}))

    def without(self, refs: Container[str]) -> Shown:
        """A copy that lacks these ids."""
        less = Shown()
        for kind, ids in self._ids.items():
            less._ids[kind] = {ref: None for ref in ids if ref not in refs}
        return less

    def new(self, evidence: Iterable[Evidence]) -> set[str]:
        """Ids that were not shown before."""
        return {record.ref for record in evidence if record.ref not in self.of(record.kind)}


class Unknown(Shown):
    """Stands for ids of every kind, where only the form of a schema counts."""

    def of(self, kind: str) -> list[str]:
        """A placeholder."""
        return ["0"]


@dataclass(frozen=True)
class _Marks:
    """What a node inherits from the array or the alternatives that it stands in."""

    ref: str | None = None
    text: bool = False

    def at(self, node: Schema) -> _Marks:
        ref = node.get("x-ref", self.ref)
        return _Marks(cast("str | None", ref), bool(node.get("x-text", self.text)))


def narrow(schema: Schema, shown: Shown, *, prose: int, years: Sequence[int] = ()) -> Node | None:
    """The schema as it can be offered now.

    A string that names a record becomes an enum of the ids shown of its kind. An optional
    parameter that no id fits is left out; optional parameters lose their ``null``, since leaving
    them out means the same. Marks, titles and defaults are dropped. The result allows nothing
    that ``schema`` did not allow, but for the form of dates.

    Args:
        schema: JSON schema of a tool's arguments.
        shown: what the model has been shown.
        prose: characters allowed in a free string.
        years: years that a date with a time may lie in; any, if empty.

    Returns:
        the narrowed schema, without any ``x-`` mark; None if a required reference has no
        candidate, so that the tool cannot be called.

    Raises:
        InputError: the schema refers to itself.
    """
    return _Narrowing(shown, prose, tuple(years)).node(_inline(schema), _Marks())


def closed(schema: Schema) -> Node:
    """The schema of a tool that cannot be called now: the same parameters, but nothing fits.

    A local model's prompt lists tools by name and parameters; while the list stays the same, only
    what is new has to be evaluated.
    """
    required = cast("list[JsonValue]", schema.get("required", []))
    return {**schema, "required": [*required, NOT_NOW], "additionalProperties": False}


def kinds_in(schema: Schema, *, required: bool = False) -> list[str]:
    """Kinds that the arguments of a tool can name, in order, each once.

    Args:
        schema: JSON schema of a tool's arguments.
        required: only those of required parameters.
    """
    node = _inline(schema)
    properties = cast(Node, node.get("properties", {}))
    names = cast("list[str]", node.get("required", [])) if required else list(properties)
    return list(dict.fromkeys(kind for name in names for kind in _refs(properties.get(name))))


@dataclass(frozen=True)
class _Narrowing:
    shown: Shown
    prose: int
    years: tuple[int, ...]

    def node(self, node: Schema, inherited: _Marks) -> Node | None:
        """One schema node, or None if nothing can satisfy it."""
        marks = inherited.at(node)
        kept = {
            word: value
            for word, value in node.items()
            if word not in SILENT and not word.startswith("x-")
        }
        for word in ("anyOf", "oneOf"):
            if word in kept:
                return self._alternatives(kept, word, marks)
        kind = kept.get("type")
        if isinstance(kind, list):
            rest = {word: value for word, value in kept.items() if word != "type"}
            described = {w: rest.pop(w) for w in ("description",) if w in rest}
            branches: list[JsonValue] = [{**rest, "type": one} for one in kind]
            return self._alternatives({**described, "anyOf": branches}, "anyOf", marks)
        if kind == "array":
            return self._array(kept, marks)
        if kind == "object" or "properties" in kept:
            return self._object(kept)
        if marks.ref is not None and kind != "null":
            return self._reference(kept, marks.ref)
        if _refers(kept.values()):
            return None  # a reference in a place that cannot be narrowed is not offered at all
        return self._string(kept) if kind == "string" else kept

    def _alternatives(self, node: Node, word: str, marks: _Marks) -> Node | None:
        branches = [self.node(branch, marks) for branch in cast("list[Node]", node[word])]
        possible = [branch for branch in branches if branch is not None]
        rest = {key: value for key, value in node.items() if key != word}
        if not possible or _refers(rest.values()):
            return None
        alone = len(possible) == 1 and rest.keys() <= {"description"}
        return {**possible[0], **rest} if alone else {**rest, word: [*possible]}

    def _array(self, node: Node, marks: _Marks) -> Node | None:
        if _refers(value for word, value in node.items() if word != "items"):
            return None
        items: JsonValue = node.get("items", {"type": "string"} if marks.ref else None)
        if not isinstance(items, dict):
            return node
        narrowed = self.node(items, marks)
        if narrowed is None:
            return None
        ids = narrowed.get("enum")
        most = len(ids) if isinstance(ids, list) else MOST_ITEMS
        bound = min(most, cast(int, node.get("maxItems", most)))
        if bound < cast(int, node.get("minItems", 0)):
            bound = cast(int, node["minItems"])
        return {**node, "items": narrowed, "maxItems": bound}

    def _object(self, node: Node) -> Node | None:
        if _refers(value for word, value in node.items() if word != "properties"):
            return None
        if "properties" not in node:
            return node
        required = cast("list[str]", node.get("required", []))
        properties: Node = {}
        for name, child in cast("dict[str, Node]", node["properties"]).items():
            narrowed = self.node(child if name in required else _without_null(child), _Marks())
            if narrowed is not None:
                properties[name] = narrowed
            elif name in required:
                return None
        return {"additionalProperties": False, **node, "properties": properties}

    def _reference(self, node: Node, ref: str) -> Node | None:
        if node.get("type", "string") != "string":
            return None
        allowed = node.get("enum")
        ids = [id_ for id_ in self.shown.of(ref) if not isinstance(allowed, list) or id_ in allowed]
        kept = {word: value for word, value in node.items() if word == "description"}
        return {"type": "string", **kept, "enum": [*ids]} if ids else None

    def _string(self, node: Node) -> Node:
        if "enum" in node or "const" in node or "pattern" in node:
            return node
        form = node.get("format")
        if isinstance(form, str):
            rest = {word: value for word, value in node.items() if word != "format"}
            return {**rest, "pattern": self._pattern(form)} if form in FORMS else node
        return {**node, "maxLength": min(self.prose, cast(int, node.get("maxLength", self.prose)))}

    def _pattern(self, form: str) -> str:
        if form == "time":
            return FORMS[form]
        near = form == "date-time" and self.years
        return f"^{'(' + '|'.join(map(str, self.years)) + ')' if near else YEAR}{FORMS[form]}"


def is_time(node: Schema) -> bool:
    """A narrowed string is a date, a time or both."""
    pattern = node.get("pattern")
    return isinstance(pattern, str) and pattern.endswith(tuple(FORMS.values()))


def _without_null(node: Node) -> Node:
    """An optional parameter without its ``null`` alternative."""
    kind = node.get("type")
    if isinstance(kind, list) and len(kind) > 1:
        return {**node, "type": [one for one in kind if one != "null"]}
    branches = node.get("anyOf")
    if isinstance(branches, list) and len(branches) > 1:
        return {**node, "anyOf": [branch for branch in branches if branch != NULL]}
    return node


def _refs(value: JsonValue | None) -> Iterator[str]:
    """Kinds that are referred to anywhere in a schema."""
    if isinstance(value, Mapping):
        kind = value.get("x-ref")
        if isinstance(kind, str):
            yield kind
        for part in value.values():
            yield from _refs(part)
    elif isinstance(value, list):
        for part in value:
            yield from _refs(part)


def _refers(values: Iterable[JsonValue]) -> bool:
    return any(True for value in values for _ in _refs(value))


def _inline(schema: Schema) -> Node:
    """The schema with its ``$ref`` replaced by what they refer to."""
    definitions = cast("dict[str, Node]", schema.get("$defs", {}))

    def resolved(value: JsonValue, open_: tuple[str, ...]) -> JsonValue:
        if isinstance(value, list):
            return [resolved(part, open_) for part in value]
        if not isinstance(value, dict):
            return value
        target = value.get("$ref")
        if not isinstance(target, str):
            return {key: resolved(part, open_) for key, part in value.items()}
        name = target.removeprefix("#/$defs/")
        if name in open_ or name not in definitions:
            raise InputError(f"parameter schema: {target} refers to itself or to nothing")
        rest = {key: part for key, part in value.items() if key != "$ref"}
        return {**cast(Node, resolved(definitions[name], (*open_, name))), **rest}

    body = {key: value for key, value in schema.items() if key != "$defs"}
    return cast(Node, resolved(body, ()))
