"""Replaying the reference: labels of new records, refusals, and the grant that is closed again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from heron.contracts import Grant, ToolCall
from heron.errors import InputError
from heron.scenarios import unaided
from heron.scenarios.builder import build
from heron.scenarios.replay import GRANT, LabelledTools, replay
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.sim.toolset import GrantedTools

Edit = Callable[..., Scenario]

STEPS = """
reference:
  - tool: reminder.add_reminder
    arguments: {title: New, due_datetime: "{new}"}
    label: made
  - tool: reminder.update_reminder
    arguments: {reminder_id: "@made", title: Newer}
    label: again
"""
MADE = ("\nreference:\n", STEPS)


def ready(scenario: Scenario) -> Stage:
    """A stage at the moment at which help is useful."""
    stage = build(scenario, 0)
    unaided.play(stage, until=lambda _: unaided.opened(stage))
    return stage


def test_a_step_can_name_what_an_earlier_one_made(edited: Edit) -> None:
    stage = ready(edited(MADE))
    assert stage.reference[1].call.arguments["reminder_id"] == "@made"
    results = replay(stage.world, stage.reference)
    assert [result.ok for result in results] == [True, True, True]
    assert results[1].call.arguments["reminder_id"] == "r2"
    titles = {r.ref: r.line() for r in stage.world.apps["reminder"].tables["reminders"]}
    assert "Newer" in titles["r2"]
    assert all(e.actor == "assistant" for e in stage.world.log if "reminder." in e.name)


def test_every_replay_of_the_same_moment_gives_the_same_state(edited: Edit) -> None:
    stage = ready(edited(MADE))
    here = stage.world.snapshot()
    replay(stage.world, stage.reference)
    state = stage.world.digest()
    stage.world.restore(here)
    replay(stage.world, stage.reference)
    assert stage.world.digest() == state


def test_a_part_of_the_reference_can_be_replayed(edited: Edit) -> None:
    stage = ready(edited(MADE))
    (result,) = replay(stage.world, stage.reference[2:])
    assert result.call.name == "reminder.update_reminder"


def test_a_failing_step_is_named_with_its_reason_and_the_grant_is_closed(edited: Edit) -> None:
    stage = ready(edited(MADE))
    with pytest.raises(
        InputError, match=r"step 1 \(reminder\.update_reminder\): no reminder '@made'"
    ):
        replay(stage.world, stage.reference[1:])
    refused = stage.world.call_tool(stage.reference[0].call, GRANT)
    assert not refused.ok
    assert "no open grant" in (refused.error or "")


def test_an_executor_is_handed_the_same_tools(edited: Edit) -> None:
    stage = ready(edited(MADE))
    grant = Grant(grant_id="g1", proposal_id="p1", turn=1)
    stage.world.open_grant(grant)
    tools = LabelledTools(GrantedTools(stage.world, grant), stage.reference)
    assert tools.specs() == stage.world.tool_specs()
    early = tools.call(stage.reference[1].call)
    assert not early.ok
    assert [tools.call(step.call).ok for step in stage.reference] == [True] * 3
    assert tools.ids == {"made": "r2", "again": "r2"}
    read = tools.call(ToolCall(name="reminder.get_all_reminders"))
    assert read.ok
