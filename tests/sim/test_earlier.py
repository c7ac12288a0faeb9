"""An offer turned down before the episode reaches the observer as an answer, and no one else."""

from __future__ import annotations

from datetime import datetime

from heron.contracts import AnswerSeen
from heron.sim.app import Owner
from heron.sim.feed import ObserverFeed
from heron.sim.world import World

OFFER = {"text": "Shall I move the dentist to Friday?", "reason": "I do that myself"}


def blank() -> World:
    return World(Owner("Ann Lee", "ann@example.org"), datetime(2026, 3, 10, 9), [])


def test_the_observer_is_told_offer_and_reason() -> None:
    world = blank()
    feed = ObserverFeed(world)
    world.happen("assistant.turned_down", OFFER)
    assert feed.take() == (
        AnswerSeen(proposal_id="", answer="reject", text=OFFER["text"], reason=OFFER["reason"]),
    )
    assert world.notifications == []


def test_an_empty_offer_is_refused_and_nobody_is_told() -> None:
    world = blank()
    feed = ObserverFeed(world)
    entry = world.happen("assistant.turned_down", {"text": " "})
    assert entry.error is not None
    assert feed.take() == ()
