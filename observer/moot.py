"""Whether an offer that waits for its answer still stands.

Two rules: a notification came about one of its records, so that it rests on something old; or the
user has done everything it plans. What it does not know: the model, and what else an offer could
rest on; a reason that these rules do not see leaves the offer open, to be answered or to expire.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import JsonValue

from heron.contracts import ActionSeen, AnswerSeen, NotificationSeen, Observation, Propose

Moot = Literal["changed", "done"]

_SAME: Final[Mapping[str, frozenset[str]]] = {
    "save": frozenset({"save", "add", "create", "edit", "update"}),
    "send": frozenset({"send", "reply", "forward"}),
    "unsave": frozenset({"remove"}),
    "choose": frozenset({"move"}),
    "rename": frozenset({"rename", "change"}),
}
"""First words of a user's actions → first words of the tools that do the same; a word that is not
here stands for itself."""

_OPENING: Final = frozenset({"create_new", "edit", "reply", "forward", "new"})
"""They open a form: nothing is done yet."""


class OpenOffer:
    """Watches over the one offer that is open."""

    def __init__(self) -> None:
        self._refs: frozenset[str] = frozenset()
        self._left: frozenset[str] = frozenset()
        """Planned tools whose work has not been seen done."""
        self._had_plan = False
        self._changed = False

    def propose(self, proposal: Propose) -> None:
        """An offer is made."""
        self._refs, self._left = frozenset(proposal.refs), frozenset(proposal.plan)
        self._had_plan, self._changed = bool(proposal.plan), False

    def note(self, observation: Observation) -> Moot | None:
        """Take in what is new; why the offer is moot, if it is open and has become so."""
        for seen in observation.new:
            match seen:
                case NotificationSeen(record=record) if record is not None:
                    self._changed |= record.ref in self._refs
                case ActionSeen(error=None):
                    self._left = frozenset(t for t in self._left if not does(seen, t))
                case AnswerSeen():
                    self._refs, self._had_plan, self._changed = frozenset(), False, False
        if observation.open_proposal is None:
            return None
        if self._had_plan and not self._left:
            return "done"
        return "changed" if self._changed else None

    def save(self) -> dict[str, JsonValue]:
        """All of it, as ``load`` takes it."""
        return {
            "refs": [*sorted(self._refs)],
            "left": [*sorted(self._left)],
            "had_plan": self._had_plan,
            "changed": self._changed,
        }

    def load(self, saved: Mapping[str, Any]) -> None:
        """Go on with what ``save`` gave."""
        self._refs, self._left = frozenset(saved["refs"]), frozenset(saved["left"])
        self._had_plan, self._changed = saved["had_plan"], saved["changed"]


def does(seen: ActionSeen, tool: str) -> bool:
    """Whether the user's action does what a tool would: same app, and a verb for the same thing."""
    app, _, name = tool.partition(".")
    if seen.app != app or seen.action in _OPENING:
        return False
    verb = seen.action.partition("_")[0]
    wanted = name.removeprefix("user_").partition("_")[0]
    return wanted in _SAME.get(verb, frozenset({verb}))
