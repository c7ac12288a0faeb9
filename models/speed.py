"""Tokens per second as llama-bench measures them: a prompt, and tokens one by one.

Random tokens are evaluated in an empty context; tokenising and sampling are left out. What it does
not know: repetitions and statistics.
"""

from __future__ import annotations

import time
from typing import Literal, NamedTuple

import llama_cpp.llama_cpp as c

from heron.errors import InputError
from heron.models.llama_context import LlamaContext
from heron.seeds import stream

Test = Literal["prompt", "decode"]


class Taken(NamedTuple):
    """Of one run, seconds."""

    wall_s: float
    cpu_s: float


def run_test(context: LlamaContext, test: Test, tokens: int) -> Taken:
    """Evaluate ``tokens`` tokens in an empty context: at once, or one after the other.

    Raises:
        InputError: the window does not hold so many.
        ModelFault: llama.cpp failed.
    """
    if not 1 <= tokens <= context.window:
        raise InputError(f"{tokens} tokens do not fit the window of {context.window}")
    random = stream(0, "speed", test, tokens)
    drawn = [random.randrange(context.model.n_vocab) for _ in range(tokens)]
    context.clear()
    wall, cpu = time.perf_counter(), time.process_time()
    if test == "prompt":
        context.append(drawn)
    else:
        for token in drawn:
            context.append([token])
    c.llama_synchronize(context.pointer)
    return Taken(time.perf_counter() - wall, time.process_time() - cpu)
