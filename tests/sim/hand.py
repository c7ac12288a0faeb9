"""A hand on one phone: does things as user, assistant or environment, and checks the refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from heron.contracts import Act, Grant, Item, ToolCall
from heron.sim.app import Owner
from heron.sim.graph import next_step
from heron.sim.installed import choose
from heron.sim.world import World

START = datetime(2026, 3, 10, 9, 0)
GRANT = Grant(grant_id="g1", proposal_id="p1", turn=0)

Content = Mapping[str, Sequence[Mapping[str, Any]]]


class Hand:
    """One app on a phone of its own, with an open grant.

    Args:
        app: the app's name.
        content: scenario data of the app.
    """

    def __init__(self, app: str, content: Content | None = None) -> None:
        self.app = app
        self.world = World(Owner("Ann Lee", "ann@example.org"), START, choose([app]))
        self.world.apps[app].fill(content or {})
        self.world.open_grant(GRANT)

    # --- user ---

    def open(self) -> None:
        """Open the app at its first screen."""
        act = Act(app="system", action="open_app", arguments={"app": self.app})
        assert self.world.user_act(act).error is None

    def do(self, action: str, **arguments: Any) -> str:
        """Do an action of the screen in front; the name of the next screen."""
        entry = self.world.user_act(Act(app=self.app, action=action, arguments=arguments))
        assert entry.error is None, entry.error
        return self.screen

    def cannot(self, action: str, **arguments: Any) -> str:
        """Be refused an action, which leaves no trace; the message."""
        before = self.world.digest()
        entry = self.world.user_act(Act(app=self.app, action=action, arguments=arguments))
        assert entry.error is not None, f"{action} was let through"
        assert self.world.digest() == before
        return entry.error

    def offers(self) -> list[str]:
        """Names of the app's actions that are legal now."""
        return [offer.name for offer in self.world.phone.offers() if offer.app == self.app]

    def go_to(self, ref: str) -> Item:
        """Walk from home to a record by the state graph; the item that shows it in full."""
        self.world.user_act(Act(app="system", action="go_home"))
        for _ in range(10):
            step = next_step(self.world, ref)
            if step is None:
                break
            entry = self.world.user_act(step)
            assert entry.error is None, entry.error
        shown = [i for i in self.items() if i.ref == ref and "*" in i.shows]
        assert shown, f"{ref} is not shown in full on {self.screen}"
        return shown[0]

    @property
    def screen(self) -> str:
        """Name of the screen in front."""
        return self.world.phone.view().screen

    def items(self, kind: str | None = None) -> tuple[Item, ...]:
        """What is on the screen, or what of one kind."""
        return tuple(i for i in self.world.phone.view().items if kind in (None, i.kind))

    def refs(self, kind: str) -> list[str | None]:
        """Ids of one kind on the screen."""
        return [i.ref for i in self.items(kind)]

    # --- assistant ---

    def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool; its answer as JSON."""
        result = self.world.call_tool(
            ToolCall(name=f"{self.app}.{tool}", arguments=arguments), GRANT
        )
        assert result.ok, result.error
        return result.value

    def refused(self, tool: str, **arguments: Any) -> str:
        """Be refused a tool call, which leaves no trace; the message."""
        before = self.world.digest()
        result = self.world.call_tool(
            ToolCall(name=f"{self.app}.{tool}", arguments=arguments), GRANT
        )
        assert not result.ok, f"{tool} was let through"
        assert self.world.digest() == before
        return result.error or ""

    def shown(self, tool: str, **arguments: Any) -> list[str]:
        """Ids of the records that a tool's answer shows."""
        call = ToolCall(name=f"{self.app}.{tool}", arguments=arguments)
        return [line.ref for line in self.world.call_tool(call, GRANT).shown]

    # --- environment ---

    def happens(self, happening: str, **arguments: Any) -> None:
        """Let something happen."""
        entry = self.world.happen(f"{self.app}.{happening}", arguments)
        assert entry.error is None, entry.error

    def cannot_happen(self, happening: str, **arguments: Any) -> str:
        """Have a happening refused, without a trace; the message."""
        before = self.world.digest()
        entry = self.world.happen(f"{self.app}.{happening}", arguments)
        assert entry.error is not None, f"{happening} was let through"
        assert self.world.digest() == before
        return entry.error

    def heard(self) -> list[str]:
        """Notifications so far, title and text in one."""
        return [f"{note.title}: {note.text}" for note in self.world.notifications]
