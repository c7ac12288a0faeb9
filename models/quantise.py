"""Writes a GGUF file in another type; a program of its own (see ``tune``), so that it can be ended.

    python -m heron.models.quantise FROM TO TYPE THREADS

The same input gives the same bytes, with any number of threads. What it does not know: which type
is wanted, and why.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import llama_cpp.llama_cpp as c

from heron.models.llama_lib import LogMark, start_library

_FILE_TYPES: Final = {
    "q4_0": c.LLAMA_FTYPE_MOSTLY_Q4_0,
    "q8_0": c.LLAMA_FTYPE_MOSTLY_Q8_0,
}


def main(arguments: Sequence[str]) -> int:
    """Do it; the reason of a failure goes to stderr."""
    source, target, kind, threads = arguments
    start_library()
    params = c.llama_model_quantize_default_params()
    params.ftype = _FILE_TYPES[kind]
    params.nthread = int(threads)
    params.allow_requantize = True
    mark = LogMark()
    failed = c.llama_model_quantize(source.encode(), target.encode(), params)
    if failed:
        sys.stderr.write(mark.reason() + "\n")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
