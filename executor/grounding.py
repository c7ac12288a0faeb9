"""Keeps a small model from filling in optional arguments that nobody spoke of.

Held to a schema, a small model fills in every optional argument on its way, with something made
up: a place, a note, a repetition. Telling it not to does not help. So, for a local model:

- *before*, an optional parameter is offered only if the accepted text gives rise to it: a yes or
  no, a choice or a number only if the text names it, a value of it, or some number; a time only as
  far as the text has times; free text of a record that is changed only if the text names the
  parameter, or if it names none and the record has no time to change.
- *after*, an optional free text is taken out of the call if it has no word, or one that was not
  shown.

Only words are compared, so that a place called "at the Linde" can be written, but a change that
does not name its field may be missed. What it does not know: languages.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import cast

from pydantic import JsonValue

from heron.contracts import ToolCall
from heron.executor.references import Node, is_time
from heron.protocols import Schema

_TIME = re.compile(r"\b\d{1,2}[:.]\d{2}\b|\b\d{1,2} ?[ap]\.?m\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.:/+(-])(?<!\d )[1-9]\d{0,2}(?![\w:/-]| \d|\.\d)")
"""A number by itself: no part of a date, a time or a telephone number."""

_WORD = re.compile(r"\w+")
_GENERIC = frozenset(("id", "ids", "datetime", "date", "time", "unit", "value", "name"))
"""Parts of parameters' names that name nothing by themselves."""

SHORTEST = 3
"""Letters of a word that has to have been shown; shorter ones bind words together."""


def spoken_of(schema: Schema, text: str, *, without: Container[str] = ()) -> Schema:
    """A tool's narrowed parameters without the optional ones that ``text`` does not give rise to.

    Args:
        schema: as ``narrow`` made it.
        text: what the user accepted.
        without: optional parameters that are left out in any case.
    """
    properties = cast("dict[str, Node]", schema.get("properties", {}))
    required = cast("list[str]", schema.get("required", []))
    named = [name for name in required if _is_reference(properties[name])]
    optional = {name: node for name, node in properties.items() if name not in required}
    kept = {
        name
        for name, node in optional.items()
        if not is_time(node) and _gives_rise(text, name, node, changes=bool(named))
    }
    changes_only = bool(named) and named == required
    times = len(_TIME.findall(text)) - sum(is_time(properties[name]) for name in required)
    if changes_only:
        times = max(times, 1)
    kept.update([name for name, node in optional.items() if is_time(node)][: max(times, 0)])
    if changes_only and not any(is_time(optional[n]) or _is_free(optional[n]) for n in kept):
        kept.update(name for name, node in optional.items() if _is_free(node))
    return {
        **schema,
        "properties": {
            name: node
            for name, node in properties.items()
            if name in required or (name in kept and name not in without)
        },
    }


def grounded(call: ToolCall, schema: Schema, shown: Iterable[str]) -> ToolCall:
    """The call without optional free texts that have a word which was not shown.

    Args:
        call: as the model made it.
        schema: the tool's narrowed parameters.
        shown: all texts that the model was shown.
    """
    properties = cast("dict[str, Node]", schema.get("properties", {}))
    required = cast("list[str]", schema.get("required", []))
    words = {word for text in shown for word in _words(text)}
    kept = {
        name: value
        for name, value in call.arguments.items()
        if name in required or not _is_free(properties.get(name, {})) or _stands_in(words, value)
    }
    return ToolCall(name=call.name, arguments=kept)


def _stands_in(words: set[str], value: JsonValue) -> bool:
    said = list(_words_in(value))
    return bool(said) and words.issuperset(word for word in said if len(word) >= SHORTEST)


def lasting(call: ToolCall) -> ToolCall:
    """The call with every end that is not after its start put an hour after it.

    Where no end was told, a small model takes the start for it, and again when it was refused.
    """
    times = {name: _moment(value) for name, value in call.arguments.items()}
    mended = dict(call.arguments)
    for name, end in times.items():
        start = times.get(name.replace("end", "start", 1)) if name.startswith("end") else None
        if start is not None and end is not None and end <= start:
            mended[name] = f"{start + timedelta(hours=1):%Y-%m-%d %H:%M}"
    return ToolCall(name=call.name, arguments=mended)


def _moment(value: JsonValue) -> datetime | None:
    try:
        return datetime.strptime(str(value), "%Y-%m-%d %H:%M")
    except ValueError:
        return None


def _gives_rise(text: str, name: str, node: Node, *, changes: bool) -> bool:
    words = _words(text)
    named = [word for word in name.casefold().split("_") if word not in _GENERIC]
    if any(_near(part, word) for part in named for word in words):
        return True
    if _is_free(node):
        return not changes
    if node.get("type") in ("integer", "number"):
        return _NUMBER.search(_TIME.sub("", text)) is not None
    values = node.get("enum")
    if node.get("type") == "array":
        values = cast("dict[str, JsonValue]", node.get("items") or {}).get("enum")
    return isinstance(values, list) and any(
        _near(str(value).casefold(), word) for value in values for word in words
    )


def _near(part: str, word: str) -> bool:
    """The same word, but for an ending."""
    short, long = sorted((part, word), key=len)
    return short == long or (len(short) > SHORTEST and long.startswith(short))


def _is_reference(node: Node) -> bool:
    """Ids, or a list of them: ``narrow`` left no other strings with many values."""
    if node.get("type") == "array":
        return _is_reference(cast(Node, node.get("items") or {}))
    return "enum" in node


def _is_free(node: Node) -> bool:
    """Free text, or a list of it."""
    if node.get("type") == "array":
        return _is_free(cast(Node, node.get("items") or {}))
    return node.get("type") == "string" and "enum" not in node and "pattern" not in node


def _words_in(value: JsonValue) -> Iterator[str]:
    if isinstance(value, list):
        for part in value:
            yield from _words_in(part)
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _words_in(part)
    else:
        yield from _words(str(value))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
