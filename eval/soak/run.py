"""A soak: what happens is handed over, the observer answers, and each answer is written down.

While the observer is busy, what comes due waits; then all of it is handed over at once. A process
that ended is replaced by one that goes on with the state kept after the last answer. What it does
not know: what happens (see ``phone``), and what the figures mean (see ``measures``).
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from heron.contracts import (
    AnswerSeen,
    Look,
    LookSeen,
    Observation,
    ObserverAnswer,
    ObserverState,
    Propose,
    Seen,
    StepCost,
)
from heron.errors import Fault
from heron.eval.observers import ProcessObserver
from heron.eval.soak.answers import Answers
from heron.eval.soak.clocks import SoakClock
from heron.eval.soak.phone import SoakPhone
from heron.eval.soak.records import Checkpoint, Sample, SoakFolder, SoakPlan
from heron.eval.soak.stream import Arrival, Coming

_N = TypeVar("_N", int, float)

LOOKS: Final = 5
TRIES: Final = 2
GIVE_UP: Final = 3
"""Observations in a row that broke, after which the soak ends."""


@dataclass
class _Trip:
    """What one observation took, its looks and restarts included."""

    costs: list[StepCost] = field(default_factory=list)
    looks: int = 0
    killed: bool = False
    faults: list[str] = field(default_factory=list)
    restart_s: float | None = None
    state_lost: bool = False
    answer: ObserverAnswer | None = None


class Soak:
    """One soak, from its start or from a checkpoint.

    Args:
        plan: what is to be run.
        phone: at its start.
        arrivals: when things happen, from the start on.
        observer: its process; made with ``keep_state``.
        clock: at the checkpoint's time, if there is one.
        folder: where samples go.
        checkpoint: where to go on.
    """

    def __init__(
        self,
        plan: SoakPlan,
        phone: SoakPhone,
        arrivals: Iterator[Arrival],
        observer: ProcessObserver,
        clock: SoakClock,
        folder: SoakFolder,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.plan, self.clock = plan, clock
        self._phone, self._coming, self._observer = phone, Coming(arrivals), observer
        self._folder = folder
        self._events = self._observation = self._broken = self._process = 0
        self._state: ObserverState | None = None
        self._answers = Answers(plan.seed)
        self._fresh = True
        """The process has not been told anything."""
        if checkpoint is not None:
            self._go_to(checkpoint)

    def run(self) -> Iterator[Sample]:
        """All observations that are left.

        Raises:
            HeronError: the observer cannot be made, or broke ``GIVE_UP`` times in a row.
        """
        self._start(_Trip())
        while not self._over():
            due = self._due()
            new = self._phone.take()
            if not new:
                continue
            sample = self._observe(due, new)
            self._folder.note(sample, self._checkpoint())
            yield sample
            self._broken = self._broken + 1 if sample.answer == "none" else 0
            if self._broken == GIVE_UP:
                raise Fault(f"{GIVE_UP} observations in a row broke: {sample.faults[-1]}")

    def _over(self) -> bool:
        plan = self.plan
        many = plan.events is not None and self._events >= plan.events
        late = plan.hours is not None and self._coming.next.at_s > plan.hours * 3600
        return many or late

    # --- what happens ---

    def _due(self) -> list[Arrival]:
        """Let everything happen that is due by now, and at least one thing."""
        self.clock.wait_until(self._coming.next.at_s)
        now, due = self.clock.now, [self._happen()]
        while self._coming.next.at_s <= now and not self._over():
            due.append(self._happen())
        self._phone.pass_to(max(now, due[-1].at_s))
        return due

    def _happen(self) -> Arrival:
        arrival = self._coming.take()
        self._phone.happen(arrival)
        self._events += 1
        if arrival.kind == "action":
            told = self._answers.at_action()
            if told is not None:
                self._phone.add(told)
        return arrival

    # --- an observation ---

    def _observe(self, due: list[Arrival], new: tuple[Seen, ...]) -> Sample:
        self._observation += 1
        at, trip = self.clock.now, _Trip()
        every = self.plan.kill_every
        if every and self._observation % every == 0 and self._observer.pid is not None:
            os.kill(self._observer.pid, signal.SIGKILL)
            trip.killed = True
        self._answer(new, trip)
        offer, repeats = None, False
        if isinstance(trip.answer, Propose):
            offer, repeats = trip.answer.text, self._answers.repeats(trip.answer)
            if self._answers.make(trip.answer, self._observation) is None:
                told = {"answer": "refused", "reason": "one proposal at a time"}
                self._phone.add(AnswerSeen.model_validate({"proposal_id": "", **told}))
        elif trip.answer is not None and trip.answer.type == "withdraw":
            self._withdraw()
        return self._sample(due, new, at, trip).model_copy(
            update={"offer": offer, "repeats": repeats}
        )

    def _answer(self, new: tuple[Seen, ...], trip: _Trip) -> None:
        """Have it answered, look by look."""
        for step in range(LOOKS + 1):
            self._answers.note_shown(new)
            answer = self._ask(self._made(step, new), trip)
            trip.answer = answer
            if not isinstance(answer, Look) or step == LOOKS:
                return
            trip.looks += 1
            new = (LookSeen(result=self._phone.tools.call(answer.call)),)

    def _made(self, step: int, new: tuple[Seen, ...]) -> Observation:
        return Observation(
            turn=self._observation,
            step=step,
            time=self._phone.world.now,
            new=new,
            device=self._phone.world.device,
            open_proposal=self._answers.open_id,
            looks_left=LOOKS - step,
        )

    def _ask(self, observation: Observation, trip: _Trip) -> ObserverAnswer | None:
        """Its answer; a new process gets another try. ``None``: that broke as well."""
        for _ in range(TRIES):
            brief = self._phone.brief if self._fresh else None
            try:
                answer, cost = self._observer.observe(
                    observation.model_copy(update={"brief": brief})
                )
            except Fault as fault:
                if not (trip.killed and trip.restart_s is None):
                    trip.faults.append(str(fault))
                self._start(trip)
                continue
            self._fresh, self._state = False, self._observer.state
            trip.costs.append(cost)
            self.clock.spend(cost.wall_s)
            return answer
        return None

    def _start(self, trip: _Trip) -> None:
        """A process that goes on where the last one stopped, as far as that can be."""
        began = time.perf_counter()
        first = self._process == 0
        self._observer.close()
        self._observer.begin(None, self.plan.seed)
        self._process += 1
        self._fresh = self._state is None
        trip.state_lost |= self._fresh and not first and self._observation > 1
        if self._state is not None:
            try:
                self._observer.restore(self._state, self._phone.brief)
            except Fault as fault:
                trip.faults.append(f"the state could not be restored: {fault}")
                self._observer.begin(None, self.plan.seed)
                self._fresh = trip.state_lost = True
        took = time.perf_counter() - began
        trip.restart_s = took + (trip.restart_s or 0.0)
        if not first:
            self.clock.spend(took)

    def _withdraw(self) -> None:
        told = self._answers.withdraw()
        if told is not None:
            self._phone.add(told)

    # --- what is written down ---

    def _sample(self, due: list[Arrival], new: tuple[Seen, ...], at: float, trip: _Trip) -> Sample:
        now, memory, context = self.clock.now, self._observer.memory(), self._observer.context
        return Sample(
            observation=self._observation,
            events=self._events,
            handed=len(due),
            at_s=at,
            answer=trip.answer.type if trip.answer is not None else "none",
            looks=trip.looks,
            told=tuple(seen.answer for seen in new if isinstance(seen, AnswerSeen)),
            stale_s=now - due[-1].at_s if self.clock.thinks else None,
            oldest_s=now - due[0].at_s if self.clock.thinks else None,
            backlog=self._coming.waiting(now),
            wall_s=sum(cost.wall_s for cost in trip.costs),
            cpu_s=_total([cost.cpu_s for cost in trip.costs]),
            evaluated=_total([cost.evaluated for cost in trip.costs]),
            generated=_total([cost.generated for cost in trip.costs]),
            anonymous=memory.anonymous,
            file_backed=memory.file_backed,
            process=self._process,
            trims=context.get("trims"),
            again=context.get("again"),
            recoveries=context.get("recoveries"),
            killed=trip.killed,
            faults=tuple(trip.faults),
            restart_s=trip.restart_s,
            state_lost=trip.state_lost,
        )

    def _checkpoint(self) -> Checkpoint:
        return Checkpoint(
            events=self._events,
            observation=self._observation,
            at_s=self.clock.now,
            phone_s=self._phone.passed_s,
            process=self._process,
            state=self._state,
            made=self._answers.made,
            open=self._answers.open,
            ignored=self._answers.ignored,
            answered=self._answers.answered,
            pending=self._phone.pending,
        )

    def _go_to(self, checkpoint: Checkpoint) -> None:
        """Let everything happen once more, with nobody watching."""
        while self._events < checkpoint.events:
            self._phone.happen(self._coming.take())
            self._phone.take()
            self._events += 1
        self._phone.pass_to(checkpoint.phone_s)
        self._phone.take()
        for seen in checkpoint.pending:
            self._phone.add(seen)
        self._observation, self._process = checkpoint.observation, checkpoint.process
        self._state = checkpoint.state
        self._answers = Answers(self.plan.seed, checkpoint)


def _total(values: Sequence[_N | None]) -> _N | None:
    """Their sum; unknown as soon as one of them is, or where there is none."""
    known = [value for value in values if value is not None]
    return sum(known[1:], known[0]) if known and len(known) == len(values) else None
