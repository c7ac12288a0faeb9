"""Says what an episode's scenario is about, from the suite that Heron ships, for its seed.

An episode of another version of the file, or of a file from elsewhere, has none: what stands in
the suite today would be a guess. What it does not know: what is shown of it.
"""

from __future__ import annotations

from heron.contracts import Background, EpisodeRecord
from heron.errors import ScenarioError
from heron.eval.reporting.viewer.compact import Data
from heron.eval.reporting.viewer.model import about
from heron.scenarios.builder import build
from heron.scenarios.cache import cached
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario


class StageFinder:
    """Called with an episode, gives its ``about`` or ``None``; the suite is read at the first call.

    Each scenario is built once per seed, some milliseconds; what it says is kept.
    """

    def __init__(self) -> None:
        self._suite: dict[str, Scenario] | None = None
        self._kept: dict[tuple[str, int, Background | None], Data | None] = {}

    def __call__(self, episode: EpisodeRecord) -> Data | None:
        """What the scenario of an episode is about."""
        scenario = self._scenarios().get(episode.scenario_hash)
        if scenario is None:
            return None
        key = (episode.scenario_hash, episode.seed, episode.config.background)
        if key not in self._kept:
            self._kept[key] = _told(scenario, episode)
        return self._kept[key]

    def _scenarios(self) -> dict[str, Scenario]:
        if self._suite is None:
            with cached() as reader:
                suite = load_suite(reader=reader)
            self._suite = {scenario.hash: scenario for scenario in suite}
        return self._suite


def _told(scenario: Scenario, episode: EpisodeRecord) -> Data | None:
    try:
        return about(build(scenario, episode.seed, episode.config.background))
    except ScenarioError:
        return None
