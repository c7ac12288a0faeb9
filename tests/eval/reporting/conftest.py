"""The system's Chromium, and small runs to report on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from heron.contracts import EpisodeConfig
from heron.eval.batch import Bench, Plan
from heron.eval.store import EpisodeStore
from heron.scenarios.loader import load_suite

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GOALS, QUIETS = 4, 3
"""How many scenarios of each are played."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium. One for all tests: playwright starts once in a process."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("there is no chromium on this machine")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


def _run(folder: Path, observer: str, runs: int = 2, **config: Any) -> Path:
    suite = load_suite()
    goals = [scenario for scenario in suite if scenario.type == "goal"][:GOALS]
    quiet = [scenario for scenario in suite if scenario.type == "quiet"][:QUIETS]
    settings = EpisodeConfig(observer=observer, executor="oracle", user="scripted", **config)
    player = Bench(Plan(config=settings, runs=runs))
    try:
        with EpisodeStore(folder) as store:
            for episode in player.episodes([*goals, *quiet]):
                store.append(episode)
    finally:
        player.close()
    return folder


@pytest.fixture(scope="session")
def play() -> Callable[..., Path]:
    """``play(folder, observer, runs=2, **config)`` stores a run of seven scenarios."""
    return _run


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Runs of three observers, and one of them with failing tools."""
    base = tmp_path_factory.mktemp("runs")
    named = ("oracle", "rules", "always")
    noisy = _run(base / "noisy", "oracle", tool_failure=0.4)
    return (*(_run(base / name, name) for name in named), noisy)
