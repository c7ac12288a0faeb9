"""Reads the header of a GGUF file and says whether the file can be what it claims to be.

llama.cpp is C and may end the process on a file that is truncated or no GGUF at all; this check
goes first and fails with one line. Every length in the header is compared with what is left of
the file before it is used, so that garbage ends in ``ModelFileError``, never in a huge allocation.
Source of the format: the GGUF specification (versions 2 and 3, little-endian). What it does not
know: whether the weights make sense; only a checksum can tell.
"""

from __future__ import annotations

import math
import mmap
import stat
import struct
from pathlib import Path
from typing import Final

from pydantic import Field

from heron.contracts import Record
from heron.errors import ModelFileError

_SCALARS: Final = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}  # fmt: skip
"""GGUF's types of numbers, as ``struct`` names them."""
_STRING, _ARRAY = 8, 9

_TENSOR_TYPES: Final = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    9: (32, 36), 10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210),
    15: (256, 292), 16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18),
    21: (256, 110), 22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8),
    28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17), 40: (64, 36),
    41: (128, 18), 42: (64, 18),
}  # fmt: skip
"""ggml's tensor types: values per block, bytes per block."""

_FILE_TYPES: Final = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K",
    11: "Q3_K_S", 12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S",
    17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS",
    23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M",
    30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4", 39: "NVFP4",
    40: "Q1_0", 41: "Q2_0",
}  # fmt: skip
"""llama.cpp's ``general.file_type``."""

_TENSOR_NAMES: Final = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 6: "Q5_0", 7: "Q5_1", 8: "Q8_0", 10: "Q2_K",
    11: "Q3_K", 12: "Q4_K", 13: "Q5_K", 14: "Q6_K", 16: "IQ2_XXS", 17: "IQ2_XS", 18: "IQ3_XXS",
    19: "IQ1_S", 20: "IQ4_NL", 21: "IQ3_S", 22: "IQ2_S", 23: "IQ4_XS", 29: "IQ1_M", 30: "BF16",
    39: "MXFP4",
}  # fmt: skip

Value = int | float | str


class GgufInfo(Record):
    """What a GGUF header says. ``None``: the header does not say."""

    path: Path
    bytes: int
    """Size of the file."""
    version: int
    kind: str
    """``model``, ``adapter`` (a LoRA), …"""
    architecture: str
    name: str | None
    file_type: str | None
    """Quantisation of most tensors."""
    context_length: int | None
    """Tokens that the model was trained for."""
    vocab_size: int | None
    chat_template: bool
    tensor_count: int
    parameters: int
    """Values in all tensors."""
    types: dict[str, int] = Field(default_factory=dict)
    """Values of the layers, embeddings left out, by the type that their tensor is stored in."""
    template: str | None = Field(default=None, exclude=True, repr=False)
    """The chat template's text."""


def check_gguf(path: Path) -> GgufInfo:
    """Read the header of ``path`` and check that the file holds all the tensors it lists.

    Raises:
        ModelFileError: not there, not readable, not GGUF, corrupt, or too short for its tensors.
    """
    try:
        with path.open("rb") as file:
            if not stat.S_ISREG(path.stat().st_mode):
                raise ModelFileError(f"{path}: not a file")
            size = path.stat().st_size
            if size < 4 or file.read(4) != b"GGUF":
                raise ModelFileError(f"{path}: not a GGUF file (it does not begin with 'GGUF')")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return _read(path, data, size)
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be read: {error.strerror or error}") from error


def _read(path: Path, data: mmap.mmap, size: int) -> GgufInfo:
    cursor = _Cursor(path, data, size)
    version = cursor.scalar("I")
    if version not in (2, 3):
        swapped = int.from_bytes(int(version).to_bytes(4, "little"), "big")
        what = "big-endian" if swapped in (2, 3) else f"version {version}"
        raise ModelFileError(f"{path}: GGUF {what} is not supported (2 and 3, little-endian, are)")
    tensors, pairs = int(cursor.scalar("Q")), int(cursor.scalar("Q"))
    values, lengths = _metadata(cursor, pairs)
    alignment = _whole(cursor, values, "general.alignment")
    parameters, types = _tensors(cursor, tensors, 32 if alignment is None else alignment)
    architecture = values.get("general.architecture")
    if not isinstance(architecture, str) or not architecture:
        raise cursor.corrupt("it names no architecture")
    template = values.get("tokenizer.chat_template")
    name, file_type = values.get("general.name"), _whole(cursor, values, "general.file_type")
    return GgufInfo(
        path=path,
        bytes=size,
        version=int(version),
        kind=str(values.get("general.type", "model")),
        architecture=architecture,
        name=None if name is None else str(name),
        file_type=None if file_type is None else _FILE_TYPES.get(file_type, str(file_type)),
        context_length=_whole(cursor, values, f"{architecture}.context_length"),
        vocab_size=lengths.get("tokenizer.ggml.tokens")
        or _whole(cursor, values, f"{architecture}.vocab_size"),
        chat_template=template is not None,
        tensor_count=tensors,
        parameters=parameters,
        types=types,
        template=None if template is None else str(template),
    )


