"""Runs on real weights: what is killed, what is imported, what leaves the process, what repeats."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from heron.contracts import EpisodeConfig, Observation, ObserverAnswer, StepCost
from heron.errors import HeronError
from heron.eval import metrics
from heron.eval.batch import Bench, Plan
from heron.eval.digest import digest_of
from heron.eval.observers import ProcessObserver
from heron.models.store import resolve
from heron.scenarios.loader import load_suite

MODEL = "smollm2-135m-instruct-q4_1"
SMOKE = load_suite("smoke").sound().scenarios
WATCHER = Path(__file__).parent / "watcher"

pytestmark = pytest.mark.weights


@pytest.fixture(autouse=True)
def weights() -> None:
    try:
        resolve(MODEL)
    except HeronError as error:
        pytest.skip(str(error))


class KilledOnce(ProcessObserver):
    """The real observer process, killed from outside at turn 4 of the first episode."""

    killed = 0

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]:
        if observation.turn == 4 and not self.killed:
            assert self.pid is not None
            os.kill(self.pid, signal.SIGKILL)
            self.killed += 1
        return super().observe(observation)


def test_killing_the_observer_is_a_fault_and_the_run_goes_on() -> None:
    config = EpisodeConfig(observer=f"gguf:{MODEL}", executor="oracle", user="scripted", turns=6)
    bench = Bench(Plan(config=config))
    bench.observer = KilledOnce(config.observer)
    try:
        first, second = bench.episodes(SMOKE[:2])
    finally:
        bench.close()
    assert first.fault is not None
    assert first.fault.part == "observer"
    assert "SIGKILL" in first.fault.message
    assert first.verdict.outcome in ("failure", "disturbed")
    assert second.fault is None
    assert len(second.turns) == 6
    assert metrics.faults([first, second]) == 1


def heron(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "heron", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_digest_is_the_same_for_other_salts_and_thread_counts(tmp_path: Path) -> None:
    ids = SMOKE[0].id
    digests = set()
    for salt, threads in (("1", "1"), ("2", "2")):
        out = heron(
            "bench",
            *("--observer", f"gguf:{MODEL}", "--executor", "oracle", "--scenarios", ids),
            *("--threads", threads, "--turns", "4", "--out", str(tmp_path / salt), "--json"),
            PYTHONHASHSEED=salt,
        )
        digests.add(json.loads(out)["digest"])
    assert len(digests) == 1


def watched(tmp_path: Path, *arguments: str) -> list[list[str]]:
    """Run a bench of one goal scenario and return what its processes did."""
    log = tmp_path / "watch.log"
    goal = next(s.id for s in SMOKE if s.type == "goal")
    heron(
        *("bench", "--scenarios", goal, "--out", str(tmp_path / "out"), *arguments),
        HERON_WATCH=str(log),
        PYTHONPATH=str(WATCHER),
    )
    return [line.split() for line in log.read_text().splitlines()]


def test_without_an_accept_no_litellm_and_no_internet_socket(tmp_path: Path) -> None:
    lines = watched(tmp_path, "--observer", f"gguf:{MODEL}", "--executor", "litellm:gpt-5")
    assert any(line[1:] == ["runs", "heron.eval.workers.observer"] for line in lines)
    assert [line for line in lines if line[1:] != ["runs", "heron.eval.workers.observer"]] == []


def test_after_an_accept_litellm_lives_in_the_executors_process_alone(tmp_path: Path) -> None:
    lines = watched(tmp_path, "--observer", "oracle", "--executor", f"gguf:{MODEL}")
    executor = {pid for pid, event, detail in lines if event == "runs"}
    assert len(executor) == 1
    assert {pid for pid, event, detail in lines if detail == "litellm"} == executor
    assert [line for line in lines if line[1] in ("connect", "lookup")] == []
    assert {pid for pid, event, _ in lines if event == "socket"} <= executor


def test_a_small_model_as_user_makes_legal_moves_and_repeats_them() -> None:
    goal = next(s for s in SMOKE if s.type == "goal")
    config = EpisodeConfig(observer="oracle", executor="oracle", user=f"gguf:{MODEL}", turns=3)
    episodes = []
    for _ in range(2):
        bench = Bench(Plan(config=config))
        try:
            episodes.append(bench.episode(goal, 0))
        finally:
            bench.close()
    first, second = episodes
    assert first.fault is None
    assert len(first.turns) == 3
    assert all(turn.error is None for turn in first.turns)
    assert first.costs.simulator is not None
    assert all(step.cpu_s for step in first.costs.simulator.steps)
    assert digest_of([first]) == digest_of([second])
