"""Rows of a folder that other code or other scenario files made, when its run is gone on with.

What it does not know: how a run is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Literal, NamedTuple

from heron.errors import InputError
from heron.eval.store import EpisodeKey, EpisodeStore

Stale = Literal["refuse", "replay", "keep"]
"""What becomes of such rows: nothing is done; they are set aside and played anew; or they count as
they are."""


class Sorted(NamedTuple):
    """What counts of a folder's rows."""

    done: set[EpisodeKey]
    """Of the episodes that are wanted, those that are there."""
    notes: tuple[str, ...]
    """Lines for the user."""


def sort_out(
    folder: Path, store: EpisodeStore, wanted: Collection[EpisodeKey], stale: Stale
) -> Sorted:
    """Tell the rows that count from those that do not.

    Args:
        folder: of the run.
        store: open for it.
        wanted: keys of all the run's episodes.
        stale: what becomes of the others.

    Raises:
        InputError: there are others, and nobody said what to do with them.
    """
    expected = set(wanted)
    done = set(store.done & expected)
    old = sorted(store.done - expected)
    if not old:
        return Sorted(done, ())
    same = {(key.scenario, key.seed, key.config_hash): key for key in expected}
    told = ", ".join(f"{n} {why}" for why, n in Counter(_why(key, same) for key in old).items())
    if stale == "refuse":
        raise InputError(
            f"{folder} holds episodes that do not count as this run's: {told}; "
            f"--stale replay plays them anew and keeps the rows beside, --stale keep counts "
            f"them as they are"
        )
    if stale == "keep":
        for key in list(old):
            now = same.get((key.scenario, key.seed, key.config_hash))
            if now is not None and now not in done:
                done.add(now)
                old.remove(key)
    moved = store.set_aside(old)
    return Sorted(done, (f"{folder}: {told}; {moved} rows were moved to superseded.jsonl",))


def _why(key: EpisodeKey, same: dict[tuple[str, int, str], EpisodeKey]) -> str:
    now = same.get((key.scenario, key.seed, key.config_hash))
    if now is None:
        return "that the run does not ask for"
    if key.scenario_hash != now.scenario_hash:
        return "of other content of their scenario"
    return f"by other code ({key.code or 'unknown'}, now {now.code})"
