"""An episode's stage, and what the episode's parts need of it: goal, cue, reference, tools.

The goal is found by replay: the phone is played forward to the moment at which help is useful,
the reference solution runs under a grant, its effects are noted, and the phone goes back to its
start. What it does not know: turns, who observes or executes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from heron.contracts import EpisodeConfig
from heron.errors import InputError
from heron.eval.matching import Wanted
from heron.eval.net import Key, NetChange, net_effects
from heron.eval.verdict import Goal
from heron.executor.baselines import Reference
from heron.observer.setup import Cue
from heron.protocols import Toolset
from heron.scenarios.builder import build
from heron.scenarios.replay import LabelledTools, replay
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import ReferenceStep, Stage
from heron.scenarios.unaided import opened, play
from heron.seeds import derive
from heron.sim.marks import field_marks
from heron.sim.noise import FailureSettings, ToolFailures
from heron.sim.pace import LONGEST_IDLE_S
from heron.sim.state import Snapshot

LONGEST_WAIT = timedelta(days=1)
"""How far the phone is played forward in search of the moment."""


def staged(scenario: Scenario, seed: int, config: EpisodeConfig) -> Stage:
    """A scenario's phone at its start, with what happens on it by the way.

    Raises:
        ScenarioError: it cannot be built.
    """
    stage = build(scenario, seed, config.background)
    if config.events_per_minute:
        # Most runs need none of it.
        from heron.scenarios.background.chatter import stir

        stir(stage, config.events_per_minute, config.turns * LONGEST_IDLE_S / 60)
    return stage


def cue_of(stage: Stage) -> Cue | None:
    """What the oracle observer says, and when."""
    cue = stage.cue
    if cue is None:
        return None
    return Cue(
        text=cue.text,
        plan=cue.plan,
        refs=cue.refs,
        after=cue.after,
        opens=cue.opens,
        closes=cue.closes,
        looks=cue.looks,
    )


def reference_of(stage: Stage) -> Reference:
    """What the oracle executor plays; its tools must come from ``tools_for``."""
    return Reference(calls=tuple(step.call for step in stage.reference), message=stage.report)


def tools_for(stage: Stage, executor: str) -> Callable[[Toolset], Toolset]:
    """What lies between an executor and the phone: the oracle's calls name records by label."""
    if executor != "oracle" or not stage.reference:
        return lambda tools: tools
    return lambda tools: LabelledTools(tools, stage.reference)


def failures_of(stage: Stage, config: EpisodeConfig) -> ToolFailures:
    """Which calls of tools fail in an episode, and what a call takes."""
    settings = FailureSettings(
        probability=config.tool_failure,
        lasting=config.lasting_failures,
        latency_s=config.tool_latency_s,
    )
    return ToolFailures(settings, derive(stage.seed, stage.scenario.id))


def goal_of(stage: Stage) -> Goal:
    """What the scenario wants; the stage's phone is at its start again afterwards.

    Raises:
        InputError: the reference solution cannot be played.
    """
    quiet = stage.scenario.type != "goal"
    return Goal(
        quiet=quiet,
        wanted=() if quiet else _wanted(stage),
        allowed=stage.checks.allowed,
        forbidden=stage.checks.forbidden,
        marks={
            table.record_type.KIND: field_marks(table.record_type)
            for app in stage.world.apps.values()
            for table in app.tables.values()
        },
    )


def _wanted(stage: Stage) -> tuple[Wanted, ...]:
    world = stage.world
    start = world.snapshot()
    try:
        play_forward(stage)
        mark = len(world.log)
        replay(world, stage.reference)
        entries = [entry.record(world.app_of) for entry in world.log[mark:]]
    except InputError as error:
        raise InputError(f"{stage.scenario.id}, seed {stage.seed}: {error}") from error
    finally:
        world.restore(start)
    effects = net_effects(entries, "assistant")
    touched: dict[Key, list[ReferenceStep]] = {}
    for step, entry in zip(stage.reference, entries, strict=True):
        for change in entry.changes:
            touched.setdefault((change.app, change.kind, change.ref), []).append(step)
    return tuple(_annotated(effects[key], touched[key]) for key in effects)


def _annotated(change: NetChange, steps: list[ReferenceStep]) -> Wanted:
    facts = {name: groups for step in steps for name, groups in step.facts.items()}
    free = frozenset(name for step in steps for name in step.free)
    chosen = [value for step in steps for value in step.call.arguments.values()]
    return Wanted(
        change,
        {name: facts[name] for name in facts if name in change.after},
        free,
        named=change.op == "create" and change.key[2] in chosen,
    )


def play_forward(stage: Stage) -> None:
    """To the first moment at which the window is open and all that is named is there.

    By the clock alone, or, where the window waits for something that the user does, by what the
    user does unaided.

    Args:
        stage: its phone at its start; it is left at the moment.

    Raises:
        InputError: there is no such moment.
    """
    world = stage.world
    start = world.snapshot()
    limit = world.now + LONGEST_WAIT
    world.advance_to(world.now)
    while not is_time(stage):
        due = world.next_due()
        step = world.now + timedelta(seconds=LONGEST_IDLE_S)
        following = min(step, max(due, world.now)) if due is not None else step
        if following > limit:
            _play_unaided(stage, start)
            return
        world.advance_to(following)


def _play_unaided(stage: Stage, start: Snapshot) -> None:
    stage.world.restore(start)
    play(stage, until=lambda _: is_time(stage))
    if not is_time(stage):
        raise InputError("the window opens neither within a day nor by what the user does unaided")


def is_time(stage: Stage) -> bool:
    """Whether the window is open and every record is there that the file gives a label.

    Others that the reference names (a folder by its path) may be of its own making.
    """
    refs = stage.cue.refs if stage.cue is not None else ()
    labelled = set(stage.labels.values())
    return opened(stage) and all(
        stage.world.record(ref) is not None for ref in refs if ref in labelled
    )
