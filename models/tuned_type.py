"""Chooses the type of weights that llama.cpp has a fast kernel for on a processor.

By the processor's features and the file's own types, never by a stopwatch, so that two runs on one
machine choose the same and scores do not depend on a busy moment. What it does not know: how fast
anything is, and how a file is made (see ``tune``).
"""

from __future__ import annotations

from typing import Final, Literal

from heron.contracts import Record
from heron.models.gguf_file import GgufInfo
from heron.models.machine_files import Features

TunedType = Literal["q4_0", "q8_0"]

SMALL: Final = 300_000_000
"""Parameters below which 8 bits are kept: 4-bit rounding costs the smallest models the most, and at
8 bits they still take little memory."""
ENOUGH: Final = 0.8
"""Share of the layers' values in fast types from which there is nothing to gain."""

_X86_KERNELS: Final = frozenset({"Q4_0", "Q4_K", "IQ4_NL", "MXFP4", "Q8_0"})
_ARM_KERNELS: Final = _X86_KERNELS | {"Q5_K", "Q6_K"}
"""Types of which llama.cpp multiplies several rows at once: repacked ones, and Q8_0, whose blocks
are numbers already. Source: ``ggml-cpu/repack.cpp`` and ``llamafile/sgemm.cpp`` of llama.cpp."""
_ARM_FEATURES: Final = ("i8mm", "asimddp", "sve2", "sve")


class Choice(Record):
    """What suits this processor."""

    type: TunedType | None
    """``None``: nothing is to be gained."""
    why: str


def choose(info: GgufInfo, processor: Features) -> Choice:
    """The type for a file on a processor, by rule."""
    kernels, reason = _kernels(processor)
    if not kernels:
        return Choice(type=None, why=reason)
    total = sum(info.types.values())
    fast = sum(count for kind, count in info.types.items() if kind in kernels)
    shares = ", ".join(
        f"{count / total:.0%} {kind}"
        for kind, count in sorted(info.types.items(), key=lambda row: -row[1])
    )
    if total and fast / total >= ENOUGH:
        return Choice(type=None, why=f"{reason}, and the layers are in them already ({shares})")
    kind: TunedType = "q8_0" if info.parameters < SMALL else "q4_0"
    size = f"{info.parameters / 1e6:,.0f} M parameters"
    kept = "small enough to keep 8 bits" if kind == "q8_0" else "large enough for 4 bits"
    return Choice(type=kind, why=f"{reason}; the layers are {shares}; {size}: {kept}")


def _kernels(processor: Features) -> tuple[frozenset[str], str]:
    """Types with a fast kernel, and how that is known."""
    if "avx2" in processor.flags:
        return _X86_KERNELS, f"AVX2 has kernels for {', '.join(sorted(_X86_KERNELS))}"
    arm = [flag for flag in _ARM_FEATURES if flag in processor.flags]
    if arm:
        return _ARM_KERNELS, f"Arm's {arm[0]} has kernels for {', '.join(sorted(_ARM_KERNELS))}"
    why = processor.reason or "it has neither AVX2 nor Arm's dot products"
    return frozenset(), f"no type has a fast kernel on this processor: {why}"
