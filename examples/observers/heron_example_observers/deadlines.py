"""An observer made of one rule: where a notification names a deadline, offer a reminder.

What it does not know: other languages than English, and whether the user wants to be reminded.
"""

from __future__ import annotations

import re

from heron.contracts import NotificationSeen, Observation, Propose, Wait, Withdraw
from heron.observer.conduct import Conduct
from heron.observer.manners import OPTIONS, Manners, manners_from
from heron.observer.setup import Setup, options_of
from heron.observer.text import flat, middle

DEADLINE = re.compile(r"\b(?:deadline|due|no later than|expires|last day)\b", re.IGNORECASE)
TOOL = "reminder.add_reminder"


class DeadlineObserver:
    """Speaks at once, about the newest notification only."""

    def __init__(self, manners: Manners | None = None) -> None:
        self._manners = manners
        self._conduct = Conduct(manners)
        self._can_remind = False

    def observe(self, observation: Observation) -> Wait | Propose | Withdraw:
        """Answer to what is new."""
        if observation.brief is not None:
            # A new episode: everything before is to be forgotten.
            self._conduct = Conduct(self._manners)
            self._can_remind = TOOL in observation.brief.write_tools
        if self._conduct.note(observation):
            return Withdraw()
        if not self._can_remind or not self._conduct.allows(observation):
            return Wait()
        notes = [seen for seen in observation.new if isinstance(seen, NotificationSeen)]
        offer = _offer(notes[-1]) if notes else None
        if offer is None or self._conduct.repeats(offer.text, offer.refs):
            return Wait()
        self._conduct.propose(offer, observation.time)
        return offer


def _offer(note: NotificationSeen) -> Propose | None:
    if DEADLINE.search(note.text) is None:
        return None
    refs = (note.record.ref,) if note.record is not None else ()
    title = middle(flat(note.title), 80)
    return Propose(text=f"Shall I set a reminder for '{title}'?", plan=(TOOL,), refs=refs)


def make(setup: Setup) -> DeadlineObserver:
    """The observer ``deadlines``, with manners behind a question mark: ``deadlines:?snooze=15``.

    Raises:
        InputError: an option that there is not.
    """
    return DeadlineObserver(manners_from(options_of(setup.argument, OPTIONS)))
