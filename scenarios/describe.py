"""Tells a built scenario to a reader: in lines for the terminal, or as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heron.contracts import ToolCall
from heron.scenarios.stage import Stage
from heron.sim.changes import plain
from heron.sim.users.brief import Do, Habit, Rest, See


def lines(stage: Stage) -> Iterator[str]:
    """The story, readable."""
    spec, world, brief = stage.scenario, stage.world, stage.brief
    yield f"{spec.id} (seed {stage.seed}, {spec.type}, {spec.kind}, {spec.setting}, {spec.locale})"
    yield spec.summary
    yield ""
    yield f"Phone of {world.owner.name}, {world.now:%A %Y-%m-%d %H:%M}, {world.device.activity}"
    names = {ref: label for label, ref in stage.labels.items()}
    for app in (app for name, app in world.apps.items() if name in spec.phone.content):
        for table in app.tables.values():
            for record in table:
                label = f" @{names[record.ref]}" if record.ref in names else ""
                yield f"  {app.NAME} {record.KIND} {record.ref}{label}: {record.line()}"
    yield "What happens"
    for event in world.queue.events:
        when = (
            f"at {event.at:g} s"
            if event.at is not None
            else f"after {event.after or 'a condition'}"
        )
        yield f"  {when}: {event.name} {_arguments(event.arguments)}"
    yield "The user"
    yield f"  wants: {brief.goal}"
    for habit in brief.habits:
        yield f"  does: {_habit(habit)}"
    for need in brief.needs:
        yield f"  must see: {need.ref} {', '.join(need.fields) or '(all of it)'}"
    yield from _help(stage)


def _help(stage: Stage) -> Iterator[str]:
    if stage.cue is None:
        yield "No help is wanted; bait"
        yield from (f"  {text}" for text in stage.proposals.bait)
        return
    closes = f"until {stage.cue.closes:%H:%M}" if stage.cue.closes else "to the end"
    after = f"after {', '.join(stage.cue.after)} " if stage.cue.after else ""
    yield f"Help is useful {after}{closes}"
    for text in stage.proposals.reference:
        yield f"  {'>' if text == stage.cue.text else '-'} {text}"
    yield "Not to be taken"
    yield from (f"  - {wrong.text} ({wrong.why})" for wrong in stage.proposals.wrong)
    yield "Reference"
    for step in stage.reference:
        label = f" → @{step.label}" if step.label else ""
        yield f"  {_call(step.call)}{label}"
    yield f"  reports: {stage.report}"


def data(stage: Stage) -> dict[str, Any]:
    """All of a stage as plain data."""
    world = stage.world
    return {
        "scenario": stage.scenario.id,
        "hash": stage.scenario_hash,
        "seed": stage.seed,
        "type": stage.scenario.type,
        "kind": stage.scenario.kind,
        "family": stage.scenario.family,
        "splits": stage.scenario.splits,
        "owner": plain(vars(world.owner)),
        "start": plain(world.now),
        "device": plain(world.device),
        "phone": {
            app.NAME: {
                name: [plain(record) for record in table] for name, table in app.tables.items()
            }
            for app in world.apps.values()
        },
        "events": [plain(event) for event in world.queue.events],
        "brief": plain(stage.brief),
        "moment": plain(stage.moment),
        "cue": plain(stage.cue),
        "reference": [plain(step) for step in stage.reference],
        "report": stage.report,
        "checks": plain(stage.checks),
        "proposals": plain(stage.proposals),
        "privacy": plain(stage.privacy),
        "labels": dict(stage.labels),
        "state": world.digest(),
    }


def _habit(habit: Habit) -> str:
    match habit:
        case See():
            return f"reads {habit.ref}"
        case Rest():
            return f"nothing for {habit.turns} turns"
        case Do():
            return _call(ToolCall(name=f"{habit.app}.{habit.action}", arguments=habit.arguments))


def _call(call: ToolCall) -> str:
    return f"{call.name}({_arguments(call.arguments)})"


def _arguments(arguments: Any) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in arguments.items())
