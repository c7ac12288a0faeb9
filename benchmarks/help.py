"""CPU time of ``heron --help`` beside that of importing typer and pydantic.

    python benchmarks/help.py [ROUNDS]

Each round starts both once, in turn, so that a busy moment meets both; the figures are medians of
the children's user and system time. Byte code is written before the first counted round and used
on both sides. Exit code 1 if the ratio is above 2.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

LIMIT = 2.0
BASE = ("-c", "import typer, pydantic")
HELP = ("-m", "heron", "--help")


def cpu_seconds(arguments: tuple[str, ...]) -> float:
    """User and system time of one Python process with ``arguments``."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.DEVNULL, env=environment
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{arguments} failed with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main(rounds: int = 15) -> int:
    """Print both figures and their ratio."""
    for arguments in (BASE, HELP):
        cpu_seconds(arguments)
    pairs = [(cpu_seconds(BASE), cpu_seconds(HELP)) for _ in range(rounds)]
    base, shown = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(f"python -c 'import typer, pydantic'  {base * 1000:7.1f} ms CPU")
    print(f"heron --help                        {shown * 1000:7.1f} ms CPU")
    print(f"ratio {shown / base:.2f} (at most {LIMIT}), medians of {rounds} rounds")
    return int(shown / base > LIMIT)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
