"""llama.cpp's grammar holds what llguidance holds, and steps in for it."""

from __future__ import annotations

import importlib.util
import json
import re
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from heron.errors import InputError, ModelFault
from heron.models import llguidance_engine
from heron.models.constraint import Grammars
from heron.models.gbnf import to_gbnf
from heron.models.gbnf_engine import GbnfConstraint
from heron.models.gbnf_numbers import decimals, integers
from heron.models.gbnf_pattern import pattern_rule
from heron.models.grammar_schema import GrammarSchema
from heron.models.llama_lib import LlamaModel
from heron.models.llguidance_engine import GuidanceConstraint
from heron.protocols import Schema

SCHEMAS: list[dict[str, Any]] = [
    {"type": "object", "properties": {"a": {"type": "integer", "minimum": -3, "maximum": 120}}},
    {
        "type": "object",
        "properties": {name: {"type": "boolean"} for name in "abc"},
        "required": ["b"],
    },
    {"type": "object", "additionalProperties": {"type": "null"}},
    {"type": "array", "prefixItems": [{"const": "é\"\\\n"}, {"type": "null"}]},
    {"type": ["string", "null"], "maxLength": 3},
    {"$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}, "maxItems": 1}},
     "$ref": "#/$defs/t"},
    {"allOf": [{"type": "string", "minLength": 2, "maxLength": 4}]},
    {"type": "array", "items": {"enum": [1, "x", None, [2]]}, "minItems": 1, "maxItems": 3},
    {"type": "array", "maxItems": 0},
    {"type": "object", "properties": {}},
    {"type": "object", "properties": {"n": {"type": "number", "minimum": -1.5, "maximum": 20}},
     "required": ["n"]},
]  # fmt: skip
PATTERNS = [
    "^[a-z]{2,5}$",
    "^20[0-9]{2}-(0[1-9]|1[0-2])$",
    r"^(email|event)-\d+$",
    "^[^a-y]?x*(ab|cd)+$",
    r"^\w+\.\w$",
    "^$",
]


def as_regex(expression: str) -> re.Pattern[str]:
    """A GBNF expression of digits and signs, which is nearly a regular one."""
    return re.compile(expression.replace('"."', r"\.").replace('"', "").replace(" ", ""))


def play(model: LlamaModel, grammars: Grammars, schema: Schema, seed: int) -> str:
    """A text of noise under a schema."""
    random = np.random.default_rng(seed)
    constraint = grammars.constraint(schema)
    written: list[int] = []
    while not constraint.complete:
        token = constraint.best(random.standard_normal(model.n_vocab, dtype=np.float32))
        constraint.accept([token])
        written.append(token)
    return b"".join(map(model.piece, written)).decode()


@given(low=st.integers(-2000, 2000), span=st.integers(0, 3000), value=st.integers(-2500, 2500))
@settings(max_examples=400)
def test_whole_numbers_are_exactly_those_within_the_limits(low: int, span: int, value: int) -> None:
    found = as_regex(integers(low, low + span))
    for number in (value, low, low + span, low - 1, low + span + 1):
        assert bool(found.fullmatch(str(number))) == (low <= number <= low + span)
    assert not found.fullmatch("01")
    assert not found.fullmatch("-0")


@given(low=st.floats(-50, 50), span=st.floats(2, 90), value=st.decimals(-99, 99, places=2))
@settings(max_examples=400)
def test_decimals_keep_within_the_limits(low: float, span: float, value: Any) -> None:
    found = as_regex(decimals(low, low + span))
    if found.fullmatch(str(value)):
        assert low <= float(value) <= low + span
    whole = round(low + span / 2)
    assert found.fullmatch(str(whole)) or not low <= whole <= low + span


def test_limits_without_a_number_are_refused() -> None:
    for low, high in ((3, 2), (0.2, 0.8)):
        with pytest.raises(InputError, match="no whole number"):
            integers(low, high)


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("engine", ["llguidance", "gbnf"])
def test_noise_under_a_schema_is_valid(
    tiny: LlamaModel, schema: dict[str, Any], engine: Any
) -> None:
    grammars = Grammars(tiny, engine=engine)
    for seed in range(12):
        text = play(tiny, grammars, schema, seed)
        Draft202012Validator(schema).validate(json.loads(text))
        assert json.loads(text) == grammars.constraint(schema).value(text)


