"""Fixtures of the tests about the repository itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("sim", "scenarios", "models", "observer", "executor", "eval")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def rooms() -> tuple[str, ...]:
    """Names of the rooms at the top of the repository."""
    return ROOMS


@pytest.fixture(scope="session")
def run() -> Run:
    """Run a Python process to its end: ``run("-m", "heron", cwd=..., path=...)``."""

    def start(
        *arguments: str, cwd: Path = ROOT, path: Path | None = None, text: str = ""
    ) -> subprocess.CompletedProcess[str]:
        environment = dict(os.environ)
        if path is not None:
            environment["PYTHONPATH"] = str(path)
        return subprocess.run(
            [sys.executable, *arguments],
            check=False,
            capture_output=True,
            text=True,
            cwd=cwd,
            env=environment,
            input=text,
            timeout=300,
        )

    return start


@pytest.fixture(scope="session")
def tracked(root: Path) -> list[Path]:
    """The files that git tracks, links left out."""
    # A clone may belong to another user than the one who runs the tests.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    try:
        listed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=root)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    paths = [root / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and not path.is_symlink()]
