"""The scripted user, first form: habits, eyes, a memory, and three answers to an offer.

It acts by what its view shows. To go somewhere it asks ``Router`` for the next action on the way,
as a person knows their own phone; what it knows of the content it has read off the screens. An
offer is judged by its sentence (``judge``) and by what the user has seen:

- vague → rejected at once
- not everything needed has been seen → it goes and looks, whether the offer is right or not
- seen → accepted if it fits and is in time, else rejected with a reason

What it does not know: the reference solution, the observer, other people's scenarios.
"""

from __future__ import annotations

from collections.abc import Callable

from heron.contracts import Act, Answered, Idle, Proposal, Reply, UserStep, UserView
from heron.sim.users.brief import Do, Need, Rest, See, UserBrief
from heron.sim.users.judge import judge
from heron.sim.users.knowledge import Knowledge

Router = Callable[[str], Act | None]
"""Record id → the next action on the way to it, ``None`` if there is no way."""

SYSTEM = "system"


class ScriptedUser:
    """A deterministic user; makes no call to any model.

    Args:
        brief: what it knows of its scenario.
        router: the way through the phone.
    """

    def __init__(self, brief: UserBrief, router: Router) -> None:
        self.brief = brief
        self._router = router
        self._knowledge = Knowledge()
        self._habits = list(brief.habits)
        self._rested = 0

    def step(self, view: UserView) -> UserStep:
        """What the user does now."""
        self._knowledge.note(view.screen)
        if view.question is not None:
            return UserStep(move=Reply(text=self.brief.reply))
        if view.proposal is not None:
            answer = self._answer(view, view.proposal)
            if answer is not None:
                return answer
        return self._carry_on(view)

    # --- offers ---

    def _answer(self, view: UserView, proposal: Proposal) -> UserStep | None:
        sense, reason = judge(self.brief.rubric, proposal.text, proposal.plan)
        if sense == "vague":
            return _reject(reason)
        missing = [need for need in self.brief.needs if not self._knowledge.knows(need)]
        if missing:
            return self._look(missing[0], view)
        if sense == "wrong":
            return _reject(reason)
        if not self.brief.wanted:
            return _reject("No, thank you: there is nothing to do here.")
        opens, closes = self.brief.window.opens, self.brief.window.closes
        if opens is not None and view.time < opens:
            return _reject("It is too early for that.")
        if closes is not None and view.time > closes:
            return _reject("It is too late for that now.")
        return UserStep(move=Answered(answer="accept", reason=reason))

    def _look(self, need: Need, view: UserView) -> UserStep:
        act = self._way_to(need.ref, view)
        if act is None:
            return _reject("I cannot see what that is about.")
        return UserStep(move=act, looking=True, note=f"looks at {need.ref} first")

    # --- its own errand ---

    def _carry_on(self, view: UserView) -> UserStep:
        while self._habits:
            habit = self._habits[0]
            if isinstance(habit, Rest):
                if self._rested < habit.turns:
                    self._rested += 1
                    return UserStep(move=Idle(), note="rests")
                self._rested = 0
            elif isinstance(habit, See):
                if not self._knowledge.knows(Need(ref=habit.ref)):
                    act = self._way_to(habit.ref, view)
                    if act is None:
                        return UserStep(move=Idle(), note=f"waits for {habit.ref}")
                    return UserStep(move=act, note=f"goes to read {habit.ref}")
            else:
                step, done = self._do(habit, view)
                if done:
                    self._habits.pop(0)
                return step
            self._habits.pop(0)
        return UserStep(move=Idle(), note="nothing left to do")

    def _do(self, habit: Do, view: UserView) -> tuple[UserStep, bool]:
        if habit.app not in (SYSTEM, view.screen.app):
            go = Act(app=SYSTEM, action="open_app", arguments={"app": habit.app})
            return UserStep(move=go, note=f"goes to {habit.app}"), False
        act = Act(app=habit.app, action=habit.action, arguments=habit.arguments)
        return UserStep(move=act, note="its own errand"), True

    def _way_to(self, ref: str, view: UserView) -> Act | None:
        act = self._router(ref)
        if act is None or act.app == SYSTEM:
            return act
        visible = {item.ref for item in view.screen.items}
        hidden = [v for v in act.arguments.values() if v == ref and v not in visible]
        return Act(app=SYSTEM, action="back") if hidden else act


def _reject(reason: str) -> UserStep:
    return UserStep(move=Answered(answer="reject", reason=reason))
