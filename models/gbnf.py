"""Writes a JSON schema as a grammar in llama.cpp's notation (GBNF).

White space is fixed: none between tokens of JSON. The grammar may allow less than the schema, never
more, but for ``oneOf``, and what ``GrammarSchema`` leaves to be checked. Source of the notation:
llama.cpp, ``grammars/README.md``. What it does not know: tokens.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from heron.errors import InputError
from heron.models.gbnf_numbers import decimals, integers
from heron.models.gbnf_pattern import pattern_rule
from heron.models.grammar_schema import BOUNDS

_CHARACTER: Final = r'([^"\\\x00-\x1F\x7F] | "\\" ["\\/bfnrt])'
_ANY_RULES: Final = {
    "any": 'any-object | any-array | any-string | any-number | "true" | "false" | "null"',
    "any-object": '"{" (any-member ("," any-member){0,31})? "}"',
    "any-member": 'any-string ":" any',
    "any-array": '"[" (any ("," any){0,31})? "]"',
    "any-string": rf'"\"" {_CHARACTER}{{0,512}} "\""',
    "any-number": '"-"? ("0" | [1-9] [0-9]{0,11}) ("." [0-9]{1,6})?',
}
"""Rules for what a schema leaves wholly open."""


def to_gbnf(schema: Mapping[str, Any], *, lead: str = "") -> str:
    """The grammar of ``lead`` and a JSON text of ``schema``.

    Args:
        schema: bounded (see ``GrammarSchema``).
        lead: text that must come first.

    Raises:
        InputError: the schema cannot be written so.
    """
    writer = _Writer(schema)
    root = f"{literal(lead)} {writer.rule(schema)}" if lead else writer.rule(schema)
    rules = {"root": root, **writer.rules}
    return "".join(f"{name} ::= {body}\n" for name, body in rules.items())


def literal(text: str) -> str:
    """A text that stands as it is."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(character, character) for character in text) + '"'


