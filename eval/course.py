"""What happens in an episode, as it is gathered: the course, and one turn in the making."""

from __future__ import annotations

from dataclasses import dataclass, field

from heron.contracts import (
    Decision,
    Execution,
    FaultRecord,
    Grant,
    ObserverTurn,
    Proposal,
    StepCost,
    TurnRecord,
    UserStep,
    UserView,
)


@dataclass
class Course:
    """What happened: everything an episode's record needs."""

    turns: list[TurnRecord] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    grants: list[Grant] = field(default_factory=list)
    executions: list[Execution] = field(default_factory=list)
    observer_costs: list[StepCost] = field(default_factory=list)
    executor_costs: list[StepCost] = field(default_factory=list)
    fault: FaultRecord | None = None

    @property
    def egress_before_accept(self) -> int:
        """Bytes that had left the device before the first accept.

        An executor's remote model has no process before the first grant; an execution without an
        accepted proposal would show here. An observer that asks a model off the device sends all
        along.
        """
        accepted = {d.proposal_id for d in self.decisions if d.answer == "accept"}
        granted = {g.grant_id for g in self.grants if g.proposal_id in accepted}
        executed = [e.usage for e in self.executions if e.grant_id not in granted]
        observed = [cost.usage for cost in self._observed_before_accept() if cost.usage is not None]
        return sum(usage.bytes_out for usage in (*executed, *observed) if usage.remote)

    def _observed_before_accept(self) -> list[StepCost]:
        """The user leads in a turn, so the turn of the first accept counts as after it."""
        accepts = [d.turn for d in self.decisions if d.answer == "accept"]
        if not accepts:
            return self.observer_costs
        answers = sum(len(turn.observer) for turn in self.turns if turn.turn < min(accepts))
        return self.observer_costs[:answers]


@dataclass
class Draft:
    """A turn in the making."""

    turn: int
    view: UserView | None = None
    step: UserStep | None = None
    error: str | None = None
    reply: str | None = None
    decision: Decision | None = None
    expired: str | None = None
    execution: Execution | None = None
    observer: list[ObserverTurn] = field(default_factory=list)
    proposal: Proposal | None = None
    withdrawn: str | None = None

    def record(self) -> TurnRecord:
        """The turn as stored."""
        assert self.view is not None and self.step is not None  # noqa: S101, PT018
        return TurnRecord(
            turn=self.turn,
            time=self.view.time,
            view=self.view.screen,
            previews=self.view.previews,
            step=self.step,
            error=self.error,
            decision=self.decision,
            expired=self.expired,
            execution=self.execution,
            observer=tuple(self.observer),
            proposal=self.proposal,
            withdrawn=self.withdrawn,
        )
