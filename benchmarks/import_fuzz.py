"""Takes over thousands of mutated ARE files: no traceback, no half scenario, no broken one.

    python benchmarks/import_fuzz.py FILE… [--runs 20000] [--seed 0] [--jobs 1]

Every run mutates one of the files and takes it over, in memory. It fails where something else than
a refusal comes of it, or a scenario that does not load and pass its check. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from are_mutations import mutated

from heron.eval.importing.importer import taken_over
from heron.scenarios.are.reading import parse
from heron.scenarios.are.remarks import Refused


def run(data: Any, seed: str) -> str:
    """One mutation of a file, taken over; ``imported`` or ``refused``."""
    text = mutated(data, random.Random(seed))
    try:
        # What is returned has been written, read again, checked and replayed.
        taken_over(parse(text), "fuzzed", "fuzzed.json", "0" * 64)
    except Refused as refusal:
        if not refusal.names or any("\n" in name for name in refusal.names):
            raise AssertionError("a refusal without names, or in several lines") from refusal
        return "refused"
    return "imported"


def main() -> None:
    """Run, and tell figures and failures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="Number of the first run.")
    given = parser.parse_args()
    files = [(path.name, json.loads(path.read_text(encoding="utf-8"))) for path in given.files]
    counted: Counter[str] = Counter()
    failures: dict[str, str] = {}
    start = time.process_time()
    longest = 0.0
    for number in range(given.first, given.first + given.runs):
        name, data = files[number % len(files)]
        began = time.process_time()
        try:
            counted[run(data, f"{given.seed} {name} {number}")] += 1
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is a failure
            if isinstance(error, KeyboardInterrupt):
                break
            counted["failed"] += 1
            last = traceback.extract_tb(error.__traceback__)[-1]
            key = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
            failures.setdefault(key, f"run {number}, {name}: {str(error)[:200]}")
        longest = max(longest, time.process_time() - began)
        if number % 1000 == 999:
            print(number + 1, dict(counted), file=sys.stderr, flush=True)
    for key, told in failures.items():
        print(f"{key}: {told}")
    figures = {
        **counted,
        "cpu_s": round(time.process_time() - start, 1),
        "longest_s": round(longest, 2),
    }
    print(json.dumps(figures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
