"""Grants as the world keeps them: open, then spent; a write of the assistant needs an open one."""

from __future__ import annotations

from dataclasses import dataclass

from heron.contracts import Effect, Grant
from heron.errors import ConsentError


@dataclass(slots=True)
class Grants:
    """Ids of the grants that are open, and of those that have been used."""

    waiting: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()

    def copy(self) -> Grants:
        """An independent copy."""
        return Grants(self.waiting, self.spent)

    def open(self, grant: Grant) -> None:
        """Let writes under ``grant`` through until it is closed.

        Raises:
            ConsentError: it has been used before.
        """
        if grant.grant_id in self.waiting + self.spent:
            raise ConsentError(f"grant {grant.grant_id} has been used; a grant is used once")
        self.waiting += (grant.grant_id,)

    def close(self, grant: Grant) -> None:
        """No more writes under ``grant``."""
        self.waiting = tuple(ref for ref in self.waiting if ref != grant.grant_id)
        self.spent += (grant.grant_id,)

    def check(self, name: str, effect: Effect, grant: Grant | None) -> None:
        """Refuse a write without an open grant.

        Raises:
            ConsentError: ``name`` writes, and ``grant`` is missing or not open.
        """
        if effect == "write" and (grant is None or grant.grant_id not in self.waiting):
            raise ConsentError(f"{name} writes and there is no open grant; propose it to the user")
