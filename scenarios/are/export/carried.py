"""What of a Heron scenario an ARE file has no place for, carried in it all the same.

It stands under ``metadata.heron``, of which ARE's reader takes no notice: the scenario as its file
has it, and digests by which a reader can tell that it still belongs to the apps and events beside
it. What it does not know: how either is made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KEY = "heron"
SCENARIO = "heron-scenario"
EPISODE = "heron-episode"
_SEALED = ("apps", "events", "completed_events")


@dataclass(frozen=True)
class Carried:
    """What a file carries of Heron's."""

    data: Mapping[str, Any]
    sealed: bool
    """Whether apps and events are what they were when it was written."""


def seal(document: Mapping[str, Any]) -> str:
    """sha256 over what a file says in ARE's own words."""
    metadata = document.get("metadata")
    definition = metadata.get("definition") if isinstance(metadata, Mapping) else None
    start = definition.get("start_time") if isinstance(definition, Mapping) else None
    told = {"start_time": start, **{key: document.get(key) for key in _SEALED}}
    canonical = json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def carried(document: Mapping[str, Any], form: str) -> Carried | None:
    """What a file carries; ``None`` where there is nothing of the kind.

    Args:
        document: the file's JSON.
        form: ``SCENARIO`` or ``EPISODE``.
    """
    metadata = document.get("metadata")
    found = metadata.get(KEY) if isinstance(metadata, Mapping) else None
    if not isinstance(found, Mapping) or found.get("format") != form:
        return None
    return Carried(found, found.get("seal") == seal(document))
