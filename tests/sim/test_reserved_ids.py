"""An event's record can be named before it is there, and undoing leaves no trace of the promise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar

import pytest

from heron.contracts import Arguments, Item
from heron.errors import InputError
from heron.sim.app import App, Owner, happens, require
from heron.sim.marks import ID
from heron.sim.queue import Event
from heron.sim.screens import Screen
from heron.sim.tables import AppRecord
from heron.sim.world import World

START = datetime(2026, 3, 10, 9, 0)


class Leaf(AppRecord):
    KIND: ClassVar[str] = "leaf"
    ID: ClassVar[str] = "leaf_id"

    leaf_id: Annotated[str, ID]
    colour: str

    def line(self) -> str:
        return self.colour


class TreeApp(App):
    NAME = "tree"
    TITLE = "Tree"

    def setup(self) -> None:
        self.leaves = self.table("leaves", Leaf, "l")

    @happens
    def fall(self, colour: str, count: int = 1) -> Leaf:
        """Leaves fall."""
        require(colour != "blue", "no leaf is blue")
        fallen = [
            self.leaves.put(Leaf(leaf_id=self.leaves.new_id(), colour=colour)) for _ in range(count)
        ]
        return fallen[0]


@dataclass(frozen=True)
class Ground(Screen[TreeApp]):
    def items(self, app: TreeApp) -> Iterable[Item]:
        return ()


TreeApp.ROOT = Ground
TreeApp.SCREENS = (Ground,)


def world() -> World:
    return World(Owner(name="Ida Holm", email="ida@example.org"), START, [TreeApp])


def tree(phone: World) -> TreeApp:
    app = phone.apps["tree"]
    assert isinstance(app, TreeApp)
    return app


def fall(key: str, at: float, ref: str, colour: str = "red", count: int = 1) -> Event:
    arguments: Arguments = {"colour": colour, "count": count}
    return Event(key=key, name="tree.fall", arguments=arguments, at=at, reserve=("leaf", ref))


def colours(phone: World) -> dict[str, str]:
    return {leaf.ref: leaf.colour for leaf in tree(phone).leaves}


def test_a_record_gets_the_id_reserved_for_it_whatever_comes_before() -> None:
    phone = world()
    ref = tree(phone).leaves.reserve()
    phone.schedule([fall("late", 60, ref, "gold", count=2)])
    tree(phone).call(TreeApp.HAPPENINGS["fall"], {"colour": "green"})
    phone.advance(120)
    assert colours(phone) == {"l2": "green", "l1": "gold", "l3": "gold"}


def test_a_refused_event_leaves_its_id_unused_and_no_promise_behind() -> None:
    phone = world()
    ref = tree(phone).leaves.reserve()
    phone.schedule([fall("never", 60, ref, "blue")])
    phone.advance(120)
    assert phone.log[-1].error == "no leaf is blue"
    phone.happen("tree.fall", {"colour": "green"})
    assert colours(phone) == {"l2": "green"}


def test_going_back_lets_the_event_happen_again_with_the_same_id() -> None:
    phone = world()
    ref = tree(phone).leaves.reserve()
    phone.schedule([fall("late", 60, ref)])
    before, state = phone.snapshot(), phone.digest()
    phone.advance(120)
    after = phone.digest()
    phone.restore(before)
    assert phone.digest() == state
    phone.advance(120)
    assert phone.digest() == after
    assert colours(phone) == {"l1": "red"}


def test_where_nothing_is_reserved_ids_and_digest_are_as_ever() -> None:
    plain, other = world(), world()
    plain.schedule([Event(key="a", name="tree.fall", arguments={"colour": "red"}, at=1)])
    plain.advance(2)
    other.advance(1)
    other.happen("tree.fall", {"colour": "red"})
    other.advance(1)
    assert plain.digest() == other.digest()


def test_events_can_be_given_when_the_world_is_made() -> None:
    event = Event(key="a", name="tree.fall", arguments={"colour": "red"}, at=1)
    owner = Owner(name="Ida Holm", email="ida@example.org")
    phone = World(owner, START, [TreeApp], [event])
    phone.advance(2)
    assert colours(phone) == {"l1": "red"}


def test_an_event_cannot_reserve_a_kind_that_its_app_does_not_keep() -> None:
    with pytest.raises(InputError, match="tree keeps no email"):
        world().schedule([Event(key="a", name="tree.fall", at=1, reserve=("email", "m1"))])
