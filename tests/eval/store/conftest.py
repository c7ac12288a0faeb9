"""Episodes as small as they get, and one real run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from heron.contracts import (
    Check,
    EpisodeConfig,
    EpisodeCosts,
    EpisodeRecord,
    ScreenView,
    TurnRecord,
    UserStep,
    Verdict,
)
from heron.contracts import Idle as IdleMove

MakeEpisode = Callable[..., EpisodeRecord]


def make(
    scenario: str = "s1",
    seed: int = 0,
    *,
    observer: str = "rules",
    code: str | None = "0+a",
    wall_s: float = 0.0,
    state: str = "0",
) -> EpisodeRecord:
    turn = TurnRecord(
        turn=1,
        time=datetime(2026, 3, 10, 9, 0),
        view=ScreenView(app="system", screen="Home", title='Ho"me,"turns":['),
        step=UserStep(move=IdleMove()),
    )
    return EpisodeRecord(
        scenario=scenario,
        scenario_hash="h" + scenario,
        type="goal",
        kind="tasks_reminders",
        seed=seed,
        run=seed,
        config=EpisodeConfig(observer=observer, executor="oracle", user="scripted"),
        code=code,
        turns=(turn,),
        log=(),
        state=state * 64,
        verdict=Verdict(outcome="success", checks=(Check(name="goal", passed=True),)),
        costs=EpisodeCosts(wall_s=wall_s),
    )


@pytest.fixture(scope="session")
def episode() -> MakeEpisode:
    """Makes an episode; arguments as of ``make``."""
    return make
