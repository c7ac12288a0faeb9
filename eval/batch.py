"""A run: scenarios × seeds under one configuration, each episode on disk before the next.

This is one of the two places that catch any fault of a part: the episode is recorded as a fault,
and the next one gets a fresh process. What it does not know: tables, the terminal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field

from heron.contracts import (
    Assessment,
    EpisodeConfig,
    EpisodeCosts,
    EpisodeRecord,
    FaultRecord,
    Usage,
)
from heron.errors import Fault, InputError
from heron.eval.course import Course
from heron.eval.episode import Episode, Limits, Parts
from heron.eval.executors import ExecutorPort, executor_port
from heron.eval.gathering import gatherings
from heron.eval.observers import ObserverPort, ProcessObserver, observer_port
from heron.eval.provenance import code_version, model_files, model_hashes
from heron.eval.scoring.assessing import assess, outset
from heron.eval.staging import cue_of, failures_of, goal_of, reference_of, staged, tools_for
from heron.eval.store.keys import EpisodeKey, config_hash
from heron.eval.user_errors import Matter, matter_of, persona_in, user_errors
from heron.eval.users.ports import UserPort, user_port
from heron.eval.verdict import Goal, decide
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.seeds import EVALUATION
from heron.sim.state import Snapshot


@dataclass(frozen=True)
class Plan:
    """What to run."""

    config: EpisodeConfig
    runs: int = 1
    seed: int = 0
    threads: int = 1
    """For local models, the observer's, the executor's and the user's each."""

    @property
    def window(self) -> int:
        """Tokens of the observer's context."""
        return self.config.window

    def __post_init__(self) -> None:
        last = self.seed + self.runs - 1
        if self.runs < 1 or self.seed not in EVALUATION or last not in EVALUATION:
            raise InputError(
                f"seeds {self.seed} to {last} are not all for evaluation; those are "
                f"{EVALUATION.start} to {EVALUATION.stop - 1}, seeds above are for training"
            )


@dataclass(frozen=True)
class Prepared:
    """A phone at its start, with what is wanted of it."""

    stage: Stage
    goal: Goal
    run: int
    start: Snapshot
    matter: Matter
    outset: Assessment


@dataclass(frozen=True)
class _Began:
    """When something began, on the harness's clocks."""

    wall: float = field(default_factory=time.perf_counter)
    cpu: float = field(default_factory=time.process_time)


