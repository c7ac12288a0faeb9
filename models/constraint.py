"""Holds what a model writes to a JSON schema, token by token.

White space is fixed: none between tokens of JSON. The grammar engine is llguidance; llama.cpp's own
(GBNF) steps in where llguidance is not installed or refuses a schema. ``HERON_GRAMMAR`` names one
of them for the whole process. What this file does not know: how tokens are chosen and evaluated
(see ``generation``).
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, Literal, Protocol, cast, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from heron.errors import InputError
from heron.models.grammar_schema import GrammarSchema
from heron.models.llama_lib import LlamaModel
from heron.protocols import Schema

EngineName = Literal["llguidance", "gbnf"]

_CACHED: Final = 2
"""Compiled grammars that are kept. Each holds up to a megabyte, and one is compiled in about a
millisecond."""


class Constraint(Protocol):
    """One JSON text being written."""

    @property
    def complete(self) -> bool:
        """Nothing can follow."""

    def forced(self) -> list[int]:
        """The tokens that must come next, if there is known to be no choice."""

    def best(self, logits: NDArray[np.float32]) -> int:
        """The likeliest token that may come next.

        Raises:
            ModelFault: there is none.
        """

    def accept(self, tokens: Sequence[int]) -> None:
        """``tokens`` were written.

        Raises:
            ModelFault: the grammar does not allow them.
        """

    def value(self, text: str) -> JsonValue:
        """The finished text's value.

        Raises:
            ModelFault: it does not parse or breaks the schema.
        """


class Grammar(Protocol):
    """A compiled grammar."""

    def begin(self) -> Constraint:
        """A text to be written."""


class Engine(Protocol):
    """Compiles grammars for one vocabulary."""

    def compile(self, held: GrammarSchema, lead: str) -> Grammar:
        """A grammar of ``lead`` and a JSON text.

        Raises:
            InputError: the engine cannot use the schema.
        """


class Grammars:
    """Makes constraints for one vocabulary.

    Args:
        model: the vocabulary.
        engine: the one to use, and no other; by default as ``HERON_GRAMMAR`` says, or else
            llguidance, with GBNF for what it refuses.

    Raises:
        InputError: ``HERON_GRAMMAR`` names no engine.
    """

    def __init__(self, model: LlamaModel, *, engine: EngineName | None = None) -> None:
        self._model = model
        chosen = engine or _chosen()
        there = importlib.util.find_spec("llguidance") is not None
        self.names: tuple[EngineName, ...] = (
            (chosen,) if chosen else ("llguidance", "gbnf") if there else ("gbnf",)
        )
        """Engines in the order in which they are tried."""
        self._engines: dict[EngineName, Engine] = {}
        self._compiled: OrderedDict[str, Grammar] = OrderedDict()

    def constraint(self, schema: Schema, *, lead: str = "") -> Constraint:
        """A constraint to ``lead``, which must come first, and a JSON text of ``schema``.

        Raises:
            InputError: no grammar engine can use the schema.
        """
        key = lead + json.dumps(schema, ensure_ascii=False)
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = self._compile(GrammarSchema(schema), lead)
            if len(self._compiled) > _CACHED:
                self._compiled.popitem(last=False)
        self._compiled.move_to_end(key)
        return found.begin()

    def _compile(self, held: GrammarSchema, lead: str) -> Grammar:
        first: InputError | None = None
        for name in self.names:
            try:
                return self._engine(name).compile(held, lead)
            except InputError as error:
                first = first or error
        raise first or InputError("schema cannot be held: there is no grammar engine")

    def _engine(self, name: EngineName) -> Engine:
        """Engines are made when they are first needed; each holds a vocabulary."""
        if name not in self._engines:
            if name == "gbnf":
                from heron.models.gbnf_engine import GbnfEngine

                self._engines[name] = GbnfEngine(self._model)
            else:
                from heron.models.llguidance_engine import GuidanceEngine

                self._engines[name] = GuidanceEngine(self._model)
        return self._engines[name]


def _chosen() -> EngineName | None:
    name = os.environ.get("HERON_GRAMMAR")
    if not name:
        return None
    if name not in get_args(EngineName):
        known = " or ".join(get_args(EngineName))
        raise InputError(f"HERON_GRAMMAR is {name!r}: {known}")
    return cast(EngineName, name)
