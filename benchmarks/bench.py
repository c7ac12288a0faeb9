"""What ``heron bench`` takes beside the models: wall and CPU time per episode; one JSON object.

    python benchmarks/bench.py [--limit-ms 15] [--share 0.05] -- [OPTIONS OF heron bench]

Without options it plays `full` four times with the scripted user, the oracle executor and the
observer `rules`. Measured is the whole command, from its start to its end: imports, loading,
playing, storing, summing up. Beside that, the store alone writes the same rows again, and the
harness's CPU time is held against the episodes' wall time. Exit code 1 if a limit given is missed:
``--limit-ms`` wall milliseconds per episode, ``--share`` of the harness (for observers that are
models).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from heron.contracts import EpisodeRecord
from heron.eval.digest import digest_of
from heron.eval.store import EpisodeStore, read_episodes

DEFAULT = [
    "--split",
    "full",
    "--runs",
    "4",
    "--observer",
    "rules",
    "--executor",
    "oracle",
    "--user",
    "scripted",
]
PARE_S = 1.2
"""Seconds per episode of PARE's command line with instant models."""


def main() -> int:
    """Measure; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit-ms", type=float)
    parser.add_argument("--share", type=float)
    parser.add_argument("options", nargs="*")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        found = measured(asked.options or DEFAULT, Path(place))
    print(json.dumps(found, indent=2))
    slow = asked.limit_ms is not None and found["wall_ms"] > asked.limit_ms
    heavy = asked.share is not None and found["harness_share"] > asked.share
    return int(slow or heavy)


def measured(options: list[str], place: Path) -> dict[str, Any]:
    """Play and measure in a folder."""
    words = [sys.executable, "-m", "heron", "bench", *options, "--out", str(place / "run")]
    began, spent = time.perf_counter(), _children()
    subprocess.run([*words, "--json"], check=True, capture_output=True)
    wall, cpu = time.perf_counter() - began, _children() - spent
    episodes = list(read_episodes(place / "run"))
    count = len(episodes)
    harness = sum(one.costs.harness_cpu_s for one in episodes)
    playing = sum(one.costs.wall_s for one in episodes)
    return {
        "options": options,
        "episodes": count,
        "wall_s": round(wall, 2),
        "wall_ms": round(1e3 * wall / count, 2),
        "cpu_ms": round(1e3 * cpu / count, 2),
        "times_pare": round(PARE_S * count / wall, 1),
        "playing_ms": round(1e3 * playing / count, 2),
        "harness_cpu_ms": round(1e3 * harness / count, 2),
        "harness_share": round(harness / playing, 4),
        **_store(episodes, place / "again"),
        "load": os.getloadavg()[0],
        "digest": digest_of(episodes),
    }


def _store(episodes: list[EpisodeRecord], folder: Path) -> dict[str, Any]:
    """Writing the same rows again, each on disk before the next."""
    wall, cpu = time.perf_counter(), time.process_time()
    with EpisodeStore(folder) as store:
        for episode in episodes:
            store.append(episode)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "store_ms": round(1e3 * wall / len(episodes), 2),
        "store_cpu_ms": round(1e3 * cpu / len(episodes), 2),
        "row_bytes": round((folder / "episodes.jsonl").stat().st_size / len(episodes)),
    }


def _children() -> float:
    """CPU seconds of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
