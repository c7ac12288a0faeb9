"""What is written under a schema parses, ends, and is valid, whatever the model prefers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from numpy.typing import NDArray
from pydantic import JsonValue

from heron.errors import InputError, ModelFault
from heron.models.constraint import Grammars
from heron.models.generation import write_json, write_text
from heron.models.grammar_schema import BOUNDS, GrammarSchema
from heron.models.llama_context import LlamaContext
from heron.models.llama_lib import LlamaModel
from heron.protocols import Schema


class NoiseContext:
    """A context whose logits are noise: it prefers nothing, so it tries everything."""

    def __init__(self, model: LlamaModel, seed: int) -> None:
        self.model = model
        self.tokens: list[int] = []
        self._random = np.random.default_rng(seed)

    def append(self, tokens: Sequence[int]) -> None:
        self.tokens += tokens

    def logits(self) -> NDArray[np.float32]:
        return self._random.standard_normal(self.model.n_vocab, dtype=np.float32)


def noise(model: LlamaModel, seed: int) -> LlamaContext:
    return cast(LlamaContext, NoiseContext(model, seed))


@pytest.fixture(scope="module", params=["llguidance", "gbnf"])
def grammars(tiny: LlamaModel, request: pytest.FixtureRequest) -> Grammars:
    return Grammars(tiny, engine=request.param)


def obj(**properties: JsonValue) -> dict[str, JsonValue]:
    return {"type": "object", "properties": properties, "required": [*properties]}


REFS: dict[str, JsonValue] = {"enum": ["email-1", "email-12", "event-3"]}
SCHEMAS: list[Schema] = [
    obj(text={"type": "string", "maxLength": 20}, refs={"type": "array", "items": REFS}),
    obj(
        day={"type": "string", "pattern": "^20[0-9]{2}-(0[1-9]|1[0-2])$"}, count={"type": "integer"}
    ),
    obj(open={"type": "string"}, price={"type": "number", "minimum": 0}),
    {
        "anyOf": [
            obj(tool={"const": "email-send"}, arguments=obj(to=REFS, late={"type": "boolean"})),
            obj(tool={"const": "wait"}, arguments={"type": "object", "properties": {}}),
        ]
    },
    {"$defs": {"n": obj(x={"type": ["integer", "null"]})}, **obj(inner={"$ref": "#/$defs/n"})},
    {
        "type": "object",
        "properties": {
            "note": {"type": "string", "minLength": 2, "maxLength": 9, "description": "a note"},
            "when": {"type": "string", "format": "date", "default": "today", "x-ref": "day"},
        },
        "required": ["note"],
    },
]


@pytest.mark.parametrize("schema", SCHEMAS)
@given(seed=st.integers(0, 2**31))
@settings(max_examples=15)
def test_noise_held_to_a_schema_is_a_complete_and_valid_text(
    grammars: Grammars, tiny: LlamaModel, schema: Schema, seed: int
) -> None:
    constraint = grammars.constraint(schema)
    written = write_json(noise(tiny, seed), constraint, unread=[1], max_tokens=4000)
    value = json.loads(written.text)
    Draft202012Validator(dict(schema)).validate(value)
    assert constraint.complete
    assert not any(map(tiny.is_control, written.tokens))
    assert "\n" not in written.text
    assert '": ' not in written.text
    assert set(value) <= set(cast(dict[str, Any], schema).get("properties", value))


def test_the_last_tokens_are_left_to_whoever_appends_next(tiny: LlamaModel) -> None:
    context = noise(tiny, 3)
    grammars = Grammars(tiny, engine="llguidance")
    schema = obj(id={"enum": ["a1", "b2"]})
    written = write_json(context, grammars.constraint(schema), unread=[7, 8], max_tokens=50)
    whole = [7, 8, *written.tokens]
    assert context.tokens == whole[: len(context.tokens)]
    assert len(context.tokens) < len(whole)
    # Only one choice was open: all that came before it was evaluated in one go.
    assert b"".join(map(tiny.piece, context.tokens[2:])) == b'{"id":"'


def test_a_text_may_have_to_begin_with_a_space(grammars: Grammars, tiny: LlamaModel) -> None:
    constraint = grammars.constraint(obj(a={"type": "boolean"}), lead=" ")
    written = write_json(noise(tiny, 0), constraint, unread=[1], max_tokens=50)
    assert written.text.startswith(' {"a":')


def test_a_text_that_is_not_complete_in_time_is_a_fault(
    grammars: Grammars, tiny: LlamaModel
) -> None:
    constraint = grammars.constraint(obj(a={"type": "string", "minLength": 40, "maxLength": 50}))
    with pytest.raises(ModelFault, match="within 20 tokens"):
        write_json(noise(tiny, 0), constraint, unread=[1], max_tokens=20)


def test_a_token_that_the_grammar_does_not_allow_is_a_fault(
    grammars: Grammars, tiny: LlamaModel
) -> None:
    constraint = grammars.constraint(obj(a={"type": "boolean"}))
    with pytest.raises(ModelFault, match="grammar"):
        constraint.accept(tiny.tokenize("[", markup=False))


def test_a_schema_that_cannot_be_held_is_an_input_error_in_one_line(grammars: Grammars) -> None:
    for schema in ({"type": "string", "pattern": "(?<=a)b"}, {"type": "nothing"}):
        with pytest.raises(InputError, match="schema cannot be held") as caught:
            grammars.constraint(cast(Schema, schema))
        assert "\n" not in str(caught.value)


def test_annotations_are_left_out_and_open_ends_bounded() -> None:
    held = GrammarSchema(
        {
            "type": "object",
            "title": "T",
            "x-note": 1,
            "properties": {
                "title": {"type": "string", "description": "d", "default": "", "format": "uri"},
                "list": {"type": "array", "items": {"type": "integer"}, "examples": []},
                "word": {"type": "string", "pattern": "^[a-z]{1,5}$"},
                "default": {"enum": [{"title": "kept"}]},
            },
        }
    )
    assert held.unheld == set()
    assert held.node == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "title": {"type": "string", **BOUNDS["string"]},
            "list": {
                "type": "array",
                "items": {"type": "integer", **BOUNDS["integer"]},
                **BOUNDS["array"],
            },
            "word": {"type": "string", "pattern": "^[a-z]{1,5}$"},
            "default": {"enum": [{"title": "kept"}]},
        },
    }


def test_what_the_grammar_cannot_hold_is_checked_afterwards() -> None:
    schema: Schema = {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True}
    held = GrammarSchema(schema)
    assert held.unheld == {"uniqueItems"}
    assert "uniqueItems" not in held.node
    held.check(["a", "b"])
    with pytest.raises(ModelFault, match="breaks the schema"):
        held.check(["a", "a"])


def test_a_compiled_grammar_is_used_again_from_its_beginning(
    grammars: Grammars, tiny: LlamaModel
) -> None:
    schema = obj(a={"enum": ["x", "y"]})
    texts = [
        write_json(noise(tiny, 5), grammars.constraint(schema), unread=[1], max_tokens=30).text
        for _ in range(2)
    ]
    assert texts[0] == texts[1]


def test_plain_text_ends_at_its_stop_or_its_limit(tiny: LlamaModel) -> None:
    free = write_text(noise(tiny, 1), unread=[1], max_tokens=12)
    assert len(free.tokens) <= 12
    letters = b"".join(map(tiny.piece, free.tokens)).decode("utf-8", "replace")
    stop = next(letter for letter in letters.strip()[1:] if letter.isascii())
    cut = write_text(noise(tiny, 1), unread=[1], max_tokens=12, stop=stop)
    assert cut.text == letters[: letters.index(stop)].strip()
