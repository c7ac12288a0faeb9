"""What an interruption weighs: the one place where that is stated.

The unit is an offer that is shown and taken. A judgement, no measurement: change it here, or weigh
the columns anew. An offer that comes to a driver and is turned down weighs 1 + 1 + 2 = 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "proposals": 1.0,
        "rejected": 1.0,
        "shown_busy": 2.0,
        "questions": 0.5,
    }
)
"""Field of ``Features`` → weight of one: an offer shown; that it was turned down, on top; that it
came while the user was busy (driving, meeting, presenting, asleep, not to be disturbed), on top; a
clarifying question of something that the user wanted done."""
