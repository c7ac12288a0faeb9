"""A smaller device, emulated by limits on one process: cores, memory, share of processor time.

Control groups (cgroup v2) are used where a group can be made with the controllers that are needed.
Where not, memory is held by ``RLIMIT_DATA``, which bounds the process's own memory and not mapped
weights, and the share of processor time by a governor that stops and continues the process. What
was put in force is told; limits that could not be are told as well, never passed over. What it
does not know: what the process does.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Final, Self

from pydantic import Field

from heron.contracts import Record
from heron.errors import InputError

ROOT: Final = Path("/")
PERIOD_S: Final = 0.1
"""Over which a share of processor time is held; that of ``cpu.max`` as well."""

_TICK_S: Final = 0.004
_UNITS: Final = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}
_PR_SET_PDEATHSIG: Final = 1


class DeviceLimits(Record):
    """What the emulated device has. ``None``: as much as this machine."""

    cores: int | None = None
    memory: int | None = None
    """Bytes."""
    cpu: float | None = Field(default=None, gt=0)
    """Processor seconds per second: 0.5 is half a core."""


class InForce(Record):
    """What holds each limit, in words; ``None``: none was asked for."""

    cores: str | None = None
    memory: str | None = None
    cpu: str | None = None
    governor: float | None = None
    """Share of processor time that whoever started the process has to hold it to."""
    group: str | None = None
    """The control group that was made, to be removed when the process has ended."""


def size_of(text: str) -> int:
    """``600M``, ``600MB`` or ``1.5G`` (powers of 1000) in bytes.

    Raises:
        InputError: it is no size.
    """
    body = text.strip().upper().removesuffix("B")
    unit = body[-1:] if body[-1:] in ("K", "M", "G") else ""
    try:
        value = float(body.removesuffix(unit)) * _UNITS[unit]
    except ValueError:
        value = 0.0
    if not 1 <= value < 2**62:
        raise InputError(f"size {text!r}: write a number with K, M or G, as 600M")
    return int(value)


def share_of(text: str) -> float:
    """``50%`` as 0.5.

    Raises:
        InputError: it is no share.
    """
    try:
        value = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        value = 0.0
    if not text.strip().endswith("%") or not 0 < value < 1024:
        raise InputError(f"share {text!r}: write per cent of one core, as 50%")
    return value


def put_in_force(limits: DeviceLimits, root: Path = ROOT) -> InForce:
    """Put this process under limits, as far as this machine lets it.

    Args:
        limits: what is wanted.
        root: the root of the file system, for the control groups.
    """
    cores = None if limits.cores is None else _pin(limits.cores)
    if limits.memory is None and limits.cpu is None:
        return InForce(cores=cores)
    group = _join_group(limits, root)
    if group is not None:
        return InForce(
            cores=cores,
            memory=None if limits.memory is None else "cgroup v2 memory.max, mapped pages included",
            cpu=None if limits.cpu is None else "cgroup v2 cpu.max",
            group=str(group),
        )
    memory = None if limits.memory is None else _limit_data(limits.memory)
    if limits.cpu is None:
        return InForce(cores=cores, memory=memory)
    _die_with_parent()
    how = f"governor: stopped and continued (SIGSTOP) every {PERIOD_S * 1000:.0f} ms"
    return InForce(cores=cores, memory=memory, cpu=how, governor=limits.cpu)


def _pin(count: int) -> str:
    if not hasattr(os, "sched_setaffinity"):
        return "none: this system has no processor affinity"
    usable = sorted(os.sched_getaffinity(0))
    if count >= len(usable):
        return f"none needed: this process may use {len(usable)}"
    os.sched_setaffinity(0, usable[:count])
    return f"affinity to {', '.join(f'core {core}' for core in usable[:count])}"


def _limit_data(memory: int) -> str:
    if not sys.platform.startswith("linux"):
        return "none: only Linux holds a process's own memory to RLIMIT_DATA"
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    except (OSError, ValueError) as error:
        return f"none: {error}"
    return "RLIMIT_DATA: the process's own memory; mapped weights are not held"


def _join_group(limits: DeviceLimits, root: Path) -> Path | None:
    """Make a control group with the limits and enter it; ``None`` where that is not possible."""
    files: dict[str, str] = {}
    if limits.memory is not None:
        files["memory.max"] = str(limits.memory)
    if limits.cpu is not None:
        period = round(PERIOD_S * 1e6)
        files["cpu.max"] = f"{round(limits.cpu * period)} {period}"
    for place in _places(root):
        with contextlib.suppress(OSError):
            granted = (place / "cgroup.subtree_control").read_text(encoding="ascii").split()
            if not {name.partition(".")[0] for name in files} <= set(granted):
                continue
            group = place / f"heron-{os.getpid()}"
            group.mkdir()
            try:
                for name, text in {**files, "cgroup.procs": str(os.getpid())}.items():
                    (group / name).write_text(text, encoding="ascii")
            except OSError:
                group.rmdir()
                continue
            return group
    return None


def _places(root: Path) -> list[Path]:
    """The process's own group and those around it; none without cgroup v2."""
    mount = root / "sys/fs/cgroup"
    with contextlib.suppress(OSError):
        if (mount / "cgroup.controllers").exists():
            rows = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
            own = next(row.removeprefix("0::/") for row in rows if row.startswith("0::/"))
            place = mount / own
            return [place, *(outer for outer in place.parents if outer.is_relative_to(mount))]
    return []


def remove_group(in_force: InForce) -> None:
    """Remove the control group of a process that has ended; harmless if there is none."""
    if in_force.group is not None:
        with contextlib.suppress(OSError):
            Path(in_force.group).rmdir()


def _die_with_parent() -> None:
    """A stopped process would outlive whoever stopped it."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


class Governor:
    """Holds another process to a share of processor time, until it is closed.

    In every period the process runs until it has used its share and is stopped for the rest.

    Args:
        pid: the process.
        share: processor seconds per second.
    """

    def __init__(self, pid: int, share: float) -> None:
        self._pid, self._quota = pid, share * PERIOD_S
        self._over = threading.Event()
        self.stops = 0
        """Times that the process was stopped."""
        self._thread = threading.Thread(target=self._hold, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _hold(self) -> None:
        try:
            while not self._over.is_set():
                began, used = time.perf_counter(), cpu_of(self._pid)
                while time.perf_counter() - began < PERIOD_S and not self._over.is_set():
                    if cpu_of(self._pid) - used >= self._quota:
                        self._stop_until(began, used)
                        break
                    self._over.wait(_TICK_S)
        except OSError:
            pass  # the process has ended
        finally:
            with contextlib.suppress(OSError):
                os.kill(self._pid, signal.SIGCONT)

    def _stop_until(self, began: float, used: float) -> None:
        """Stop until what was used is as much as the time that has passed allows."""
        self.stops += 1
        os.kill(self._pid, signal.SIGSTOP)
        spent = cpu_of(self._pid) - used
        rest = began + PERIOD_S * spent / self._quota - time.perf_counter()
        self._over.wait(max(0.0, rest))
        os.kill(self._pid, signal.SIGCONT)


def cpu_of(pid: int) -> float:
    """Processor seconds that a process has used, its threads included.

    Source: clock_getcpuclockid(3); Linux builds the clock's number so, and Python does not offer
    the function.

    Raises:
        OSError: there is no such process.
    """
    return time.clock_gettime((~pid << 3) | 2)
