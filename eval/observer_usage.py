"""What an observer asked of a model behind an address, summed up; most observers ask none.

What it does not know: which model that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heron.contracts import EpisodeRecord


def observer_usage(episodes: Sequence[EpisodeRecord]) -> dict[str, Any] | None:
    """Calls, tokens and bytes of request bodies; ``None`` where the observer asks no such model.

    ``egress_bytes`` are those that left the device: all, unless the address is this machine's.
    """
    usage = [step.usage for e in episodes for step in e.costs.steps if step.usage is not None]
    if not usage:
        return None
    return {
        "remote": any(use.remote for use in usage),
        "calls": sum(use.calls for use in usage),
        "tokens_in": sum(use.tokens_in for use in usage),
        "tokens_out": sum(use.tokens_out for use in usage),
        "bytes_to_model": sum(use.bytes_out for use in usage),
        "egress_bytes": sum(use.bytes_out for use in usage if use.remote),
    }
