"""Gathers what the values of an evaluated prefix depend on. What it does not know: files."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import llama_cpp

from heron.models import store
from heron.models.llama_context import LlamaContext
from heron.models.llama_lib import library_text
from heron.models.machine_files import features
from heron.models.prefixes import PrefixKey


def prefix_key(context: LlamaContext, tokens: Sequence[int]) -> PrefixKey:
    """The key of ``tokens`` in ``context``. A model that was never hashed is hashed now.

    Raises:
        ModelFileError: the model file cannot be read.
    """
    model = context.model
    numbers = array("i", tokens)
    return PrefixKey(
        model=store.sealed_sha256(model.path),
        quantisation=model.quantisation,
        prompt=hashlib.sha256(numbers.tobytes()).hexdigest(),
        length=len(tokens),
        window=context.window,
        flash_attention=context.flash_attention,
        kv_types=context.kv_types,
        batch=context.batch,
        block=context.block,
        library=library_text(),
        build=_build_digest(),
        processor=features().flags,
    )


@cache
def _build_digest() -> str:
    """Two builds of one version may round differently, so the libraries themselves are hashed."""
    folder = Path(llama_cpp.__file__).parent / "lib"
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.suffix in (".so", ".dylib", ".dll"):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
