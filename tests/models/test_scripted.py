"""The scripted models play what they were given, keep what they were asked, and end loudly."""

from __future__ import annotations

from typing import Any, cast

import pytest

from heron.contracts import StepCost, ToolCall
from heron.errors import InputError, ModelFault, RemoteFault
from heron.models.scripted import ScriptedChatModel, ScriptedDecisionModel, ScriptedTurn
from heron.protocols import ChatModel, ChatReply, DecisionModel

OPTIONS = ("wait", "look")


def test_a_decision_model_plays_its_turns() -> None:
    scripted = ScriptedDecisionModel(
        [
            ScriptedTurn(logprobs=(-0.1, -2.0)),
            ScriptedTurn(logprobs={"look": -0.2, "wait": -3.0}, text='{"a":1}'),
        ],
        cost=StepCost(wall_s=0.5, evaluated=7),
    )
    model: DecisionModel = scripted
    model.begin("S", [("u", "a")])
    model.extend("one")
    assert model.option_logprobs(OPTIONS) == (-0.1, -2.0)
    model.choose("wait")
    model.extend("two")
    assert model.option_logprobs(OPTIONS) == (-3.0, -0.2)
    assert model.generate({"type": "object"}, opening="look ", max_tokens=9) == '{"a":1}'
    assert model.take_cost().evaluated == 7
    assert scripted.begun == [("S", (("u", "a"),))]
    assert scripted.extended == ["one", "two"]
    assert scripted.answers == ["wait", 'look {"a":1}']
    assert scripted.generated[0].max_tokens == 9


def test_a_decision_model_fails_where_its_script_says_or_ends() -> None:
    model = ScriptedDecisionModel(
        [
            ScriptedTurn(logprobs=ModelFault("NaN"), text=ModelFault("too long")),
            ScriptedTurn(logprobs=(0.0,)),
        ]
    )
    with pytest.raises(InputError, match="extend first"):
        model.choose("wait")
    model.extend("one")
    with pytest.raises(ModelFault, match="NaN"):
        model.option_logprobs(OPTIONS)
    with pytest.raises(ModelFault, match="too long"):
        model.generate({})
    with pytest.raises(InputError, match="open"):
        model.extend("two")
    model.begin("S")
    model.extend("two")
    with pytest.raises(InputError, match="1 log-probabilities"):
        model.option_logprobs(OPTIONS)
    with pytest.raises(InputError, match="no text for turn 2"):
        model.generate({})
    model.choose("wait")
    with pytest.raises(InputError, match="no turn for 'three'"):
        model.extend("three")


def test_a_chat_model_plays_answers_of_any_kind() -> None:
    whole = ChatReply(text="whole", tokens_in=3)
    scripted = ScriptedChatModel(
        [
            whole,
            "Grüße",
            ToolCall(name="finish", arguments={"text": "ü"}),
            lambda request: f"heard {len(request.messages)}",
            RemoteFault("down"),
        ],
        remote=True,
    )
    model: ChatModel = scripted
    messages: list[Any] = [{"role": "user", "content": "hi"}]
    assert model.complete(messages) is whole
    text = model.complete(messages)
    assert text.raw == {"role": "assistant", "content": "Grüße"}
    assert text.bytes_in == 7
    assert text.bytes_out > 20
    call = model.complete(messages, tools=[{"type": "function"}], max_tokens=5)
    assert call.calls == (ToolCall(name="finish", arguments={"text": "ü"}),)
    assert cast(Any, call.raw)["tool_calls"][0]["id"] == "call_1"
    assert model.complete([*messages, dict(call.raw)]).text == "heard 2"
    with pytest.raises(RemoteFault, match="down"):
        model.complete(messages)
    with pytest.raises(InputError, match="no answer to request 6"):
        model.complete(messages)
    assert scripted.requests[2].max_tokens == 5
    assert model.remote
