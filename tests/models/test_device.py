"""A smaller device: what is put in force, how, and what is said where it cannot be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from heron.errors import InputError
from heron.models.device import (
    DeviceLimits,
    Governor,
    InForce,
    cpu_of,
    put_in_force,
    remove_group,
    share_of,
    size_of,
)

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone")

IN_A_PROCESS = """
import os, sys
from pathlib import Path
from heron.models.device import DeviceLimits, put_in_force
found = put_in_force(DeviceLimits.model_validate_json(sys.argv[1]), Path(sys.argv[2]))
try:
    block, held = bytearray(64 * 1024 * 1024), True
except MemoryError:
    held = False
print(found.model_dump_json())
print(len(os.sched_getaffinity(0)), held)
"""

SPIN = "while True: pass"


def put(limits: DeviceLimits, root: Path) -> tuple[InForce, int, bool]:
    """What a process of its own says: limits in force, cores, whether 64 MiB are to be had."""
    done = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS, limits.model_dump_json(), str(root)],
        capture_output=True,
        text=True,
        check=True,
    )
    first, second = done.stdout.splitlines()
    cores, held = second.split()
    return InForce.model_validate_json(first), int(cores), held == "True"


def group_tree(root: Path, granted: str) -> Path:
    """A made-up control group of this process, with controllers for groups below it."""
    mount = root / "sys/fs/cgroup"
    own = mount / "user/session"
    own.mkdir(parents=True)
    (mount / "cgroup.controllers").write_text("cpu memory\n")
    (mount / "cgroup.subtree_control").write_text("")
    (own.parent / "cgroup.subtree_control").write_text(f"{granted}\n")
    (own / "cgroup.subtree_control").write_text("")
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text("0::/user/session\n")
    return own.parent


@pytest.mark.parametrize(
    ("text", "size"), [("600M", 600_000_000), ("600mb", 600_000_000), ("1.5G", 1_500_000_000)]
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert size_of(text) == size


@pytest.mark.parametrize("text", ["", "M", "-5M", "600X", "0", "nanM", "infG"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="as 600M"):
        size_of(text)


def test_shares_are_read_as_per_cent_of_a_core() -> None:
    assert share_of("50%") == 0.5
    for text in ("50", "0%", "x%", "nan%", "-5%"):
        with pytest.raises(InputError, match="as 50%"):
            share_of(text)


def test_without_limits_nothing_is_done_and_nothing_said(tmp_path: Path) -> None:
    assert put_in_force(DeviceLimits(), tmp_path) == InForce()


@LINUX
def test_a_control_group_is_made_where_its_controllers_are_granted(tmp_path: Path) -> None:
    outer = group_tree(tmp_path, "cpu memory")
    found, _, held = put(DeviceLimits(memory=40_000_000, cpu=0.5), tmp_path)
    assert held, "a made-up control group holds nothing, and no rlimit may be set beside it"
    assert found.group is not None
    group = Path(found.group)
    assert group.parent == outer
    assert (group / "memory.max").read_text() == "40000000"
    assert (group / "cpu.max").read_text() == "50000 100000"
    assert (group / "cgroup.procs").read_text() == group.name.removeprefix("heron-")
    assert "cgroup v2" in str(found.memory)
    assert "cgroup v2" in str(found.cpu)
    assert found.governor is None


@LINUX
@pytest.mark.parametrize("granted", ["memory", "pids", ""])
def test_without_the_controllers_rlimit_and_governor_are_in_force(
    tmp_path: Path, granted: str
) -> None:
    group_tree(tmp_path, granted)
    found, _, held = put(DeviceLimits(memory=40_000_000, cpu=0.5), tmp_path)
    assert not held
    assert "RLIMIT_DATA" in str(found.memory)
    assert "governor" in str(found.cpu)
    assert found.governor == 0.5
    assert found.group is None


@LINUX
def test_cores_are_pinned_and_that_is_said(tmp_path: Path) -> None:
    found, cores, _ = put(DeviceLimits(cores=1), tmp_path)
    assert cores == 1
    usable = len(os.sched_getaffinity(0))
    assert ("affinity" in str(found.cores)) == (usable > 1)
    more, _, _ = put(DeviceLimits(cores=usable), tmp_path)
    assert "none needed" in str(more.cores)


def test_removing_a_group_that_is_gone_is_harmless(tmp_path: Path) -> None:
    place = tmp_path / "heron-1"
    place.mkdir()
    remove_group(InForce(group=str(place)))
    assert not place.exists()
    remove_group(InForce(group=str(place)))
    remove_group(InForce())


@LINUX
def test_the_governor_holds_a_busy_process_to_its_share_and_lets_it_go() -> None:
    busy = subprocess.Popen([sys.executable, "-c", SPIN])
    try:
        with Governor(busy.pid, 0.05) as governor:
            used, began = cpu_of(busy.pid), time.perf_counter()
            while governor.stops < 8:
                with pytest.raises(subprocess.TimeoutExpired):
                    busy.wait(0.05)
                assert time.perf_counter() - began < 60, "it was never stopped"
            share = (cpu_of(busy.pid) - used) / (time.perf_counter() - began)
        assert share < 0.15
        state = Path(f"/proc/{busy.pid}/stat").read_text().rpartition(")")[2].split()[0]
        assert state != "T"
    finally:
        busy.kill()
        busy.wait()


@LINUX
def test_the_governor_ends_with_its_process() -> None:
    short = subprocess.Popen([sys.executable, "-c", "pass"])
    with Governor(short.pid, 0.5) as governor:
        short.wait()
    assert governor.stops >= 0
    with pytest.raises(OSError, match=r".*"):
        cpu_of(short.pid)


def test_limits_cross_the_pipe_as_json() -> None:
    limits = DeviceLimits(cores=1, memory=5, cpu=0.5)
    assert DeviceLimits.model_validate(json.loads(limits.model_dump_json())) == limits
