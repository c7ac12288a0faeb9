"""The unit of work: one episode to be played, complete in itself, and its place among shards.

What it does not know: who plays it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from heron.contracts import EpisodeConfig
from heron.errors import InputError
from heron.eval.batch import Plan
from heron.eval.provenance import code_version, model_files, model_hashes
from heron.eval.store.files import file_name
from heron.eval.store.keys import EpisodeKey, config_hash
from heron.scenarios.schema import Scenario


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One scenario × one seed × one configuration."""

    config: EpisodeConfig
    scenario: Scenario
    seed: int
    run: int
    """Its number among the runs of this scenario, from 0."""
    threads: int = 1
    """For local models, the observer's, the executor's and the user's each."""

    @property
    def name(self) -> str:
        """Tells it from all others; the same on every machine and for every state of the code."""
        return "\x1f".join(
            [self.scenario.id, self.scenario.hash, str(self.seed), config_hash(self.config)]
        )

    @property
    def plan(self) -> Plan:
        """The plan that it is a part of, up to its run."""
        return Plan(
            config=self.config,
            runs=self.run + 1,
            seed=self.seed - self.run,
            threads=self.threads,
        )

    @property
    def group(self) -> str:
        """Units of a group can be played one after the other without loading anything anew."""
        return f"{config_hash(self.config)} {self.seed - self.run} {self.threads}"


def units_of(plan: Plan, scenarios: Iterable[Scenario]) -> list[Unit]:
    """All scenarios with the first seed, then with the next, and so on."""
    each = tuple(scenarios)
    return [
        Unit(
            config=plan.config,
            scenario=scenario,
            seed=plan.seed + run,
            run=run,
            threads=plan.threads,
        )
        for run in range(plan.runs)
        for scenario in each
    ]


@dataclass(frozen=True)
class Shard:
    """One of several equal parts of a run, by a hash of each unit's name.

    So the parts do not depend on the order of units, and a unit keeps its part when others are
    added.
    """

    number: int
    """From 1."""
    count: int

    @classmethod
    def of(cls, text: str) -> Shard:
        """Read ``I/N``.

        Raises:
            InputError: it is no shard.
        """
        file_name(text)  # refuses what is none
        number, _, count = text.partition("/")
        return cls(int(number), int(count))

    def holds(self, unit: Unit) -> bool:
        """Whether a unit is in this part."""
        digest = hashlib.sha256(unit.name.encode()).digest()
        return int.from_bytes(digest[:8], "big") % self.count == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


def check_workers(count: int) -> None:
    """That there can be so many.

    Raises:
        InputError: there cannot.
    """
    if count < 1:
        raise InputError(f"{count} workers are too few; give 1 or more")


class Keyring:
    """The keys that units' episodes will have, before they are played."""

    def __init__(self) -> None:
        self._hashes: dict[EpisodeConfig, str] = {}

    def key(self, unit: Unit) -> EpisodeKey:
        """Of a unit.

        Raises:
            InputError: a model's file is not here.
        """
        known = self._hashes.get(unit.config)
        if known is None:
            models = model_hashes(model_files(unit.config))
            known = self._hashes[unit.config] = config_hash(unit.config, models)
        return EpisodeKey(
            scenario=unit.scenario.id,
            scenario_hash=unit.scenario.hash,
            seed=unit.seed,
            config_hash=known,
            code=code_version(),
        )
