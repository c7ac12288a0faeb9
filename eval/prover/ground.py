"""A scenario built for one seed, on which mutants are played one after the other.

The phone is built once and set back to its start before each episode. What it does not know:
which mutants there are, and which of them should pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from heron.contracts import Grant, LogEntry, Verdict
from heron.errors import Fault
from heron.eval.course import Course
from heron.eval.episode import Episode, Limits, Parts
from heron.eval.prover.seats import ExecutorSeat, Move, ObserverSeat, Player, play_moves
from heron.eval.staging import cue_of, goal_of, is_time, play_forward
from heron.eval.users.scripted import make as scripted
from heron.eval.verdict import decide
from heron.observer.baselines.never import NeverObserver
from heron.observer.baselines.oracle import OracleObserver
from heron.protocols import Observer, User
from heron.scenarios.builder import build
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.scenarios.unaided import opened
from heron.sim.state import Snapshot
from heron.sim.toolset import GrantedTools
from heron.sim.world import World

TURNS = 10
DRY = Grant(grant_id="dry", proposal_id="dry", turn=0)

UserMaker = Callable[[Stage], User]


def usual_user(stage: Stage) -> User:
    """The scripted user of ordinary episodes."""
    return scripted(stage, "")


@dataclass(frozen=True)
class Played:
    """An episode that was played."""

    course: Course
    verdict: Verdict
    log: tuple[LogEntry, ...]

    @property
    def why(self) -> str:
        """What kept it from passing."""
        return "; ".join(f"{c.name}: {c.detail}" for c in self.verdict.checks if not c.passed)


class Ground:
    """A stage with its goal and its phone's start.

    Args:
        scenario: what is proved.
        seed: under which.
        user: makes the user of an episode.

    Raises:
        ScenarioError: it cannot be built.
        InputError: its reference solution cannot be played.
    """

    def __init__(self, scenario: Scenario, seed: int, user: UserMaker = usual_user) -> None:
        self.seed = seed
        self.stage = build(scenario, seed)
        self.goal = goal_of(self.stage)
        self.start = self.world.snapshot()
        self.moves = tuple(Move(step.call, step.label) for step in self.stage.reference)
        self.episodes = 0
        self._user = user

    @property
    def world(self) -> World:
        """The phone."""
        return self.stage.world

    def play(
        self,
        observer: Observer | None = None,
        moves: Sequence[Move] = (),
        *,
        user: User | None = None,
        turns: int = TURNS,
        begin: datetime | None = None,
    ) -> Played:
        """Play one episode from the start.

        Args:
            observer: nobody who ever offers anything, if not given.
            moves: what the executor does after an accept.
            user: the usual one, if not given.
            turns: how many.
            begin: let the phone's time pass up to here first.

        Raises:
            Fault: a part broke.
        """
        world = self.world
        world.restore(self.start)
        if begin is not None:
            world.advance_to(begin)
        parts = Parts(
            observer=ObserverSeat(observer or NeverObserver()),
            executor=ExecutorSeat(Player(moves, self.stage.report)),
            user=user or self._user(self.stage),
        )
        course = Episode(world, parts, Limits(turns=turns)).play()
        self.episodes += 1
        if course.fault is not None:
            raise Fault(f"{course.fault.part} broke: {course.fault.message}")
        log = tuple(entry.record(world.app_of) for entry in world.log)
        verdict = decide(
            self.goal,
            log,
            course.grants,
            [d.proposal_id for d in course.decisions if d.answer == "accept"],
            sum(turn.proposal is not None for turn in course.turns),
        )
        return Played(course, verdict, log)

    def help(self, moves: Sequence[Move], text: str | None = None) -> Played:
        """Play one episode in which the right offer is made in time and these calls follow."""
        return self.play(self.oracle(text), moves)

    def oracle(self, text: str | None = None) -> Observer:
        """The observer that knows the moment; with another sentence if one is given."""
        cue = cue_of(self.stage)
        if cue is not None and text is not None:
            cue = cue.model_copy(update={"text": text})
        return OracleObserver(cue)

    def open(self) -> bool:
        """Whether help is useful by now, on the phone as it is."""
        return opened(self.stage)

    def ready(self) -> bool:
        """Whether help is useful and all that is needed for it is there."""
        return is_time(self.stage)

    def forward(self) -> Snapshot:
        """Let time pass to the moment at which help is useful; the phone is left there."""
        self.world.restore(self.start)
        play_forward(self.stage)
        return self.world.snapshot()

    def rehearse(self, moves: Sequence[Move], moment: Snapshot) -> tuple[list[str], World]:
        """Play calls on the phone at a moment, without an episode.

        Returns:
            the refusals, and the world, left changed.
        """
        world = self.world
        world.restore(moment)
        world.open_grant(DRY)
        results = play_moves(moves, GrantedTools(world, DRY))
        world.close_grant(DRY)
        return [r.error or "" for r in results if not r.ok], world

    def opened_at(self) -> datetime | None:
        """When the window opened in the episode just played; ``None`` if it has no beginning."""
        moment = self.stage.moment
        if moment.event is not None:
            return self.world.queue.state.fired.get(moment.event, datetime.max)
        return moment.opens

    def without_habits(self) -> Stage:
        """The same stage with a user who does nothing of its own."""
        return replace(self.stage, brief=self.stage.brief.model_copy(update={"habits": ()}))

    def make_user(self, stage: Stage) -> User:
        """A user for a stage of this ground."""
        return self._user(stage)

    def close(self) -> None:
        """Let go of the phone."""
        self.world.close()
