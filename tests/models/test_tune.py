"""A model is suited to the processor by rule; the same input gives the same bytes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from heron.errors import InputError, ModelFault, ModelFileError, Unavailable, UnknownName
from heron.models import store
from heron.models import tune as tune_module
from heron.models.decision import load_decision_model
from heron.models.gguf_file import GgufInfo, check_gguf
from heron.models.machine import environment
from heron.models.machine_files import Features
from heron.models.tiny_gguf import write_tiny_gguf
from heron.models.tune import Tuning, read_tuned, spec_of, tune, tuned_files
from heron.models.tuned_type import choose

AVX2 = Features(model="x", flags=("avx", "avx2", "fma"))
OLD = Features(model="x", flags=("sse3", "avx"))
ARM = Features(model="x", flags=("neon", "asimd", "asimddp"))


def info(parameters: int, **types: int) -> GgufInfo:
    return GgufInfo(
        path=Path("m.gguf"), bytes=1, version=3, kind="model", architecture="llama", name=None,
        file_type=None, context_length=None, vocab_size=None, chat_template=False, tensor_count=1,
        parameters=parameters, types=types,
    )  # fmt: skip


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HERON_MODELS", str(tmp_path))
    monkeypatch.setattr(tune_module, "features", lambda: AVX2)
    return write_tiny_gguf(tmp_path / "tiny.gguf")


@pytest.mark.parametrize(
    ("processor", "about", "type_", "why"),
    [
        (AVX2, info(135_000_000, Q4_1=100), "q8_0", "135 M parameters: small enough to keep 8"),
        (AVX2, info(600_000_000, Q5_0=70, Q4_K=30), "q4_0", "70% Q5_0, 30% Q4_K"),
        (AVX2, info(1_700_000_000, Q4_K=85, Q6_K=15), None, "in them already"),
        (AVX2, info(1_700_000_000, Q4_K=79, Q6_K=21), "q4_0", "large enough for 4 bits"),
        (ARM, info(1_700_000_000, Q5_K=60, Q6_K=40), None, "Arm's asimddp has kernels for"),
        (AVX2, info(1_700_000_000, Q5_K=60, Q6_K=40), "q4_0", "AVX2 has kernels for"),
        (OLD, info(135_000_000, Q4_1=100), None, "neither AVX2 nor Arm's dot products"),
        (Features(model=None, flags=(), reason="/proc/cpuinfo: gone"), info(1), None, "gone"),
    ],
)
def test_the_type_follows_from_features_and_file(
    processor: Features, about: GgufInfo, type_: str | None, why: str
) -> None:
    choice = choose(about, processor)
    assert choice.type == type_
    assert why in choice.why


def test_the_same_input_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    found = []
    for threads in (1, 2):
        done = tune(str(path), threads=threads)
        assert done.made
        assert done.path == tmp_path / "tiny@q8_0.gguf"
        found.append(done.path.read_bytes())
        assert store.sha256_of(done.path) == done.sha256
        done.path.unlink()
    assert found[0] == found[1]
    other = tune(str(path), "q4_0").path
    assert other is not None
    assert other.read_bytes() != found[0]


@pytest.mark.weights
def test_real_weights_are_tuned_to_the_same_bytes(small_path: Path, tmp_path: Path) -> None:
    base = tmp_path / "small.gguf"
    base.symlink_to(small_path)
    found = []
    for threads in (1, 2):
        done = tune(str(base), "q8_0", threads=threads)
        assert done.path is not None
        found.append(done.sha256)
        done.path.unlink()
    assert found[0] == found[1]


def test_the_tuned_file_runs_and_holds_both_hashes(path: Path) -> None:
    done = tune(str(path))
    assert done.path is not None
    assert check_gguf(done.path).types.keys() == {"Q8_0"}
    made = read_tuned(done.path)
    assert made is not None
    assert (made.base, made.base_sha256) == ("tiny.gguf", store.sha256_of(path))
    assert (made.sha256, made.processor) == (store.sha256_of(done.path), AVX2.flags)
    model = load_decision_model(f"{path}@q8_0", window=1024)
    assert model.info.quantisation == "Q8_0"
    assert model.info.sha256 == done.sha256
    model.close()


def test_a_second_time_nothing_is_done(path: Path) -> None:
    first = tune(str(path))
    assert first.path is not None
    before = first.path.stat().st_mtime_ns
    second = tune(str(path))
    assert (first.made, second.made) == (True, False)
    assert second.sha256 == first.sha256
    assert first.path.stat().st_mtime_ns == before


def test_a_changed_file_or_origin_is_made_anew(path: Path) -> None:
    first = tune(str(path))
    assert first.path is not None
    first.path.write_bytes(b"GGUF")
    assert read_tuned(first.path) is None
    assert tuned_files() == [(first.path, None)]
    again = tune(str(path))
    assert (again.made, again.sha256) == (True, first.sha256)
    write_tiny_gguf(path, seed=1)
    other = tune(str(path))
    assert other.made
    assert other.sha256 != first.sha256


def test_a_dry_run_makes_nothing(path: Path, tmp_path: Path) -> None:
    done = tune(str(path), dry_run=True)
    assert (done.type, done.path, done.made) == ("q8_0", tmp_path / "tiny@q8_0.gguf", False)
    assert [entry.name for entry in tmp_path.iterdir()] == ["tiny.gguf"]


def test_where_nothing_is_to_gain_nothing_is_made_but_a_type_can_be_asked_for(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tune_module, "features", lambda: OLD)
    done = tune(str(path))
    assert (done.type, done.path, done.made) == (None, None, False)
    assert tune(str(path), "q4_0").made
    assert sorted(p.name for p in tmp_path.glob("*.gguf")) == ["tiny.gguf", "tiny@q4_0.gguf"]


def test_what_cannot_be_tuned_is_told(path: Path, tmp_path: Path) -> None:
    tune(str(path))
    with pytest.raises(InputError, match="a tuned file; tune the one"):
        tune(str(tmp_path / "tiny@q8_0.gguf"))
    with pytest.raises(InputError, match="type 'q5_0': q4_0 or q8_0"):
        tune(str(path), "q5_0")
    with pytest.raises(UnknownName):
        tune("smolm2")
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ModelFileError, match="truncated"):
        tune(str(path))


def test_names_of_tuned_files(path: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="heron models tune-for-cpu smollm2-135m --type q8_0"):
        store.resolve("smollm2-135m@q8_0")
    with pytest.raises(UnknownName):
        store.resolve("smolm2@q8_0")
    with pytest.raises(UnknownName):
        store.resolve("smollm2-135m@q3_k")
    made = tmp_path / "smollm2-135m-instruct-q4_1@q8_0.gguf"
    made.write_bytes(b"GGUF")
    assert store.resolve("smollm2-135m@q8_0") == made
    assert spec_of(made) == "smollm2-135m-instruct-q4_1@q8_0"
    tune(str(path))
    assert store.resolve(f"{path}@q8_0") == tmp_path / "tiny@q8_0.gguf"
    assert spec_of(tmp_path / "tiny@q8_0.gguf") == str(tmp_path / "tiny@q8_0.gguf")


def test_too_little_space_is_told_before(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = shutil.disk_usage(path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: real._replace(free=1000))
    with pytest.raises(Unavailable, match=r"tiny@q8_0.gguf needs \d+ MB and .* has 0 MB free"):
        tune(str(path))


def left(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir() if p.suffix not in (".lock", ".json"))


def test_a_failure_leaves_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "python"
    script.write_text('#!/bin/sh\necho half > "$4"\necho bad weights >&2\nexit 1\n')
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    with pytest.raises(ModelFault, match="requantising failed: bad weights"):
        tune(str(path))
    script.write_text('#!/bin/sh\necho half > "$4"\nkill -ILL $$\n')
    with pytest.raises(ModelFault, match="ended by SIGILL"):
        tune(str(path))
    script.unlink()
    assert left(tmp_path) == ["tiny.gguf"]


PROGRAM = """
import sys, time
from pathlib import Path
from heron.models import tune
script = Path(sys.argv[2])
sys.executable = str(script)
tune.tune(sys.argv[1], "q8_0")
"""


def test_ctrl_c_ends_it_at_once_and_leaves_nothing(path: Path, tmp_path: Path) -> None:
    script, began = tmp_path / "python", tmp_path / "began"
    script.write_text(f'#!/bin/sh\necho half > "$4"\necho $$ > {began}.x\nmv {began}.x {began}\n'
                      "exec sleep 60\n")  # fmt: skip
    script.chmod(0o755)
    run = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(path), str(script)],
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    while not began.exists():
        assert run.poll() is None
    child = int(began.read_text())
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=10)
    assert "KeyboardInterrupt" in said
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    script.unlink()
    began.unlink()
    assert left(tmp_path) == ["tiny.gguf"]


def test_what_a_killed_run_left_is_no_hindrance(path: Path, tmp_path: Path) -> None:
    (tmp_path / ".tiny@q8_0.gguf.tmp").write_bytes(b"half")
    assert tune(str(path)).made
    assert left(tmp_path) == ["tiny.gguf", "tiny@q8_0.gguf"]


def test_the_record_is_json(path: Path) -> None:
    row = json.loads(tune(str(path), dry_run=True).model_dump_json())
    assert Tuning.model_validate(row).type == "q8_0"
