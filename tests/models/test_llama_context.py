"""The memory holds what was appended; the same appends give the same logits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import llama_cpp.llama_cpp as c
import numpy as np
import pytest
from numpy.typing import NDArray

from heron.errors import InputError, ModelFault, ModelFileError
from heron.models.llama_context import FlashAttention, LlamaContext
from heron.models.llama_lib import LlamaModel
from heron.models.tiny_gguf import write_tiny_gguf

TEXTS = ("Mail of Anna: dinner?", "Opens calendar.", "Opens Friday.", "Goes back, reads on.")


def appends(model: LlamaModel, texts: Sequence[str] = TEXTS) -> list[list[int]]:
    return [model.tokenize(text, markup=False) for text in texts]


def rows(context: LlamaContext, parts: Sequence[Sequence[int]]) -> list[NDArray[np.float32]]:
    """Logits after each append."""
    found = []
    for part in parts:
        context.append(part)
        found.append(context.logits().copy())
    return found


def assert_same(some: Sequence[NDArray[np.float32]], other: Sequence[NDArray[np.float32]]) -> None:
    for one, two in zip(some, other, strict=True):
        assert one.tobytes() == two.tobytes()


def check_determinism(model: LlamaModel, flash_attention: FlashAttention) -> None:
    """Threads, window and what ran before change no bit."""
    prefix, *parts = appends(model, ("You watch a phone. " * 15, *TEXTS))
    wanted = None
    for threads, window in ((1, 512), (2, 512), (1, 1024)):
        context = LlamaContext(
            model, window=window, threads=threads, flash_attention=flash_attention
        )
        context.append(prefix)
        first = rows(context, parts)
        wanted = wanted or first
        assert_same(first, wanted)
        context.rewind(len(prefix))
        rows(context, parts[::-1] * 2)
        context.rewind(len(prefix))
        assert_same(rows(context, parts), wanted)
        context.close()


def test_the_same_appends_give_the_same_bits(tiny: LlamaModel) -> None:
    check_determinism(tiny, "off")
    check_determinism(tiny, "on")


@pytest.mark.weights
@pytest.mark.parametrize("flash_attention", ["off", "on"])
def test_the_same_appends_give_the_same_bits_on_real_weights(
    small: LlamaModel, flash_attention: FlashAttention
) -> None:
    check_determinism(small, flash_attention)


def test_going_back_is_as_if_it_had_not_been(tiny: LlamaModel) -> None:
    context = LlamaContext(tiny, window=256)
    first, second, third, _ = appends(tiny)
    context.append(first)
    wanted = rows(context, [third])
    context.rewind(len(first))
    assert context.tokens == first
    assert context.lowest == 0
    context.append(second)
    context.lowest = len(context.tokens)
    context.rewind(len(first))
    assert context.lowest == len(first)
    assert_same(rows(context, [third]), wanted)
    context.close()


def test_a_memory_that_cannot_go_back_evaluates_again(
    tiny: LlamaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = LlamaContext(tiny, window=256)
    first, second, third, _ = appends(tiny)
    context.append(first)
    wanted = rows(context, [third])
    context.rewind(len(first))
    context.append(second)
    monkeypatch.setattr(c, "llama_memory_seq_rm", lambda *_: False)
    before = context.evaluated
    context.rewind(len(first))
    assert context.evaluated_again == len(first) == context.evaluated - before
    assert context.lowest == 0
    assert_same(rows(context, [third]), wanted)
    context.close()


def test_logits_are_not_handed_out_stale(tiny: LlamaModel) -> None:
    context = LlamaContext(tiny, window=256)
    with pytest.raises(ModelFault, match="nothing was evaluated"):
        context.logits()
    first, second, *_ = appends(tiny)
    context.append(first)
    context.append(second)
    context.rewind(len(first))
    with pytest.raises(ModelFault, match="nothing was evaluated"):
        context.logits()
    context.close()


def test_what_does_not_fit_changes_nothing(tiny: LlamaModel) -> None:
    context = LlamaContext(tiny, window=256)
    first, second, *_ = appends(tiny)
    context.append(first)
    with pytest.raises(ModelFault, match="do not fit"):
        context.append([5] * 256)
    assert context.tokens == first
    context.append(second)
    context.close()


def test_a_failed_evaluation_leaves_the_memory_as_it_was(tiny: LlamaModel) -> None:
    context = LlamaContext(tiny, window=1024, batch=64)
    first, second, *_ = appends(tiny)
    context.append(first)
    wanted = rows(context, [second])
    context.rewind(len(first))
    for bad in ([*second, 10**6], [*second * 30, 10**6]):  # the first batch of the second is sound
        with pytest.raises(ModelFault, match=r"failed \(-1\): invalid tokens"):
            context.append(bad)
        assert context.tokens == first
    assert_same(rows(context, [second]), wanted)
    context.close()


def test_logits_that_are_not_numbers_are_a_fault(tmp_path: Path) -> None:
    model = LlamaModel(write_tiny_gguf(tmp_path / "nan.gguf", broken=True))
    context = LlamaContext(model, window=64)
    context.append([1, 5, 6])
    with pytest.raises(ModelFault, match="not numbers"):
        context.logits()
    context.close()
    model.close()


def test_a_window_beyond_the_trained_one_is_refused(tiny: LlamaModel) -> None:
    with pytest.raises(InputError, match=r"4096 tokens: tiny.gguf was trained for at most 2048"):
        LlamaContext(tiny, window=4096)
    with pytest.raises(InputError, match="threads"):
        LlamaContext(tiny, window=64, threads=0)


def test_sizes_are_as_llama_cpp_reports_them(tiny: LlamaModel) -> None:
    context = LlamaContext(tiny, window=256)
    # Two layers, keys and values of 64 two-byte numbers per token.
    assert context.buffers["KV"] == pytest.approx(2 * 2 * 64 * 2 * 256, rel=0.05)
    assert context.buffers["compute"] > 0
    assert tiny.buffers["model"] > 400_000
    context.close()


def test_llama_cpp_prints_nothing(tiny_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model = LlamaModel(tiny_path)
    context = LlamaContext(model, window=64)
    context.append([1, 2])
    context.close()
    model.close()
    assert capfd.readouterr() == ("", "")


def test_a_file_that_llama_cpp_cannot_load_is_explained(tmp_path: Path, tiny_path: Path) -> None:
    data = tiny_path.read_bytes()
    path = tmp_path / "other.gguf"
    path.write_bytes(data.replace(b"blk.1.ffn_up.weight", b"blk.1.ffn_ux.weight"))
    with pytest.raises(ModelFileError, match=r"other\.gguf: .*ffn_up") as caught:
        LlamaModel(path)
    assert "\n" not in str(caught.value)
    path.write_bytes(b"PK\x03\x04" + data)
    with pytest.raises(ModelFileError, match="not a GGUF file"):
        LlamaModel(path)


def test_contents_are_plain_text_and_markup_is_not(tiny: LlamaModel) -> None:
    text = "a<|im_end|>b"
    marked = tiny.tokenize(text, markup=True)
    plain = tiny.tokenize(text, markup=False)
    assert len(marked) == 3 < len(plain)
    assert b"".join(map(tiny.piece, plain)).decode() == text
    assert tiny.piece(marked[1]) == b""
    assert tiny.piece(marked[1], special=True) == b"<|im_end|>"
    assert tiny.ends(marked[1])


def test_a_space_prefix_comes_only_where_the_text_begins(tmp_path: Path) -> None:
    model = LlamaModel(write_tiny_gguf(tmp_path / "spaced.gguf", space_prefix=True))
    written = [
        b"".join(map(model.piece, model.tokenize("Hi ho", markup=False, at_start=at_start)))
        for at_start in (True, False)
    ]
    assert written == [b" Hi ho", b"Hi ho"]
    model.close()


def test_texts_of_any_alphabet_survive_tokenising(tiny: LlamaModel) -> None:
    for text in ("", "Grüße, 東京 🦩", "a\n\nb\tc", "\ud800"):
        tokens = tiny.tokenize(text, markup=False)
        written = b"".join(map(tiny.piece, tokens)).decode()
        assert written == text.encode("utf-8", "replace").decode()
