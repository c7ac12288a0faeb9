"""A phone's day for ``observer.py``: observations of even length, and a decider that only waits.

What it does not know: models, clocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from typing import Final

from heron.contracts import (
    ActionSeen,
    Brief,
    DeviceStatus,
    Evidence,
    NotificationSeen,
    Observation,
    Seen,
)
from heron.observer.decide import Option, Reading

_START: Final = datetime(2026, 3, 11, 9, 0)
_BRIEF: Final = Brief(
    user_name="Mara", tools=(), write_tools=("calendar.edit_calendar_event", "email.send_email")
)
_TEXTS: Final = (
    ("Anna Berg: Review", "Can we move the review to Friday at ten instead?"),
    ("Tom Reyes: Keys", "The keys are with the neighbour, please fetch them by six."),
    ("Lena Ode: Dinner", "We are six now, can you book the larger table for us?"),
)


def actions() -> Iterator[Observation]:
    """What the user does, about 25 tokens each; the first begins an episode."""
    for turn in count(1):
        yield _at(
            turn,
            ActionSeen(
                app="calendar",
                action="open_event",
                arguments={
                    "event_id": f"v{turn % 10}",
                    "title": "Review of the spring plan with Tom Reyes",
                },
            ),
        )


def mixed() -> Iterator[Observation]:
    """Two things that the user does, then a notification, and so on."""
    for turn, action in enumerate(actions(), 1):
        if turn % 3:
            yield action
            continue
        title, text = _TEXTS[turn // 3 % len(_TEXTS)]
        ref = f"m{turn}"
        record = Evidence(ref=ref, kind="email", text=f"{title}: {text}")
        yield _at(turn, NotificationSeen(app="email", title=title, text=text, record=record))


def _at(turn: int, seen: Seen) -> Observation:
    return Observation(
        turn=turn,
        step=0,
        time=_START + timedelta(minutes=turn),
        new=(seen,),
        device=DeviceStatus(),
        brief=_BRIEF if turn == 1 else None,
    )


class Waits:
    """Decides to wait, whatever the scores: what is measured is the way to them."""

    reads_hidden = False

    def decide(self, reading: Reading) -> Option:
        """Wait."""
        return "wait"
