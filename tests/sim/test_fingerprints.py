"""The state's digest reads each version of a record once, and is none the less always right."""

from __future__ import annotations

from datetime import datetime

import pytest

from heron.sim import changes
from heron.sim.app import Owner
from heron.sim.changes import Fingerprints, digest
from heron.sim.installed import choose
from heron.sim.world import World

START = datetime(2026, 3, 10, 9, 0)


def phone(*titles: str) -> World:
    world = World(Owner("Ann Lee", "ann@example.org"), START, choose(["reminder"]))
    rows = [{"title": title, "due_datetime": "2026-03-11 10:00"} for title in titles]
    world.apps["reminder"].fill({"reminders": rows})
    return world


def test_every_change_shows_and_going_back_takes_it_back() -> None:
    world = phone("One", "Two", "Three")
    reminders = world.apps["reminder"].tables["reminders"]
    start, seen = world.snapshot(), [world.digest()]
    reminders.change("r2", title="Deux")
    seen.append(world.digest())
    reminders.change("r2", title="Two")
    assert world.digest() == seen[0]
    reminders.delete("r2")
    seen.append(world.digest())
    reminders.put(reminders.get("r1").model_copy(update={"reminder_id": "r9"}))
    seen.append(world.digest())
    assert len(set(seen)) == len(seen)
    world.restore(start)
    assert world.digest() == seen[0] == phone("One", "Two", "Three").digest()
    assert phone("Two", "One", "Three").digest() != seen[0]


def test_a_record_is_read_again_only_if_it_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    table = phone("One", "Two", "Three").apps["reminder"].tables["reminders"]
    read: list[str] = []

    def reading(value: object) -> str:
        read.append(getattr(value, "ref", ""))
        return digest(value)

    monkeypatch.setattr(changes, "digest", reading)
    prints = Fingerprints()
    before = prints.of(table)
    assert read == ["r1", "r2", "r3"]
    assert prints.of(table) == before
    assert len(read) == 3
    table.change("r2", title="Deux")
    assert prints.of(table) != before
    assert read[3:] == ["r2"]
