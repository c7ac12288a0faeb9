"""The whole state of a world: snapshot, going back to one, digest.

A snapshot copies pointers only: records and log entries are frozen and shared.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from heron.contracts import DeviceStatus
from heron.sim.changes import Fingerprints, digest, plain
from heron.sim.consent import Grants
from heron.sim.phone import PhoneState
from heron.sim.queue import EventQueue, QueueState
from heron.sim.tables import TableState

if TYPE_CHECKING:
    from heron.sim.world import World


@dataclass(frozen=True)
class Snapshot:
    """The state at one moment."""

    now: datetime
    tables: tuple[TableState[Any], ...]
    phone: PhoneState
    queue: EventQueue
    happened: QueueState
    device: DeviceStatus
    log: int
    journal: int
    notifications: int
    turn: int
    opened: frozenset[str]
    answered: tuple[str, ...]
    grants: Grants


def take(world: World) -> Snapshot:
    """The state now."""
    return Snapshot(
        now=world.now,
        tables=tuple(table.state() for table in world.directory.tables()),
        phone=world.phone.state.copy(),
        queue=world.queue,
        happened=world.queue.state.copy(),
        device=world.device,
        log=len(world.log),
        journal=len(world.journal),
        notifications=len(world.notifications),
        turn=world.turn,
        opened=frozenset(world.opened),
        answered=tuple(world.answered),
        grants=world.grants.copy(),
    )


def go_back(world: World, snapshot: Snapshot) -> None:
    """Make the state that of a snapshot, which lies in the past of the world's log."""
    world.clock.now = snapshot.now
    for table, state in zip(world.directory.tables(), snapshot.tables, strict=True):
        table.load(state)
    world.phone.state = snapshot.phone.copy()
    world.queue = snapshot.queue
    world.queue.state = snapshot.happened.copy()
    world.device, world.turn = snapshot.device, snapshot.turn
    del world.log[snapshot.log :]
    del world.journal[snapshot.journal :]
    del world.notifications[snapshot.notifications :]
    world.opened, world.answered = set(snapshot.opened), list(snapshot.answered)
    world.grants = snapshot.grants.copy()


def digest_of(world: World, prints: Fingerprints) -> str:
    """sha256 over records, counters, screens, clock, notifications, device.

    Args:
        world: screens whose records are gone are closed first, as the next look would do.
        prints: digests of records that are known already.
    """
    _ = world.phone.screen
    tables = {
        f"{app.NAME}.{name}": [prints.of(table), table.counter]
        for app in world.apps.values()
        for name, table in app.tables.items()
    }
    stacks = {
        name: [[type(s).__name__, plain(vars(s))] for s in stack]
        for name, stack in world.phone.state.stacks.items()
    }
    shade = [[n.time, n.app, n.title, n.text] for n in world.notifications]
    front = world.phone.state.front
    return digest([world.now, tables, front, stacks, shade, world.device, sorted(world.opened)])
