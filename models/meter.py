"""Measures this process's time and any process's memory.

What it does not know: what is being measured.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heron.contracts import MemorySample


class Stopwatch:
    """Adds up wall and CPU time of what runs inside ``running``; nested use counts once.

    CPU time is that of the whole process, its threads included.
    """

    def __init__(self) -> None:
        self.wall_s = self.cpu_s = 0.0
        self._depth = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time until the end of the block, also if it raises."""
        if self._depth:
            yield
            return
        self._depth += 1
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.wall_s += time.perf_counter() - wall
            self.cpu_s += time.process_time() - cpu
            self._depth -= 1

    def take(self) -> tuple[float, float]:
        """Seconds of wall and CPU time so far, and begin at zero."""
        taken = (self.wall_s, self.cpu_s)
        self.wall_s = self.cpu_s = 0.0
        return taken


def memory_of(pid: int, *, proc: Path = Path("/proc")) -> MemorySample:
    """Memory of a process, in bytes: anonymous (its own) and file-backed (shared weights, code).

    Source: ``smaps_rollup`` of Linux, where file-backed is what is resident and not anonymous.
    Elsewhere, or where the process has ended or belongs to somebody else, both are None with the
    reason.
    """
    try:
        text = (proc / str(pid) / "smaps_rollup").read_text(encoding="ascii")
    except FileNotFoundError:
        there = (proc / "self").exists()
        reason = f"no process {pid}" if there else "no /proc/PID/smaps_rollup on this system"
        return MemorySample(anonymous=None, file_backed=None, reason=reason)
    except OSError as error:
        return MemorySample(anonymous=None, file_backed=None, reason=f"{error.strerror}: {pid}")
    kilobytes = _kilobytes(text)
    if "Rss" not in kilobytes or "Anonymous" not in kilobytes:
        reason = f"smaps_rollup of {pid} has no Rss or no Anonymous"
        return MemorySample(anonymous=None, file_backed=None, reason=reason)
    anonymous = kilobytes["Anonymous"]
    return MemorySample(
        anonymous=anonymous * 1024, file_backed=(kilobytes["Rss"] - anonymous) * 1024
    )


def _kilobytes(text: str) -> dict[str, int]:
    """``Rss:   1234 kB`` → ``{"Rss": 1234}``."""
    rows = (line.split() for line in text.splitlines())
    return {
        row[0].rstrip(":"): int(row[1])
        for row in rows
        if len(row) == 3 and row[2] == "kB" and row[1].isdigit()
    }
