"""What this machine has for running models, and what stands in the way.

llama.cpp is asked in a process of its own, so that this module imports no LLM library and
survives a build that was made for another processor. API keys are looked for by name; their
values are never read into a record. What it does not know: how it is shown.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
from pydantic import Field

from heron import __version__
from heron.contracts import Record
from heron.errors import ModelFileError
from heron.models import store
from heron.models.catalog import CATALOG
from heron.models.machine_files import (
    EnergyCounter,
    Features,
    Limits,
    energy_counter,
    features,
    limits,
)
from heron.models.store import State

KEYS = (
    "ANTHROPIC_API_KEY",
    "AWS_ACCESS_KEY_ID",
    "AZURE_API_KEY",
    "COHERE_API_KEY",
    "DEEPSEEK_API_KEY",
    "GEMINI_API_KEY",
    "GROQ_API_KEY",
    "HF_TOKEN",
    "MISTRAL_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "TOGETHERAI_API_KEY",
    "XAI_API_KEY",
)
"""Environment variables in which litellm's common providers expect their keys."""

REBUILD = (
    f"{Path(sys.executable).name} -m pip install --force-reinstall --no-deps "
    "--no-binary=llama-cpp-python --no-cache-dir 'llama-cpp-python<0.4'"
)
"""Builds llama.cpp for the processor at hand."""

_PROBE_TIMEOUT_S = 120.0
_BUILT_WITH = {"avx": "AVX", "avx2": "AVX2", "fma": "FMA", "f16c": "F16C", "avx512f": "AVX512"}
"""A processor's feature → its name in llama.cpp's account of its build."""


class Llama(Record):
    """The installed llama.cpp."""

    version: str | None = None
    """Of llama-cpp-python."""
    system_info: str = ""
    """What it was built with, in its own words."""
    mmap: bool | None = None
    mlock: bool | None = None
    gpu_offload: bool | None = None
    error: str | None = None
    """Why it cannot be used."""

    def built_with(self, feature: str) -> bool:
        """Whether its account of itself says ``feature = 1``."""
        parts = [part.split(":")[-1].split("=") for part in self.system_info.split("|")]
        return any(
            len(part) == 2 and part[0].strip() == feature and part[1].strip() == "1"
            for part in parts
        )


class Machine(Record):
    """Everything that ``heron doctor`` tells. Sizes in bytes."""

    heron: str
    python: str
    platform: str
    processor: Features
    cores: int | None
    """Logical processors."""
    cores_usable: int
    """Those that this process may run on."""
    load: tuple[float, float, float]
    """Load average over 1, 5 and 15 minutes."""
    memory_total: int
    memory_available: int
    limits: Limits
    store: str
    disk_free: int | None
    """Where the store is or would be."""
    models: dict[str, State]
    forms: dict[str, str] = Field(default_factory=dict)
    """Model that is here → how dialogues with it are written: ``gguf``, as its file says, or
    ``raw`` and why; behind ``gguf`` stands what could not be done as the file says."""
    llama: Llama
    energy: EnergyCounter
    keys: dict[str, bool]
    """Environment variable → whether it is set. Never a value."""
    remarks: tuple[str, ...] = ()


def machine_line() -> str:
    """This machine in one line, at once: what a result has to be read with."""
    seen, memory = features(), psutil.virtual_memory().total
    return (
        f"{seen.model or platform.machine()} ({' '.join(seen.flags) or seen.reason}), "
        f"{usable_cores()} of {os.cpu_count()} cores, {memory / 2**30:.0f} GiB, "
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    )


def inspect_machine() -> Machine:
    """Look at everything. Takes a second or two, for llama.cpp's sake."""
    memory = psutil.virtual_memory()
    machine = Machine(
        heron=__version__,
        python=platform.python_version(),
        platform=platform.platform(),
        processor=features(),
        cores=os.cpu_count(),
        cores_usable=usable_cores(),
        load=psutil.getloadavg(),
        memory_total=memory.total,
        memory_available=memory.available,
        limits=limits(),
        store=str(store.folder()),
        disk_free=_disk_free(store.folder()),
        models={entry.name: store.state_of(entry) for entry in CATALOG},
        forms=_forms(),
        llama=ask_llama(),
        energy=energy_counter(),
        keys={name: bool(os.environ.get(name)) for name in KEYS},
    )
    return machine.model_copy(update={"remarks": remarks(machine)})


