"""Data of a scenario → YAML, also of phones with thousands of records.

Small ones look like those written by hand (``writing``). Laying out a large one that way takes
minutes; its records are written as JSON, one a line, which is YAML as well. What it does not know:
what stands in the data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from heron.errors import InputError
from heron.scenarios.are.remarks import Refused
from heron.scenarios.document import parse
from heron.scenarios.writing import write

FEW = 150
"""Records of a phone that is laid out by hand."""


def text_of(data: Mapping[str, Any]) -> str:
    """The text of a scenario file.

    Raises:
        Refused: a file cannot hold the data.
    """
    tables = (t for t in data["phone"].values() if isinstance(t, dict))
    records = sum(len(rows) for t in tables for rows in t.values() if isinstance(rows, list))
    try:
        if records <= FEW:
            return write(data)
        text = "".join(_lines(data))
        if parse(text).data != data:
            raise Refused("a text that no YAML file can hold")
    except Refused:
        raise
    except (AssertionError, ValueError, InputError) as error:
        raise Refused(f"a text that no YAML file can hold: {str(error)[:120]}") from error
    return text


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    for key, value in data.items():
        if key == "phone":
            yield "phone:\n"
            for name, inner in value.items():
                yield from _app(name, inner)
        elif isinstance(value, list) and value:
            yield f"{key}:\n"
            yield from (f"  - {_json(one)}\n" for one in value)
        elif isinstance(value, dict) and value:
            yield f"{key}:\n"
            yield from (f"  {_json(name)}: {_json(inner)}\n" for name, inner in value.items())
        else:
            yield f"{key}: {_json(value)}\n"


def _app(name: str, inner: Any) -> Iterator[str]:
    if not isinstance(inner, dict):
        yield f"  {name}: {_json(inner)}\n"
        return
    yield f"  {name}:\n"
    for table, rows in inner.items():
        yield f"    {table}:\n" if rows else f"    {table}: []\n"
        yield from (f"      - {_json(row)}\n" for row in rows)


def _json(value: Any) -> str:
    """JSON on one line; characters that YAML takes for line breaks or refuses are escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one == " " else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    code = ord(one)
    return f"\\U{code:08X}" if code > 0xFFFF else f"\\u{code:04x}"
