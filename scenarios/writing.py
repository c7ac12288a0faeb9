"""Data of a scenario → YAML text in the look of the files that are written by hand.

One blank line between sections, records and steps on a line each, phrasings below ``>-``, double
quotes where there are quotes. What it does not know: whether the data are a scenario.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from heron.scenarios.document import parse

WIDTH = 100
_HEAD = ("schema", "id", "family", "type", "kind", "splits", "setting", "locale", "summary")
_LIKE_A_NUMBER = re.compile(r"^[-+.]?\d")
_ENDLESS = 1_000_000


class _Line(dict[str, Any]):
    """A mapping on one line."""


class _Row(list[Any]):
    """A list on one line."""


class _Folded(str):
    """A text below ``>-``."""

    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    """Indents lists below their key and prefers double quotes."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Lists stand two columns further in than their key."""
        super().increase_indent(flow, False)

    def choose_scalar_style(self) -> Any:
        """Double quotes for single ones."""
        style = super().choose_scalar_style()
        return '"' if style == "'" else style


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = '"' if _LIKE_A_NUMBER.match(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _folded(dumper: yaml.SafeDumper, text: _Folded) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style=">")


def _line(dumper: yaml.SafeDumper, data: _Line) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=True)


def _row(dumper: yaml.SafeDumper, data: _Row) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(_Folded, _folded)
_Dumper.add_representer(_Line, _line)
_Dumper.add_representer(_Row, _row)


def write(data: Mapping[str, Any]) -> str:
    """The text of a scenario file.

    Raises:
        AssertionError: reading the text would give other data, which is a defect of this module.
    """
    head = {key: data[key] for key in _HEAD if key in data}
    parts = [_dump({key: _flow(value) for key, value in head.items()}, _ENDLESS)]
    for key, value in data.items():
        if key not in _HEAD:
            width = WIDTH if key == "slots" else _ENDLESS
            gap = "" if key == "report" else "\n"
            parts.append(gap + _dump({key: _laid_out(key, value)}, width))
    text = "".join(parts)
    assert parse(text).data == data  # noqa: S101 - what is lost here would be lost silently
    return text


def _dump(data: Mapping[str, Any], width: int) -> str:
    return str(
        yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=width, indent=2)
    )


def _laid_out(section: str, value: Any) -> Any:
    """How deep a section is told in blocks before it goes on in lines."""
    match section:
        case "slots":
            return {name: _slot(spec) for name, spec in value.items()}
        case "phone":
            return {
                key: {table: [_flow(row) for row in rows] for table, rows in inner.items()}
                if isinstance(inner, dict) and key != "device"
                else _flow(inner)
                for key, inner in value.items()
            }
        case "events" | "reference":
            return [{key: _flow(inner) for key, inner in one.items()} for one in value]
        case "user":
            return {k: list(map(_flow, v)) if k == "habits" else _flow(v) for k, v in value.items()}
        case "proposals":
            return {name: [_flow(one) for one in texts] for name, texts in value.items()}
        case "rubric":
            groups = ("object", "act")
            return {k: list(map(_flow, v)) if k in groups else _flow(v) for k, v in value.items()}
        case "checks" | "privacy" | "provenance":
            return {key: _flow(inner) for key, inner in value.items()}
    return _flow(value)


def _slot(spec: Any) -> Any:
    options = spec.get("choice") if isinstance(spec, dict) else None
    if options and any(isinstance(option, str) and len(option) > 40 for option in options):
        return {"choice": [_phrasing(option) for option in options]}
    return _flow(spec)


def _phrasing(option: Any) -> Any:
    foldable = isinstance(option, str) and option == " ".join(option.split()) and len(option) > 40
    return _Folded(option) if foldable else _flow(option)


def _flow(value: Any) -> Any:
    """On one line, all the way down."""
    if isinstance(value, Mapping):
        return _Line({key: _flow(inner) for key, inner in value.items()})
    if isinstance(value, list | tuple):
        return _Row(map(_flow, value))
    return value
