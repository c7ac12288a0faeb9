"""What a model user means to do on its own, and how far it has come.

A small model loses its place in a list, so that it is told what comes next. What this file does
not know: the phone, what help is useful.
"""

from __future__ import annotations

from collections.abc import Sequence

from heron.contracts import Record, UserStep, UserView


class Intention(Record):
    """One thing that the user means to do; with neither ``ref`` nor ``action`` it is to rest."""

    text: str
    """In words."""
    ref: str | None = None
    """To see this record in full."""
    action: str | None = None
    """To do this, ``app.action``, whatever its arguments."""
    turns: int = 1
    """How long to rest."""


class Intentions:
    """A list of intentions that is worked off in order.

    Args:
        given: all of them.
    """

    def __init__(self, given: Sequence[Intention] = ()) -> None:
        self._left = list(given)
        self._rested = 0
        self._seen: set[str] = set()

    @property
    def next(self) -> Intention | None:
        """What comes next; ``None`` if all is done."""
        return self._left[0] if self._left else None

    def note_view(self, view: UserView) -> None:
        """What is on the screen in full has been seen."""
        self._seen |= {item.ref for item in view.screen.items if item.ref and "*" in item.shows}
        self._drop_seen()

    def note_step(self, step: UserStep) -> None:
        """What was done. That the phone may refuse it is not known yet and left at that."""
        first, move = self.next, step.move
        if first is None or first.ref is not None:
            return
        if first.action is not None:
            if move.type == "act" and f"{move.app}.{move.action}" == first.action:
                self._left.pop(0)
        elif move.type == "idle":
            self._rested += 1
            if self._rested >= first.turns:
                self._rested = 0
                self._left.pop(0)
        self._drop_seen()

    def _drop_seen(self) -> None:
        while self._left and self._left[0].ref in self._seen:
            self._left.pop(0)
