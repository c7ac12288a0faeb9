"""One episode: scenario × seed × configuration, turn by turn.

A turn: events that are due happen; the user takes one step; a decision may mint a grant, and the
executor works under it at once; the observer gets the delta and waits, looks, proposes or
withdraws; time passes. Always all turns, also after success: staying quiet afterwards is part of
the score. What it does not know: where the parts run, and how the result is scored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heron.contracts import (
    AnswerSeen,
    Brief,
    Decision,
    Execution,
    ExecutionSeen,
    FaultRecord,
    Grant,
    LookSeen,
    Observation,
    ObserverAnswer,
    ObserverTurn,
    Propose,
    StepCost,
    Task,
    UserView,
)
from heron.errors import Fault
from heron.eval.course import Course, Draft
from heron.eval.executors import ExecutorPort
from heron.eval.observers import ObserverPort
from heron.eval.offers import Offers
from heron.protocols import Toolset, User
from heron.sim.feed import ObserverFeed, UserFeed
from heron.sim.noise import FlakyTools, ToolFailures
from heron.sim.pace import pass_time, takes
from heron.sim.toolset import GrantedTools, PhoneTools, ReadTools
from heron.sim.world import World


@dataclass(frozen=True)
class Parts:
    """Who plays."""

    observer: ObserverPort
    executor: ExecutorPort
    user: User
    tools: Callable[[Toolset], Toolset] = lambda tools: tools
    """What lies between the executor and the phone's tools; nothing, unless given."""
    failures: ToolFailures | None = None
    """Which calls of tools fail, the observer's looks included; none, unless given."""


@dataclass(frozen=True)
class Limits:
    """How much of everything."""

    turns: int = 10
    looks: int = 5
    steps: int = 10
    measured: bool = False
    """The models' thinking takes time on the phone's clock."""


