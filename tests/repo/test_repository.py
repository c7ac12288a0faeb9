"""Documents, pins and scripts of the repository say what is there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from heron import __version__
from heron.cli import options
from heron.models.catalog import CATALOG

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ;.*?)? \\$", re.MULTILINE)
MACHINE_PATHS = tuple(f"/{name}/" for name in ("work", "root"))
PUBLIC_INDEXES = {"pypi.org", "files.pythonhosted.org"}


def pins(path: Path) -> dict[str, str]:
    """Name → version of a locked requirements file."""
    return dict(PIN.findall(path.read_text()))


def registry_hosts() -> set[str]:
    """Hosts of the package registries that this machine's pip is told to use."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], check=False, capture_output=True, text=True
    )
    text = listed.stdout + " ".join(v for k, v in os.environ.items() if k.startswith("PIP_"))
    hosts = {urlsplit(url).hostname for url in re.findall(r"https?://[^\s'\",]+", text)}
    return {host for host in hosts if host} - PUBLIC_INDEXES


def test_every_link_in_a_document_leads_to_a_file(tracked: list[Path]) -> None:
    broken = []
    for document in (path for path in tracked if path.suffix == ".md"):
        for target in LINK.findall(document.read_text(encoding="utf-8")):
            here = not target.startswith(("http://", "https://", "mailto:"))
            if here and not (document.parent / target).exists():
                broken.append(f"{document.name}: {target}")
    assert broken == []


def test_no_file_names_a_path_or_registry_of_the_machine_it_was_written_on(
    tracked: list[Path],
) -> None:
    forbidden = (*MACHINE_PATHS, *registry_hosts())
    found = [
        f"{path}: {word}"
        for path in tracked
        for word in forbidden
        if word.encode() in path.read_bytes()
    ]
    assert found == []


@pytest.mark.parametrize("name", ["build", "llama", "runtime", "dev"])
def test_every_requirement_is_pinned_by_hash(root: Path, name: str) -> None:
    text = (root / "requirements" / f"{name}.txt").read_text()
    blocks = re.split(r"\n(?=\S)", text.strip())
    assert all(PIN.match(block) and "--hash=sha256:" in block for block in blocks)
    assert "://" not in text
    assert "--index" not in text


def test_the_locks_cover_what_pyproject_asks_for(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())
    runtime = pins(root / "requirements/runtime.txt")
    asked = {re.split(r"[<>=!~ ;\[]", d)[0] for d in project["project"]["dependencies"]}
    assert asked <= set(runtime)
    dev = pins(root / "requirements/dev.txt")
    wanted = {re.split(r"[<>=!~ ;\[]", d)[0] for d in project["dependency-groups"]["dev"]}
    assert wanted <= set(dev)


def test_the_locks_agree_with_each_other(root: Path) -> None:
    locks = [pins(root / f"requirements/{n}.txt") for n in ("build", "llama", "runtime", "dev")]
    seen: dict[str, str] = {}
    for lock in locks:
        for name, version in lock.items():
            assert seen.setdefault(name, version) == version, name


def test_releases_of_litellm_with_a_credential_stealer_cannot_be_installed(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())
    (litellm,) = (d for d in project["project"]["dependencies"] if d.startswith("litellm"))
    assert {"!=1.82.7", "!=1.82.8"} <= set(litellm.removeprefix("litellm").split(","))


def test_the_version_is_in_the_changelog(root: Path) -> None:
    assert f"## [{__version__}]" in (root / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_continuous_integration_can_be_started(root: Path) -> None:
    script = root / ".ci/run"
    assert os.access(script, os.X_OK)
    assert script.read_text().rstrip().endswith("make test")


def test_make_fetches_the_models_that_the_defaults_need(root: Path) -> None:
    text = (root / "Makefile").read_text()
    lists = dict(re.findall(r"^(\w+_MODELS) \?= (.*)$", text, re.MULTILINE))
    defaults = (options.DEFAULT_OBSERVER, options.DEFAULT_EXECUTOR)
    needed = {spec.partition(":")[2] for spec in defaults if spec.startswith("gguf:")}
    assert set(lists["BENCH_MODELS"].split()) == needed
    assert {name for names in lists.values() for name in names.split()} <= {
        entry.name for entry in CATALOG
    }