class _Writer:
    """Collects the rules that a schema needs."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema
        self.rules: dict[str, str] = {}
        self._references: dict[str, str] = {}

    def rule(self, node: Mapping[str, Any]) -> str:
        """An expression for a value of ``node``."""
        if "$ref" in node:
            return self._reference(str(node["$ref"]))
        if "const" in node:
            return _json(node["const"])
        if "enum" in node:
            return _either(_json(value) for value in node["enum"])
        for word in ("anyOf", "oneOf", "allOf"):
            if word in node:
                return self._union(node, word)
        kind = node.get("type")
        if isinstance(kind, list):
            return _either(self.rule(self._as(node, one)) for one in kind)
        if kind is None:
            kind = _implied(node)
        return self._typed(node, kind)

    def _typed(self, node: Mapping[str, Any], kind: object) -> str:
        match kind:
            case "object":
                return self._object(node)
            case "array":
                return self._array(node)
            case "string":
                return _string(node)
            case "integer":
                return integers(*_limits(node, 1))
            case "number":
                return decimals(*_limits(node, 0.000001))
            case "boolean":
                return '("true" | "false")'
            case "null":
                return '"null"'
            case "any":
                return self._any("any")
        raise _unheld(f"type {kind!r}")

    def _as(self, node: Mapping[str, Any], kind: str) -> dict[str, Any]:
        return {**BOUNDS.get(kind, {}), **node, "type": kind}

    def _union(self, node: Mapping[str, Any], word: str) -> str:
        choices = node[word]
        beside = node.keys() - {word, "$defs", "definitions"}
        if beside or (word == "allOf" and len(choices) > 1):
            raise _unheld(f"{word} beside {', '.join(sorted(beside)) or 'itself'}")
        return _either(self.rule(choice) for choice in choices)

    def _reference(self, reference: str) -> str:
        if reference not in self._references:
            target: Any = self._schema
            for step in (
                reference.removeprefix("#").strip("/").split("/") if reference != "#" else ()
            ):
                if not isinstance(target, Mapping) or step not in target:
                    raise _unheld(f"$ref {reference!r}")
                target = target[step]
            name = self._references[reference] = f"ref-{len(self._references)}"
            self.rules[name] = ""  # holds the place, for schemas that refer to themselves
            self.rules[name] = self.rule(target)
        return self._references[reference]

    def _object(self, node: Mapping[str, Any]) -> str:
        properties, more = node.get("properties"), node.get("additionalProperties")
        if properties is None:
            if more is False:
                return '"{}"'
            if not isinstance(more, Mapping):
                return self._any("any-object")
            member = f'{self._any("any-string")} ":" {self.rule(more)}'
            return f'"{{" ({member} ("," {member}){{0,31}})? "}}"'
        required = set(node.get("required", ()))
        if missing := required - properties.keys():
            raise _unheld(f"required without properties: {', '.join(sorted(missing))}")
        members = [
            (f'{_json(name)} ":" {self.rule(child)}', name in required)
            for name, child in properties.items()
        ]
        return f'"{{" {self._members(members)} "}}"'

    def _members(self, members: list[tuple[str, bool]]) -> str:
        """Members in order, each optional one there or not, with commas between those there."""
        first = later = '""'
        for body, required in reversed(members):
            behind = self._named(later)
            with_comma = f'"," {body} {behind}'
            if required:
                first, later = f"{body} {behind}", with_comma
            else:
                skipped = self._named(first)
                first, later = f"({body} {behind} | {skipped})", f"({with_comma} | {behind})"
        return first

    def _named(self, body: str) -> str:
        """A rule for ``body``, so that it is written once."""
        if body == '""':
            return body
        name = next((name for name, known in self.rules.items() if known == body), None)
        if name is None:
            name = f"part-{len(self.rules)}"
            self.rules[name] = body
        return name

    def _array(self, node: Mapping[str, Any]) -> str:
        least, most = int(node.get("minItems", 0)), int(node.get("maxItems", 32))
        if "prefixItems" in node:
            items = [self.rule(child) for child in node["prefixItems"]]
            if not least <= len(items) <= most:
                raise _unheld("prefixItems with other bounds")
            joined = ' "," '.join(items)
            return f'"[" {joined} "]"' if items else '"[]"'
        if most < least:
            raise _unheld("maxItems below minItems")
        if most == 0:
            return '"[]"'
        child = node.get("items", {})
        item = self._named(self.rule(child if isinstance(child, Mapping) else {}))
        body = f'{item} ("," {item}){{{max(least - 1, 0)},{most - 1}}}'
        return f'"[" {body} "]"' if least else f'"[" ({body})? "]"'

    def _any(self, name: str) -> str:
        self.rules.update(_ANY_RULES)
        return name


def _string(node: Mapping[str, Any]) -> str:
    if "pattern" in node:
        return f'"\\"" {pattern_rule(str(node["pattern"]))} "\\""'
    least, most = int(node.get("minLength", 0)), int(node.get("maxLength", 512))
    if most < least:
        raise _unheld("maxLength below minLength")
    return f'"\\"" {_CHARACTER}{{{least},{most}}} "\\""'


def _limits(node: Mapping[str, Any], step: float) -> tuple[float, float]:
    """Least and largest value, both included."""
    if node.get("multipleOf", step) != step:
        raise _unheld(f"multipleOf {node['multipleOf']}")
    low, high = node.get("minimum", -math.inf), node.get("maximum", math.inf)
    above, below = node.get("exclusiveMinimum"), node.get("exclusiveMaximum")
    if above is not None:
        low = max(low, math.floor(above) + 1)
    if below is not None:
        high = min(high, math.ceil(below) - 1)
    bound = 10.0**12
    return max(low, -bound), min(high, bound)


def _implied(node: Mapping[str, Any]) -> str:
    """The type of a schema that names none."""
    for kind, words in (
        ("object", ("properties", "additionalProperties", "required")),
        ("array", ("items", "prefixItems", "minItems", "maxItems")),
        ("string", ("pattern", "minLength", "maxLength")),
        ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")),
    ):
        if any(word in node for word in words):
            return kind
    return "any"


def _json(value: object) -> str:
    return literal(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _either(choices: Iterable[str]) -> str:
    found = list(choices)
    if not found:
        raise _unheld("an empty choice")
    return found[0] if len(found) == 1 else f"({' | '.join(found)})"


def _unheld(what: str) -> InputError:
    return InputError(f"schema cannot be held by GBNF: {what}")