def _forms() -> dict[str, str]:
    """How dialogues are written, for the models that are here and sound."""
    from heron.models.gguf_file import check_gguf
    from heron.models.template import read_template

    found = {}
    for entry in store.present():
        with contextlib.suppress(ModelFileError):
            # The names of the vocabulary's first and last token make no difference here.
            read = read_template(check_gguf(store.path_of(entry)).template, bos="<s>", eos="</s>")
            found[entry.name] = f"{read.form}: {read.reason}" if read.reason else read.form
    return found


def ask_llama(python: str = sys.executable) -> Llama:
    """Ask llama.cpp, in a process of its own, what it is; says why if it cannot answer."""
    try:
        answer = subprocess.run(
            [python, "-m", "heron.models.build_probe"],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=_PROBE_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Llama(error=f"{type(error).__name__}: {error}")
    if answer.returncode < 0:
        name = signal.Signals(-answer.returncode).name
        return Llama(error=f"ended by {name}: probably built for another processor")
    if answer.returncode:
        lines = answer.stderr.strip().splitlines()
        return Llama(error=lines[-1] if lines else f"exit status {answer.returncode}")
    # Whatever else a library prints comes before the answer.
    return Llama.model_validate(json.loads(answer.stdout.splitlines()[-1]))


def environment() -> dict[str, str]:
    """The environment in which ``python -m heron.…`` finds this very Heron."""
    source = str(Path(sys.modules["heron"].__path__[0]).parent)
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}


def remarks(machine: Machine) -> tuple[str, ...]:
    """What a user should know before trusting or comparing figures from this machine."""
    found = [*_about_speed(machine), *_about_room(machine)]
    if not any(state in ("verified", "unverified") for state in machine.models.values()):
        found.append("no model is here: heron models pull smollm2-135m")
    for name, state in machine.models.items():
        if state == "damaged":
            found.append(f"{name} is damaged: heron models pull {name} --force")
    if not machine.energy.readable:
        found.append("energy cannot be measured, so its figures will be null")
    if not any(machine.keys.values()):
        found.append("no API key is set: executors gguf:NAME work, litellm:MODEL needs a key")
    return tuple(found)


def _about_speed(machine: Machine) -> list[str]:
    flags, found = machine.processor.flags, []
    if platform.machine() in ("x86_64", "AMD64") and "avx2" not in flags and flags:
        found.append("the processor has no AVX2: llama.cpp falls back to much slower kernels")
    missing = [
        flag
        for flag, name in _BUILT_WITH.items()
        if flag in flags and not machine.llama.built_with(name)
    ]
    if missing and machine.llama.error is None:
        found.append(
            f"llama.cpp was built without {', '.join(missing)}, which this processor has; "
            f"build it here: {REBUILD}"
        )
    if machine.load[0] > machine.cores_usable / 2:
        found.append(
            f"other work is running (load {machine.load[0]:.1f} on {machine.cores_usable} cores): "
            f"times measured now may be too long"
        )
    quota = machine.limits.cpus
    if quota is not None and quota < machine.cores_usable:
        found.append(f"the control group grants {quota:g} of {machine.cores_usable} cores")
    return found


def _about_room(machine: Machine) -> list[str]:
    found = []
    room = min(machine.memory_available, machine.limits.memory or machine.memory_available)
    if room < 2 * CATALOG[-1].bytes:
        found.append(f"{room / 1e9:.1f} GB of memory are free: keep to the smaller models")
    missing = [entry for entry in CATALOG if machine.models[entry.name] in ("absent", "partial")]
    if missing and machine.disk_free is not None and machine.disk_free < 2 * missing[0].bytes:
        found.append(f"{machine.disk_free / 1e9:.1f} GB of disk are free at {machine.store}")
    return found


def usable_cores() -> int:
    """Logical processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _disk_free(place: Path) -> int | None:
    for folder in (place, *place.absolute().parents):
        if folder.exists():
            return shutil.disk_usage(folder).free
    return None
