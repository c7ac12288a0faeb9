"""The observer that always interrupts: on topic, generic, at every chance.

What it does not know: whether help is wanted, and what the user answered before.
"""

from __future__ import annotations

from heron.contracts import (
    PROPOSAL_LENGTH,
    ActionSeen,
    NotificationSeen,
    Observation,
    Propose,
    Wait,
)
from heron.observer.setup import Setup
from heron.observer.text import flat, middle

_FRAME = len("Shall I take care of '' for you?")


class AlwaysObserver:
    """Offers something at each observation at which no proposal is open."""

    def __init__(self) -> None:
        self._newest: NotificationSeen | None = None
        self._app = ""

    def observe(self, observation: Observation) -> Wait | Propose:
        """Offer to take care of the newest notification, or of what the user is at."""
        if observation.brief is not None:
            self._newest, self._app = None, ""
        for seen in observation.new:
            if isinstance(seen, NotificationSeen):
                self._newest = seen
            elif isinstance(seen, ActionSeen):
                self._app = seen.app
        if observation.open_proposal is not None:
            return Wait()
        return self._offer()

    def _offer(self) -> Propose:
        newest = self._newest
        if newest is None:
            place = f" in {self._app}" if self._app else ""
            return Propose(text=f"Can I help you with what you are doing{place}?")
        title = middle(flat(newest.title), PROPOSAL_LENGTH - _FRAME)
        refs = (newest.record.ref,) if newest.record is not None else ()
        return Propose(text=f"Shall I take care of '{title}' for you?", refs=refs)


def make(setup: Setup) -> AlwaysObserver:  # noqa: ARG001
    """The observer ``always``; it needs nothing."""
    return AlwaysObserver()
