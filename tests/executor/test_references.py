"""What a model may name is what it was shown, whatever the schema looks like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from heron.contracts import Evidence
from heron.errors import InputError
from heron.executor.references import Shown, kinds_in, narrow

EVENT = {"type": "string", "x-ref": "event"}


def shown(*refs: str) -> Shown:
    """``event:e1`` … as shown."""
    pairs = (ref.split(":") for ref in refs)
    return Shown(Evidence(kind=kind, ref=ref, text="") for kind, ref in pairs)


def arguments(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    names = list(properties) if required is None else required
    return {"type": "object", "properties": properties, "required": names}


def narrowed(schema: dict[str, Any], *refs: str) -> dict[str, Any]:
    result = narrow(schema, shown(*refs), prose=300)
    assert result is not None
    return result


def test_a_reference_becomes_an_enum_of_what_was_shown() -> None:
    schema = narrowed(arguments(event_id=EVENT), "event:e3", "email:m1", "event:e4")
    assert schema["properties"]["event_id"] == {"type": "string", "enum": ["e3", "e4"]}


def test_a_tool_is_not_offered_without_a_candidate_for_a_required_reference() -> None:
    assert narrow(arguments(event_id=EVENT), shown("email:m1"), prose=300) is None


def test_what_is_shown_later_counts() -> None:
    seen = shown("email:m1")
    schema = arguments(event_id=EVENT)
    assert narrow(schema, seen, prose=300) is None
    seen.add([Evidence(kind="event", ref="e9", text="")])
    assert narrow(schema, seen, prose=300) is not None


def test_an_optional_reference_without_a_candidate_is_left_out() -> None:
    schema = narrowed(arguments(["title"], title={"type": "string"}, event_id=EVENT))
    assert list(schema["properties"]) == ["title"]
    assert not Draft202012Validator(schema).is_valid({"title": "a", "event_id": "e1"})


@pytest.mark.parametrize(
    "ids",
    [
        {"type": "array", "items": EVENT},
        {"type": "array", "items": {"type": "string"}, "x-ref": "event"},
        {"type": "array", "x-ref": "event"},
        {"type": "array", "items": {"anyOf": [EVENT, {"type": "integer"}]}},
        {"anyOf": [{"type": "array", "items": {"type": "string"}}, EVENT], "x-ref": "event"},
        {"$ref": "#/$defs/Ids"},
    ],
    ids=["items", "array", "no items", "alternative items", "alternatives", "defs"],
)
def test_arrays_and_alternatives_are_narrowed(ids: dict[str, Any]) -> None:
    schema = arguments(ids=ids) | {"$defs": {"Ids": {"type": "array", "items": EVENT}}}
    check = Draft202012Validator(narrowed(schema, "event:e1", "event:e2"))
    assert check.is_valid({"ids": ["e2", "e1"]})
    assert not check.is_valid({"ids": ["e3"]})


def test_an_array_of_references_is_bounded_by_what_was_shown() -> None:
    schema = narrowed(arguments(ids={"type": "array", "items": EVENT}), "event:e1", "event:e2")
    assert schema["properties"]["ids"]["maxItems"] == 2


def test_optional_parameters_lose_their_null_and_required_ones_keep_it() -> None:
    either = {"anyOf": [{"type": "string", "x-ref": "event"}, {"type": "null"}], "default": None}
    schema = narrowed(arguments(["must"], may=either, must=either), "event:e1")
    assert schema["properties"]["may"] == {"type": "string", "enum": ["e1"]}
    assert Draft202012Validator(schema).is_valid({"must": None})


def test_a_required_reference_that_may_be_null_can_only_be_null() -> None:
    either = {"anyOf": [EVENT, {"type": "null"}]}
    assert narrowed(arguments(e=either))["properties"]["e"] == {"type": "null"}


def test_a_reference_where_it_cannot_be_narrowed_is_not_offered() -> None:
    for place in (
        {"type": "array", "prefixItems": [EVENT]},
        {"type": "object", "additionalProperties": EVENT},
        {"type": "string", "not": EVENT},
        {"type": "integer", "x-ref": "event"},
    ):
        assert narrow(arguments(x=place), shown("event:e1"), prose=300) is None


@pytest.mark.parametrize(
    ("form", "right", "wrong"),
    [
        ("date-time", "2026-03-11 10:00", ["2026-03-11T10:00", "2026-13-11 10:00", "tomorrow"]),
        ("date", "2026-03-11", ["11.3.2026", "2026-03-32"]),
        ("time", "09:30", ["9:30", "24:00"]),
    ],
)
def test_times_have_one_form(form: str, right: str, wrong: list[str]) -> None:
    schema = narrowed(arguments(t={"type": "string", "format": form}))
    check = Draft202012Validator(schema)
    assert "format" not in schema["properties"]["t"]
    assert check.is_valid({"t": right})
    assert not any(check.is_valid({"t": text}) for text in wrong)


def test_prose_is_bounded_and_a_narrower_bound_stays() -> None:
    text = {"type": "string", "x-text": True}
    schema = narrowed(arguments(body=text, subject={**text, "maxLength": 80}))
    assert schema["properties"]["body"] == {"type": "string", "maxLength": 300}
    assert schema["properties"]["subject"]["maxLength"] == 80


def test_a_parameter_called_like_a_keyword_stays() -> None:
    schema = narrowed(arguments(title={"type": "string", "title": "Title", "default": "x"}))
    assert schema["properties"] == {"title": {"type": "string", "maxLength": 300}}


def test_a_schema_that_refers_to_itself_is_refused_in_one_line() -> None:
    loop = arguments(x={"$ref": "#/$defs/X"}) | {"$defs": {"X": {"items": {"$ref": "#/$defs/X"}}}}
    with pytest.raises(InputError, match=r"#/\$defs/X refers to itself"):
        narrow(loop, shown(), prose=300)


def test_kinds_in_a_schema() -> None:
    person = {"type": "array", "items": {"type": "string", "x-ref": "contact"}}
    schema = arguments(["event_id"], event_id=EVENT, people=person)
    assert kinds_in(schema) == ["event", "contact"]
    assert kinds_in(schema, required=True) == ["event"]


# --- any schema -----------------------------------------------------------------------------------

KINDS = ("event", "email")
IDS = {kind: [f"{kind}{i}" for i in range(3)] for kind in KINDS}


@dataclass(frozen=True)
class Shape:
    """A schema together with arguments that it allows, and the ids that these name."""

    schema: dict[str, Any]
    value: Any
    names: tuple[str, ...] = ()


@st.composite
def references(draw: st.DrawFn) -> Shape:
    kind = draw(st.sampled_from(KINDS))
    value = draw(st.sampled_from(IDS[kind]))
    return Shape({"type": "string", "x-ref": kind}, value, (value,))


@st.composite
def arrays_of_references(draw: st.DrawFn) -> Shape:
    kind = draw(st.sampled_from(KINDS))
    values = draw(st.lists(st.sampled_from(IDS[kind]), min_size=1, unique=True))
    mark_outside = draw(st.booleans())
    items: dict[str, Any] = {"type": "string"} | ({} if mark_outside else {"x-ref": kind})
    outer = {"x-ref": kind} if mark_outside else {}
    return Shape({"type": "array", "items": items, **outer}, values, tuple(values))


LEAVES = st.one_of(
    references(),
    arrays_of_references(),
    st.just(Shape({"type": "string", "x-text": True}, "some prose")),
    st.just(Shape({"type": "integer", "default": 3}, 4)),
    st.just(Shape({"enum": ["day", "week"], "title": "Unit"}, "week")),
)


@st.composite
def nullable(draw: st.DrawFn, inner: st.SearchStrategy[Shape]) -> Shape:
    shape = draw(inner)
    schema = {"anyOf": [shape.schema, {"type": "null"}]}
    return Shape(schema, shape.value, shape.names)


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Shape]) -> Shape:
    members = draw(st.lists(inner, max_size=4))
    names = [f"p{i}" for i in range(len(members))]
    required = [name for name in names if draw(st.booleans())]
    given_ = [i for i, name in enumerate(names) if name in required or draw(st.booleans())]
    schema = {
        "type": "object",
        "properties": {name: m.schema for name, m in zip(names, members, strict=True)},
        "required": required,
    }
    value = {names[i]: members[i].value for i in given_}
    return Shape(schema, value, tuple(n for i in given_ for n in members[i].names))


SHAPES = objects(st.recursive(LEAVES, lambda inner: nullable(inner) | objects(inner), max_leaves=6))
SEEN = st.sets(st.sampled_from([f"{kind}:{i}" for kind in KINDS for i in IDS[kind]]))


@given(SHAPES, SEEN)
def test_nothing_is_offered_that_was_not_shown(shape: Shape, seen: set[str]) -> None:
    schema = narrow(shape.schema, shown(*sorted(seen)), prose=300)
    assume(schema is not None)
    assert schema is not None
    Draft202012Validator.check_schema(schema)
    ids = {ref for kind in KINDS for ref in IDS[kind]}
    assert {word for word in _strings(schema) if word in ids} <= {s.split(":")[1] for s in seen}
    assert not [word for word in _strings(schema) if word.startswith("x-")]


@given(SHAPES, SEEN)
def test_arguments_fit_exactly_if_all_that_they_name_was_shown(
    shape: Shape, seen: set[str]
) -> None:
    refs = {s.split(":")[1] for s in seen}
    schema = narrow(shape.schema, shown(*sorted(seen)), prose=300)
    fits = schema is not None and Draft202012Validator(schema).is_valid(shape.value)
    assert Draft202012Validator(shape.schema).is_valid(shape.value)
    assert fits == (set(shape.names) <= refs and _satisfiable(shape.schema, refs))


def _satisfiable(schema: dict[str, Any], refs: set[str]) -> bool:
    """Some arguments could name only what was shown, written down a second way."""
    kind = schema.get("x-ref") or schema.get("items", {}).get("x-ref")
    if kind is not None:
        return any(ref in refs for ref in IDS[kind])
    if "anyOf" in schema:
        return True  # null
    properties = schema.get("properties", {})
    return all(_satisfiable(properties[name], refs) for name in schema.get("required", []))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
    elif isinstance(value, str):
        yield value
