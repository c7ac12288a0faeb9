"""Writes a GGUF file with random weights: a fake model of 500 KB that llama.cpp really loads.

It makes no sense, but it tokenises, evaluates, repeats itself to the bit and is held to grammars
like any other, so that everything local can be tested without weights. The vocabulary is of
SentencePiece's kind: one token per byte, one per printable ASCII character, control tokens of
ChatML, and ``[TURN]``, which is found in any text, as some vocabularies do with their markers. What
it does not know: language.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

CHATML: Final = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)

_CONTROLS: Final = ("<s>", "</s>", "<|im_start|>", "<|im_end|>")
_NORMAL, _UNKNOWN, _CONTROL, _USERS_OWN, _BYTE = 1, 2, 3, 4, 6
_ALIGNMENT: Final = 32
_WIDTH, _HEADS, _HIDDEN, _LAYERS = 64, 2, 96, 2

Value = str | int | float | bool | Sequence[str] | Sequence[int] | Sequence[float]


def write_tiny_gguf(
    path: Path,
    *,
    seed: int = 0,
    chat_template: str | None = CHATML,
    space_prefix: bool = False,
    trained_window: int = 2048,
    broken: bool = False,
) -> Path:
    """Write the fake.

    Args:
        path: the file; written over if it is there.
        seed: of the weights.
        chat_template: the Jinja text in the file, or None for none.
        space_prefix: the tokenizer puts a space before every text.
        trained_window: tokens that it claims to be trained for.
        broken: one weight is not a number, so that no logit is one.

    Returns:
        ``path``.
    """
    tokens, kinds = _vocabulary()
    values: dict[str, Value] = {
        "general.architecture": "llama",
        "general.name": "Tiny fake",
        "general.file_type": 0,
        "llama.context_length": trained_window,
        "llama.embedding_length": _WIDTH,
        "llama.block_count": _LAYERS,
        "llama.feed_forward_length": _HIDDEN,
        "llama.attention.head_count": _HEADS,
        "llama.attention.head_count_kv": _HEADS,
        "llama.rope.dimension_count": _WIDTH // _HEADS,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.vocab_size": len(tokens),
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": [-float(place) for place in range(len(tokens))],
        "tokenizer.ggml.token_type": kinds,
        "tokenizer.ggml.bos_token_id": tokens.index("<s>"),
        "tokenizer.ggml.eos_token_id": tokens.index("<|im_end|>"),
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.ggml.add_bos_token": True,
        "tokenizer.ggml.add_space_prefix": space_prefix,
    }
    if chat_template is not None:
        values["tokenizer.chat_template"] = chat_template
    weights = _weights(len(tokens), seed)
    if broken:
        weights["output_norm.weight"][0] = np.nan
    path.write_bytes(_file(values, weights))
    return path


def _vocabulary() -> tuple[list[str], list[int]]:
    bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
    characters = ["▁", *(chr(code) for code in range(0x21, 0x7F))]
    tokens = ["<unk>", *_CONTROLS, *bytes_, *characters, "[TURN]"]
    kinds = [_UNKNOWN, *[_CONTROL] * len(_CONTROLS), *[_BYTE] * 256, *[_NORMAL] * len(characters)]
    return tokens, [*kinds, _USERS_OWN]


def _weights(vocabulary: int, seed: int) -> dict[str, NDArray[np.float32]]:
    """Tensors by llama.cpp's names; the last axis is the one that is multiplied."""
    random = np.random.default_rng(seed)

    def matrix(rows: int, columns: int) -> NDArray[np.float32]:
        values = random.standard_normal((rows, columns), dtype=np.float32)
        return values / np.float32(columns**0.5)

    def ones() -> NDArray[np.float32]:
        return np.ones(_WIDTH, dtype=np.float32)

    tensors = {"token_embd.weight": matrix(vocabulary, _WIDTH)}
    for layer in range(_LAYERS):
        block = f"blk.{layer}."
        tensors[f"{block}attn_norm.weight"] = ones()
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            tensors[f"{block}{name}.weight"] = matrix(_WIDTH, _WIDTH)
        tensors[f"{block}ffn_norm.weight"] = ones()
        tensors[f"{block}ffn_gate.weight"] = matrix(_HIDDEN, _WIDTH)
        tensors[f"{block}ffn_up.weight"] = matrix(_HIDDEN, _WIDTH)
        tensors[f"{block}ffn_down.weight"] = matrix(_WIDTH, _HIDDEN)
    tensors["output_norm.weight"] = ones()
    tensors["output.weight"] = np.float32(4) * matrix(vocabulary, _WIDTH)
    return tensors


def _file(values: Mapping[str, Value], tensors: Mapping[str, NDArray[np.float32]]) -> bytes:
    """A GGUF file of version 3. Source: the GGUF specification."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(values))
    head += b"".join(_string(key) + _value(value) for key, value in values.items())
    data = b""
    for name, tensor in tensors.items():
        shape = tensor.shape[::-1]  # the format names the fastest axis first
        head += (
            _string(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        )
        head += struct.pack("<IQ", 0, len(data))
        data = _padded(data + tensor.tobytes())
    return _padded(head) + data


def _value(value: Value) -> bytes:
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + _string(value)
    kind, inner = _elements(value)
    return struct.pack("<IIQ", 9, kind, len(inner)) + b"".join(inner)


def _elements(values: Sequence[str] | Sequence[int] | Sequence[float]) -> tuple[int, list[bytes]]:
    """The type of an array's elements, and the elements."""
    if isinstance(values[0], str):
        return 8, [_string(str(one)) for one in values]
    if isinstance(values[0], int):
        return 5, [struct.pack("<i", one) for one in values]
    return 6, [struct.pack("<f", one) for one in values]


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % _ALIGNMENT)
