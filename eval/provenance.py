"""What played a run: Heron's version, code and git state, libraries, device and model files.

Nothing in it names a host or a user: a path below the home folder begins with ``~``. What it does
not know: what was measured.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path

import psutil

import heron
from heron.contracts import EpisodeConfig, Record
from heron.errors import InputError
from heron.models import store
from heron.models.machine import usable_cores
from heron.models.machine_files import features, limits
from heron.observer.calibration import find_calibration
from heron.observer.registry import NEEDS_MODEL, TUNED
from heron.observer.setup import model_of
from heron.registry import split_spec

DISTRIBUTION = "heron-observer"
SOURCES = (".py", ".json", ".yaml")
LEFT_OUT = ("cli", "eval/reporting", "scenarios/data")
"""What cannot change how an episode is played, and scenarios, which have hashes of their own."""


class Git(Record):
    """The state of Heron's own checkout."""

    commit: str | None = None
    dirty: bool | None = None
    """Whether tracked files differ from the commit."""
    reason: str | None = None
    """Why nothing is known."""


class Device(Record):
    """The machine, without its name. Sizes in bytes."""

    processor: str
    flags: tuple[str, ...]
    """Features that llama.cpp has kernels for."""
    cores: int | None
    cores_usable: int
    memory: int
    cpu_limit: float | None
    """Of the control group; ``None``: no limit."""
    memory_limit: int | None
    system: str
    """Kernel and its release."""


class ModelFile(Record):
    """A file that a part was made with."""

    name: str
    """As it was asked for."""
    bytes: int
    sha256: str


class Provenance(Record):
    """One session of a run: the first one, or one that went on with it."""

    command: str
    started: str
    """UTC, ISO 8601."""
    heron: str
    """Version of the package."""
    code: str
    """See ``code_version``."""
    git: Git
    python: str
    libraries: dict[str, str]
    """Distribution → version, of those that Heron asks for and that are here."""
    device: Device
    models: dict[str, ModelFile]
    """Role (observer, executor, user, calibration) → its file."""


def provenance(command: Sequence[str], config: EpisodeConfig | None = None) -> Provenance:
    """Of this process, now.

    Args:
        command: the words of the command line.
        config: names the models.

    Raises:
        InputError: a model's file is not here.
    """
    return Provenance(
        command=without_home(shlex.join(command)),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        heron=heron.__version__,
        code=code_version(),
        git=git_state(),
        python=platform.python_version(),
        libraries=libraries(),
        device=device(),
        models={} if config is None else model_files(config),
    )


# --- the code -----------------------------------------------------------------------------------


@cache
def code_version() -> str:
    """Version and the first 12 digits of a sha256 over the sources: ``0.1.0+3f9c…``.

    Sources are the package's modules and data files but those that only show results, and the
    scenarios. A checkout and a wheel of the same content have the same.
    """
    root = Path(heron.__path__[0])
    digest = hashlib.sha256()
    for name, file in sorted(_sources(root)):
        content = file.read_bytes()
        digest.update(f"{name}\x00{len(content)}\x00".encode() + content)
    return f"{heron.__version__}+{digest.hexdigest()[:12]}"


def _sources(root: Path) -> Iterator[tuple[str, Path]]:
    # In a checkout the rooms are links; they hold no links themselves.
    for folder, below, files in os.walk(root, followlinks=True):
        here = Path(folder)
        kept = [name for name in below if not name.startswith(("_", "."))]
        below[:] = [n for n in kept if (here / n).relative_to(root).as_posix() not in LEFT_OUT]
        for name in files:
            if name.endswith(SOURCES):
                yield (here / name).relative_to(root).as_posix(), here / name


@cache
def git_state() -> Git:
    """Of the checkout that this code runs from, whatever the working folder; none if installed."""
    package = Path(heron.__file__).resolve()
    root = package.parents[2]
    if package.relative_to(root).parts[:2] != ("src", "heron") or not (root / ".git").exists():
        return Git(reason="not run from a checkout")
    try:
        commit = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.SubprocessError) as error:
        return Git(reason=f"git does not tell: {type(error).__name__}")
    return Git(commit=commit, dirty=bool(changed))


def _git(root: Path, *arguments: str) -> str:
    # Without the user's settings, and without a lock that another git would have to wait for.
    return subprocess.run(
        ["git", "--no-optional-locks", "-C", str(root), *arguments],
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    ).stdout.strip()


def libraries() -> dict[str, str]:
    """The distributions that Heron asks for, those of its extras included, where they are here."""
    try:
        wanted = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return {}
    names = sorted({re.split(r"[^\w.-]", line, maxsplit=1)[0].lower() for line in wanted})
    found = {}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


# --- the machine --------------------------------------------------------------------------------


def device() -> Device:
    """This machine."""
    seen, granted = features(), limits()
    return Device(
        processor=seen.model or platform.machine(),
        flags=seen.flags,
        cores=os.cpu_count(),
        cores_usable=usable_cores(),
        memory=psutil.virtual_memory().total,
        cpu_limit=granted.cpus,
        memory_limit=granted.memory,
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
    )


def without_home(text: str) -> str:
    """``text`` with ``~`` in place of the user's home folder."""
    home = str(Path.home())
    return text if home == "/" else re.sub(rf"{re.escape(home)}(?![\w.-])", "~", text)


# --- the models ---------------------------------------------------------------------------------


def model_files(config: EpisodeConfig) -> dict[str, ModelFile]:
    """Role → its file, for the parts of a configuration that have one on this machine.

    A model is hashed once; after that its seal is believed while size and time stay the same.

    Raises:
        InputError: a model is not here.
    """
    return dict(_files(config))


def model_hashes(files: Mapping[str, ModelFile]) -> dict[str, str]:
    """Role → sha256."""
    return {role: file.sha256 for role, file in files.items()}


def _files(config: EpisodeConfig) -> Iterator[tuple[str, ModelFile]]:
    name, argument = split_spec(config.observer)
    if name in NEEDS_MODEL and argument:
        model = model_of(argument)
        path = store.resolve(model)
        yield "observer", _described(model, path, store.sealed_sha256(path))
        if name in TUNED and (file := _calibration(argument, path.parent)) is not None:
            yield "calibration", _described(file.name, file, store.sha256_of(file))
    for role, spec in (("executor", config.executor), ("user", config.user)):
        name, argument = split_spec(spec)
        model = argument.partition("#")[0]
        if name == "gguf" and model:
            path = store.resolve(model)
            yield role, _described(model, path, store.sealed_sha256(path))


def _calibration(argument: str, folder: Path) -> Path | None:
    """The file that a tuned observer will read; it tells itself if there is none."""
    named = re.search(r"[?&]calibration=([^&]+)", argument)
    with suppress(InputError):
        file = (
            Path(named[1]).expanduser() if named else find_calibration(model_of(argument), folder)
        )
        return file if file.is_file() else None
    return None


def _described(name: str, path: Path, sha256: str) -> ModelFile:
    return ModelFile(name=without_home(name), bytes=path.stat().st_size, sha256=sha256)
