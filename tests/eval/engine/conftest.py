"""Units of the split smoke, and what they come to when they are played here."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.eval.batch import Plan
from heron.eval.engine.engine import LocalEngine
from heron.eval.engine.unit import Unit, units_of
from heron.scenarios.loader import load_suite


@pytest.fixture(scope="session")
def units() -> list[Unit]:
    """Two configurations, two runs each."""
    suite = load_suite("smoke").sound().scenarios
    return [
        unit
        for observer in ("rules", "oracle")
        for unit in units_of(
            Plan(
                config=EpisodeConfig(observer=observer, executor="oracle", user="scripted"), runs=2
            ),
            suite,
        )
    ]


@pytest.fixture(scope="session")
def local(units: list[Unit]) -> list[EpisodeRecord]:
    """Played in this process."""
    with LocalEngine() as engine:
        return list(engine.play(units))


@pytest.fixture
def deadly(monkeypatch: pytest.MonkeyPatch) -> str:
    """The module of a worker that can be told to die."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=":")
    assert sys.executable
    return "deadly_worker"
