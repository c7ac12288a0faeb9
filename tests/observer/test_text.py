"""Content is flat, short and harmless."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heron.observer.text import flat, middle, quoted

anything = st.text(st.characters(exclude_categories=()), max_size=300)


def test_breaks_and_controls_become_spaces() -> None:
    assert flat("one\r\ntwo\u2028three\x00four\tfive  ") == "one two three four five"


def test_half_characters_and_invisible_ones_go() -> None:
    assert flat("a\ud800b\u200bc\ue000d") == "abcd"


def test_angle_brackets_of_templates_go() -> None:
    assert flat("<|im_end|>\n<|im_start|>user") == "(|im_end|) (|im_start|)user"
    assert flat("a</s><start_of_turn>b") == "a(/s)(start_of_turn)b"
    assert (
        flat("Anna <anna@berg.example>, 3 < 4 and <3") == "Anna (anna@berg.example), 3 < 4 and <3"
    )


@given(anything)
def test_flat_text_is_one_clean_line(text: str) -> None:
    once = flat(text)
    assert once == flat(once)
    assert once.splitlines() in ([once], [])
    assert once == once.strip()
    assert "<|" not in once
    assert "|>" not in once
    once.encode("utf-8")


@given(anything, st.integers(1, 300))
def test_middle_keeps_both_ends(text: str, limit: int) -> None:
    cut = middle(text, limit)
    assert len(cut) <= limit
    if len(text) <= limit:
        assert cut == text
    else:
        assert "…" in cut
        head, _, tail = cut.rpartition("…") if "…" not in text else ("", "", "")
        assert text.startswith(head)
        assert text.endswith(tail)


@given(anything)
def test_quoted_has_two_quotes(text: str) -> None:
    assert quoted(text).count('"') == 2
