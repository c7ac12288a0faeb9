"""A user's own errand: its habits, one after the other, and the way back to where it left off.

To go somewhere it asks ``Router`` for the next action on the way, as a person knows their own
phone. What it does not know: offers, personas.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heron.contracts import Act, Idle, UserStep, UserView
from heron.sim.users.brief import Do, Habit, Need, Rest, UserBrief
from heron.sim.users.knowledge import Knowledge

Router = Callable[[str], Act | None]
"""Record id → the next action on the way to it, ``None`` if there is no way."""

SYSTEM = "system"


@dataclass(frozen=True)
class Place:
    """A screen, by what can be seen of it."""

    app: str
    screen: str
    full: tuple[str, ...]
    """Ids of the records that are in full on it."""

    @classmethod
    def of(cls, view: UserView) -> Place:
        """The place in front."""
        full = [item.ref for item in view.screen.items if item.ref and "*" in item.shows]
        return cls(view.screen.app, view.screen.screen, tuple(full))


class Errand:
    """What is left to do of a brief's habits.

    Args:
        brief: the habits.
        router: the way through the phone.
        knowledge: what has been seen; what is to be seen and has been is done.
    """

    def __init__(self, brief: UserBrief, router: Router, knowledge: Knowledge) -> None:
        self._router, self._knowledge = router, knowledge
        self._habits: list[Habit] = list(brief.habits)
        self._rested = 0
        self._left: Place | None = None
        self._trail: list[Do] = []
        """What led from the app's first screen to where the errand is."""

    def step(self, view: UserView) -> UserStep:
        """The next step of it."""
        while self._habits:
            habit = self._habits[0]
            if isinstance(habit, Do):
                return self._way_back(habit, view) or self._do(habit, view)
            step = self._rest(habit) if isinstance(habit, Rest) else self._see(habit.ref, view)
            if step is not None:
                return step
            self._habits.pop(0)
        return UserStep(move=Idle(), note="nothing left to do")

    def leave(self, view: UserView) -> None:
        """Remember the place in front, unless it has been left already."""
        if self._left is None and self._habits:
            self._left = Place.of(view)

    def way_to(self, ref: str, view: UserView) -> Act | None:
        """The next action on the way to a record; back, where the way is not to be seen here."""
        act = self._router(ref)
        if act is None or act.app == SYSTEM:
            return act
        visible = {item.ref for item in view.screen.items}
        hidden = [v for v in act.arguments.values() if v == ref and v not in visible]
        return Act(app=SYSTEM, action="back") if hidden else act

    def _rest(self, habit: Rest) -> UserStep | None:
        if self._rested < habit.turns:
            self._rested += 1
            return UserStep(move=Idle(), note="rests")
        self._rested = 0
        return None

    def _see(self, ref: str, view: UserView) -> UserStep | None:
        """The next action on the way to a record. One that is known already is gone to all the
        same if what comes after it is to be done there.
        """
        known, starts = self._knowledge.knows(Need(ref=ref)), self._does_next()
        if known and not starts:
            return None
        self._left = None
        self._trail.clear()
        act = self.way_to(ref, view)
        if act is not None:
            return UserStep(move=act, note=f"goes to read {ref}")
        return None if known else UserStep(move=Idle(), note=f"waits for {ref}")

    def _does_next(self) -> bool:
        """Whether something is to be done after the habit in hand, without another way first."""
        following = next((h for h in self._habits[1:] if not isinstance(h, Rest)), None)
        return isinstance(following, Do)

    def _do(self, habit: Do, view: UserView) -> UserStep:
        if habit.app not in (SYSTEM, view.screen.app):
            return self._open(habit.app)
        self._habits.pop(0)
        offers = (o for o in view.actions if (o.app, o.name) == (habit.app, habit.action))
        offer = next(offers, None)
        if offer is not None and offer.effect == "read":
            self._trail.append(habit)
        act = Act(app=habit.app, action=habit.action, arguments=habit.arguments)
        return UserStep(move=act, note="its own errand")

    def _open(self, app: str) -> UserStep:
        self._trail.clear()
        go = Act(app=SYSTEM, action="open_app", arguments={"app": app})
        return UserStep(move=go, note=f"goes to {app}")

    def _way_back(self, habit: Do, view: UserView) -> UserStep | None:
        """The next action on the way back to where the errand was left; ``None`` if it is there.

        A place without a record of its own, such as a form, is gone once the app shows something
        else: then the errand's way to it is gone anew.
        """
        place, here = self._left, Place.of(view)
        if place is None or place == here:
            self._left = None
            return None
        if habit.app != place.app and (habit.app, habit.action) != (SYSTEM, "back"):
            self._left = None
            return self._open(habit.app) if habit.app == here.app else None
        if place.app not in (SYSTEM, here.app):
            back = Act(app=SYSTEM, action="switch_app", arguments={"app": place.app})
            return UserStep(move=back, note="goes back to its errand")
        if place.full and (act := self.way_to(place.full[0], view)) is not None:
            return UserStep(move=act, note="goes back to its errand")
        self._left = None
        if place.full or place.app == SYSTEM:
            return None
        self._habits[:0] = self._trail
        return self._open(place.app)
