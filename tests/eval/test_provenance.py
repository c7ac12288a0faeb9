"""What is said of a run's code, libraries, device and model files, and what is not."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from heron import __version__
from heron.cli.options import Play
from heron.contracts import EpisodeConfig
from heron.errors import InputError
from heron.eval.provenance import (
    code_version,
    git_state,
    model_files,
    model_hashes,
    provenance,
    without_home,
)
from heron.models.store import sha256_of
from heron.models.tiny_gguf import write_tiny_gguf

ROOT = Path(__file__).parents[2]
VERSION = (
    "from heron.eval.provenance import code_version, git_state as g; print(code_version(), g())"
)


def config(
    observer: str = "rules", executor: str = "oracle", user: str = "scripted"
) -> EpisodeConfig:
    return EpisodeConfig(observer=observer, executor=executor, user=user)


def elsewhere(source: Path, *, cwd: Path) -> str:
    """What Heron in a folder says of itself."""
    return subprocess.run(
        [sys.executable, "-c", VERSION],
        env={**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Heron as a wheel lays it out: real folders, no checkout."""
    place = tmp_path_factory.mktemp("site-packages")
    skip = shutil.ignore_patterns("__pycache__", "data")
    shutil.copytree(ROOT / "src" / "heron", place / "heron", ignore=skip)
    for room in ("observer", "eval", "scenarios"):
        for data in (ROOT / room).rglob("data"):
            if data != ROOT / "scenarios" / "data" and "reporting" not in data.parts:
                shutil.copytree(data, place / "heron" / data.relative_to(ROOT), dirs_exist_ok=True)
    return place


@pytest.mark.slow
def test_a_wheel_and_a_checkout_of_the_same_content_are_the_same_code(
    installed: Path, tmp_path: Path
) -> None:
    there = elsewhere(installed, cwd=ROOT)
    assert there.split()[0] == elsewhere(ROOT / "src", cwd=tmp_path).split()[0]
    assert "not run from a checkout" in there  # although the working folder is one
    source = installed / "heron" / "sim" / "clock.py"
    before = source.read_text()
    source.write_text(before + "# other code\n")
    assert elsewhere(installed, cwd=tmp_path).split()[0] != there.split()[0]
    source.write_text(before)
    (installed / "heron" / "cli" / "app.py").write_text("# how it is shown is no part\n")
    assert elsewhere(installed, cwd=tmp_path) == there


def test_the_state_is_that_of_herons_own_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    git_state.cache_clear()
    found = git_state()
    if not (ROOT / ".git").exists():
        assert (found.commit, found.reason) == (None, "not run from a checkout")
        return
    head = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    done = subprocess.run(head, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("git does not tell")
    assert found.commit == done.stdout.strip()
    assert found.dirty is not None


def test_nothing_names_a_user_or_a_host(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    assert Play(observer="gguf:/home/somebody/m.gguf").plan().config.observer == "gguf:~/m.gguf"
    found = provenance(["heron", "bench", "--out", "/home/somebody/runs/a b"], config())
    assert found.command == "heron bench --out '~/runs/a b'"
    told = found.model_dump_json()
    for secret in ("somebody", socket.gethostname(), getpass.getuser()):
        if len(secret) > 4:
            assert secret not in told
    assert without_home("/home/somebody-else/x") == "/home/somebody-else/x"


def test_the_files_of_models_are_named_by_role_and_hash(tmp_path: Path) -> None:
    one = write_tiny_gguf(tmp_path / "one.gguf", seed=1)
    two = write_tiny_gguf(tmp_path / "two.gguf", seed=2)
    found = model_files(config(f"gguf:{one}?talk=x", f"gguf:{one}", f"gguf:{two}#strict"))
    assert model_hashes(found) == {
        "observer": sha256_of(one),
        "executor": sha256_of(one),
        "user": sha256_of(two),
    }
    assert model_files(config("rules", "litellm:gpt-5", "scripted:strict")) == {}
    calibration = tmp_path / "mine.json"
    calibration.write_text("{}")
    tuned = model_files(config(f"calibrated:{one}?calibration={calibration}"))
    assert tuned["calibration"].sha256 == sha256_of(calibration)
    with pytest.raises(InputError, match="no such file"):
        model_files(config(f"gguf:{tmp_path / 'gone.gguf'}"))


def test_the_code_is_version_and_hash() -> None:
    version, _, digest = code_version().partition("+")
    assert version == __version__
    assert len(digest) == 12
