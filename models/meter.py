"""Measures this process's time, any process's memory, and what one decision takes of everything.

What it does not know: what is being measured and decided.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heron.contracts import MemorySample, StepCost
from heron.models.energy import RaplMeter


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


class DecisionMeter:
    """Measures one decision after the other, in the process that decides.

    Between ``start`` and ``stop`` lies the decision alone; memory and energy are read outside.

    Args:
        kv: bytes of the model's window, where it is known.
        energy: RAPL's counters; by default those of this machine.
    """

    def __init__(self, *, kv: int | None = None, energy: RaplMeter | None = None) -> None:
        self._kv, self._energy = kv, energy or RaplMeter()
        self._before = self._energy.read()
        self._arrived = self._wall = self._cpu = 0.0

    def start(self, arrived: float | None = None) -> None:
        """A decision begins.

        Args:
            arrived: when its observation did, by ``time.perf_counter``, which on Linux and macOS
                all processes share; now, if not given.
        """
        self._before = self._energy.read()
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        self._arrived = self._wall if arrived is None else min(arrived, self._wall)

    def stop(self, tokens: StepCost | None = None, first_read: float | None = None) -> StepCost:
        """What it took.

        Args:
            tokens: what the model counted.
            first_read: when it gave its first logits, by ``time.perf_counter``.
        """
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return StepCost(
            wall_s=wall,
            cpu_s=cpu,
            evaluated=tokens.evaluated if tokens else None,
            reused=tokens.reused if tokens else None,
            generated=tokens.generated if tokens else None,
            queued_s=self._wall - self._arrived,
            first_token_s=None if first_read is None else first_read - self._arrived,
            energy=self._energy.between(self._before, self._energy.read()),
            memory=memory_of(os.getpid()).model_copy(update={"kv": self._kv}),
        )


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
