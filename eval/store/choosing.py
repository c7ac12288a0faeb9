"""Which stored episodes a user means by ``SCENARIO`` or ``SCENARIO#SEED``.

What it does not know: files.
"""

from __future__ import annotations

from collections.abc import Callable

from heron.contracts import EpisodeRecord
from heron.errors import InputError


def chosen_by(words: str | None) -> Callable[[EpisodeRecord], bool]:
    """Whether an episode is meant; all are by ``None``.

    Raises:
        InputError: what stands behind the ``#`` is no seed.
    """
    scenario, _, seed = (words or "").partition("#")
    if seed and not seed.isdecimal():
        raise InputError(f"--episode {words!r}: write SCENARIO or SCENARIO#SEED")

    def meant(episode: EpisodeRecord) -> bool:
        return scenario in ("", episode.scenario) and seed in ("", str(episode.seed))

    return meant
