"""What comes of turning a call over: a call on Heron's side, or why there is none.

What it does not know: how a call is turned over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heron.scenarios.are.book import Row, file_name
from heron.scenarios.are.remarks import Refused, RemarkKind

DOWNLOADS = "/Downloads"


class Unturned(Exception):
    """A call cannot be made here; what is said of it."""

    def __init__(self, kind: RemarkKind, detail: str) -> None:
        super().__init__(detail)
        self.kind, self.detail = kind, detail


@dataclass(frozen=True)
class Turned:
    """A call on Heron's side."""

    name: str
    """``app.tool`` or ``app.happening``."""
    arguments: Row
    free: tuple[str, ...] = ()
    """Arguments that the file leaves open."""
    makes: str | None = None
    """Kind of the record that it makes, and that later calls may name."""


def absolute(value: Any, place: str) -> str:
    """A path in the form that a phone has.

    Raises:
        Refused: it has a part that is no name.
    """
    parts = [part for part in str(value).replace("\\", "/").split("/") if part not in ("", ".")]
    if not isinstance(value, str) or ".." in parts:
        raise Refused(f"{place}: the path {str(value)[:60]!r}")
    return "/" + "/".join(file_name(part) for part in parts)
