"""A dialogue as tokens: the constant prefix, the turns that are finished, the one that is open.

When the window is about to overflow, old turns go in one large block at a turn border, so that
evaluating the rest again is paid for by many turns. Turns that were marked stay longer than others.
What it does not know: what the tokens mean, and where they are evaluated.
"""

from __future__ import annotations

from itertools import chain
from typing import Final, NamedTuple

from heron.errors import ModelFault

MARKED_SHARE: Final = 0.5
"""Largest share of what is left after a trim that marked turns may take beyond the newest ones."""


class Turn(NamedTuple):
    """A user's message and, once it is finished, its answer."""

    tokens: list[int]
    keep: bool = False
    """Something later turns may need: it outlives a trim if there is room."""


class Turns:
    """What a context should hold.

    Args:
        kept: share of the window beside the prefix that is still full after a trim. The smaller,
            the rarer the trims and the shorter the memory.
    """

    def __init__(self, *, kept: float) -> None:
        self._kept = kept
        self.trims = 0
        """Times that old turns were dropped to make room."""
        self.moved = 0
        """Tokens of turns that stayed where turns before them did not."""
        self.prefix: list[int] = []
        self.open: Turn | None = None
        """The turn that waits for its answer."""
        self._finished: list[Turn] = []

    def begin(self, prefix: list[int]) -> None:
        """Forget all turns."""
        self.prefix, self.open, self._finished = prefix, None, []

    def finish(self, answer: list[int]) -> None:
        """Close the open turn with the tokens of its answer."""
        if self.open is not None:
            self._finished.append(Turn([*self.open.tokens, *answer], self.open.keep))
            self.open = None

    @property
    def tokens(self) -> list[int]:
        """All tokens, in order."""
        opened = self.open.tokens if self.open else []
        return list(chain(self.prefix, *(turn.tokens for turn in self._finished), opened))

    def make_room(self, window: int, more: int) -> None:
        """Drop old turns if ``more`` tokens would not fit ``window``.

        The newest marked turns come first, up to ``MARKED_SHARE`` of what is kept, then the newest
        of all. The order stays.

        Raises:
            ModelFault: the open turn alone is too long.
        """
        room = window - len(self.prefix) - more
        lengths = [len(turn.tokens) for turn in self._finished]
        opened = len(self.open.tokens) if self.open else 0
        if sum(lengths) + opened <= room:
            return
        if opened > room:
            raise ModelFault(
                f"a message of {opened} tokens does not fit the window of {window} "
                f"beside a prompt of {len(self.prefix)}"
            )
        budget = max(0, int(room * self._kept) - opened)
        chosen = self._chosen(lengths, budget)
        self._finished = [self._finished[place] for place in chosen]
        self.moved += sum(lengths[place] for n, place in enumerate(chosen) if place != n)
        self.trims += 1

    def _chosen(self, lengths: list[int], budget: int) -> list[int]:
        """Which turns stay, ascending."""
        newest_first = range(len(lengths) - 1, -1, -1)
        chosen: set[int] = set()
        spent = 0
        for place in newest_first:
            fits = spent + lengths[place] <= budget * MARKED_SHARE
            if self._finished[place].keep and fits:
                chosen.add(place)
                spent += lengths[place]
        for place in newest_first:
            if place in chosen:
                continue
            if spent + lengths[place] > budget:
                break
            chosen.add(place)
            spent += lengths[place]
        return sorted(chosen)
