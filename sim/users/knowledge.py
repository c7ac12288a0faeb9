"""What a user has seen so far: fields of records, read off the screens that were shown."""

from __future__ import annotations

from heron.contracts import ScreenView
from heron.sim.users.brief import Need


class Knowledge:
    """Fields seen, per record. Previews of notifications add nothing."""

    def __init__(self) -> None:
        self._seen: dict[str, set[str]] = {}

    def note(self, view: ScreenView) -> None:
        """Remember what a screen shows."""
        for item in view.items:
            if item.ref is not None and item.shows:
                self._seen.setdefault(item.ref, set()).update(item.shows)

    def knows(self, need: Need) -> bool:
        """Whether what is needed has been seen."""
        seen = self._seen.get(need.ref, set())
        if "*" in seen:
            return True
        return bool(need.fields) and set(need.fields) <= seen
