"""Reads what Linux says about the machine in ``/proc`` and ``/sys``.

Every reader takes the root of the file system, so that it can be tested on a made-up machine, and
answers ``None`` with a reason where there is nothing to read. What it does not know: what is good
or bad for running models (see ``machine``).
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TypeVar

from heron.contracts import Record

ROOT = Path("/")

N = TypeVar("N", int, float)

RELEVANT = (
    "sse3", "ssse3", "sse4_2", "avx", "avx2", "avx_vnni", "avx512f", "avx512bw", "avx512vbmi",
    "avx512_vnni", "avx512_bf16", "amx_int8", "amx_bf16", "fma", "f16c", "bmi2",
    "neon", "asimd", "asimddp", "i8mm", "sve", "sve2", "fphp", "asimdhp", "bf16",
)  # fmt: skip
"""Processor features that llama.cpp has kernels for, as Linux spells them."""

_SPELLED = {"pni": "sse3"}
_UNLIMITED = 1 << 60
"""cgroup v1 writes a number near 2^63 for no limit."""


class Features(Record):
    """The processor."""

    model: str | None
    flags: tuple[str, ...]
    """Those of ``RELEVANT`` that it has."""
    reason: str | None = None
    """Why nothing is known."""


class Limits(Record):
    """What the control group grants. ``None``: no limit."""

    memory: int | None
    """Bytes."""
    cpus: float | None
    source: str
    """``cgroup v2``, ``cgroup v1`` or why none was read."""


class EnergyCounter(Record):
    """RAPL, the processor's own energy counter."""

    readable: bool
    domains: tuple[str, ...] = ()
    reason: str | None = None
    """Why not, unless ``readable``."""


def features(root: Path = ROOT) -> Features:
    """Model and features from ``/proc/cpuinfo``, x86 or Arm."""
    try:
        text = (root / "proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        return Features(model=None, flags=(), reason=f"/proc/cpuinfo: {error.strerror}")
    rows: dict[str, str] = {}
    for line in text.splitlines():
        key, _, value = line.partition(":")
        rows.setdefault(key.strip().lower(), value.strip())
    words = (rows.get("flags") or rows.get("features") or "").split()
    found = {_SPELLED.get(word, word) for word in words}
    return Features(
        model=rows.get("model name") or rows.get("hardware") or rows.get("cpu part"),
        flags=tuple(flag for flag in RELEVANT if flag in found),
    )


def limits(root: Path = ROOT) -> Limits:
    """The tightest limits of this process's control group and the groups around it."""
    try:
        rows = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError as error:
        return Limits(memory=None, cpus=None, source=f"/proc/self/cgroup: {error.strerror}")
    groups = {names: path for _, names, path in (row.split(":", 2) for row in rows)}
    mount = root / "sys/fs/cgroup"
    if (mount / "cgroup.controllers").exists() and "" in groups:
        places = _around(mount, groups[""])
        memory = [_number(place / "memory.max") for place in places]
        cpus = [_cpus_v2(place) for place in places]
        return Limits(memory=_least(memory), cpus=_least(cpus), source="cgroup v2")
    by_name = {name: path for names, path in groups.items() for name in names.split(",")}
    memory = [
        _number(place / "memory.limit_in_bytes")
        for place in _around(mount / "memory", by_name.get("memory", "/"))
    ]
    cpus = [_cpus_v1(place) for place in _around(mount / "cpu", by_name.get("cpu", "/"))]
    return Limits(memory=_least(memory), cpus=_least(cpus), source="cgroup v1")


def energy_counter(root: Path = ROOT) -> EnergyCounter:
    """Whether RAPL's counters can be read, and if not, why not."""
    zones = sorted((root / "sys/class/powercap").glob("intel-rapl:*"))
    if not zones:
        return EnergyCounter(
            readable=False,
            reason="no RAPL in /sys/class/powercap (a virtual machine, another kind of processor, "
            "or the kernel module intel_rapl_msr is not loaded)",
        )
    domains = []
    for zone in zones:
        try:
            (zone / "energy_uj").read_text(encoding="ascii")
            domains.append((zone / "name").read_text(encoding="ascii").strip())
        except OSError as error:
            remedy = f"as root: chmod -R a+r {zone}" if isinstance(error, PermissionError) else ""
            why = f"{zone / 'energy_uj'}: {error.strerror}"
            return EnergyCounter(readable=False, reason=f"{why}; {remedy}" if remedy else why)
    return EnergyCounter(readable=True, domains=tuple(domains))


def _around(mount: Path, group: str) -> list[Path]:
    """The group's folder and those around it, up to the mount."""
    place = mount / group.lstrip("/")
    return [place, *(outer for outer in place.parents if outer.is_relative_to(mount))]


def _number(path: Path) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        value = int(path.read_text(encoding="ascii"))
        return value if 0 < value < _UNLIMITED else None
    return None


def _cpus_v2(place: Path) -> float | None:
    with contextlib.suppress(OSError, ValueError):
        quota, period = (place / "cpu.max").read_text(encoding="ascii").split()
        return None if quota == "max" else int(quota) / int(period)
    return None


def _cpus_v1(place: Path) -> float | None:
    quota, period = _number(place / "cpu.cfs_quota_us"), _number(place / "cpu.cfs_period_us")
    return quota / period if quota and period else None


def _least(values: list[N | None]) -> N | None:
    return min((value for value in values if value is not None), default=None)
