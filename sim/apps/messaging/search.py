"""Finding messages: by time and by regular expression; pure functions over messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime

from heron.errors import IllegalCall
from heron.sim.app import require
from heron.sim.apps.messaging.records import Message

LONGEST_PATTERN = 100
_NESTED = re.compile(r"[*+}]\s*\)\s*[*+{]")
"""A repetition within a repetition, which can take forever."""


def newest_first(messages: Iterable[Message]) -> list[Message]:
    """Of equal times, the one stored last comes first."""
    return sorted(messages, key=lambda message: message.timestamp)[::-1]


def between(
    messages: Iterable[Message], since: datetime | None, until: datetime | None
) -> list[Message]:
    """The messages from one time to another, both included."""
    return [
        message
        for message in messages
        if (since is None or message.timestamp >= since)
        and (until is None or message.timestamp <= until)
    ]


def finder(pattern: str) -> Callable[[str], object]:
    """What searches a text for a regular expression, whatever the case.

    Raises:
        IllegalCall: it is none, or one that could take forever.
    """
    require(pattern, "query needs a regular expression")
    require(len(pattern) <= LONGEST_PATTERN, f"query may have {LONGEST_PATTERN} characters")
    require(not _NESTED.search(pattern), "query repeats a repetition; write it without")
    try:
        return re.compile(pattern, re.IGNORECASE).search
    except (re.error, OverflowError) as error:
        raise IllegalCall(f"query is no regular expression: {error}") from error
