"""Which unit a worker gets next: one of the configuration that it has loaded, while there is one.

What it does not know: workers, and what a unit is beside its group.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from heron.eval.engine.unit import Unit

Group = tuple[str, int]
"""Configuration and run."""


class Queue:
    """Units that wait, by group.

    Args:
        units: groups come in the order of their first unit, units of a group in theirs.
    """

    def __init__(self, units: Iterable[Unit]) -> None:
        self._groups: dict[Group, deque[Unit]] = {}
        for unit in units:
            self._groups.setdefault(_group(unit), deque()).append(unit)
        self._held: Counter[Group] = Counter()

    def __len__(self) -> int:
        return sum(map(len, self._groups.values()))

    def take(self, last: Unit | None) -> Unit | None:
        """The next unit for a worker; ``None`` if none is left.

        Of its own group if there is one, else of the first group that nobody works on, else of the
        one with most units left per worker.

        Args:
            last: what the worker played before.
        """
        own = None if last is None else _group(last)
        if own is not None and not self._groups.get(own):
            self._held[own] -= 1
            own = None
        if own is None:
            own = self._next()
            if own is None:
                return None
            self._held[own] += 1
        return self._groups[own].popleft()

    def put_back(self, unit: Unit) -> None:
        """The unit was not played; it comes next in its group."""
        self._groups[_group(unit)].appendleft(unit)

    def _next(self) -> Group | None:
        left = [group for group, units in self._groups.items() if units]
        free = (group for group in left if self._held[group] <= 0)
        shared = max(left, key=lambda g: len(self._groups[g]) / (self._held[g] + 1), default=None)
        return next(free, shared)


def _group(unit: Unit) -> Group:
    return (unit.group, unit.run)
