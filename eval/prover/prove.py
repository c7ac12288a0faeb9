"""Proves one scenario: all its mutants for all its seeds, with the survivors told by line.

A file that cannot be built, or whose reference cannot be played, is an error of the proof and
does not stop others. What it does not know: other scenarios, processes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from heron.errors import HeronError, ScenarioError
from heron.eval.prover.by_hand import by_hand
from heron.eval.prover.ground import Ground, UserMaker, usual_user
from heron.eval.prover.offers import offers
from heron.eval.prover.quiet import quiet
from heron.eval.prover.solution import solution
from heron.eval.prover.trials import Offered, Proof, Survivor, Trial
from heron.scenarios.document import Problem
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage

SEEDS = range(3)


def prove(scenario: Scenario, seeds: Sequence[int] = SEEDS, user: UserMaker = usual_user) -> Proof:
    """All mutants of a scenario.

    Args:
        scenario: what is proved.
        seeds: under which.
        user: who plays the user; the scripted one of ordinary episodes, if not given.
    """
    began = time.process_time()
    trials: list[Trial] = []
    offered: list[Offered] = []
    episodes = 0
    error: str | None = None
    for seed in seeds:
        try:
            ground = Ground(scenario, seed, user)
        except HeronError as problem:
            error = _line(scenario, problem)
            break
        offered.append(_offered(ground.stage))
        try:
            trials += _trials(ground)
        except HeronError as problem:
            error = f"{_line(scenario, problem)} (seed {seed})"
            break
        finally:
            episodes += ground.episodes
            ground.close()
    return Proof(
        scenario=scenario.id,
        type=scenario.type,
        trials=tuple(trials),
        survivors=tuple(_survivors(scenario, trials)),
        offered=tuple(offered),
        error=error,
        episodes=episodes,
        cpu_s=time.process_time() - began,
    )


def _trials(ground: Ground) -> Iterator[Trial]:
    if ground.stage.scenario.type != "goal":
        yield from quiet(ground)
        return
    yield from solution(ground)
    yield from by_hand(ground)
    yield from offers(ground)


def _offered(stage: Stage) -> Offered:
    return Offered(
        scenario=stage.scenario.id,
        family=stage.scenario.family,
        seed=stage.seed,
        rubric=stage.brief.rubric,
        wanted=stage.brief.wanted,
        texts=stage.proposals.reference,
    )


def _survivors(scenario: Scenario, trials: Sequence[Trial]) -> Iterator[Survivor]:
    """One for each mutant, whatever the number of seeds under which it survives."""
    found: dict[tuple[object, ...], list[Trial]] = {}
    for trial in trials:
        if trial.state == "survived":
            same = (trial.kind, trial.path, trial.remedy, trial.mutant.partition(":")[0])
            found.setdefault(same, []).append(trial)
    for same_trials in found.values():
        first, seeds = same_trials[0], dict.fromkeys(trial.seed for trial in same_trials)
        under = f"seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"
        told = f"{first.kind}, {under}: {first.mutant}: {first.detail}"
        line = str(scenario.error(Problem(first.path, told, first.remedy or None)))
        yield Survivor(scenario.id, first.kind, tuple(seeds), first.mutant, line)


def _line(scenario: Scenario, error: HeronError) -> str:
    if isinstance(error, ScenarioError):
        return str(error)
    return str(scenario.error(Problem(("reference",), str(error), "mend it")))
