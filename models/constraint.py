"""Holds what a model writes to a JSON schema, token by token, with llguidance.

White space is fixed: none between tokens of JSON. What the schema leaves open without end is
bounded (``BOUNDS``), since a small model that has begun a string may never close it. What the
grammar cannot hold (``uniqueItems``, ``not``, …) is checked on the finished text. What this file
does not know: how tokens are chosen and evaluated (see ``generation``).
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from llguidance import LLMatcher, LLTokenizer
from numpy.typing import NDArray
from pydantic import JsonValue

from heron.errors import InputError, ModelFault
from heron.models.llama_lib import LlamaModel
from heron.protocols import Schema

Node = dict[str, JsonValue]

BOUNDS: Final[Mapping[str, Node]] = {
    "string": {"maxLength": 512},
    "array": {"maxItems": 32},
    "integer": {"minimum": -(10**12), "maximum": 10**12},
    "number": {"minimum": -(10**12), "maximum": 10**12, "multipleOf": 0.000001},
}
"""What a value of a type is held to where its schema does not say."""

_OPEN_ENDED: Final = {
    "string": ("maxLength", "enum", "const", "pattern"),
    "array": ("maxItems", "enum", "const"),
    "integer": ("enum", "const"),
    "number": ("enum", "const"),
}
"""Keywords by which a value of a type ends of itself."""

_HELD: Final = frozenset(
    (
        *("type", "enum", "const", "properties", "required", "additionalProperties", "items"),
        *("prefixItems", "minItems", "maxItems", "minLength", "maxLength", "pattern", "minimum"),
        *("maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "anyOf", "oneOf"),
        *("allOf", "$ref", "$defs", "definitions"),
    )
)
_SAYS_NOTHING: Final = frozenset(
    (
        *("title", "description", "default", "examples", "format", "deprecated", "readOnly"),
        *("writeOnly", "$schema", "$id", "$comment", "contentEncoding", "contentMediaType"),
    )
)
"""Annotations; a ``format`` is one as well, since JSON Schema does not require it to be checked."""
_CACHED: Final = 32
"""Compiled grammars that are kept."""


class GrammarSchema:
    """A JSON schema as the grammar can hold it."""

    def __init__(self, schema: Schema) -> None:
        self.original = schema
        self.unheld: set[str] = set()
        """Keywords that are left out and constrain; the finished text is checked for them."""
        self.node = self._node(schema)

    def check(self, value: JsonValue) -> None:
        """Check a finished value, if the grammar could not.

        Raises:
            ModelFault: it breaks the schema.
        """
        if not self.unheld:
            return
        from jsonschema import Draft202012Validator

        broken = next(iter(Draft202012Validator(dict(self.original)).iter_errors(value)), None)
        if broken is not None:
            raise ModelFault(f"written JSON breaks the schema: {broken.message[:200]}")

    def _node(self, node: Schema) -> Node:
        kept: Node = {}
        for word, value in node.items():
            if word in _HELD:
                kept[word] = self._value(word, value)
            elif word not in _SAYS_NOTHING and not word.startswith("x-"):
                self.unheld.add(word)
        if "properties" in kept and not isinstance(kept.get("additionalProperties"), dict):
            kept["additionalProperties"] = False
        kind = kept.get("type")
        if isinstance(kind, str) and not kept.keys() & set(_OPEN_ENDED.get(kind, ())):
            kept = {**BOUNDS.get(kind, {}), **kept}
        return kept

    def _value(self, word: str, value: JsonValue) -> JsonValue:
        if word in ("properties", "$defs", "definitions") and isinstance(value, Mapping):
            return {name: self._any(child) for name, child in value.items()}
        if word in ("anyOf", "oneOf", "allOf", "prefixItems") and isinstance(value, Sequence):
            return [self._any(child) for child in value]
        return self._any(value) if word in ("items", "additionalProperties") else value

    def _any(self, value: JsonValue) -> JsonValue:
        return self._node(value) if isinstance(value, Mapping) else value


class Constraint:
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

    def accept(self, tokens: Sequence[int]) -> None:
        """``tokens`` were written.

        Raises:
            ModelFault: the grammar does not allow them.
        """
        if not self._matcher.consume_tokens(list(tokens)) or self._matcher.is_error():
            raise ModelFault(f"grammar: {_first_line(self._matcher.get_error())}")

    def value(self, text: str) -> JsonValue:
        """The finished text's value.

        Raises:
            ModelFault: it does not parse or breaks the schema.
        """
        try:
            value: JsonValue = json.loads(text)
        except ValueError as error:
            raise ModelFault(f"written text is no JSON: {error}") from error
        self._schema.check(value)
        return value


class Grammars:
    """Makes constraints for one vocabulary.

    llguidance's tokenizer is built at the first constraint: 0.2 s of CPU for 49 k tokens, 0.6 s
    for 152 k, 1.1 s for 262 k. It does without "slices", which would make a mask 0.3 to 1.7 ms
    faster and cost 11 to 60 MB. Compiling a grammar takes about a millisecond.
    """

    def __init__(self, model: LlamaModel) -> None:
        self._model = model
        self._tokenizer: LLTokenizer | None = None
        self._compiled: OrderedDict[str, tuple[LLMatcher, GrammarSchema]] = OrderedDict()

    def constraint(self, schema: Schema, *, lead: str = "") -> Constraint:
        """A constraint to ``lead``, which must come first, and a JSON text of ``schema``.

        Raises:
            InputError: the grammar engine cannot use the schema.
        """
        key = lead + json.dumps(schema, ensure_ascii=False)
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = self._compile(schema, lead)
            if len(self._compiled) > _CACHED:
                self._compiled.popitem(last=False)
        self._compiled.move_to_end(key)
        matcher, held = found
        return Constraint(matcher.deep_copy(), self._model.n_vocab, held)

    def _compile(self, schema: Schema, lead: str) -> tuple[LLMatcher, GrammarSchema]:
        if self._tokenizer is None:
            self._tokenizer = _tokenizer_of(self._model)
        held = GrammarSchema(schema)
        body: dict[str, Any] = {**held.node, "x-guidance": {"whitespace_flexible": False}}
        start = f"{json.dumps(lead)} json" if lead else "json"
        lark = f"start: {start}\njson: %json {json.dumps(body, ensure_ascii=False)}"
        matcher = LLMatcher(self._tokenizer, LLMatcher.grammar_from_lark(lark), log_level=0)
        if matcher.is_error():
            raise InputError(f"schema cannot be held: {_first_line(matcher.get_error())}")
        return matcher, held


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


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0][:300] or "no reason given"
