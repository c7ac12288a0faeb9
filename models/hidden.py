"""The hidden state of the last position, taken from llama.cpp while it computes.

llama.cpp's own switch for embeddings makes every token of a batch an output: each then costs a row
of logits over the vocabulary. Watching the one tensor that the logits are made from costs a look at
each node's name, and leaves the computation as it is. What it does not know: contexts, tokens.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

import llama_cpp.llama_cpp as c
import numpy as np
from llama_cpp._ggml import libggml
from numpy.typing import NDArray

TENSOR: Final = b"result_norm"
"""llama.cpp's name, in all architectures, for what the last layer gives behind the final norm. It
holds the rows that were asked for: that of the last position, or none."""

_name = libggml.ggml_get_name
_name.argtypes, _name.restype = [ctypes.c_void_p], ctypes.c_char_p
_count = libggml.ggml_nelements
_count.argtypes, _count.restype = [ctypes.c_void_p], ctypes.c_int64
_data = libggml.ggml_get_data_f32
_data.argtypes, _data.restype = [ctypes.c_void_p], ctypes.POINTER(ctypes.c_float)


class LastHidden:
    """Keeps the last row that was computed.

    Args:
        width: numbers in a row.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self.last: NDArray[np.float32] | None = None
        """The row; ``None`` as long as there is none."""
        self.callback: Any = c.ggml_backend_sched_eval_callback(self._watch)
        """For ``llama_context_params.cb_eval``; it must outlive the context."""

    def _watch(self, tensor: int, asks: bool, _data_of_user: object) -> bool:
        """Asked before each node whether it is wanted, and told after it if so; yes goes on."""
        if asks:
            return bool(_name(tensor) == TENSOR)
        if _count(tensor) >= self._width:
            rows = np.ctypeslib.as_array(_data(tensor), shape=(_count(tensor),))
            self.last = rows[-self._width :].copy()
        return True
