"""The clocks of a soak, in seconds from its start.

What it does not know: what happens when.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Literal, Protocol

ClockName = Literal["virtual", "real", "measured"]


class SoakClock(Protocol):
    """The phone's time as the soak goes on."""

    thinks: bool
    """Whether the observer's thinking takes time on it."""

    @property
    def now(self) -> float:
        """Seconds from the start."""

    def wait_until(self, moment: float) -> None:
        """Nothing happens before ``moment``."""

    def spend(self, seconds: float) -> None:
        """The observer has thought for that long."""


class VirtualClock:
    """Jumps from one thing to the next; thinking takes no time.

    Args:
        start: seconds that have passed already.
    """

    thinks = False

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    @property
    def now(self) -> float:
        return self._now

    def wait_until(self, moment: float) -> None:
        self._now = max(self._now, moment)

    def spend(self, seconds: float) -> None:
        """It takes no time."""


class MeasuredClock(VirtualClock):
    """Jumps where nobody has anything to do; thinking takes what it took."""

    thinks = True

    def spend(self, seconds: float) -> None:
        self._now += seconds


class RealClock:
    """The wall clock: a day takes a day.

    Args:
        start: seconds that have passed already.
        read: gives seconds.
        sleep: waits for seconds.
    """

    thinks = True

    def __init__(
        self,
        start: float = 0.0,
        *,
        read: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._read, self._sleep = read, sleep
        self._zero = read() - start

    @property
    def now(self) -> float:
        return self._read() - self._zero

    def wait_until(self, moment: float) -> None:
        while (left := moment - self.now) > 0:
            self._sleep(left)

    def spend(self, seconds: float) -> None:
        """It has passed already."""


CLOCKS: Final[dict[ClockName, type[VirtualClock | RealClock]]] = {
    "virtual": VirtualClock,
    "real": RealClock,
    "measured": MeasuredClock,
}
