"""What a call came back with, as ARE prints it: ``[Email(email_id='m1', subject='…')]``.

What it does not know: which call it was.
"""

from __future__ import annotations

import json

from heron.contracts import Evidence, ToolResult
from heron.eval.replaying.returned import KINDS

_CLASSES = {kind: (name, key, told) for name, (kind, key, told) in reversed(list(KINDS.items()))}
"""Kind of a record → ARE's class, its id's field, and the fields that a line tells."""


def printed(result: ToolResult) -> str | None:
    """A result as text; ``None`` where there is none."""
    if not result.ok:
        return None
    if result.shown:
        return f"[{', '.join(map(_record, result.shown))}]"
    if result.value is None or isinstance(result.value, str):
        return result.value
    return json.dumps(result.value, ensure_ascii=False)


def _record(shown: Evidence) -> str:
    """A record with its line in the first field that is told of its kind."""
    known = _CLASSES.get(shown.kind)
    if known is None:
        return repr(f"{shown.kind} {shown.ref}: {shown.text}")
    name, key, told = known
    return f"{name}({key}={shown.ref!r}, {told[0]}={shown.text!r})"
