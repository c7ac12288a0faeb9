"""Tries a scenario in the making on its own phone: what is refused, what is shown, what is near.

What it does not know: ARE, rubrics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from heron.contracts import ToolResult
from heron.errors import ScenarioError
from heron.scenarios import unaided
from heron.scenarios.are.remarks import Refused
from heron.scenarios.builder import build
from heron.scenarios.check import LOOKING_TURNS
from heron.scenarios.document import Document
from heron.scenarios.labels import used
from heron.scenarios.loader import BrokenFile, load_document
from heron.scenarios.replay import GRANT, LabelledTools
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.sim.graph import next_step
from heron.sim.toolset import GrantedTools
from heron.sim.users.judge import words


@dataclass
class Trial:
    """What came of a try."""

    events: dict[int, str] = field(default_factory=dict)
    """Place of an event that the phone refuses → why."""
    steps: dict[int, str] = field(default_factory=dict)
    """Place of a step that the phone refuses → why."""
    late: list[int] = field(default_factory=list)
    """Places of events that do not happen within ten turns."""
    shown: tuple[str, ...] = ()
    """Words of all notifications up to the moment of help, as the user sees them."""
    reachable: tuple[str, ...] = ()
    """Labels of what the user could look at before answering, of those that were asked for."""
    results: tuple[ToolResult, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing was refused."""
        return not (self.events or self.steps or self.late)


def scenario_of(data: dict[str, Any], name: str) -> Scenario:
    """The scenario in data, all its names checked.

    Raises:
        Refused: it is none.
    """
    try:
        return load_document(Document(name, "", data))
    except BrokenFile as error:
        raise Refused(*(_told(one) for one in error.errors[:5])) from error


def attempt(data: dict[str, Any], name: str, looks: Sequence[str] = ()) -> Trial:
    """Build the stage, play the user unaided, replay the reference step by step.

    Args:
        data: of a scenario.
        name: for messages.
        looks: labels that the user should be able to look at.

    Raises:
        Refused: the phone cannot be built.
    """
    try:
        # Not settled: the text is only written when all is well.
        scenario = Scenario.of(Document(name, "", data))
        stage = build(scenario, 0)
    except ScenarioError as error:
        raise Refused(_told(error)) from error
    world = stage.world
    start = world.snapshot()
    trial = Trial()
    unaided.play(stage)
    _events(stage, trial)
    world.restore(start)
    turns = unaided.play(stage, until=lambda _: unaided.opened(stage))
    seen: list[str] = []
    for note in world.notifications:
        preview = note.preview()
        seen += words(f"{preview.title}: {preview.preview}")
    trial.shown = tuple(seen)
    moment = world.snapshot()
    # An offer of the turn after these is answered by the last turn at the latest.
    left = min(LOOKING_TURNS, unaided.TURNS - 2 - len(turns))
    trial.reachable = tuple(_looked(stage, looks, left))
    world.restore(moment)
    _steps(stage, trial)
    world.close()
    return trial


def _events(stage: Stage, trial: Trial) -> None:
    world = stage.world
    places = {event.key: index for index, event in enumerate(world.queue.events)}
    told: dict[str, list[str]] = {}
    for entry in world.log:
        if entry.actor == "environment" and entry.error is not None:
            told.setdefault(f"{entry.name} {entry.arguments}", []).append(entry.error)
    for event in world.queue.events:
        errors = told.get(f"{event.name} {dict(event.arguments)}")
        if errors:
            trial.events[places[event.key]] = errors[0]
        elif event.at is not None and event.key not in world.queue.state.fired:
            trial.late.append(places[event.key])


def _looked(stage: Stage, looks: Iterable[str], left: int) -> Iterable[str]:
    """Those of ``looks`` that can be seen one after the other while an offer waits."""
    world, taken = stage.world, 0
    for label in looks:
        ref = stage.labels.get(label, "")
        here, before = world.snapshot(), taken
        if world.record(ref) is None:
            continue
        while ref not in world.opened:
            act = next_step(world, ref)
            taken += 1
            if act is None or taken > left or world.user_act(act).error is not None:
                world.restore(here)
                taken = before
                break
        else:
            yield label


def _steps(stage: Stage, trial: Trial) -> None:
    world = stage.world
    world.open_grant(GRANT)
    try:
        tools = LabelledTools(GrantedTools(world, GRANT), stage.reference)
        results = []
        for index, step in enumerate(stage.reference):
            result = tools.call(step.call)
            results.append(result)
            if not result.ok:
                trial.steps[index] = str(result.error)
        trial.results = tuple(results)
    finally:
        world.close_grant(GRANT)


def missing(data: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Places of events and steps that name a label which nothing has."""
    given = {
        row["label"]
        for tables in data["phone"].values()
        if isinstance(tables, dict)
        for rows in tables.values()
        for row in rows
        if "label" in row
    }
    given |= {event["label"] for event in data["events"] if "label" in event}
    events = [i for i, event in enumerate(data["events"]) if _names(event["with"]) - given]
    steps = []
    for index, step in enumerate(data["reference"]):
        if _names(step["arguments"]) - given:
            steps.append(index)
        elif "label" in step:
            given.add(step["label"])
    return events, steps


def _names(value: Any) -> set[str]:
    return {label for _, label in used(value, ())}


def _told(error: ScenarioError) -> str:
    return f"{error.key or 'scenario'}: {error.problem}"
