"""What actors did to the records, net: pure functions over an episode's log.

A record created and deleted again, or a field changed and changed back, leaves nothing. What it
does not know: what was wanted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from heron.contracts import Actor, Change, LogEntry

Key = tuple[str, str, str]
"""App, kind, id."""

Op = Literal["create", "update", "delete"]


@dataclass
class NetChange:
    """The sum of some actors' changes to one record."""

    key: Key
    op: Op
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """``kind.op``, as scenarios' ``allowed`` and ``forbidden`` name it."""
        return f"{self.key[1]}.{self.op}"

    @property
    def changed(self) -> dict[str, tuple[Any, Any]]:
        """Field → (before, after), of the fields that differ."""
        names = {**self.before, **self.after}
        pairs = {name: (self.before.get(name), self.after.get(name)) for name in names}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def net_effects(log: Iterable[LogEntry], *actors: Actor) -> dict[Key, NetChange]:
    """Net changes of the successful calls of ``actors``, in order of first touch."""
    found: dict[Key, NetChange] = {}
    for entry in log:
        if entry.actor in actors and entry.error is None:
            for change in entry.changes:
                _add(found, change)
    return {key: change for key, change in found.items() if change.changed}


def final_values(log: Iterable[LogEntry], key: Key) -> dict[str, Any] | None:
    """Field → last value anybody gave it; ``None`` if the record was deleted last."""
    values: dict[str, Any] | None = {}
    for entry in log:
        for change in entry.changes if entry.error is None else ():
            if (change.app, change.kind, change.ref) != key:
                continue
            if change.op == "delete":
                values = None
            else:
                after = {name: pair[1] for name, pair in change.fields.items()}
                values = {**(values or {}), **after}
    return values


def _add(found: dict[Key, NetChange], change: Change) -> None:
    key = (change.app, change.kind, change.ref)
    net = found.get(key)
    if net is None:
        net = found[key] = NetChange(key, change.op)
    for name, (before, after) in change.fields.items():
        net.before.setdefault(name, before)
        net.after[name] = after
    if change.op == "delete":
        net.op = "delete" if net.op != "create" else "create"
        net.after = dict.fromkeys(net.before) if net.op == "create" else {}
    elif change.op == "create" and net.op == "delete":
        net.op = "update"
