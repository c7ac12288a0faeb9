"""Whether a run scores an observer on what it was tuned on, so that the figures say so.

Calibrations, probes and the linear gate are fitted on families of part ``dev``; figures to quote
come from part ``test``. What it does not know: how anything was fitted.
"""

from __future__ import annotations

from collections.abc import Mapping

from heron.observer.registry import TUNED
from heron.registry import split_spec

TUNED_GATE = "gate=linear"


def in_sample(observer: str, parts: Mapping[str, int]) -> str | None:
    """What has to be said beside a run's figures.

    Args:
        observer: its spec.
        parts: part → number of scenarios that were played.

    Returns:
        ``None`` if nothing that was played was used to tune the observer.
    """
    name, argument = split_spec(observer)
    tuned = name in TUNED or TUNED_GATE in argument.partition("?")[2].split("&")
    seen = parts.get("dev", 0)
    if not tuned or not seen:
        return None
    return f"{seen} of {sum(parts.values())} scenarios: use --part test"
