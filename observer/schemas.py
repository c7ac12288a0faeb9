"""The JSON schemas under which a model words a look or a proposal, and the reading of both.

A reference can only be an id that was shown, a planned tool only one that exists, a date only a
date: what a small model gets wrong most is what it need not be asked. Order matters, since a
schema's keys are written in order: the references come first, so that the sentence, which comes
last, is written in their sight. What it does not know: the grammar engine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from heron.contracts import PROPOSAL_LENGTH, ToolSpec
from heron.errors import ModelFault
from heron.observer.seen import SeenRecords
from heron.protocols import Schema

MAX_REFS: Final = 4
MAX_PLAN: Final = 3
MAX_WORDS: Final = 48
"""Characters of a free string in a look: a search needs a word or two."""

_OFFER: Final = rf'^Shall I [^?"\\\x00-\x1f]{{8,{PROPOSAL_LENGTH - 9}}}\?$'
"""One sentence that is an offer: left the choice, the smallest models apologise or chat."""

_DATE: Final = r"20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
_TIME: Final = r"([01]\d|2[0-3]):[0-5]\d"
_PATTERNS: Final = {
    "date": f"^{_DATE}$",
    "time": f"^{_TIME}$",
    "date-time": f"^{_DATE}T{_TIME}$",
}
"""By JSON schema's ``format``. Without a zone, as the phone's own times are."""

_KEPT: Final = ("type", "enum", "const", "minimum", "maximum", "minItems", "maxItems", "pattern")


def proposal_schema(refs: Sequence[str], write_tools: Sequence[str]) -> Schema:
    """Schema of ``{"refs": […], "plan": […], "text": "…"}``.

    Args:
        refs: ids of the records shown; none leaves the key out.
        write_tools: names of the tools that can be planned; none leaves the key out.
    """
    properties: dict[str, Any] = {}
    if refs:
        properties["refs"] = _list_of(refs, MAX_REFS)
    if write_tools:
        properties["plan"] = _list_of(write_tools, MAX_PLAN)
    properties["text"] = {"type": "string", "pattern": _OFFER}
    return _object(properties)


def look_schema(tools: Sequence[ToolSpec], seen: SeenRecords) -> Schema | None:
    """Schema of ``{"tool": "…", "args": {…}}``: one alternative per tool that can be called.

    A tool that needs a reference of which no candidate was shown is not offered. Of optional
    parameters only references and dates are, the others are of no use to a first look.

    Returns:
        the schema, or ``None`` if no tool can be called.
    """
    options: list[Any] = []
    for tool in tools:
        arguments = _arguments(tool.parameters, seen)
        if arguments is not None:
            options.append(_object({"tool": {"const": tool.name}, "args": arguments}))
    if not options:
        return None
    return options[0] if len(options) == 1 else {"anyOf": options}


def _arguments(parameters: Mapping[str, Any], seen: SeenRecords) -> Schema | None:
    properties: Mapping[str, Any] = parameters.get("properties") or {}
    required = set(parameters.get("required") or ())
    definitions: Mapping[str, Any] = parameters.get("$defs") or {}
    chosen: dict[str, Any] = {}
    needed = []
    for name, given in properties.items():
        schema = _narrow(given, definitions, seen)
        if name in required:
            if schema is None:
                return None
            needed.append(name)
            chosen[name] = schema
        elif schema is not None and ("enum" in schema or "pattern" in schema):
            chosen[name] = schema
    return _object(chosen, needed)


def _narrow(given: Any, definitions: Mapping[str, Any], seen: SeenRecords) -> dict[str, Any] | None:
    """A parameter's schema, narrowed to what can be meant; ``None`` if nothing can."""
    schema = _resolved(given, definitions)
    if "x-ref" in schema:
        candidates = seen.candidates(str(schema["x-ref"]))
        if not candidates:
            return None
        one = {"enum": list(candidates)}
        return {"type": "array", "items": one} if schema.get("type") == "array" else one
    if "anyOf" in schema:
        narrowed = (_narrow(option, definitions, seen) for option in schema["anyOf"])
        options = [o for o in narrowed if o is not None and o.get("type") != "null"]
        return None if not options else options[0] if len(options) == 1 else {"anyOf": options}
    if "items" in schema:
        items = _narrow(schema["items"], definitions, seen)
        return None if items is None else {"type": "array", "items": items, "maxItems": MAX_REFS}
    return _plain(schema)


def _resolved(given: Any, definitions: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        return {}
    if "$ref" in given:
        target = definitions.get(str(given["$ref"]).rpartition("/")[2])
        return {**_resolved(target, definitions), **{k: v for k, v in given.items() if k != "$ref"}}
    return dict(given)


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: schema[key] for key in _KEPT if key in schema}
    pattern = _PATTERNS.get(str(schema.get("format")))
    if pattern is not None:
        return {"type": "string", "pattern": pattern}
    if kept.get("type") == "string" and not kept.keys() & {"enum", "const", "pattern"}:
        longest = min(int(schema.get("maxLength", MAX_WORDS)), MAX_WORDS)
        return {"type": "string", "minLength": 1, "maxLength": longest}
    return kept


def _list_of(values: Sequence[str], most: int) -> dict[str, Any]:
    """A list of at least one: left the choice, small models close it at once."""
    return {"type": "array", "items": {"enum": list(values)}, "minItems": 1, "maxItems": most}


def _object(properties: Mapping[str, Any], required: Sequence[str] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


def parsed(text: str) -> dict[str, Any]:
    """A generated JSON object.

    Raises:
        ModelFault: it is none; a grammar that works does not let that happen.
    """
    try:
        said = json.loads(text)
    except ValueError as error:
        raise ModelFault(f"constrained text is no JSON: {error}") from error
    if not isinstance(said, dict):
        raise ModelFault("constrained text is no JSON object")
    return said


def once(values: list[str]) -> tuple[str, ...]:
    """Each value once, in order."""
    return tuple(dict.fromkeys(values))
