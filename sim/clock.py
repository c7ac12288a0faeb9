"""The virtual clock: naive local time in whole steps that only the harness takes."""

from __future__ import annotations

from datetime import datetime, timedelta


class Clock:
    """The phone's clock.

    Args:
        start: the time at which the episode begins.
    """

    def __init__(self, start: datetime) -> None:
        self.start = start
        self.now = start

    def at(self, seconds: float) -> datetime:
        """The time ``seconds`` after the start."""
        return self.start + timedelta(seconds=seconds)

    def move_to(self, moment: datetime) -> None:
        """Go forward; a clock never goes back.

        Raises:
            ValueError: ``moment`` lies before now.
        """
        if moment < self.now:
            raise ValueError(f"the clock stands at {self.now} and cannot go back to {moment}")
        self.now = moment
