"""Measures what loading the suite takes, beside a plain YAML parser; prints JSON.

    python benchmarks/load.py [--rounds N]

CPU seconds of one thread: every scenario file through ``yaml.CSafeLoader``, the suite loaded cold
(read, validated, all names and placeholders checked), and loaded from the cache. The three take
turns, and the least of all rounds counts.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml

from heron.scenarios.cache import cached
from heron.scenarios.loader import DATA, load_suite


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    files = sorted(DATA.glob("*/*.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        ways: dict[str, Callable[[], object]] = {
            "csafeloader": lambda: [_plain(file) for file in files],
            "cold": load_suite,
            "cache": lambda: _from_cache(Path(folder)),
        }
        _from_cache(Path(folder))
        least = dict.fromkeys(ways, float("inf"))
        for _ in range(rounds):
            for name, way in ways.items():
                least[name] = min(least[name], _seconds(way))
    result = {
        "files": len(files),
        "kilobytes": round(sum(file.stat().st_size for file in files) / 1000),
        "cpu_s": {name: round(seconds, 4) for name, seconds in least.items()},
        "cold_to_csafeloader": round(least["cold"] / least["csafeloader"], 2),
        "cache_to_cold": round(least["cache"] / least["cold"], 3),
    }
    print(json.dumps(result, indent=2))


def _plain(file: Path) -> object:
    return yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)


def _from_cache(folder: Path) -> None:
    with cached(folder) as reader:
        load_suite(reader=reader)


def _seconds(way: Callable[[], object]) -> float:
    start = time.process_time()
    way()
    return time.process_time() - start


if __name__ == "__main__":
    main()
