"""One append-only sequence in llama.cpp's memory, and the logits of its last position.

Tokens are evaluated once and kept; going back removes them from the memory again. There is no
buffer of scores and no ``logits_all``: only the last position of an append is asked for. What it
does not know: what the tokens mean, turns, chats.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal, cast

import llama_cpp.llama_cpp as c
import numpy as np
from numpy.typing import NDArray

from heron.errors import InputError, ModelFault
from heron.models.hidden import LastHidden
from heron.models.llama_lib import LlamaModel, LogMark

FlashAttention = Literal["on", "off", "auto"]

_FLASH: Final[dict[FlashAttention, int]] = {
    "auto": c.LLAMA_FLASH_ATTN_TYPE_AUTO,
    "off": c.LLAMA_FLASH_ATTN_TYPE_DISABLED,
    "on": c.LLAMA_FLASH_ATTN_TYPE_ENABLED,
}

_REASONS: Final = {1: "no room in the memory", 2: "aborted", -1: "invalid tokens"}
"""What ``llama_decode`` means by its return values."""

MOST_THREADS: Final = 512
"""``GGML_MAX_N_THREADS`` of llama.cpp; with more it crashes."""

Logits = NDArray[np.float32]


class LlamaContext:
    """A sequence of tokens that a model has read.

    Args:
        model: the model; it must outlive the context.
        window: tokens that the memory holds.
        threads: threads of evaluation.
        flash_attention: attention kernel. ``off`` is the faster one for short appends on a CPU.
        batch: tokens handed over at once.
        block: tokens computed at once; it bounds the compute buffer, not the speed.
        hidden: keep the hidden state of the last position, for ``hidden``; it changes no logit.

    Raises:
        InputError: the window is larger than what the model was trained for.
        ModelFault: llama.cpp cannot make the context (out of memory).
    """

    def __init__(
        self,
        model: LlamaModel,
        *,
        window: int,
        threads: int = 1,
        flash_attention: FlashAttention = "off",
        batch: int = 512,
        block: int = 128,
        hidden: bool = False,
    ) -> None:
        if not 1 <= window <= model.trained_window:
            raise InputError(
                f"window of {window} tokens: {model.path.name} was trained for at most "
                f"{model.trained_window}; give a smaller one"
            )
        if not 1 <= threads <= MOST_THREADS:
            raise InputError(f"{threads} threads: give 1 to {MOST_THREADS}")
        self.model = model
        self.window, self.threads = window, threads
        self.flash_attention: FlashAttention = flash_attention
        self.tokens: list[int] = []
        """What the memory holds."""
        self.evaluated = 0
        """Tokens evaluated so far, repeated ones included."""
        self.lowest = 0
        """Shortest length of ``tokens`` since somebody last set it; what lies below was reused."""
        self.evaluated_again = 0
        """Tokens evaluated again because the memory could not go back part of the way."""
        self.batch, self.block = batch, block
        self.kv_types = "f16/f16"
        """Types of keys and values in the memory."""
        self._fresh = False
        self._states = LastHidden(model.width) if hidden else None
        mark = LogMark()
        self.pointer: Any = c.llama_init_from_model(model.pointer, self._params())
        if not self.pointer:
            raise ModelFault(f"{model.path.name}: no context of {window} tokens: {mark.reason()}")
        self.buffers = mark.buffers()
        self._memory: Any = c.llama_get_memory(self.pointer)

    def _params(self) -> Any:
        params = c.llama_context_default_params()
        params.n_ctx = self.window
        params.n_batch, params.n_ubatch = self.batch, self.block
        params.type_k = params.type_v = c.GGML_TYPE_F16
        params.n_seq_max = params.n_outputs_max = 1
        params.n_threads = params.n_threads_batch = self.threads
        params.flash_attn_type = _FLASH[self.flash_attention]
        # A full-size cache for sliding-window layers: without it the memory cannot go back.
        params.swa_full = True
        params.no_perf = True
        if self._states is not None:
            params.cb_eval = self._states.callback
        return params

    @property
    def free(self) -> int:
        """Tokens that still fit."""
        return self.window - len(self.tokens)

    def append(self, tokens: Sequence[int]) -> None:
        """Evaluate ``tokens`` behind what is there.

        Raises:
            ModelFault: they do not fit, or llama.cpp failed; the memory is then as before.
        """
        if len(tokens) > self.free:
            raise ModelFault(f"{len(tokens)} tokens do not fit: {self.free} of {self.window} free")
        before = len(self.tokens)
        for start in range(0, len(tokens), self.batch):
            part = tokens[start : start + self.batch]
            self._decode(part, before)
            self.tokens += part
            self.evaluated += len(part)

    def _decode(self, part: Sequence[int], before: int) -> None:
        array = (c.llama_token * len(part))(*part)
        mark = LogMark()
        result = c.llama_decode(self.pointer, c.llama_batch_get_one(array, len(part)))
        self._fresh = result == 0
        if result != 0:
            why = _REASONS.get(result) or mark.reason()
            del self.tokens[before:]
            if not c.llama_memory_seq_rm(self._memory, 0, before, -1):
                self.clear()
            raise ModelFault(f"evaluation of {len(part)} tokens failed ({result}): {why}")

    def rewind(self, length: int) -> None:
        """Go back to the first ``length`` tokens.

        A memory that cannot go back part of the way (recurrent and hybrid architectures) is
        emptied and evaluates them again, which ``evaluated_again`` counts.
        """
        if length >= len(self.tokens):
            return
        self._fresh = False
        self.lowest = min(self.lowest, length)
        kept = self.tokens[:length]
        if length and c.llama_memory_seq_rm(self._memory, 0, length, -1):
            self.tokens = kept
            return
        self.clear()
        if kept:
            self.append(kept)
            self.evaluated_again += len(kept)

    def clear(self) -> None:
        """Forget everything."""
        c.llama_memory_clear(self._memory, False)
        self.tokens, self.lowest, self._fresh = [], 0, False

    def state_bytes(self) -> int:
        """About the size of the file that ``save`` would write."""
        return int(c.llama_state_seq_get_size(self.pointer, 0))

    def save(self, path: Path) -> int:
        """Write what the memory holds to a file; returns its size in bytes.

        Raises:
            ModelFault: llama.cpp could not write it.
        """
        mark = LogMark()
        array = (c.llama_token * len(self.tokens))(*self.tokens)
        size = c.llama_state_seq_save_file(
            self.pointer, str(path).encode(), 0, array, len(self.tokens)
        )
        if not size:
            raise ModelFault(f"{path}: the state could not be written: {mark.reason()}")
        return int(size)

    def load(self, path: Path, tokens: Sequence[int]) -> bool:
        """Forget everything and fill the memory from a file that ``save`` wrote.

        There are no logits then: the next append gives some. llama.cpp trusts the file, so its
        bytes have to be known to be sound.

        Args:
            path: the file.
            tokens: what it should hold.

        Returns:
            whether it was loaded; if not, the memory is empty.
        """
        self.clear()
        found = (c.llama_token * max(1, len(tokens)))()
        count = ctypes.c_size_t(0)
        size = c.llama_state_seq_load_file(
            self.pointer, str(path).encode(), 0, found, len(tokens), ctypes.byref(count)
        )
        if not size or list(found[: count.value]) != list(tokens):
            self.clear()
            return False
        self.tokens, self.lowest = list(tokens), len(tokens)
        return True

    def logits(self) -> Logits:
        """Logits over the vocabulary at the last position: a view, valid until the next append.

        Raises:
            ModelFault: nothing was evaluated since the last change, or the logits are no numbers.
        """
        if not self._fresh:
            raise ModelFault("there are no logits: nothing was evaluated since the context changed")
        row = c.llama_get_logits_ith(self.pointer, -1)
        if not row:
            raise ModelFault("llama.cpp gives no logits for the last position")
        values = cast(Logits, np.ctypeslib.as_array(row, shape=(self.model.n_vocab,)))
        # The sum is not a number as soon as one value is none, and finds infinities as well.
        if not np.isfinite(values.sum(dtype=np.float64)):
            raise ModelFault("the logits at the last position are not numbers")
        return values

    def hidden(self) -> NDArray[np.float32]:
        """Hidden state at the last position, behind the final norm: a copy.

        Raises:
            InputError: the context was made without ``hidden``.
            ModelFault: nothing was evaluated since the last change.
        """
        if self._states is None:
            raise InputError("the context keeps no hidden states: make it with hidden=True")
        if not self._fresh or self._states.last is None:
            raise ModelFault("there is no hidden state: nothing was evaluated since a change")
        return self._states.last

    def close(self) -> None:
        """Free the memory; the context must not be used any more."""
        if self.pointer:
            c.llama_free(self.pointer)
            self.pointer = None
