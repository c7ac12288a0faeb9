"""A few of Heron's scenarios, and what they come to after a way through ARE's format."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heron.eval.are_export.scenario import export
from heron.eval.importing.importer import Imported, import_file
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario

EVERY = 20
"""Of the suite one in so many is taken."""

Back = Callable[[dict[str, Any]], Imported]


def chosen() -> list[str]:
    """Ids of a part of the suite that is the same each time."""
    return [scenario.id for scenario in load_suite()][::EVERY]


@pytest.fixture(params=chosen())
def scenario(request: pytest.FixtureRequest) -> Scenario:
    """One after the other."""
    return load_suite(ids=[request.param]).scenarios[0]


@pytest.fixture
def exported() -> Callable[..., dict[str, Any]]:
    """A scenario's file, as JSON brings it back."""

    def make(scenario: Scenario | str, seed: int = 0, **more: Any) -> dict[str, Any]:
        found = load_suite(ids=[scenario]).scenarios[0] if isinstance(scenario, str) else scenario
        read: dict[str, Any] = json.loads(json.dumps(export(found, seed, **more).data))
        return read

    return make


@pytest.fixture
def back(tmp_path: Path) -> Back:
    """Takes a file over again; its name says nothing."""

    def make(data: dict[str, Any]) -> Imported:
        file = tmp_path / "some file.json"
        file.write_text(json.dumps(data), encoding="utf-8")
        return import_file(file, tmp_path, force=True, taken=set())

    return make
