"""The newest turns of a dialogue, as text, so that a context can be made again from them.

What it does not know: the model, and what its window still holds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from heron.contracts import KeptTurn
from heron.protocols import DecisionModel

MOST_TURNS: Final = 24
MOST_CHARACTERS: Final = 4000
"""About a thousand tokens: what a window of 2,048 holds beside the prompt."""


class RecentTurns:
    """Keeps what was said, within bounds; the newest turn is kept whatever its length.

    Args:
        turns: what is there already.
    """

    def __init__(self, turns: Iterable[KeptTurn] = ()) -> None:
        self._kept = deque(turns)
        self._open: tuple[str, bool] | None = None

    def open(self, text: str, *, keep: bool) -> None:
        """A message was appended; one that was never answered is forgotten."""
        self._open = (text, keep)

    def close(self, answer: str) -> None:
        """It was answered."""
        if self._open is None:
            return
        text, keep = self._open
        self._open = None
        self._kept.append(KeptTurn(text=text, answer=answer, keep=keep))
        while len(self._kept) > 1 and (
            len(self._kept) > MOST_TURNS
            or sum(len(turn.text) + len(turn.answer) for turn in self._kept) > MOST_CHARACTERS
        ):
            self._kept.popleft()

    def turns(self) -> tuple[KeptTurn, ...]:
        """The answered ones, in order."""
        return tuple(self._kept)

    def read_into(self, model: DecisionModel) -> None:
        """Append them all to a model's context.

        Raises:
            ModelFault: that failed.
        """
        for turn in self._kept:
            model.extend(turn.text, keep=turn.keep)
            model.choose(turn.answer)
