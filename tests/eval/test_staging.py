"""The moment of help and the goal, where the clock alone does not bring them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from heron.errors import InputError
from heron.eval.staging import goal_of, play_forward
from heron.scenarios.builder import build
from heron.scenarios.schema import Scenario

Edit = Callable[..., Scenario]

WAITS = ("    at: 4\n", "    when: {user_did: email.open_folder}\n    delay: 60\n")
"""The event waits for something that the user does."""
OPENS_SENT = (
    "habits: [{rest: 1}]",
    "habits: [{do: {app: email, action: open_folder, arguments: {folder: SENT}}}]",
)


def test_the_moment_may_hang_on_what_the_user_does(edited: Edit) -> None:
    stage = build(edited(WAITS, OPENS_SENT), 0)
    before = stage.world.digest()
    assert len(goal_of(stage).wanted) == 2
    assert stage.world.digest() == before
    play_forward(stage)
    assert stage.world.queue.state.fired


def test_a_moment_that_nothing_brings_is_told(edited: Edit) -> None:
    with pytest.raises(InputError, match="neither within a day nor by what the user does"):
        goal_of(build(edited(WAITS), 0))


def test_a_record_of_the_references_own_making_is_not_waited_for(edited: Edit) -> None:
    """A folder is known by its path, so a later step can name it before it is there."""
    folder = """reference:
  - {tool: files.create_folder, arguments: {path: /Documents/Library}}
  - {tool: files.create_file, arguments: {name: book.txt, folder: /Documents/Library}}
"""
    scenario = edited(
        ("apps: [reminder, email, messaging]", "apps: [reminder, email, messaging, files]"),
        ("reference:\n  - tool: rem", folder + "  - tool: rem"),
    )
    made = {want.change.key[2]: want.named for want in goal_of(build(scenario, 0)).wanted}
    assert made.pop("/Documents/Library") is True
    assert set(made.values()) == {False}
