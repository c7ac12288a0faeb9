"""Grammars by llama.cpp's own sampler. What it does not know: what a schema is bounded to."""

from __future__ import annotations

import codecs
import ctypes
import weakref
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import llama_cpp.llama_cpp as c
import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from heron.errors import InputError, ModelFault
from heron.models.gbnf import to_gbnf
from heron.models.grammar_schema import GrammarSchema, parsed
from heron.models.llama_lib import LlamaModel, LogMark

_FIRST_TRIED: Final = 16
"""The likeliest tokens are tried before the whole vocabulary is; nearly always one is allowed."""
_ROW: Final = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
"""``llama_token_data``."""

Tokens = NDArray[np.int32]


class GbnfEngine:
    """Compiles grammars for one vocabulary."""

    def __init__(self, model: LlamaModel) -> None:
        self.model = model

    @cached_property
    def tokens(self) -> Tokens:
        """Tokens that a text can be made of, and those that end it. Control tokens have names that
        the sampler would take for text.
        """
        model = self.model
        found = [t for t in range(model.n_vocab) if model.ends(t) or not model.is_control(t)]
        return np.array(found, dtype=np.int32)

    @cached_property
    def broken(self) -> Tokens:
        """Tokens that are no whole characters: they begin, go on with or end one in mid-byte."""
        return np.array([t for t in self.tokens if not _is_text(self.piece(t))], dtype=np.int32)

    def piece(self, token: int) -> bytes:
        """The bytes that a token stands for."""
        return self.model.piece(int(token))

    def compile(self, held: GrammarSchema, lead: str) -> GbnfGrammar:
        """A grammar of ``lead`` and a JSON text.

        Raises:
            InputError: the schema cannot be written as GBNF.
        """
        text = to_gbnf(held.node, lead=lead)
        mark = LogMark()
        sampler = c.llama_sampler_init_grammar(self.model.vocab, text.encode(), b"root")
        if not sampler:
            raise InputError(f"schema cannot be held by GBNF: {mark.reason()}")
        return GbnfGrammar(self, sampler, held)


class GbnfGrammar:
    """A compiled grammar."""

    def __init__(self, engine: GbnfEngine, sampler: Any, held: GrammarSchema) -> None:
        self._engine, self._sampler, self._held = engine, sampler, held
        weakref.finalize(self, c.llama_sampler_free, sampler)

    def begin(self) -> GbnfConstraint:
        """A text to be written."""
        return GbnfConstraint(self._engine, c.llama_sampler_clone(self._sampler), self._held)


class GbnfConstraint:
    """One JSON text being written."""

    def __init__(self, engine: GbnfEngine, sampler: Any, held: GrammarSchema) -> None:
        self._engine, self._sampler, self._held = engine, sampler, held
        weakref.finalize(self, c.llama_sampler_free, sampler)
        self._ends = np.array([t for t in engine.tokens if engine.model.ends(int(t))], np.int32)
        self._begun = b""
        """Bytes of a character that is not finished."""
        self.complete = False
        """Nothing can follow."""

    def forced(self) -> list[int]:
        """The sampler does not tell."""
        return []

    def best(self, logits: NDArray[np.float32]) -> int:
        """The likeliest token that may come next.

        Raises:
            ModelFault: there is none.
        """
        tokens = self._engine.tokens
        values = logits[tokens]
        most = min(_FIRST_TRIED, len(tokens))
        likeliest = tokens[np.argpartition(-values, most - 1)[:most]]
        for tried in (likeliest, tokens):
            allowed = self._allowed(tried)
            if allowed.size:
                return int(allowed[logits[allowed].argmax()])
        raise ModelFault("the grammar allows no token")

    def accept(self, tokens: Sequence[int]) -> None:
        """``tokens`` were written.

        Raises:
            ModelFault: the grammar does not allow them.
        """
        for token in tokens:
            # llama.cpp ends the process at a token that it does not allow.
            if self.complete or not self._allowed(np.array([token], np.int32)).size:
                raise ModelFault(f"grammar: token {token} is not allowed")
            c.llama_sampler_accept(self._sampler, token)
            self._begun = _unfinished(self._begun + self._engine.piece(token)) or b""
            self.complete = self._engine.model.ends(token) or self._at_end()

    def value(self, text: str) -> JsonValue:
        """The finished text's value.

        Raises:
            ModelFault: it does not parse or breaks the schema.
        """
        value = parsed(text)
        self._held.check(value, fully=True)
        return value

    def _at_end(self) -> bool:
        """Only the text's end may come next."""
        if not self._allowed(self._ends).size:
            return False
        return all(self._engine.model.ends(int(t)) for t in self._allowed(self._engine.tokens))

    def _allowed(self, tokens: Tokens) -> Tokens:
        """Those of ``tokens`` that may come next, in their order."""
        if self._begun:
            tokens = np.intersect1d(tokens, self._engine.broken)
        rows = np.zeros(len(tokens), dtype=_ROW)
        rows["id"] = tokens
        array = c.llama_token_data_array(
            data=rows.ctypes.data_as(ctypes.POINTER(c.llama_token_data)),
            size=len(tokens),
            selected=-1,
            sorted=False,
        )
        c.llama_sampler_apply(self._sampler, ctypes.byref(array))
        allowed = tokens[np.isfinite(rows["logit"])]
        return self._sound(allowed)

    def _sound(self, tokens: Tokens) -> Tokens:
        """Without those that make no UTF-8 of what is there: llama.cpp does not look for that."""
        broken = np.isin(tokens, self._engine.broken)
        kept = [
            not one or _unfinished(self._begun + self._engine.piece(token)) is not None
            for token, one in zip(tokens, broken, strict=True)
        ]
        sound: Tokens = tokens[np.array(kept, dtype=bool)]
        return sound


def _is_text(piece: bytes) -> bool:
    return _unfinished(piece) == b""


def _unfinished(data: bytes) -> bytes | None:
    """The bytes at the end of ``data`` that only begin a character; None: it is no UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(data)
    except UnicodeDecodeError:
        return None
    begun = decoder.getstate()[0]
    # Half a surrogate can never become a character, which Python notices one byte later.
    return None if begun[:1] == b"\xed" and begun[1:2] >= b"\xa0" else begun
