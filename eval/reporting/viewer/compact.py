"""Plain data without what goes without saying, short enough to be put into a page.

What it does not know: episodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

TEXT = 600
"""Characters of a text that are kept; longer ones end in an ellipsis."""
DIGITS = 4
"""Significant digits of a measured figure."""

Data = dict[str, Any]


def compact(**content: Any) -> Data:
    """The content without ``None``, ``False`` and what is empty; zero stays."""
    return {
        name: value
        for name, value in content.items()
        if value or (value is not None and value is not False and value == 0)
    }


def short(text: str, length: int = TEXT) -> str:
    """A text of at most ``length`` characters."""
    return text if len(text) <= length else text[: length - 1] + "…"


def plain(value: JsonValue | object, length: int = TEXT) -> Any:
    """A value with its texts shortened, and what is no JSON as text."""
    if isinstance(value, str):
        return short(value, length)
    if isinstance(value, Mapping):
        return {str(name): plain(part, length) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part, length) for part in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return short(str(value), length)


def figure(value: float | None) -> float | int | None:
    """A measured figure in few digits."""
    if value is None or isinstance(value, int):
        return value
    return float(f"{value:.{DIGITS}g}")
