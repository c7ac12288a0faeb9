"""The toolset without a phone behaves as a toolset has to."""

from __future__ import annotations

from heron.contracts import Arguments, Evidence, ToolCall
from heron.errors import IllegalCall
from heron.executor.fakes import Answer, FakeTool, FakeToolset

NOTE = Evidence(ref="n1", kind="note", text="Milk")


def read(arguments: Arguments) -> Answer:
    if arguments["note"] != "n1":
        raise IllegalCall("no such note; there is n1")
    return "Milk", [NOTE]


TOOL = FakeTool(
    name="notes.read",
    effect="read",
    description="Read a note.",
    parameters={"note": {"type": "string"}, "page": {"type": "integer"}},
    optional=frozenset({"page"}),
    handler=read,
)


def test_a_call_is_carried_out_and_kept() -> None:
    tools = FakeToolset([TOOL])
    call = ToolCall(name="notes.read", arguments={"note": "n1"})
    result = tools.call(call)
    assert (result.ok, result.value, result.shown) == (True, "Milk", (NOTE,))
    assert tools.called == [call]


def test_refusals_are_results() -> None:
    tools = FakeToolset([TOOL])
    refused = tools.call(ToolCall(name="notes.read", arguments={"note": "n2"}))
    unknown = tools.call(ToolCall(name="notes.burn"))
    assert (refused.ok, refused.error) == (False, "no such note; there is n1")
    assert (unknown.ok, unknown.error) == (False, "no tool 'notes.burn'")
    assert len(tools.called) == 2


def test_its_specs_say_what_is_required() -> None:
    (spec,) = FakeToolset([TOOL]).specs()
    assert (spec.name, spec.effect) == ("notes.read", "read")
    assert spec.parameters["required"] == ["note"]
