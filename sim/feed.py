"""What an observer and a user get to see of the world: only what is new to them."""

from __future__ import annotations

from heron.contracts import ActionSeen, AnswerSeen, Preview, Seen
from heron.sim.earlier import TURNED_DOWN
from heron.sim.world import World


class ObserverFeed:
    """Collects the observer's delta: user actions with arguments, notifications in full."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._log = len(world.log)
        self._shade = len(world.notifications)
        self._extra: list[Seen] = []

    def add(self, seen: Seen) -> None:
        """Something that did not come from the phone (a look, an answer, a report)."""
        self._extra.append(seen)

    def take(self) -> tuple[Seen, ...]:
        """What is new, in order of time: actions and notifications, then what was added."""
        world = self._world
        fresh: list[tuple[float, int, Seen]] = []
        for entry in world.log[self._log :]:
            if entry.actor == "user":
                app, _, action = entry.name.partition(".")
                seen = ActionSeen.model_construct(
                    type="action",
                    app=app,
                    action=action,
                    arguments=dict(entry.arguments),
                    error=entry.error,
                )
                fresh.append((entry.time.timestamp(), 1, seen))
            elif entry.name == TURNED_DOWN and entry.error is None:
                told = AnswerSeen(proposal_id="", answer="reject", **entry.arguments)
                fresh.append((entry.time.timestamp(), 0, told))
        fresh += [
            (note.time.timestamp(), 0, note.seen()) for note in world.notifications[self._shade :]
        ]
        self._log, self._shade = len(world.log), len(world.notifications)
        fresh.sort(key=lambda line: line[:2])
        new = (*(seen for _, _, seen in fresh), *self._extra)
        self._extra = []
        return new


class UserFeed:
    """Collects the previews that came since the user last looked."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._shade = 0

    def take(self) -> tuple[Preview, ...]:
        """New previews."""
        new = tuple(note.preview() for note in self._world.notifications[self._shade :])
        self._shade = len(self._world.notifications)
        return new
