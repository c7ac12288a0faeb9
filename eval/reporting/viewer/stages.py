"""Finds the scenario of an episode in the suite that Heron ships, built for the episode's seed.

An episode of another version of the file, or of a file from elsewhere, has none: what stands in
the suite today would be a guess. What it does not know: what is shown of it.
"""

from __future__ import annotations

from collections import OrderedDict

from heron.contracts import Background, EpisodeRecord
from heron.errors import ScenarioError
from heron.scenarios.builder import build
from heron.scenarios.cache import cached
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage

KEPT = 64
"""Stages that are kept for the next episodes; a store often has a scenario's seeds together."""


class StageFinder:
    """Called with an episode, gives its stage or ``None``; the suite is read at the first call."""

    def __init__(self) -> None:
        self._suite: dict[str, Scenario] | None = None
        self._kept: OrderedDict[tuple[str, int, Background | None], Stage | None] = OrderedDict()

    def __call__(self, episode: EpisodeRecord) -> Stage | None:
        """The stage of an episode."""
        scenario = self._scenarios().get(episode.scenario_hash)
        if scenario is None:
            return None
        key = (episode.scenario_hash, episode.seed, episode.config.background)
        if key not in self._kept:
            self._kept[key] = _built(scenario, episode)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]

    def _scenarios(self) -> dict[str, Scenario]:
        if self._suite is None:
            with cached() as reader:
                suite = load_suite(reader=reader)
            self._suite = {scenario.hash: scenario for scenario in suite}
        return self._suite


def _built(scenario: Scenario, episode: EpisodeRecord) -> Stage | None:
    try:
        return build(scenario, episode.seed, episode.config.background)
    except ScenarioError:
        return None