def test_every_choice_of_optional_members_can_be_written(tiny: LlamaModel) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: {"const": 1} for name in "abcd"},
        "required": ["b"],
    }
    grammars = Grammars(tiny, engine="gbnf")
    found = {tuple(json.loads(play(tiny, grammars, schema, seed))) for seed in range(80)}
    assert found == {
        (*first, "b", *then) for first in ((), ("a",)) for then in ((), ("c",), ("d",), ("c", "d"))
    }


@pytest.mark.parametrize("pattern", PATTERNS)
def test_noise_under_a_pattern_matches_it(tiny: LlamaModel, pattern: str) -> None:
    grammars = Grammars(tiny, engine="gbnf")
    for seed in range(12):
        text = json.loads(play(tiny, grammars, {"type": "string", "pattern": pattern}, seed))
        assert re.fullmatch(pattern, text)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("[a-z]", r"begin with \^"),
        ("^(?=a)b$", "ASSERT"),
        (r"^(a)\1$", "GROUPREF"),
        ('^"$', "must escape"),
        ("^a+?$", "MIN_REPEAT"),
        ("^(?i:a)$", "flags"),
        ("^(a$", "missing"),
    ],
)
def test_a_pattern_that_cannot_be_held_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(InputError, match=why) as caught:
        pattern_rule(pattern)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "nothing"},
        {"anyOf": []},
        {"type": "integer", "multipleOf": 7},
        {"$ref": "#/$defs/none"},
        {"type": "array", "minItems": 3, "maxItems": 2},
        {"type": "object", "properties": {}, "required": ["a"]},
        {"allOf": [{"type": "string"}, {"minLength": 1}]},
        {"anyOf": [{"type": "string"}], "minLength": 2},
    ],
)
def test_a_schema_that_cannot_be_held_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="cannot be held by GBNF"):
        to_gbnf(GrammarSchema(schema).node)


def test_a_long_object_of_optional_members_stays_small() -> None:
    names = [f"member{number}" for number in range(30)]
    schema = {"type": "object", "properties": {name: {"type": "boolean"} for name in names}}
    assert len(to_gbnf(GrammarSchema(cast(Schema, schema)).node)) < 20_000


def test_the_finished_text_is_checked_in_full(tiny: LlamaModel) -> None:
    constraint = Grammars(tiny, engine="gbnf").constraint({"type": "integer", "minimum": 3})
    with pytest.raises(ModelFault, match="breaks the schema"):
        constraint.value("2")


def test_control_tokens_are_no_text(tiny: LlamaModel) -> None:
    """Their names would pass for a string's characters."""
    constraint = Grammars(tiny, engine="gbnf").constraint({"type": "string"})
    constraint.accept(tiny.tokenize('"', markup=False))
    for token in (t for t in range(tiny.n_vocab) if tiny.is_control(t)):
        logits = np.zeros(tiny.n_vocab, dtype=np.float32)
        logits[token] = 9.0
        assert constraint.best(logits) != token


def test_a_token_that_is_not_allowed_does_not_end_the_process(tiny: LlamaModel) -> None:
    constraint = Grammars(tiny, engine="gbnf").constraint({"type": "null"})
    with pytest.raises(ModelFault, match="not allowed"):
        constraint.accept(tiny.tokenize("[", markup=False))
    constraint.accept(tiny.tokenize("null", markup=False))
    assert constraint.complete
    with pytest.raises(ModelFault, match="not allowed"):
        constraint.accept([tiny.eos])


def test_gbnf_steps_in_for_what_llguidance_refuses(
    tiny: LlamaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise InputError("schema cannot be held: refused")

    grammars = Grammars(tiny)
    assert isinstance(grammars.constraint({"type": "null"}), GuidanceConstraint)
    monkeypatch.setattr(llguidance_engine.GuidanceEngine, "compile", refuse)
    assert isinstance(grammars.constraint({"type": "boolean"}), GbnfConstraint)
    with pytest.raises(InputError, match="schema cannot be held: refused"):
        grammars.constraint({"type": "nothing"})
    with pytest.raises(InputError, match="refused"):
        Grammars(tiny, engine="llguidance").constraint({"type": "boolean"})


def test_gbnf_steps_in_where_llguidance_is_not_installed(
    tiny: LlamaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert Grammars(tiny).names == ("gbnf",)


def test_an_engine_can_be_named_for_the_process(
    tiny: LlamaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERON_GRAMMAR", "gbnf")
    assert isinstance(Grammars(tiny).constraint({"type": "null"}), GbnfConstraint)
    monkeypatch.setenv("HERON_GRAMMAR", "regex")
    with pytest.raises(InputError, match="HERON_GRAMMAR is 'regex': llguidance or gbnf"):
        Grammars(tiny)
