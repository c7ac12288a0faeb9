"""What doctor reads: made-up machines for the files of Linux, real processes for llama.cpp."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heron.models import machine as subject
from heron.models.machine import Llama, Machine, ask_llama, inspect_machine, remarks
from heron.models.machine_files import (
    EnergyCounter,
    Features,
    Limits,
    energy_counter,
    features,
    limits,
)


def write(root: Path, path: str, content: str) -> Path:
    """A file on the made-up machine."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)
    return file


def test_features_of_x86(tmp_path: Path) -> None:
    write(
        tmp_path,
        "proc/cpuinfo",
        "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu pni avx avx2 f16c avx512_vnni\n\n"
        "processor\t: 1\nmodel name\t: Some CPU\nflags\t\t: fpu\n",
    )
    flags = ("sse3", "avx", "avx2", "avx512_vnni", "f16c")
    assert features(tmp_path) == Features(model="Some CPU", flags=flags)


def test_features_of_arm(tmp_path: Path) -> None:
    text = "processor: 0\nFeatures: fp asimd asimddp i8mm\nCPU part: 0xd0b\nHardware: BCM2835\n"
    write(tmp_path, "proc/cpuinfo", text)
    expected = Features(model="BCM2835", flags=("asimd", "asimddp", "i8mm"))
    assert features(tmp_path) == expected


def test_features_where_there_is_no_proc(tmp_path: Path) -> None:
    found = features(tmp_path)
    assert (found.flags, found.reason) == ((), "/proc/cpuinfo: No such file or directory")


def test_limits_of_cgroup_v2_are_the_tightest_around(tmp_path: Path) -> None:
    write(tmp_path, "proc/self/cgroup", "0::/outer/inner\n")
    mount = "sys/fs/cgroup"
    write(tmp_path, f"{mount}/cgroup.controllers", "cpu memory")
    write(tmp_path, f"{mount}/outer/memory.max", "2000000000\n")
    write(tmp_path, f"{mount}/outer/cpu.max", "max 100000\n")
    write(tmp_path, f"{mount}/outer/inner/memory.max", "max\n")
    write(tmp_path, f"{mount}/outer/inner/cpu.max", "150000 100000\n")
    assert limits(tmp_path) == Limits(memory=2_000_000_000, cpus=1.5, source="cgroup v2")


def test_limits_of_cgroup_v1(tmp_path: Path) -> None:
    write(tmp_path, "proc/self/cgroup", "4:memory:/box\n3:cpu,cpuacct:/box\n")
    mount = "sys/fs/cgroup"
    write(tmp_path, f"{mount}/memory/memory.limit_in_bytes", "9223372036854771712\n")
    write(tmp_path, f"{mount}/memory/box/memory.limit_in_bytes", "536870912\n")
    write(tmp_path, f"{mount}/cpu/box/cpu.cfs_quota_us", "50000\n")
    write(tmp_path, f"{mount}/cpu/box/cpu.cfs_period_us", "100000\n")
    assert limits(tmp_path) == Limits(memory=536_870_912, cpus=0.5, source="cgroup v1")


def test_no_limits(tmp_path: Path) -> None:
    assert "No such file" in limits(tmp_path).source
    write(tmp_path, "proc/self/cgroup", "4:memory:/\n0::/\n")
    write(tmp_path, "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
    assert limits(tmp_path) == Limits(memory=None, cpus=None, source="cgroup v1")


def test_an_energy_counter_that_can_be_read(tmp_path: Path) -> None:
    for zone, name in (("intel-rapl:0", "package-0"), ("intel-rapl:0:0", "core")):
        write(tmp_path, f"sys/class/powercap/{zone}/name", f"{name}\n")
        write(tmp_path, f"sys/class/powercap/{zone}/energy_uj", "1234\n")
    expected = EnergyCounter(readable=True, domains=("package-0", "core"))
    assert energy_counter(tmp_path) == expected


def test_no_energy_counter(tmp_path: Path) -> None:
    found = energy_counter(tmp_path)
    assert not found.readable
    assert "no RAPL in /sys/class/powercap" in str(found.reason)


def test_an_energy_counter_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "sys/class/powercap/intel-rapl:0/energy_uj").mkdir(parents=True)
    found = energy_counter(tmp_path)
    assert not found.readable
    assert str(found.reason).endswith("intel-rapl:0/energy_uj: Is a directory")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_energy_counter_for_root_only(tmp_path: Path) -> None:
    write(tmp_path, "sys/class/powercap/intel-rapl:0/energy_uj", "1").chmod(0)
    assert "as root: chmod -R a+r" in str(energy_counter(tmp_path).reason)


