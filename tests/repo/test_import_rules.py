"""The rooms' import rules hold, and a breach of each is caught."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"

BREACHES = {
    "observer": "heron.sim",
    "executor": "heron.models",
    "models": "heron.sim",
    "sim": "heron.scenarios",
    "scenarios": "heron.observer",
    "eval": "heron.cli.app",
    "src/heron/registry.py": "heron.sim",
}

FORBIDDEN_LIBRARIES = {"observer": "llama_cpp", "executor": "litellm", "eval": "llguidance"}

EVERY_MODULE = """
import importlib, pkgutil, sys
sys.path.insert(0, ".")
import heron
for module in pkgutil.walk_packages(heron.__path__, "heron."):
    if module.name != "heron.__main__":
        importlib.import_module(module.name)
print(*sorted(sys.modules))
"""


def lint(run: Run, where: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter over the repository or a copy of it."""
    return run("-c", LINT, "--no-cache", "--no-logo", cwd=where, path=where / "src")


def imported_names(path: Path) -> Iterator[str]:
    """Top-level names that a file imports, wherever in it."""
    yield from imported_in(ast.parse(path.read_text(encoding="utf-8")))


def imported_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def plant(where: Path, place: str, imported: str) -> Path:
    """Write an import into a room's new module, or at the end of a file."""
    path = where / place
    if path.is_dir():
        path = path / "planted.py"
    with path.open("a") as file:
        file.write(f"\nimport {imported}\n")
    return path


@pytest.fixture(scope="module")
def copy(root: Path, rooms: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("copy")
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("src", *rooms):
        shutil.copytree(root / name, where / name, symlinks=True, ignore=ignore)
    shutil.copy(root / "pyproject.toml", where)
    return where


def test_the_rules_hold(run: Run, root: Path) -> None:
    done = lint(run, root)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(("place", "imported"), [*BREACHES.items(), *FORBIDDEN_LIBRARIES.items()])
def test_a_breach_is_caught(run: Run, copy: Path, place: str, imported: str) -> None:
    path = copy / place
    before = path.read_text() if path.is_file() else None
    planted = plant(copy, place, imported)
    try:
        done = lint(run, copy)
    finally:
        if before is None:
            planted.unlink()
        else:
            planted.write_text(before)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "BROKEN" in done.stdout
    assert imported in done.stdout


def test_a_bare_room_name_is_caught(run: Run, rooms: tuple[str, ...]) -> None:
    text = "".join(f"import {room}\nfrom {room}.thing import x\n" for room in rooms)
    command = ("-m", "ruff", "check", "--select", "TID251", "--output-format", "concise")
    done = run(*command, "--stdin-filename", "eval/planted.py", "-", text=text)
    assert done.stdout.count("TID251") == 2 * len(rooms), done.stdout + done.stderr


def test_no_module_is_loaded_by_a_bare_room_name(run: Run, rooms: tuple[str, ...]) -> None:
    """Even with the repository's root on the path, where a bare import would succeed."""
    done = run("-c", EVERY_MODULE)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.split()
    assert [f"heron.{room}" for room in rooms if f"heron.{room}" not in loaded] == []
    assert [room for room in rooms if room in loaded] == []


def test_the_links_are_relative_and_lead_to_the_rooms(root: Path, rooms: tuple[str, ...]) -> None:
    for room in rooms:
        link = root / "src/heron" / room
        assert link.is_symlink()
        assert str(link.readlink()) == f"../../{room}"
        assert link.resolve() == (root / room).resolve()


def names_of(requirements: Iterable[str]) -> set[str]:
    return {re.split(r"[<>=!~ ;\[]", line)[0] for line in requirements}


@pytest.fixture(scope="module")
def extras(root: Path) -> set[str]:
    """Distributions that only extras bring."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    return {n for own in project["optional-dependencies"].values() for n in names_of(own)}


def test_every_imported_library_is_declared(
    root: Path, rooms: tuple[str, ...], extras: set[str]
) -> None:
    """Not merely there because another dependency happens to need it."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    declared = names_of(project["dependencies"]) | extras
    declared |= {"heron", "pydantic-core"}  # pydantic pins its core to one version
    owners = packages_distributions()
    undeclared = set()
    for folder in (root / "src", *(root / room for room in rooms)):
        for path in folder.rglob("*.py"):
            for name in set(imported_names(path)) - sys.stdlib_module_names:
                of = {re.sub(r"[-_.]+", "-", owner).lower() for owner in owners.get(name, [name])}
                if not of & declared:
                    undeclared.add(f"{path.relative_to(root)}: {name}")
    assert undeclared == set()


def test_what_an_extra_brings_is_imported_where_it_is_used(
    root: Path, rooms: tuple[str, ...], extras: set[str]
) -> None:
    """Never when a module is loaded: Heron works without its extras."""
    owners = packages_distributions()
    early = set()
    for folder in (root / "src", *(root / room for room in rooms)):
        for path in folder.rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            loaded = ast.Module(
                [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))], []
            )
            for name in imported_in(loaded):
                if set(owners.get(name, [])) & extras:
                    early.add(f"{path.relative_to(root)}: {name}")
    assert early == set()
