"""The observer's benchmark: its arithmetic, its table, and one quick run on real weights."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from heron.errors import HeronError
from heron.models.store import resolve
from heron.models.tiny_gguf import write_tiny_gguf

SCRIPTS = Path(__file__).parents[2] / "benchmarks"
SMALL = "smollm2-135m-instruct-q4_1"


@pytest.fixture(scope="module")
def rows() -> Any:
    spec = importlib.util.spec_from_file_location("observer_rows", SCRIPTS / "observer_rows.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPTS / "observer.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_medians_and_costs_per_token(rows: Any) -> None:
    samples = rows.Samples()
    for cpu, wall, tokens in ((1.0, 2.0, 10), (9.0, 4.0, 30), (2.0, 30.0, 10)):
        samples.add("decision", rows.Spent(cpu, wall), tokens)
    assert rows.both(samples, "decision") == {"cpu": 2.0, "wall": 4.0}
    assert rows.both(samples, "decision", per_token=True) == pytest.approx(
        {"cpu": 0.2, "wall": 0.2}
    )
    assert samples.total("decision", "wall") == 36.0


def test_a_turn_with_a_trim_counts_as_the_mean_of_the_others(rows: Any) -> None:
    spent = [rows.Spent(1.0, 1.0), rows.Spent(2.0, 4.0), rows.Spent(9.0, 9.0)]
    found = rows.per_new_token(spent, [10, 30, None])
    assert found == pytest.approx({"cpu": 12 / 60, "wall": 14 / 60})


def test_targets(rows: Any) -> None:
    def met(figure: float | None, **target: float) -> bool | None:
        found: bool | None = rows.Row(name="", cpu=figure, **target).met
        return found

    assert (met(2.0, at_most=2), met(2.01, at_most=2)) == (True, False)
    assert (met(15.0, at_least=15), met(14.9, at_least=15)) == (True, False)
    assert (met(3.0), met(None, at_most=2)) == (None, None)


def test_the_table_says_what_was_missed_and_why_there_is_no_figure(rows: Any) -> None:
    twice = rows.ratio(
        "cost", {"cpu": 6.0, "wall": 8.0}, {"cpu": 2.0, "wall": 4.0}, at_most=2, parts={"new": 34}
    )
    text = rows.table([twice, rows.missing("kernel", "make it first")])
    assert "3 ×      2 ×  ≤ 2 MISSED\n      new 34\n" in text
    assert text.splitlines()[-2].split() == ["kernel", "–"]
    assert text.endswith("make it first")
    assert rows.missing("kernel", "make it first").record()["cpu"] is None


def test_models_that_are_not_here_are_told_and_left_out(tmp_path: Path) -> None:
    found = run("--quick", "--models", f"{SMALL},nosuch", HERON_MODELS=str(tmp_path))
    assert found.returncode == 0
    said = found.stdout.splitlines()
    assert [line.partition(": left out: ")[0] for line in said] == [SMALL, "nosuch"]
    assert f"heron models pull {SMALL}" in said[0]


def test_a_whole_run_on_the_tiny_fake(tmp_path: Path) -> None:
    """A decision of the fake takes too little for the targets, which the exit code must tell."""
    path = write_tiny_gguf(tmp_path / "tiny.gguf", trained_window=4096)
    file = tmp_path / "found.json"
    done = run("--models", str(path), "--rounds", "1", "--turns", "0", "--json", str(file))
    assert (done.returncode, done.stderr) == (1, "")
    (found,) = json.loads(file.read_text())["models"]
    figures = {row["name"]: row for row in found["rows"]}
    assert len(figures) == len(found["rows"]) == 12
    assert all(row["cpu"] is not None or row["reason"] for row in found["rows"])
    assert figures["share of a decision outside llama.cpp"]["met"] is False
    assert figures["chat with the time at its head / decision, turn 10"]["cpu"] > 1
    memory = figures["memory of the process beyond llama.cpp's buffers"]
    assert "the prompt has" in memory["reason"]


@pytest.mark.weights
def test_a_quick_run(tmp_path: Path) -> None:
    try:
        resolve(SMALL)
    except HeronError as error:
        pytest.skip(str(error))
    file = tmp_path / "found.json"
    done = run("--quick", "--turns", "0", "--models", SMALL, "--json", str(file))
    assert not done.stderr
    (found,) = json.loads(file.read_text())["models"]
    assert (found["model"]["threads"], found["rounds"]) == (1, 1)
    figures = {row["name"]: row for row in found["rows"]}
    assert all(name in done.stdout for name in figures)
    cold = figures["new token at turn 10 / token of the cold prompt"]
    assert 750 < cold["parts"]["history"] < 900
    # What a busy machine cannot turn round.
    assert cold["cpu"] < 4
    assert figures["cold prompt / decision"]["cpu"] > 8
    assert figures["share of a decision outside llama.cpp"]["cpu"] < 20
    assert figures["start from the saved prefix / evaluating it"]["cpu"] < 0.3
