"""What a sweep plays: its configurations, the scenarios of each, and all units in their order.

Order: first every configuration with the first seed, then every one with the next, so that early
rows are of all configurations and on the same scenarios. Within a seed all scenarios of one
configuration come together, so that what it loads is loaded once. What it does not know: who plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from heron.contracts import EpisodeConfig
from heron.errors import InputError
from heron.eval.batch import Plan
from heron.eval.engine.unit import Unit
from heron.eval.sweep.reading import SweepFile, combinations, config_of, several
from heron.eval.sweep.schema import Block, Scenarios, Settings
from heron.scenarios.schema import Scenario

Find = Callable[[Scenarios], Sequence[Scenario]]
"""The scenarios of a choice."""


@dataclass(frozen=True)
class Part:
    """One configuration on some scenarios."""

    config: EpisodeConfig
    scenarios: tuple[Scenario, ...]
    runs: int
    seed: int
    threads: int

    def units(self, run: int) -> Iterator[Unit]:
        """Its episodes with one of its seeds."""
        for scenario in self.scenarios:
            yield Unit(
                config=self.config,
                scenario=scenario,
                seed=self.seed + run,
                run=run,
                threads=self.threads,
            )


def parts_of(file: SweepFile, find: Find) -> list[Part]:
    """The configurations of a sweep, each with its scenarios, in the order of the file.

    Raises:
        InputError: a combination cannot be, an exclusion leaves nothing out, or nothing is left.
    """
    sweep = file.sweep
    found: list[Part] = []
    used: set[int] = set()
    known: dict[Scenarios, tuple[Scenario, ...]] = {}
    for place, block in _blocks(file):
        choice = block.scenarios or sweep.scenarios
        if choice not in known:
            known[choice] = tuple(find(choice))
        for settings in combinations({**sweep.base, **block.axes}):
            try:
                config = config_of(settings)
            except InputError as error:
                raise file.error(place, str(error), "see docs/sweeps.md") from error
            out = [at for at, wanted in enumerate(sweep.exclude) if _fits(config, wanted)]
            used.update(out)
            if not out:
                runs = block.runs or sweep.runs
                found.append(Part(config, known[choice], runs, sweep.seed, sweep.threads))
    for at in range(len(sweep.exclude)):
        if at not in used:
            raise file.error(("exclude", at), "no combination is left out by it", "remove it")
    if not found:
        raise file.error(("exclude",), "no combination is left", "exclude less")
    for part in found:
        # Refuses seeds that are for training.
        Plan(config=part.config, runs=part.runs, seed=part.seed, threads=part.threads)
    return _merged(found)


def units_of_parts(parts: Sequence[Part]) -> list[Unit]:
    """All episodes, each once, in the order in which they are played."""
    units: dict[str, Unit] = {}
    for run in range(max((part.runs for part in parts), default=0)):
        for part in parts:
            if run < part.runs:
                units.update({unit.name: unit for unit in part.units(run)})
    return list(units.values())


def _blocks(file: SweepFile) -> Iterator[tuple[tuple[str | int, ...], Block]]:
    yield ("axes",), Block(axes=file.sweep.axes)
    for at, block in enumerate(file.sweep.include):
        yield ("include", at), block


def _fits(config: EpisodeConfig, wanted: Settings) -> bool:
    return all(getattr(config, name) in several(value) for name, value in wanted.items())


def _merged(parts: Sequence[Part]) -> list[Part]:
    """Parts of the same configuration and number of runs as one."""
    merged: dict[tuple[EpisodeConfig, int], Part] = {}
    for part in parts:
        before = merged.get((part.config, part.runs))
        if before is not None:
            by_id = {s.id: s for s in (*before.scenarios, *part.scenarios)}
            part = replace(before, scenarios=tuple(by_id.values()))  # noqa: PLW2901
        merged[part.config, part.runs] = part
    return list(merged.values())