class Episode:
    """Plays one episode on a world.

    Args:
        world: the phone at its start.
        parts: observer, executor and user, made ready for this episode.
        limits: turns, looks, steps, clock.
    """

    def __init__(self, world: World, parts: Parts, limits: Limits) -> None:
        self.world, self.parts, self.limits = world, parts, limits
        self.course = Course()
        self._offers = Offers()
        self._observer_feed, self._user_feed = ObserverFeed(world), UserFeed(world)
        self._looking = self._working(ReadTools(world))
        self._grant: Grant | None = None
        """The grant of an execution that waits for the user's answer."""
        self._question: str | None = None
        self._report: str | None = None
        self._briefed = False

    def play(self) -> Course:
        """All turns, or up to the part that broke."""
        for turn in range(1, self.limits.turns + 1):
            self.world.turn = turn
            self.world.advance_to(self.world.now)
            if not self._turn(turn):
                break
        if self._grant is not None:
            self.world.close_grant(self._grant)
        return self.course

    # --- a turn ---

    def _turn(self, turn: int) -> bool:
        """One turn; ``False`` if a part broke and the episode ends here."""
        draft = Draft(turn=turn)
        part: str = "user"
        seconds = 0.0
        try:
            seconds = self._user_step(draft)
            part = "executor"
            self._execute(draft)
            part = "observer"
            self._observe(draft)
        except Fault as fault:
            self.course.fault = FaultRecord.model_validate(
                {"part": part, "turn": turn, "message": str(fault)}
            )
        if draft.view is not None and draft.step is not None:
            self.course.turns.append(draft.record())
        if self.course.fault is not None:
            return False
        pass_time(self.world, seconds)
        return True

    # --- the user ---

    def _user_step(self, draft: Draft) -> float:
        """The user's step and what follows at once; the seconds that it takes."""
        view = self._view(draft.turn)
        draft.view = view
        draft.step = step = self.parts.user.step(view)
        draft.decision = self._offers.decide(step, draft.turn)
        if draft.decision is not None:
            self._note_decision(draft.decision)
        draft.expired = self._offers.expire()
        if draft.expired is not None:
            self._tell_end(draft.expired, "expired")
        seconds = takes(self.world, step.move) * step.pace
        if step.move.type == "act":
            draft.error = self.world.user_act(step.move).error
        elif step.move.type == "reply":
            draft.reply = step.move.text
        return seconds

    def _view(self, turn: int) -> UserView:
        waiting = self._offers.open
        view = UserView(
            turn=turn,
            time=self.world.now,
            screen=self.world.phone.view(),
            previews=self._user_feed.take(),
            device=self.world.device,
            actions=self.world.phone.offers(),
            proposal=waiting.proposal if waiting else None,
            question=self._question,
            report=self._report,
        )
        self._report = None
        return view

    def _note_decision(self, decision: Decision) -> None:
        self.course.decisions.append(decision)
        if decision.answer in ("accept", "reject"):
            self.world.note_answer(decision.answer)
            self._tell_end(decision.proposal_id, decision.answer, decision.reason)

    def _tell_end(self, proposal_id: str, answer: str, reason: str = "") -> None:
        seen = {"proposal_id": proposal_id, "answer": answer, "reason": reason}
        self._observer_feed.add(AnswerSeen.model_validate(seen))

    # --- the executor ---

    def _execute(self, draft: Draft) -> None:
        if draft.reply is not None and self._grant is not None:
            tools = self._granted(self._grant)
            done, cost = self.parts.executor.resume(draft.reply, tools)
            self._finish(draft, self._grant, done, cost)
        elif draft.decision is not None and draft.decision.answer == "accept":
            grant = self._mint(draft.decision)
            done, cost = self.parts.executor.start(self._task(grant), self._granted(grant))
            self._finish(draft, grant, done, cost)

    def _mint(self, decision: Decision) -> Grant:
        """An accept mints one grant, which is used once."""
        if self._grant is not None:
            self.world.close_grant(self._grant)
            self._grant, self._question = None, None
        grant = Grant(
            grant_id=f"g{len(self.course.grants) + 1}",
            proposal_id=decision.proposal_id,
            turn=decision.turn,
        )
        self.course.grants.append(grant)
        self.world.open_grant(grant)
        return grant

    def _granted(self, grant: Grant) -> Toolset:
        return self.parts.tools(self._working(GrantedTools(self.world, grant)))

    def _working(self, tools: PhoneTools) -> Toolset:
        """The tools as they work in this episode."""
        failures = self.parts.failures
        return FlakyTools(tools, failures) if failures and failures.settings.any else tools

    def _task(self, grant: Grant) -> Task:
        proposal = next(p for p in self._offers.made if p.proposal_id == grant.proposal_id)
        return Task(
            grant=grant,
            proposal=proposal,
            user_name=self.world.owner.name,
            time=self.world.now,
            tools=self.world.tool_specs(),
            max_steps=self.limits.steps,
        )

    def _finish(self, draft: Draft, grant: Grant, done: Execution, cost: StepCost) -> None:
        draft.execution = done
        self.course.executions.append(done)
        self.course.executor_costs.append(cost)
        self._think(cost)
        if done.end == "question":
            self._grant, self._question = grant, done.message
            return
        self._grant, self._question, self._report = None, None, done.message
        self.world.close_grant(grant)
        self._observer_feed.add(
            ExecutionSeen(proposal_id=grant.proposal_id, end=done.end, message=done.message)
        )

    # --- the observer ---

    def _observe(self, draft: Draft) -> None:
        for step in range(self.limits.looks + 1):
            observation = self._observation(draft.turn, step)
            answer, cost = self.parts.observer.observe(observation)
            self.course.observer_costs.append(cost)
            self._think(cost)
            draft.observer.append(ObserverTurn(step=step, answer=answer))
            if answer.type != "look" or observation.looks_left == 0:
                self._act_on(answer, draft)
                return
            self._observer_feed.add(LookSeen(result=self._looking.call(answer.call)))

    def _observation(self, turn: int, step: int) -> Observation:
        new = self._observer_feed.take()
        self._offers.note_shown(new)
        brief = None if self._briefed else self._brief()
        self._briefed = True
        waiting = self._offers.open
        return Observation(
            turn=turn,
            step=step,
            time=self.world.now,
            new=new,
            device=self.world.device,
            open_proposal=waiting.proposal.proposal_id if waiting else None,
            looks_left=self.limits.looks - step,
            brief=brief,
        )

    def _brief(self) -> Brief:
        return Brief(
            user_name=self.world.owner.name,
            tools=self._looking.specs(),
            write_tools=tuple(spec.name for spec in self.world.tool_specs("write")),
        )

    def _act_on(self, answer: ObserverAnswer, draft: Draft) -> None:
        if isinstance(answer, Propose):
            draft.proposal = self._offers.make(answer, draft.turn)
            if draft.proposal is None:
                self._tell_end("", "refused", "one proposal at a time, and not an empty one")
        elif answer.type == "withdraw":
            draft.withdrawn = self._offers.withdraw()
            if draft.withdrawn is not None:
                self._tell_end(draft.withdrawn, "withdrawn")

    # --- time ---

    def _think(self, cost: StepCost) -> None:
        if self.limits.measured:
            self.world.advance(cost.wall_s)
