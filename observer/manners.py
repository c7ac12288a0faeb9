"""When a user lets itself be interrupted: quiet hours, snooze, and a budget of offers per hour.

All of it is data, and all of it is off unless asked for. What it does not know: what is offered,
and how busy the user is (see ``restraint``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Final

from pydantic import Field, ValidationError

from heron.contracts import AnswerSeen, Observation, Record
from heron.errors import InputError

_HOURS: Final = re.compile(r"(\d\d):(\d\d)-(\d\d):(\d\d)")
_HOUR: Final = timedelta(hours=1)

SWITCHES: Final = {"on": True, "off": False}
OPTIONS: Final = ("gate", "quiet", "snooze", "per_hour", "burst", "withdraw", "firm")
"""What stands behind the question mark of an observer's name, as in ``gguf:NAME?snooze=15``."""


class QuietHours(Record):
    """A stretch of each day, its end not included; it may go over midnight."""

    start: time
    end: time

    def holds(self, moment: datetime) -> bool:
        """Whether a moment lies in it."""
        now = moment.time()
        if self.start < self.end:
            return self.start <= now < self.end
        return now >= self.start or now < self.end

    @classmethod
    def parse(cls, text: str) -> QuietHours:
        """``22:00-07:00``.

        Raises:
            InputError: it is not written like that, or is empty.
        """
        found = _HOURS.fullmatch(text)
        try:
            hours = [int(part) for part in found.groups()] if found else [0] * 4
            start, end = time(hours[0], hours[1]), time(hours[2], hours[3])
        except ValueError:
            start = end = time()
        if start == end:
            raise InputError(f"quiet hours {text!r}: write HH:MM-HH:MM, as 22:00-07:00")
        return cls(start=start, end=end)


class Manners(Record):
    """How an observer behaves towards its user; the defaults change nothing."""

    quiet: QuietHours | None = None
    """No offer is made in these hours."""
    snooze_minutes: float = Field(default=0.0, ge=0, le=1440, allow_inf_nan=False)
    """No offer is made for so long after one was turned down."""
    per_hour: int | None = Field(default=None, ge=1, le=3600)
    """Offers that may be made per hour; ``None``: any number."""
    burst: int = Field(default=1, ge=1, le=100)
    """Of these, how many may be made at once after a long silence."""
    withdraw: bool = False
    """Take an offer back when it has become moot (see ``moot``)."""
    firm: bool = False
    """Only a notification makes a settled offer new, not an old record that was looked up since."""


class TokenBucket:
    """A ``Budget`` of so many per hour: one token each, refilled evenly, at most ``burst`` kept.

    With a burst of b, any hour (its end not included) sees at most ``per_hour + b - 1``. Kept as
    the time at which the bucket will be full (the virtual scheduling form of the generic cell rate
    algorithm, ITU-T I.371), in whole microseconds, so that no rounding lets one too many through.
    """

    def __init__(self, per_hour: int, burst: int = 1) -> None:
        microseconds = -(-(_HOUR // timedelta(microseconds=1)) // per_hour)
        self._each = timedelta(microseconds=microseconds)
        self._slack = self._each * (burst - 1)
        self._full: datetime | None = None

    def allows(self, time: datetime) -> bool:
        """Whether there is a token."""
        return self._full is None or time >= self._full - self._slack

    def spend(self, time: datetime) -> None:
        """Take a token."""
        start = time if self._full is None else max(self._full, time)
        self._full = start + self._each


class Interruptions:
    """A ``Budget`` that keeps manners: asked before an offer, told of offers and answers."""

    def __init__(self, manners: Manners) -> None:
        self._manners = manners
        self._bucket = TokenBucket(manners.per_hour, manners.burst) if manners.per_hour else None
        self._snoozed: datetime | None = None

    def note(self, observation: Observation) -> None:
        """Take in answers; a rejection begins the snooze, also one from before the episode."""
        rejected = any(
            isinstance(seen, AnswerSeen) and seen.answer == "reject" for seen in observation.new
        )
        if rejected and self._manners.snooze_minutes:
            pause = timedelta(minutes=self._manners.snooze_minutes)
            self._snoozed = observation.time + pause

    def allows(self, time: datetime) -> bool:
        """Whether an offer may be made at ``time``."""
        if self._manners.quiet is not None and self._manners.quiet.holds(time):
            return False
        if self._snoozed is not None and time < self._snoozed:
            return False
        return self._bucket is None or self._bucket.allows(time)

    def spend(self, time: datetime) -> None:
        """An offer is made."""
        if self._bucket is not None:
            self._bucket.spend(time)

    def save(self) -> str | None:
        """Until when it is snoozed; the bucket is filled again by spending."""
        return None if self._snoozed is None else f"{self._snoozed}"

    def load(self, snoozed: str | None) -> None:
        """Go on with what ``save`` gave."""
        self._snoozed = None if snoozed is None else datetime.fromisoformat(snoozed)


def manners_from(options: Mapping[str, str]) -> Manners:
    """Manners as options say them.

    Raises:
        InputError: a value that is none.
    """
    fields: dict[str, object] = {}
    for name, value in options.items():
        match name:
            case "quiet":
                fields["quiet"] = QuietHours.parse(value)
            case "snooze":
                fields["snooze_minutes"] = value
            case "per_hour" | "burst":
                fields[name] = value
            case "withdraw" | "firm":
                if value not in SWITCHES:
                    raise InputError(f"{name}={value}: write {name}=on or {name}=off")
                fields[name] = SWITCHES[value]
    try:
        return Manners.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).removesuffix("_minutes")
        raise InputError(f"{name}={options[name]}: {first['msg'].lower()}") from error
