"""A JSON schema as a grammar can hold it.

What the schema leaves open without end is bounded (``BOUNDS``), since a small model that has begun
a string may never close it. What a grammar cannot hold (``uniqueItems``, ``not``, …) is checked on
the finished text. What it does not know: which grammar engine there is (see ``constraint``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from pydantic import JsonValue

from heron.errors import ModelFault
from heron.protocols import Schema

Node = dict[str, JsonValue]

BOUNDS: Final[Mapping[str, Node]] = {
    "string": {"maxLength": 512},
    "array": {"maxItems": 32},
    "integer": {"minimum": -(10**12), "maximum": 10**12},
    "number": {"minimum": -(10**12), "maximum": 10**12, "multipleOf": 0.000001},
}
"""What a value of a type is held to where its schema does not say."""

_OPEN_ENDED: Final = {
    "string": ("maxLength", "enum", "const", "pattern"),
    "array": ("maxItems", "enum", "const"),
    "integer": ("enum", "const"),
    "number": ("enum", "const"),
}
"""Keywords by which a value of a type ends of itself."""

_HELD: Final = frozenset(
    (
        *("type", "enum", "const", "properties", "required", "additionalProperties", "items"),
        *("prefixItems", "minItems", "maxItems", "minLength", "maxLength", "pattern", "minimum"),
        *("maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "anyOf", "oneOf"),
        *("allOf", "$ref", "$defs", "definitions"),
    )
)
_SAYS_NOTHING: Final = frozenset(
    (
        *("title", "description", "default", "examples", "format", "deprecated", "readOnly"),
        *("writeOnly", "$schema", "$id", "$comment", "contentEncoding", "contentMediaType"),
    )
)
"""Annotations; a ``format`` is one as well, since JSON Schema does not require it to be checked."""


class GrammarSchema:
    """A JSON schema as the grammar can hold it."""

    def __init__(self, schema: Schema) -> None:
        self.original = schema
        self.unheld: set[str] = set()
        """Keywords that are left out and constrain; the finished text is checked for them."""
        self.node = self._node(schema)

    def check(self, value: JsonValue, *, fully: bool = False) -> None:
        """Check a finished value, if the grammar could not.

        Args:
            value: what was written.
            fully: the grammar does not hold every keyword.

        Raises:
            ModelFault: it breaks the schema.
        """
        if not (self.unheld or fully):
            return
        from jsonschema import Draft202012Validator

        broken = next(iter(Draft202012Validator(dict(self.original)).iter_errors(value)), None)
        if broken is not None:
            raise ModelFault(f"written JSON breaks the schema: {broken.message[:200]}")

    def _node(self, node: Schema) -> Node:
        kept: Node = {}
        for word, value in node.items():
            if word in _HELD:
                kept[word] = self._value(word, value)
            elif word not in _SAYS_NOTHING and not word.startswith("x-"):
                self.unheld.add(word)
        if "properties" in kept and not isinstance(kept.get("additionalProperties"), dict):
            kept["additionalProperties"] = False
        kind = kept.get("type")
        if isinstance(kind, str) and not kept.keys() & set(_OPEN_ENDED.get(kind, ())):
            kept = {**BOUNDS.get(kind, {}), **kept}
        return kept

    def _value(self, word: str, value: JsonValue) -> JsonValue:
        if word in ("properties", "$defs", "definitions") and isinstance(value, Mapping):
            return {name: self._any(child) for name, child in value.items()}
        if word in ("anyOf", "oneOf", "allOf", "prefixItems") and isinstance(value, Sequence):
            return [self._any(child) for child in value]
        return self._any(value) if word in ("items", "additionalProperties") else value

    def _any(self, value: JsonValue) -> JsonValue:
        return self._node(value) if isinstance(value, Mapping) else value


def parsed(text: str) -> JsonValue:
    """The value of a finished text.

    Raises:
        ModelFault: it does not parse.
    """
    try:
        value: JsonValue = json.loads(text)
    except ValueError as error:
        raise ModelFault(f"written text is no JSON: {error}") from error
    return value


def first_line(text: str) -> str:
    """What a library says, in one line."""
    return text.strip().split("\n", 1)[0][:300] or "no reason given"