def _whole(cursor: _Cursor, values: dict[str, Value], key: str) -> int | None:
    """The whole number under ``key``, if it is there."""
    value = values.get(key)
    if value is None or isinstance(value, int):
        return value
    raise cursor.corrupt(f"{key} is {value!r}, not a whole number")


def _metadata(cursor: _Cursor, pairs: int) -> tuple[dict[str, Value], dict[str, int]]:
    """The scalar values by key, and the lengths of the arrays by key."""
    values: dict[str, Value] = {}
    lengths: dict[str, int] = {}
    for _ in range(pairs):
        key = cursor.text()
        kind = int(cursor.scalar("I"))
        if kind == _ARRAY:
            lengths[key] = _skip_array(cursor)
        elif kind == _STRING:
            values[key] = cursor.text()
        elif kind in _SCALARS:
            values[key] = cursor.scalar(_SCALARS[kind])
        else:
            raise cursor.corrupt(f"key {key!r} has the unknown type {kind}")
    return values, lengths


def _skip_array(cursor: _Cursor) -> int:
    kind, length = int(cursor.scalar("I")), int(cursor.scalar("Q"))
    if kind == _STRING:
        cursor.skip_texts(length)
    elif kind in _SCALARS:
        cursor.skip(length * struct.calcsize(f"<{_SCALARS[kind]}"))
    else:
        raise cursor.corrupt(f"an array holds the unknown type {kind}")
    return length


def _tensors(cursor: _Cursor, count: int, alignment: int) -> tuple[int, dict[str, int]]:
    """Check that the file holds every tensor; returns the values in all, and by type in layers."""
    if alignment <= 0 or alignment & (alignment - 1):
        raise cursor.corrupt(f"its alignment is {alignment}, not a power of two")
    types: dict[str, int] = {}
    parameters, end = 0, 0
    for _ in range(count):
        name = cursor.text()
        dimensions = int(cursor.scalar("I"))
        if not 1 <= dimensions <= 4:
            raise cursor.corrupt(f"tensor {name!r} has {dimensions} dimensions")
        shape = [int(cursor.scalar("Q")) for _ in range(dimensions)]
        kind, offset = int(cursor.scalar("I")), int(cursor.scalar("Q"))
        elements = math.prod(shape)
        block, block_bytes = _TENSOR_TYPES.get(kind, (1, 0))
        if shape[0] % block or offset % alignment:
            raise cursor.corrupt(f"tensor {name!r} has an impossible shape or place")
        parameters += elements
        if name.startswith("blk.") and dimensions > 1:
            kept_as = _TENSOR_NAMES.get(kind, str(kind))
            types[kept_as] = types.get(kept_as, 0) + elements
        end = max(end, offset + elements // block * block_bytes)
    start = -(-cursor.at // alignment) * alignment
    if count and start + end > cursor.size:
        raise ModelFileError(
            f"{cursor.path}: truncated: {cursor.size:,} bytes, but its tensors need "
            f"{start + end:,}; fetch it again"
        )
    return parameters, types


class _Cursor:
    """A place in the header. Every step is checked against the end of the file."""

    def __init__(self, path: Path, data: mmap.mmap, size: int) -> None:
        self.path, self.data, self.size, self.at = path, data, size, 4

    def corrupt(self, why: str) -> ModelFileError:
        return ModelFileError(f"{self.path}: corrupt GGUF header: {why}")

    def skip(self, length: int) -> int:
        """Move on by ``length`` bytes; returns where they begin."""
        begin, self.at = self.at, self.at + length
        if self.at > self.size:
            raise ModelFileError(
                f"{self.path}: truncated or corrupt: the header goes beyond the end"
            )
        return begin

    def scalar(self, code: str) -> int | float:
        layout = struct.Struct(f"<{code}")
        number: int | float = layout.unpack_from(self.data, self.skip(layout.size))[0]
        return number

    def text(self) -> str:
        length = int(self.scalar("Q"))
        begin = self.skip(length)
        return self.data[begin : begin + length].decode("utf-8", "replace")

    def skip_texts(self, count: int) -> None:
        """Pass over ``count`` strings; a vocabulary has a quarter of a million of them."""
        unpack, data, at = struct.Struct("<Q").unpack_from, self.data, self.at
        last = self.size - 8
        for _ in range(count):
            if at > last:
                break
            at += 8 + unpack(data, at)[0]
        else:
            self.at = at
            self.skip(0)
            return
        self.skip(self.size)
