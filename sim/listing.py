"""What lists and searches of all apps have in common: paging, matching, prose cut to a line.

What it does not know: records and screens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import Field

LISTED = 20
"""Records that a screen shows of a long list at a time."""

CUT = 120
"""Characters of prose in a record's line."""

Offset = Annotated[int, Field(ge=0)]
Limit = Annotated[int, Field(ge=1, le=50)]


def matches(query: str, texts: Iterable[str | None]) -> bool:
    """Whether every word of ``query`` stands somewhere in ``texts``, whatever the case."""
    where = "\n".join(filter(None, texts)).casefold()
    return all(word in where for word in query.casefold().split())


def short(text: str, length: int = CUT) -> str:
    """Prose on one line, cut to at most ``length`` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else f"{flat[: length - 1].rstrip()}…"


def page(name: str, rows: Sequence[Any], offset: int, limit: int) -> dict[str, Any]:
    """One page of ``rows`` under ``name``, with its range (first, end) and the total."""
    end = min(offset + limit, len(rows))
    return {name: list(rows[offset:end]), "range": [min(offset, end), end], "total": len(rows)}
