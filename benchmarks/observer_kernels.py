"""Kernels for ``observer.py``: attention and types of weights, on the same short appends.

What it does not know: which type suits the processor; ``heron.models.tuned_type`` says so.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from observer_costs import WINDOW, clocks
from observer_rows import Row, Samples, missing
from observer_stream import actions

from heron.errors import HeronError
from heron.models.dialogue_tokens import DialogueTokens
from heron.models.gguf_file import check_gguf
from heron.models.llama_context import FlashAttention, LlamaContext
from heron.models.llama_lib import LlamaModel
from heron.models.machine_files import features
from heron.models.store import TUNED_TYPES, resolve
from heron.models.tuned_type import choose
from heron.observer.encode import Told, encode
from heron.observer.prompt import prompt

ATTENTION: Final[tuple[FlashAttention, ...]] = ("off", "on")
IN_USE: Final[FlashAttention] = "off"
NEAR: Final = 1.05
"""Kernels within this factor of the fastest are told apart by nothing but the busy machine."""
APPENDS: Final = 3
DELTA: Final = 25


class _Kernel(NamedTuple):
    name: str
    context: LlamaContext


def kernel_rows(
    spec: str, model: LlamaModel, rounds: int, *, history: int = 800, types: bool = True
) -> list[Row]:
    """Short appends with each kernel, in turn.

    Args:
        spec: how the model was named.
        model: it.
        rounds: of all kernels.
        history: tokens that are there before.
        types: also the files that were tuned for this processor, where they are.
    """
    chosen = choose(check_gguf(model.path), features())
    files = {"as it is": model}
    for kind in TUNED_TYPES if types else ():
        try:
            files[kind] = LlamaModel(resolve(f"{spec}@{kind}"))
        except HeronError:
            continue
    kernels = [
        _Kernel(f"{name}, flash {flash}", LlamaContext(file, window=WINDOW, flash_attention=flash))
        for name, file in files.items()
        for flash in ATTENTION
    ]
    samples = _measured(kernels, rounds, history)
    for kernel in kernels:
        kernel.context.close()
    for name, file in files.items():
        if name != "as it is":
            file.close()
    ms = {kernel.name: 1000 * samples.median(kernel.name) for kernel in kernels}
    # Where the rule names a type that was not made here, nothing can be said of it.
    rule = "as it is" if chosen.type is None else str(chosen.type)
    ruled = f"{rule}, flash {IN_USE}"
    attention = Row(
        name=f"flash {IN_USE} (in use) / fastest attention, same file",
        cpu=ms[f"as it is, flash {IN_USE}"] / min(ms[f"as it is, flash {f}"] for f in ATTENTION),
        at_most=NEAR,
        parts={"history": history} | {f"{name} ms": value for name, value in ms.items()},
    )
    name = "kernel by rule (tune-for-cpu) / fastest of all"
    if not types:
        return [attention, missing(name, "types are left out with --quick")]
    if ruled not in ms:
        return [attention, missing(name, f"make it first: heron models tune-for-cpu {spec}")]
    fastest = min(ms, key=lambda key: ms[key])
    told = f"by rule: {ruled}; fastest: {fastest}; the file as it is: "
    as_it_is = ms[f"as it is, flash {IN_USE}"] / ms[fastest]
    return [
        attention,
        Row(
            name=name,
            cpu=ms[ruled] / ms[fastest],
            at_most=NEAR,
            reason=f"{told}{as_it_is:.2f} × the fastest",
        ),
    ]


def _measured(kernels: list[_Kernel], rounds: int, history: int) -> Samples:
    """Seconds of appending an observation's length to the history, by the kernel's name."""
    samples = Samples()
    tokens = _tokens(kernels[0].context.model, history + DELTA)
    delta = tokens[history:]
    for kernel in kernels:
        kernel.context.append(tokens[:history])
    for _ in range(rounds * APPENDS):
        for kernel in kernels:
            kernel.context.rewind(history)
            begun = clocks()
            kernel.context.append(delta)
            kernel.context.logits()
            samples.add(kernel.name, clocks() - begun, len(delta))
    return samples


def _tokens(model: LlamaModel, length: int) -> list[int]:
    """A prompt and observations behind it."""
    writer = DialogueTokens(model)
    dialogue = writer.dialogue()
    tokens = writer.encode(dialogue.begin(prompt().system, prompt().examples), at_start=True)
    told, stream = Told(), actions()
    while len(tokens) < length:
        text, told = encode(next(stream), told)
        tokens += writer.encode(dialogue.user(text))
        tokens += writer.content(dialogue.lead + "wait")
        tokens += writer.encode(dialogue.close())
        dialogue.lead = ""
    return tokens[:length]
