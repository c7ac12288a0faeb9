"""Ids in what recorded calls returned. What it does not know: which call it was."""

from __future__ import annotations

import re

_RECORD = re.compile(r"^\s*(?:[A-Z]\w*\(.*?\b\w+_id='([^']+)'|Ride ID: (\S+))", re.DOTALL)
"""A record as Python writes it."""


def returned_id(value: str | None) -> str | None:
    """The id in what a call returned: the text itself, or that of a record."""
    if not value:
        return None
    found = _RECORD.match(value)
    if found is not None:
        return found[1] or found[2]
    return value if len(value) <= 200 else None
