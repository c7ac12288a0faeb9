"""A second observer process begins with the prompt that the first one evaluated."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from heron.contracts import ActionSeen, Brief, DeviceStatus, Observation, ObserverAnswer, StepCost
from heron.eval.observers import ProcessObserver
from heron.models.tiny_gguf import write_tiny_gguf

FIRST = Observation(
    turn=1,
    step=0,
    time=datetime(2026, 3, 11, 9, 3),
    new=(ActionSeen(app="home", action="go_home", arguments={}),),
    device=DeviceStatus(),
    brief=Brief(user_name="Mara Lind", tools=(), write_tools=()),
)


def observe(path: Path) -> tuple[ObserverAnswer, StepCost]:
    """The first answer of a process of its own."""
    port = ProcessObserver(f"gguf:{path}", window=8192)
    try:
        port.begin(None, 0)
        return port.observe(FIRST)
    finally:
        port.close()


def test_the_prompt_is_evaluated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_tiny_gguf(tmp_path / "tiny.gguf", trained_window=8192)
    without, whole = observe(path)
    monkeypatch.setenv("HERON_PREFIXES", str(tmp_path / "kept"))
    answers, costs = zip(*(observe(path) for _ in range(2)), strict=True)
    assert answers[0] == answers[1] == without
    assert costs[0].evaluated == whole.evaluated
    assert (costs[1].evaluated or 0) < 200 < (costs[1].reused or 0)
    assert (costs[1].evaluated or 0) + (costs[1].reused or 0) == whole.evaluated
    assert len(list((tmp_path / "kept").glob("*.state"))) == 1
