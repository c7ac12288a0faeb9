"""Finds the scenarios that decision points name, each once.

What it does not know: what is done with them.
"""

from __future__ import annotations

from heron.errors import InputError, UnknownName
from heron.scenarios.builder import build
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario


class Scenes:
    """Heron's scenarios by id.

    Args:
        known: scenarios from elsewhere, which are taken before Heron's own.
    """

    def __init__(self, known: tuple[Scenario, ...] = ()) -> None:
        self._known: dict[str, Scenario | None] = {scenario.id: scenario for scenario in known}

    def find(self, scenario_id: str) -> Scenario | None:
        """The scenario, or ``None`` if there is none of this id that can be read."""
        if scenario_id not in self._known:
            self._known[scenario_id] = _load(scenario_id)
        return self._known[scenario_id]

    def goal(self, scenario_id: str, scenario_hash: str, seed: int) -> str:
        """What its user is after; empty if the scenario is not here or is another by now."""
        scenario = self.find(scenario_id)
        if scenario is None or scenario.hash != scenario_hash:
            return ""
        stage = build(scenario, seed, "bare")
        try:
            return stage.brief.goal
        finally:
            stage.world.close()


def _load(scenario_id: str) -> Scenario | None:
    try:
        return load_suite(ids=[scenario_id]).sound().scenarios[0]
    except (UnknownName, InputError):
        return None