class Bench:
    """Plays a plan's episodes with one observer, one executor and one user.

    Args:
        plan: what to run.

    Raises:
        UnknownName: an observer, executor, user or model that there is not.
        InputError: one that names no model, or a local one that is not here.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        config = plan.config
        self.models = model_hashes(model_files(config))
        """Role → sha256 of its model's file."""
        self._config_hash = config_hash(config, self.models)
        self.observer: ObserverPort = observer_port(
            config.observer, threads=plan.threads, window=plan.window
        )
        self.executor: ExecutorPort = executor_port(config.executor, threads=plan.threads)
        self._persona = persona_in(config.user)
        self.user: UserPort = user_port(config.user, threads=plan.threads)

    def start(self) -> None:
        """Load what can be loaded now, so that a wrong name ends a run before it begins.

        Raises:
            HeronError: the observer or the user cannot be made.
        """
        self.observer.begin(None, self.plan.seed)
        self.user.start()

    def key(self, scenario: Scenario, run: int) -> EpisodeKey:
        """The key that an episode will have, before it is played."""
        return EpisodeKey(
            scenario=scenario.id,
            scenario_hash=scenario.hash,
            seed=self.plan.seed + run,
            config_hash=self._config_hash,
            code=code_version(),
        )

    def episodes(
        self,
        scenarios: Sequence[Scenario],
        starts: Callable[[Scenario, int], None] = lambda _scenario, _seed: None,
        done: Container[EpisodeKey] = frozenset(),
    ) -> Iterator[EpisodeRecord]:
        """Play all scenarios with the first seed, then with the next, and so on.

        Args:
            scenarios: in this order.
            starts: told before each episode begins.
            done: keys of episodes that are left out.
        """
        for run in range(self.plan.runs):
            for scenario in scenarios:
                if self.key(scenario, run) not in done:
                    starts(scenario, self.plan.seed + run)
                    yield self.episode(scenario, run)

    def episode(self, scenario: Scenario, run: int) -> EpisodeRecord:
        """Play one episode; a part that breaks is recorded, not raised."""
        began = _Began()
        prepared = self.prepare(scenario, run)
        try:
            return self.play(prepared, began)
        finally:
            prepared.stage.world.close()

    def prepare(self, scenario: Scenario, run: int) -> Prepared:
        """Build a scenario's phone for a run and find its goal; it can be played many times."""
        stage = staged(scenario, self.plan.seed + run, self.plan.config)
        # Among the same events by the way as in play, so that new records get the same ids.
        goal = goal_of(stage)
        matter = matter_of(stage, self._persona)
        return Prepared(stage, goal, run, stage.world.snapshot(), matter, outset(stage))

    def play(self, prepared: Prepared, began: _Began | None = None) -> EpisodeRecord:
        """Play an episode on a prepared phone, which begins anew each time.

        Args:
            prepared: from ``prepare``.
            began: since when its cost counts; since now, if not given.
        """
        began = began or _Began()
        stage = prepared.stage
        stage.world.restore(prepared.start)
        course = self._play(stage)
        app_of = stage.world.app_of
        log = tuple(entry.record(app_of) for entry in stage.world.log)
        verdict = decide(
            prepared.goal,
            log,
            course.grants,
            [d.proposal_id for d in course.decisions if d.answer == "accept"],
            sum(turn.proposal is not None for turn in course.turns),
            course.fault,
        )
        gathered = gatherings(course.turns)
        return EpisodeRecord(
            scenario=stage.scenario.id,
            scenario_hash=stage.scenario_hash,
            type=stage.scenario.type,
            kind=stage.scenario.kind,
            seed=stage.seed,
            run=prepared.run,
            config=self.plan.config,
            code=code_version(),
            models=self.models,
            turns=tuple(course.turns),
            gatherings=gathered,
            user_errors=user_errors(prepared.matter, course.turns, gathered, log),
            log=log,
            state=stage.world.digest(),
            verdict=verdict,
            fault=course.fault,
            assessment=assess(prepared.outset, stage, prepared.matter, course.turns, log),
            costs=EpisodeCosts(
                steps=tuple(course.observer_costs),
                memory=self.observer.memory(),
                harness_cpu_s=time.process_time() - began.cpu,
                wall_s=time.perf_counter() - began.wall,
                executor=tuple(course.executor_costs),
                usage=self._usage(course),
                egress_before_accept=course.egress_before_accept,
                simulator=self.user.take_costs(),
            ),
        )

    def _usage(self, course: Course) -> tuple[Usage, ...]:
        """What executions used, one that broke included."""
        spent = self.executor.spent
        done = tuple(execution.usage for execution in course.executions)
        return done if spent is None else (*done, spent)

    def close(self) -> None:
        """End the processes."""
        self.observer.close()
        self.executor.close()
        self.user.close()

    def _play(self, stage: Stage) -> Course:
        config = self.plan.config
        try:
            self.observer.begin(cue_of(stage), stage.seed)
        except Fault as fault:
            return Course(fault=FaultRecord(part="observer", turn=0, message=str(fault)))
        try:
            self.user.begin(stage)
        except Fault as fault:
            return Course(fault=FaultRecord(part="user", turn=0, message=str(fault)))
        self.executor.begin(reference_of(stage))
        parts = Parts(
            observer=self.observer,
            executor=self.executor,
            user=self.user,
            tools=tools_for(stage, config.executor),
            failures=failures_of(stage, config),
        )
        limits = Limits(
            turns=config.turns,
            looks=config.max_looks,
            steps=config.max_steps,
            measured=config.clock == "measured",
        )
        course = Episode(stage.world, parts, limits).play()
        if isinstance(self.observer, ProcessObserver) and self.observer.lost is not None:
            course.observer_costs.append(self.observer.lost)
        return course
