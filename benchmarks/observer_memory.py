"""Memory for ``observer.py``: what an observer's process takes beyond what llama.cpp reports.

The process is the one that a benchmark run starts, with its pipe. What it does not know: what the
bytes are used for.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Final

from observer_rows import Row, missing
from observer_stream import mixed

from heron.eval.observers import ProcessObserver

TURNS: Final = 12
MEGA: Final = 1e6
_IMPORTS: Final = """\
import os
import heron.eval.workers.observer, heron.observer.gguf
from heron.models.meter import memory_of
found = memory_of(os.getpid())
print((found.anonymous or 0) + (found.file_backed or 0))
"""
_WRITING: Final = """\
import sys
from heron.models.decision import load_decision_model
from heron.observer.schemas import proposal_schema
def beyond():
    total, counted = 0, True
    for line in open("/proc/self/smaps"):
        first = line.split()[0]
        if not first.endswith(":"):
            counted = not line.endswith(".gguf\\n")
        elif counted and first == "Rss:":
            total += int(line.split()[1]) * 1024
    return total
model = load_decision_model(sys.argv[1], window=512)
model.begin("You watch a phone.", [])
model.extend("email m1 Can we move the review to Friday at ten?")
model.option_logprobs(("wait", "look", "propose"))
before = beyond()
try:
    model.generate(proposal_schema(("m1",), ("email.send_email",)), opening="propose ")
finally:
    print(beyond() - before)
"""


def memory_row(spec: str, folder: Path, *, window: int = 1536) -> Row:
    """All resident memory, less the model file's pages and llama.cpp's buffers.

    Args:
        spec: the model.
        folder: for the saved prefix.
        window: tokens of context. A small one, since llama.cpp reserves for a full window and the
            pages that were not touched yet would be taken off without being there.
    """
    name = "memory of the process beyond llama.cpp's buffers"
    observer = ProcessObserver(f"gguf:{spec}", window=window, prefixes=str(folder))
    try:
        observer.begin(None, 0)
        written = 0
        for observation in islice(mixed(), TURNS):
            _, cost = observer.observe(observation)
            written += cost.generated or 0
        memory, pid, info = observer.memory(), observer.pid, observer.info
        if memory.anonymous is None or memory.file_backed is None or pid is None:
            return missing(name, memory.reason or "the process has ended")
        mapped = _mapped(pid, ".gguf")
    finally:
        observer.close()
    resident = memory.anonymous + memory.file_backed
    # The grammars' vocabulary is read at the first text.
    writing = 0 if written else _said(_WRITING, spec)
    reported = [info.get(part) or 0 for part in ("repacked", "kv", "compute")]
    return Row(
        name=name,
        cpu=(resident + writing - mapped - sum(reported)) / MEGA,
        at_most=80,
        unit="MB",
        parts={
            "resident": resident / MEGA,
            "model file": mapped / MEGA,
            "repacked": reported[0] / MEGA,
            "KV": reported[1] / MEGA,
            "compute": reported[2] / MEGA,
            "imports alone": _said(_IMPORTS) / MEGA,
            "first text": writing / MEGA,
        },
        reason="" if written else "it wrote no text: what a first one adds is from another process",
    )


def _mapped(pid: int, ending: str) -> int:
    """Resident bytes of mapped files whose names end so."""
    total, counted = 0, False
    for line in Path(f"/proc/{pid}/smaps").read_text(encoding="utf-8").splitlines():
        first, _, rest = line.partition(" ")
        if not first.endswith(":"):
            counted = rest.endswith(ending)
        elif counted and first == "Rss:":
            total += int(rest.split()[0]) * 1024
    return total


def _said(script: str, *arguments: str) -> int:
    """What a process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], check=True, capture_output=True, text=True
    )
    return int(done.stdout)
