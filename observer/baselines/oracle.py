"""The observer that plays the scenario's reference proposal at its moment.

Everybody's ceiling: what the user, the executor and the verdict make of a perfect observer. What
it does not know: why the proposal is right.
"""

from __future__ import annotations

from collections import deque

from heron.contracts import (
    AnswerSeen,
    Look,
    LookSeen,
    NotificationSeen,
    Observation,
    Propose,
    ToolCall,
    Wait,
)
from heron.observer.setup import Cue, Setup

__all__ = ["Cue", "OracleObserver", "make"]


class OracleObserver:
    """Follows a cue; without one it stays silent.

    A proposal that expired, or that the harness could not show, is made once more while the time
    for it lasts. One that the user answered is not.
    """

    def __init__(self, cue: Cue | None) -> None:
        self._cue = cue
        self._restart()

    def _restart(self) -> None:
        self._appeared: set[str] = set()
        self._looks: deque[ToolCall] = deque(self._cue.looks if self._cue else ())
        self._answered = False
        self._waiting = False

    def observe(self, observation: Observation) -> Wait | Look | Propose:
        """Wait for the cue's moment, take its looks, propose."""
        if observation.brief is not None:
            self._restart()
        self._note(observation)
        cue = self._cue
        if cue is None or self._answered or self._waiting or observation.open_proposal is not None:
            return Wait()
        if not self._is_time(cue, observation):
            return Wait()
        if self._looks and observation.looks_left > 0:
            return Look(call=self._looks.popleft())
        self._waiting = True
        return Propose(text=cue.text, plan=cue.plan, refs=cue.refs)

    def _is_time(self, cue: Cue, observation: Observation) -> bool:
        turn, now = observation.turn, observation.time
        if turn < cue.not_before or (cue.not_after is not None and turn > cue.not_after):
            return False
        if (cue.opens is not None and now < cue.opens) or (
            cue.closes is not None and now > cue.closes
        ):
            return False
        return self._appeared.issuperset(cue.after)

    def _note(self, observation: Observation) -> None:
        for seen in observation.new:
            if isinstance(seen, NotificationSeen) and seen.record is not None:
                self._appeared.add(seen.record.ref)
            elif isinstance(seen, LookSeen):
                self._appeared.update(evidence.ref for evidence in seen.result.shown)
            elif isinstance(seen, AnswerSeen):
                self._answered |= seen.answer in ("accept", "reject")
                self._waiting = False


def make(setup: Setup) -> OracleObserver:
    """The observer ``oracle`` for one episode's cue."""
    return OracleObserver(setup.cue)
