"""Says what an episode's scenario is about: its summary, and what the user has in mind.

From the suite that Heron ships. An episode of another version of a scenario's file, or of a file
from elsewhere, has none: what stands in the suite today would be a guess. What it does not know:
episodes' courses.
"""

from __future__ import annotations

from typing import NamedTuple

from heron.contracts import Background, EpisodeRecord
from heron.errors import ScenarioError
from heron.scenarios.builder import build
from heron.scenarios.cache import cached
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario


class Matter(NamedTuple):
    """What a scenario is about, for one seed."""

    summary: str
    goal: str
    """What the user has in mind; no assistant is told."""


class Matters:
    """Called with an episode, gives its matter or ``None``; the suite is read at the first call."""

    def __init__(self) -> None:
        self._suite: dict[str, Scenario] | None = None
        self._kept: dict[tuple[str, int, Background | None], Matter | None] = {}

    def __call__(self, episode: EpisodeRecord) -> Matter | None:
        """What the scenario of an episode is about."""
        if self._suite is None:
            with cached() as reader:
                self._suite = {scenario.hash: scenario for scenario in load_suite(reader=reader)}
        scenario = self._suite.get(episode.scenario_hash)
        if scenario is None:
            return None
        key = (episode.scenario_hash, episode.seed, episode.config.background)
        if key not in self._kept:
            self._kept[key] = _matter(scenario, episode)
        return self._kept[key]


def _matter(scenario: Scenario, episode: EpisodeRecord) -> Matter | None:
    try:
        stage = build(scenario, episode.seed, episode.config.background)
    except ScenarioError:
        return None
    return Matter(summary=scenario.summary, goal=stage.brief.goal)
