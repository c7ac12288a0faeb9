"""The wheel holds exactly the package, from a checkout, an unpacked zip or a source archive."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

IMPORT_ALL = """
import importlib, pkgutil, sys, heron
names = [m.name for m in pkgutil.walk_packages(heron.__path__, "heron.")]
for name in names:
    if name != "heron.__main__":
        importlib.import_module(name)
print(heron.__file__, len(names))
"""


def build(run: Run, source: Path, target: Path, kind: str = "wheel") -> Path:
    """Build a distribution of ``source`` into ``target``."""
    done = run("-m", "hatchling", "build", "-t", kind, "-d", str(target), cwd=source)
    assert done.returncode == 0, done.stderr
    (path,) = target.iterdir()
    return path


def modules(wheel: Path) -> list[str]:
    """The wheel's files, without its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        return sorted(name for name in archive.namelist() if ".dist-info/" not in name)


@pytest.fixture(scope="module")
def wheel(run: Run, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(run, root, tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def unpacked(root: Path, rooms: tuple[str, ...], tmp_path: Path) -> Path:
    """The repository as a zip archive leaves it: the links are files with the target in them."""
    copy = tmp_path / "unpacked"
    copy.mkdir()
    ignore = shutil.ignore_patterns("__pycache__")
    for room in rooms:
        shutil.copytree(root / room, copy / room, ignore=ignore)
    shutil.copytree(root / "src", copy / "src", symlinks=True, ignore=ignore)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, copy)
    for room in rooms:
        link = copy / "src/heron" / room
        target = link.readlink()
        link.unlink()
        link.write_text(str(target))
    return copy


def expected(root: Path, rooms: tuple[str, ...]) -> list[str]:
    """What the wheel has to hold: every file of the rooms and of src/heron but the readmes."""
    found = []
    for room in rooms:
        found += [f"heron/{p.relative_to(root)}" for p in (root / room).rglob("*") if p.is_file()]
    source = root / "src"
    for path in (source / "heron").rglob("*"):
        inside = path.relative_to(source)
        if path.is_file() and not (len(inside.parts) > 1 and inside.parts[1] in rooms):
            found.append(str(inside))
    return sorted(
        name for name in found if "__pycache__" not in name and Path(name).name != "README.md"
    )


def test_the_wheel_holds_the_package_and_nothing_else(
    wheel: Path, root: Path, rooms: tuple[str, ...]
) -> None:
    assert modules(wheel) == expected(root, rooms)
    assert not [name for name in modules(wheel) if "test" in Path(name).name]


def test_an_unpacked_zip_gives_the_same_wheel(
    run: Run, wheel: Path, unpacked: Path, tmp_path: Path
) -> None:
    assert modules(build(run, unpacked, tmp_path / "out")) == modules(wheel)


def test_a_source_archive_gives_the_same_wheel(
    run: Run, root: Path, wheel: Path, tmp_path: Path
) -> None:
    archive = build(run, root, tmp_path / "sdist", "sdist")
    with tarfile.open(archive) as packed:
        # Filters came with 3.11.4.
        safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        packed.extractall(tmp_path / "source", **safe)  # type: ignore[arg-type]
    (source,) = (tmp_path / "source").iterdir()
    assert modules(build(run, source, tmp_path / "out")) == modules(wheel)


def test_the_metadata_names_command_licence_and_python(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        texts = {Path(n).name: archive.read(n).decode() for n in archive.namelist() if "-info" in n}
    assert "heron = heron.cli.app:main" in texts["entry_points.txt"]
    assert "License-Expression: Apache-2.0" in texts["METADATA"]
    assert "Requires-Python: >=3.11" in texts["METADATA"]
    assert "Apache License" in texts["LICENSE"]


def test_an_installed_wheel_imports_as_a_whole(run: Run, wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    done = run(
        *("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"),
        *("--target", str(target), str(wheel)),
    )
    assert done.returncode == 0, done.stderr
    imported = run("-c", IMPORT_ALL, cwd=tmp_path, path=target)
    assert imported.returncode == 0, imported.stderr
    place, count = imported.stdout.rsplit(maxsplit=1)
    assert Path(place).is_relative_to(target)
    assert int(count) >= len([m for m in modules(wheel) if m.endswith(".py")]) - 10
