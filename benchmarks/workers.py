"""How much faster a run is with several workers, and what that costs in CPU time.

    python benchmarks/workers.py [--observer rules] [--split full] [--runs 1] [--workers 2]

Plays the same episodes with one worker process and with several, in turn, ``--repeat`` times each,
and prints the ratio of the best times, the ratio of CPU time (all processes together; 1.00 means
that nothing is lost by sharing), and the machine's load before each: on cores that others use the
first ratio says little. Rows of both must be the same.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass

import psutil

from heron.contracts import EpisodeConfig
from heron.eval.batch import Plan
from heron.eval.digest import digest_of
from heron.eval.engine.processes import ProcessEngine
from heron.eval.engine.unit import Unit, units_of
from heron.scenarios.cache import cached
from heron.scenarios.loader import load_suite


@dataclass(frozen=True)
class Taken:
    """By one run."""

    wall_s: float
    cpu_s: float
    digest: str
    load: float


def cpu_s(pids: list[int]) -> float:
    """CPU seconds of this process, of workers and of what they started, ended ones included."""
    total = sum(os.times()[:2])
    for pid in pids:
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            times = one.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def play(units: list[Unit], workers: int) -> Taken:
    """Start the workers, let each load what it needs, then measure."""
    load = psutil.getloadavg()[0]
    with ProcessEngine(workers) as engine:
        list(engine.play(units[:workers]))
        before, began = cpu_s(engine.pids), time.perf_counter()
        episodes = list(engine.play(units))
        wall = time.perf_counter() - began
        return Taken(wall, cpu_s(engine.pids) - before, digest_of(episodes), load)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--observer", default="rules")
    parser.add_argument("--executor", default="oracle")
    parser.add_argument("--split", default="full")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--scenarios", type=int, help="only so many")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=2)
    asked = parser.parse_args()
    with cached() as reader:
        suite = load_suite(asked.split, reader=reader).sound().scenarios[: asked.scenarios]
    config = EpisodeConfig(observer=asked.observer, executor=asked.executor, user="scripted")
    units = units_of(Plan(config=config, runs=asked.runs), suite)
    taken: dict[int, list[Taken]] = {1: [], asked.workers: []}
    for _ in range(asked.repeat):
        for workers, own in taken.items():
            own.append(play(units, workers))
            last = own[-1]
            print(
                f"{workers} workers: {len(units)} episodes in {last.wall_s:.2f} s, "
                f"{last.cpu_s:.2f} s CPU (load before: {last.load:.1f})",
                flush=True,
            )
    one, several = taken[1], taken[asked.workers]
    assert len({run.digest for own in taken.values() for run in own}) == 1, "rows differ"
    faster = min(run.wall_s for run in one) / min(run.wall_s for run in several)
    cpu = min(run.cpu_s for run in several) / min(run.cpu_s for run in one)
    print(f"{asked.observer}: {asked.workers} workers are {faster:.2f} times as fast as one")
    print(f"CPU time with {asked.workers} / with 1: {cpu:.2f}")


if __name__ == "__main__":
    main()
