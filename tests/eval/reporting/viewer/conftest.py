"""Played episodes, and an episode made by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.eval.batch import Bench, Plan
from heron.scenarios.loader import load_suite

EVIL = "<script>window.evil = 1</script><img src=x onerror='window.evil = 2'>"
"""What a scenario may say, and a page must not do."""

MAKE = {
    "scenario": "evil_one",
    "scenario_hash": "0" * 64,
    "type": "goal",
    "kind": "scheduling",
    "seed": 0,
    "run": 0,
    "config": {"observer": "http:there", "executor": "litellm:gpt-5-mini", "user": "scripted"},
    "state": "0" * 64,
    "user_errors": {"lost": [2]},
    "fault": None,
}


def _played(observer: str, *ids: str, **config: Any) -> list[EpisodeRecord]:
    settings = EpisodeConfig(observer=observer, executor="oracle", user="scripted", **config)
    player = Bench(Plan(config=settings))
    try:
        return [player.episode(scenario, 0) for scenario in load_suite(ids=ids)]
    finally:
        player.close()


def _by_hand(text: str = EVIL) -> EpisodeRecord:
    scores = {"wait": 0.1, "look": 0.2, "propose": 0.6}
    used = {"calls": 1, "tokens_in": 9, "tokens_out": 2, "bytes_out": 2048, "remote": True}
    one = {
        "turn": 1,
        "time": "2026-03-10T09:00:00",
        "view": {
            "app": "email",
            "screen": "Mailbox",
            "title": text,
            "items": [{"ref": "m1", "kind": "email", "text": text}],
        },
        "previews": [{"app": "email", "title": text, "preview": text, "ref": "m1"}],
        "step": {
            "move": {
                "type": "act",
                "app": "email",
                "action": "open_email",
                "arguments": {"id": text},
            },
            "note": text,
        },
        "error": text,
        "observer": [
            {
                "step": 0,
                "answer": {"type": "propose", "text": text, "plan": ["a.b"], "scores": scores},
            }
        ],
        "proposal": {
            "proposal_id": "p1",
            "turn": 1,
            "text": text,
            "evidence": [{"ref": "m1", "kind": "email", "text": text}],
        },
    }
    two = {
        "turn": 2,
        "time": "2026-03-10T09:00:20",
        "view": {"app": "email", "screen": "Mailbox", "title": "INBOX"},
        "step": {"move": {"type": "answered", "answer": "accept", "reason": text}},
        "decision": {"proposal_id": "p1", "turn": 2, "answer": "accept", "reason": text},
        "execution": {
            "grant_id": "g1",
            "end": "done",
            "message": text,
            "calls": [
                {"call": {"name": "a.b", "arguments": {"x": text}}, "ok": False, "error": text}
            ],
            "usage": used,
        },
        "observer": [{"step": 0, "answer": {"type": "wait"}}],
    }
    costs = {
        "steps": [{"wall_s": 0.5, "usage": used}, {"wall_s": 0.25, "reason": "no clock"}],
        "executor": [{"wall_s": 2.0}],
        "usage": [used],
        "egress_before_accept": 2048,
    }
    verdict = {
        "outcome": "failure",
        "checks": [
            {"name": "consent", "passed": True},
            {"name": "goal", "passed": False, "detail": text},
        ],
    }
    content = {"turns": [one, two], "log": [], "verdict": verdict, "costs": costs}
    return EpisodeRecord.model_validate(MAKE | content)


@pytest.fixture(scope="session")
def played() -> Callable[..., list[EpisodeRecord]]:
    """Episodes of an observer by the oracle executor: ``played("oracle", "some_id")``."""
    return _played


@pytest.fixture(scope="session")
def helped(played: Callable[..., list[EpisodeRecord]]) -> EpisodeRecord:
    """An episode in which the user looked first, accepted, and was helped."""
    return played("oracle", "club_session_earlier")[0]


@pytest.fixture(scope="session")
def by_hand() -> Callable[..., EpisodeRecord]:
    """Two turns with an offer and a refused call; every text is the given one."""
    return _by_hand
