"""Which records an answer shows, as evidence: the only ids that an assistant may refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heron.contracts import Evidence
from heron.sim.tables import AppRecord


def shown_in(answer: Any, limit: int) -> tuple[Evidence, ...]:
    """Evidence for the records in a tool's answer, in order, each once, at most ``limit``."""
    found: dict[str, Evidence] = {}
    for record in _records(answer):
        if record.ref not in found:
            found[record.ref] = record.evidence()
        if len(found) == limit:
            break
    return tuple(found.values())


def _records(answer: Any) -> Iterator[AppRecord]:
    if isinstance(answer, AppRecord):
        yield answer
    elif isinstance(answer, dict):
        for value in answer.values():
            yield from _records(value)
    elif isinstance(answer, list | tuple):
        for value in answer:
            yield from _records(value)
