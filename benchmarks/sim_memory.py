"""Plays episodes in this process and watches its memory; prints JSON. ``sim.py`` starts it.

    python benchmarks/sim_memory.py BACKGROUND EPISODES [SPLIT]

It imports nothing that playing does not need, since that would be counted. A phone is built anew
for every episode on bare and light, and for every twentieth on full.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from typing import Any

from heron.contracts import EpisodeConfig
from heron.eval.batch import Bench, Plan, Prepared
from heron.models.meter import memory_of
from heron.scenarios.loader import load_suite

REBUILD = {"bare": 1, "light": 1, "full": 20}
RUNS = 1000
SAMPLES = 20
Samples = list[tuple[int, float]]


def play_and_watch(background: str, episodes: int, split: str | None) -> dict[str, Any]:
    """Figures in MiB: resident after import, after a tenth of the episodes, and at the end."""
    imported = resident()
    config = EpisodeConfig.model_validate(
        {
            "observer": "oracle",
            "executor": "oracle",
            "user": "scripted",
            "background": background,
        }
    )
    player = Bench(Plan(config=config, runs=RUNS))
    scenarios = load_suite(*([split] if split else [])).sound().scenarios  # type: ignore[arg-type]
    samples: Samples = []
    phone: Prepared | None = None
    for number in range(episodes):
        if number % REBUILD[background] == 0:
            if phone is not None:
                phone.stage.world.close()
            run, place = divmod(number // REBUILD[background], len(scenarios))
            phone = player.prepare(scenarios[place], run % RUNS)
        assert phone is not None
        player.play(phone)
        if (number + 1) % max(1, episodes // SAMPLES) == 0:
            gc.collect()
            samples.append((number + 1, resident()))
    settled = samples[1:] or samples
    first = settled[0][1]
    anonymous = memory_of(os.getpid()).anonymous
    return {
        "imported_mib": imported,
        "settled_mib": first,
        "end_mib": settled[-1][1],
        "growth": (max(value for _, value in settled) - first) / first,
        "slope_kib_per_episode": slope(settled) * 1024,
        "anonymous_mib": None if anonymous is None else anonymous / 2**20,
        "episodes": episodes,
    }


def resident() -> float:
    """This process's resident memory, MiB."""
    sample = memory_of(os.getpid())
    if sample.anonymous is None or sample.file_backed is None:
        raise SystemExit(f"memory cannot be measured: {sample.reason}")
    return (sample.anonymous + sample.file_backed) / 2**20


def slope(samples: Samples) -> float:
    """MiB an episode, by the line through the samples with the least squares."""
    n = len(samples)
    x = sum(number for number, _ in samples) / n
    y = sum(value for _, value in samples) / n
    spread = sum((number - x) ** 2 for number, _ in samples)
    return sum((number - x) * (value - y) for number, value in samples) / spread if spread else 0.0


if __name__ == "__main__":
    name, count, *rest = sys.argv[1:]
    print(json.dumps(play_and_watch(name, int(count), rest[0] if rest else None)))
