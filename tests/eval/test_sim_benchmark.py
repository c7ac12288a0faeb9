"""The benchmark of the phone runs, and says so where it can only estimate."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).parents[2] / "benchmarks"


def measured(script: str, *arguments: str, **environment: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(SCRIPTS / script), *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_memory() -> None:
    found = measured("sim_memory.py", "bare", "40", "smoke")
    assert found["episodes"] == 40
    assert 0 < found["imported_mib"] < found["settled_mib"] <= found["end_mib"] * 1.01
    assert found["growth"] >= 0


def test_context_without_the_models_vocabulary(tmp_path: Path) -> None:
    found = measured("sim_context.py", "bare", "never", "1", "smoke", HERON_MODELS=str(tmp_path))
    assert found["counted_by"].startswith("estimate")
    assert 0 < found["prompt"] < found["median"] <= found["max"]
