"""A scenario under a seed → an ARE file: phone, events, reference, and the reference's own run.

What ARE has no counterpart for is left out of its part of the file and told; all of the scenario is
carried beside it. What it does not know: files on disk.
"""

from __future__ import annotations

from dataclasses import dataclass

from heron import __version__
from heron.contracts import DeviceStatus
from heron.eval.are_export.course import Course
from heron.scenarios.are.export import layout
from heron.scenarios.are.export.carried import KEY, SCENARIO, seal
from heron.scenarios.are.export.layout import Json
from heron.scenarios.are.export.ledger import Dialect, Ledger
from heron.scenarios.are.export.phone import apps, states
from heron.scenarios.are.values import epoch
from heron.scenarios.builder import build
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage

AFTERWARDS_S = 600.0
"""How long a run of the file may go on after the last event that is timed."""


@dataclass(frozen=True)
class Exported:
    """A file, and what it does not say in ARE's own words."""

    name: str
    """Without folder and suffix."""
    data: Json
    left_out: tuple[str, ...]


def export(scenario: Scenario, seed: int, dialect: Dialect = "pare") -> Exported:
    """The file of a scenario under a seed, on the phone that the scenario itself asks for.

    Raises:
        ScenarioError: it cannot be built under this seed.
        InputError: its reference cannot be played.
    """
    stage = build(scenario, seed)
    try:
        ledger = Ledger(dialect)
        return _Exporting(stage, ledger, Course(stage, ledger)).exported()
    finally:
        stage.world.close()


def file_name(scenario: str, seed: int) -> str:
    """Of a scenario's file, without the suffix."""
    return scenario if seed == 0 else f"{scenario}.seed{seed}"


@dataclass
class _Exporting:
    stage: Stage
    ledger: Ledger
    course: Course

    def exported(self) -> Exported:
        stage, ledger, world = self.stage, self.ledger, self.stage.world
        scenario, before, start = stage.scenario, world.digest(), world.now
        first = states(world, ledger)
        there = apps(first, world.apps, ledger)
        if world.device != DeviceStatus():
            ledger.note("the state of the device")
        course = self.course
        course.play()
        final = states(world, ledger)
        definition = {
            "scenario_id": scenario.id,
            "seed": stage.seed,
            "start_time": epoch(start),
            "duration": course.lasts + AFTERWARDS_S,
            "meta_task_description": stage.brief.goal,
        }
        data = layout.document(
            definition=definition, apps=there, events=course.events, run=course.run, final=final
        )
        data["metadata"][KEY] = {
            "format": SCENARIO,
            "version": 1,
            "heron": __version__,
            "seed": stage.seed,
            "scenario": scenario.document.data,
            "hash": scenario.hash,
            "state": before,
            "final": world.digest(),
            "left_out": list(ledger.left_out),
            "seal": seal(data),
        }
        return Exported(file_name(scenario.id, stage.seed), data, tuple(ledger.left_out))
