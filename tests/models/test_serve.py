"""The OpenAI-compatible server over real HTTP on loopback."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import httpx
import pytest

from heron.contracts import ToolCall
from heron.errors import InputError, ModelFault
from heron.models.chat_llama import load_llama_chat
from heron.models.scripted import ScriptedChatModel
from heron.models.serve import ChatServer, read_request
from heron.protocols import ChatReply

HI = [{"role": "user", "content": "hi"}]


def post(server: ChatServer, body: Any) -> httpx.Response:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx.post(f"{server.url}/chat/completions", content=data, timeout=30)


def test_an_answer_has_openais_form() -> None:
    model = ScriptedChatModel(
        [
            ChatReply(text="Grüße", tokens_in=5, tokens_out=2),
            ToolCall(name="finish", arguments={"text": "ok"}),
        ]
    )
    tools = [{"type": "function", "function": {"name": "finish"}}]
    with ChatServer(model, name="fake") as server:
        assert server.url.startswith("http://127.0.0.1:")
        first = post(server, {"model": "fake", "messages": HI, "max_tokens": 9}).json()
        second = post(server, {"messages": HI, "tools": tools, "max_completion_tokens": 4}).json()
        listed = httpx.get(f"{server.url}/models").json()
    assert first["choices"][0] == {
        "index": 0,
        "message": {"role": "assistant", "content": "Grüße"},
        "finish_reason": "stop",
    }
    assert first["usage"] == {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    assert second["choices"][0]["finish_reason"] == "tool_calls"
    called = second["choices"][0]["message"]["tool_calls"][0]["function"]
    assert called == {"name": "finish", "arguments": '{"text": "ok"}'}
    assert [one["id"] for one in listed["data"]] == ["fake"]
    assert [request.max_tokens for request in model.requests] == [9, 4]
    assert model.requests[1].tools == tuple(tools)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"{oops", "the body is no JSON"),
        (b"\xff\xfe", "the body is no JSON"),
        (["a"], "the body must be a JSON object"),
        ({"messages": []}, "messages: at least one"),
        ({"messages": "hi"}, "messages: must be a list of objects"),
        ({"messages": HI, "tools": {}, "stream": True}, "stream: streaming is not supported"),
        ({"messages": HI, "tools": "x"}, "tools: must be"),
        ({"messages": HI, "n": 2}, "n: one choice"),
        ({"messages": HI, "model": "other"}, "model: 'other' is not served here; 'fake' is"),
        ({"messages": HI, "max_tokens": "many"}, "max_tokens: must be a whole number"),
        ({"messages": HI, "response_format": {"type": "xml"}}, "response_format: must be"),
        ({"messages": HI, "response_format": {"type": "json_schema"}}, "response_format: must"),
    ],
)
def test_a_bad_request_is_told_what_is_wrong(body: Any, why: str) -> None:
    model = ScriptedChatModel([])
    with ChatServer(model, name="fake") as server:
        answer = post(server, body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error["message"].startswith(why)
    assert error["type"] == "invalid_request_error"
    assert model.requests == []


def test_a_model_that_fails_gives_a_server_error_and_serving_goes_on() -> None:
    with ChatServer(ScriptedChatModel([ModelFault("no room"), "ok"])) as server:
        failed = post(server, {"messages": HI})
        assert failed.status_code == 500
        assert failed.json()["error"] == {
            "message": "no room", "type": "server_error", "code": 500,
        }  # fmt: skip
        assert post(server, {"messages": HI}).status_code == 200


def test_other_addresses_and_sizes_are_refused() -> None:
    with ChatServer(ScriptedChatModel([])) as server:
        base = server.url.removesuffix("/v1")
        assert httpx.get(f"{base}/v1/files").status_code == 404
        assert httpx.post(f"{base}/v1/embeddings", json={}).status_code == 404
        unsized = httpx.post(f"{server.url}/chat/completions", content=iter([b"{}"]))
        assert unsized.status_code == 411
        connection = HTTPConnection(base.removeprefix("http://"), timeout=30)
        connection.putrequest("POST", "/v1/chat/completions")
        connection.putheader("Content-Length", str(10**9))
        connection.endheaders()
        answer = connection.getresponse()
        assert answer.status == 413
        assert "larger than" in json.loads(answer.read())["error"]["message"]
        connection.close()


def test_a_port_that_is_taken_is_an_input_error() -> None:
    with ChatServer(ScriptedChatModel([])) as server:
        port = int(server.url.rsplit(":", 1)[1].split("/")[0])
        with pytest.raises(InputError, match=f"cannot listen on 127.0.0.1:{port}"):
            ChatServer(ScriptedChatModel([]), port=port)


def test_response_formats_become_schemas() -> None:
    def schema(form: Any) -> Any:
        body = json.dumps({"messages": HI, "response_format": form}).encode()
        return read_request(body, "x").schema

    assert schema(None) is None
    assert schema({"type": "text"}) is None
    assert schema({"type": "json_object"}) == {"type": "object"}
    named = {"name": "a", "schema": {"type": "integer"}}
    assert schema({"type": "json_schema", "json_schema": named}) == {"type": "integer"}


def test_a_gguf_file_is_served(tiny_path: Path) -> None:
    chat = load_llama_chat(str(tiny_path), window=1024)
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    form = {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}}
    with ChatServer(chat, name="tiny") as server:
        body = {"messages": HI, "response_format": form}
        contents = [post(server, body).json()["choices"][0]["message"]["content"] for _ in range(2)]
        bad = post(server, {"messages": [{"role": "assistant", "content": "hi"}]})
    assert json.loads(contents[0])["ok"] in (True, False)
    assert contents[0] == contents[1]
    assert bad.status_code == 400
    chat.close()
