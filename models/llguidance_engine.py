"""Grammars by llguidance. What it does not know: what a schema is bounded to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from llguidance import LLMatcher, LLTokenizer
from numpy.typing import NDArray
from pydantic import JsonValue

from heron.errors import InputError, ModelFault
from heron.models.grammar_schema import GrammarSchema, first_line, parsed
from heron.models.llama_lib import LlamaModel, give_back


class GuidanceEngine:
    """Compiles grammars for one vocabulary.

    llguidance's tokenizer is built at the first one: 0.2 s of CPU for 49 k tokens, 0.6 s for 152 k,
    1.1 s for 262 k. It does without "slices", which would make a mask 0.3 to 1.7 ms faster and cost
    11 to 60 MB. Compiling a grammar takes about a millisecond.
    """

    def __init__(self, model: LlamaModel) -> None:
        self._model = model
        self._tokenizer: LLTokenizer | None = None

    def compile(self, held: GrammarSchema, lead: str) -> GuidanceGrammar:
        """A grammar of ``lead`` and a JSON text.

        Raises:
            InputError: llguidance cannot use the schema.
        """
        if self._tokenizer is None:
            self._tokenizer = _tokenizer_of(self._model)
            give_back()
        body: dict[str, Any] = {**held.node, "x-guidance": {"whitespace_flexible": False}}
        start = f"{json.dumps(lead)} json" if lead else "json"
        lark = f"start: {start}\njson: %json {json.dumps(body, ensure_ascii=False)}"
        matcher = LLMatcher(self._tokenizer, LLMatcher.grammar_from_lark(lark), log_level=0)
        if matcher.is_error():
            raise InputError(f"schema cannot be held: {first_line(matcher.get_error())}")
        return GuidanceGrammar(matcher, self._model.n_vocab, held)


class GuidanceGrammar:
    """A compiled grammar."""

    def __init__(self, matcher: LLMatcher, n_vocab: int, held: GrammarSchema) -> None:
        self._matcher, self._n_vocab, self._held = matcher, n_vocab, held

    def begin(self) -> GuidanceConstraint:
        """A text to be written."""
        return GuidanceConstraint(self._matcher.deep_copy(), self._n_vocab, self._held)


class GuidanceConstraint:
    """One JSON text being written."""

    def __init__(self, matcher: LLMatcher, n_vocab: int, schema: GrammarSchema) -> None:
        self._matcher, self._n_vocab, self._schema = matcher, n_vocab, schema
        self._mask = np.zeros((n_vocab + 31) // 32, dtype=np.int32)

    @property
    def complete(self) -> bool:
        """Nothing can follow."""
        return bool(self._matcher.is_stopped())

    def forced(self) -> list[int]:
        """The tokens that must come next, if there is no choice."""
        return [] if self.complete else list(self._matcher.compute_ff_tokens())

    def allowed(self) -> NDArray[np.intp]:
        """Tokens that may come next, ascending."""
        self._matcher.unsafe_compute_mask_ptr(self._mask.ctypes.data, self._mask.nbytes)
        bits = np.unpackbits(self._mask.view(np.uint8), bitorder="little")
        return np.flatnonzero(bits[: self._n_vocab])

    def best(self, logits: NDArray[np.float32]) -> int:
        """The likeliest token that may come next.

        Raises:
            ModelFault: there is none.
        """
        allowed = self.allowed()
        if not allowed.size:
            raise ModelFault("the grammar allows no token")
        return int(allowed[logits[allowed].argmax()])

    def accept(self, tokens: Sequence[int]) -> None:
        """``tokens`` were written.

        Raises:
            ModelFault: the grammar does not allow them.
        """
        if not self._matcher.consume_tokens(list(tokens)) or self._matcher.is_error():
            raise ModelFault(f"grammar: {first_line(self._matcher.get_error())}")

    def value(self, text: str) -> JsonValue:
        """The finished text's value.

        Raises:
            ModelFault: it does not parse or breaks the schema.
        """
        value = parsed(text)
        self._schema.check(value)
        return value


def _tokenizer_of(model: LlamaModel) -> LLTokenizer:
    """The vocabulary as llguidance takes it; the model must outlive it."""
    tokens = []
    for token in range(model.n_vocab):
        piece = model.piece(token, special=True)
        # A mark that no UTF-8 text begins with keeps control tokens out of texts.
        tokens.append(b"\xff" + piece if model.is_control(token) else piece)
    make: Any = LLTokenizer
    made: LLTokenizer = make.from_llamacpp(
        tokens=tokens,
        vocab_ptr=model.vocab,
        tokenize_fptr=model.tokenize_address,
        eos_token=model.eos,
        slices=[],
    )
    return made
