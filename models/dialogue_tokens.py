"""A dialogue's segments as tokens. No content can hold a control token.

What it does not know: how a template writes a dialogue (see ``template``), evaluation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from heron.models.llama_lib import LlamaModel
from heron.models.template import Dialogue, DialogueTemplate, Segment, read_template


class DialogueTokens:
    """Turns segments into tokens of one model's vocabulary.

    Args:
        model: the vocabulary.
        template: how dialogues are written; by default as the model's file says.
    """

    def __init__(self, model: LlamaModel, template: DialogueTemplate | None = None) -> None:
        self.model = model
        self.template = template or read_template(
            model.chat_template, bos=self._name(model.bos), eos=self._name(model.eos)
        )
        self._marks = self._marks_of(self.template)
        self.content = lru_cache(maxsize=256)(self._content)
        """Tokens of a content, none of them one that the template's markup is made of."""

    def dialogue(self) -> Dialogue:
        """A dialogue to be written."""
        return Dialogue(self.template)

    def encode(self, segments: Iterable[Segment], *, at_start: bool = False) -> list[int]:
        """Tokens of segments.

        Args:
            segments: in order.
            at_start: they begin the sequence; the vocabulary's first token is put before them if
                it wants one and the template has not written it.
        """
        tokens: list[int] = []
        for text, markup in segments:
            first = at_start and not tokens
            tokens += self._markup(text, first) if markup else self.content(text, first)
        if at_start and self.model.adds_bos and tokens[:1] != [self.model.bos]:
            tokens.insert(0, self.model.bos)
        return tokens

    def _markup(self, text: str, first: bool) -> list[int]:
        return self.model.tokenize(text, markup=True, at_start=first)

    def _content(self, text: str, first: bool = False) -> tuple[int, ...]:
        tokens = self.model.tokenize(text, markup=False, at_start=first)
        for token in tokens:
            if token in self._marks:
                # Some vocabularies keep their turn markers among the tokens that are found in any
                # text. Cut in two, the marker is a string like any other.
                name = self._marks[token]
                before, _, after = text.partition(name)
                head = self._content(before + name[:1], first)
                return (*head, *self._content(name[1:] + after))
        return tuple(tokens)

    def _marks_of(self, template: DialogueTemplate) -> dict[int, str]:
        """The tokens that make up a dialogue's markup, with their texts."""
        written = (template.head, template.after_system, template.header, template.closing)
        tokens = {token for text in written for token in self._markup(text, first=False)}
        return {t: self._name(t) for t in sorted(tokens) if self.model.is_control(t)}

    def _name(self, token: int) -> str:
        return "" if token < 0 else self.model.piece(token, special=True).decode("utf-8", "replace")


def common_length(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two sequences have in common at their beginning."""
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return place
    return min(len(one), len(other))