def test_llama_is_asked_in_another_process() -> None:
    llama = ask_llama()
    assert llama.error is None
    assert llama.version is not None
    assert llama.mmap is True


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("raise ImportError('libllama.so: no such file')", "ImportError: libllama.so: no such"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", "ended by SIGILL: probably"),
        ("import sys; sys.exit(9)", "exit status 9"),
    ],
)
def test_a_llama_that_does_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, error: str
) -> None:
    write(tmp_path, "llama_cpp.py", code)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert error in str(ask_llama().error)
    assert "FileNotFoundError" in str(ask_llama(str(tmp_path / "python")).error)


def test_what_llama_was_built_with() -> None:
    llama = Llama(
        system_info="CPU : SSE3 = 1 | AVX = 1 | AVX2 = 0 | AVX512_VNNI = 1 | REPACK = 1 |"
    )
    assert [llama.built_with(name) for name in ("SSE3", "AVX", "AVX2", "AVX512", "NEON")] == [
        *(True, True),
        *(False, False, False),
    ]


SOUND = Machine(
    heron="0",
    python="3",
    platform="Linux",
    processor=Features(model="x", flags=("avx2", "fma")),
    cores=2,
    cores_usable=2,
    load=(0.0, 0.0, 0.0),
    memory_total=16 * 10**9,
    memory_available=12 * 10**9,
    limits=Limits(memory=None, cpus=None, source="cgroup v2"),
    store="/models",
    disk_free=10**11,
    models={
        "smollm2-135m-instruct-q4_1": "verified",
        "gemma-3-270m-q4_k_m": "verified",
        "qwen2.5-coder-0.5b-instruct-q4_k_m": "verified",
        "qwen2.5-coder-1.5b-instruct-q4_k_m": "absent",
    },
    llama=Llama(version="0.3", system_info="CPU : AVX2 = 1 | FMA = 1 |", mmap=True),
    energy=EnergyCounter(readable=True, domains=("package-0",)),
    keys={"OPENAI_API_KEY": True},
)


def test_a_sound_machine_gets_no_remarks() -> None:
    assert remarks(SOUND) == ()


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        ({"processor": Features(model="x", flags=("avx",))}, "no AVX2"),
        ({"llama": Llama(system_info="CPU : FMA = 1 |")}, "built without avx2, which this"),
        ({"load": (1.5, 0.0, 0.0)}, "other work is running (load 1.5 on 2 cores)"),
        (
            {"limits": Limits(memory=None, cpus=0.5, source="cgroup v2")},
            "the control group grants 0.5 of 2 cores",
        ),
        ({"memory_available": 10**9}, "1.0 GB of memory are free"),
        ({"limits": Limits(memory=10**9, cpus=None, source="v2")}, "1.0 GB of memory are free"),
        ({"disk_free": 10**8}, "0.1 GB of disk are free at /models"),
        ({"energy": EnergyCounter(readable=False, reason="no")}, "energy cannot be measured"),
        ({"keys": {"OPENAI_API_KEY": False}}, "no API key is set"),
        (
            {"models": dict.fromkeys(SOUND.models, "absent")},
            "no model is here: heron models pull smollm2-135m",
        ),
        (
            {"models": {**SOUND.models, "gemma-3-270m-q4_k_m": "damaged"}},
            "heron models pull gemma-3-270m-q4_k_m --force",
        ),
    ],
)
def test_remarks(change: dict[str, object], remark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    found = remarks(SOUND.model_copy(update=change))
    assert len(found) >= 1
    assert any(remark in text for text in found)


def test_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERON_MODELS", str(tmp_path / "not/yet/made"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.delenv("XAI_API_KEY", raising=False)
    machine = inspect_machine()
    assert machine.keys["OPENAI_API_KEY"]
    assert not machine.keys["XAI_API_KEY"]
    assert "sk-very-secret" not in machine.model_dump_json()
    assert machine.disk_free is not None
    assert 1 <= machine.cores_usable <= (machine.cores or 1)
    assert 0 < machine.memory_available <= machine.memory_total
    assert set(machine.models.values()) == {"absent"}
    assert "heron models pull" in " ".join(machine.remarks)


def test_no_llm_library_is_imported_here() -> None:
    assert not {"llama_cpp", "litellm"} & set(vars(subject))
