"""How long a report over many episodes takes, against reading them twice, and how large it gets.

A store is made from real rows: some scenarios are played with a scripted observer, and each row is
repeated under other seeds. Wall and CPU time, peak memory and sizes are printed as JSON.

    python benchmarks/report.py --episodes 10000
    python benchmarks/report.py --from runs/rules --episodes 10000
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heron.contracts import EpisodeConfig
from heron.eval.batch import Bench, Plan
from heron.eval.reporting.make import Wanted, make
from heron.eval.store import EPISODES, read_episodes
from heron.scenarios.loader import load_suite
from heron.seeds import EVALUATION


def rows(source: Path | None, observer: str) -> list[dict[str, Any]]:
    """Episodes to repeat, as JSON objects."""
    if source is not None:
        once = {(e.scenario, e.config): e for e in read_episodes(source)}
        return [json.loads(episode.model_dump_json()) for episode in once.values()]
    plan = Plan(EpisodeConfig(observer=observer, executor="oracle", user="scripted"))
    bench = Bench(plan)
    try:
        bench.start()
        played = list(bench.episodes(list(load_suite())))
    finally:
        bench.close()
    return [json.loads(episode.model_dump_json()) for episode in played]


def repeated(own: list[dict[str, Any]], count: int) -> Iterator[str]:
    """Lines of a store: the rows under seed after seed."""
    for number in range(count):
        turn, at = divmod(number, len(own))
        seed = EVALUATION.start + turn
        yield json.dumps(own[at] | {"seed": seed, "run": turn}, separators=(",", ":")) + "\n"


def reading(folder: Path) -> dict[str, float]:
    """Seconds to read the store once."""
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in read_episodes(folder):
        pass
    return {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}


def reporting(folder: Path, page: Path, *, episodes: bool) -> dict[str, Any]:
    """Seconds and sizes of a report."""
    wall, cpu = time.perf_counter(), time.process_time()
    made = make([folder], Wanted(page=page, episodes=episodes))
    took = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
    beside = sum(f.stat().st_size for f in page.with_name(f"{page.stem}-episodes").glob("*.js"))
    sizes = {"page_bytes": page.stat().st_size, "beside_bytes": beside}
    return took | sizes | {"embedded": made.embedded, "beside": made.beside}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--from", dest="source", type=Path, help="a run to repeat")
    parser.add_argument("--observer", default="rules")
    parser.add_argument("--rounds", type=int, default=3, help="the quickest counts")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "store"
        folder.mkdir()
        with (folder / EPISODES).open("w", encoding="utf-8") as file:
            file.writelines(repeated(rows(asked.source, asked.observer), asked.episodes))
        read = min((reading(folder) for _ in range(asked.rounds)), key=lambda one: one["wall_s"])
        found: dict[str, Any] = {
            "episodes": asked.episodes,
            "store_bytes": (folder / EPISODES).stat().st_size,
            "read": read,
        }
        for key, episodes in (("report", True), ("report_without_episodes", False)):
            best = min(
                (
                    reporting(folder, Path(name) / f"{key}.html", episodes=episodes)
                    for _ in range(asked.rounds)
                ),
                key=lambda one: float(one["wall_s"]),
            )
            found[key] = best | {"times_reading": best["wall_s"] / read["wall_s"]}
        found["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        json.dump(found, sys.stdout, indent=2)
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
