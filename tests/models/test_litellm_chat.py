"""Chat models through litellm: over real HTTP on loopback, and in this process.

litellm takes seconds to import, so these tests share one import.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import JsonValue

from heron.contracts import ToolCall
from heron.errors import InputError, ModelFault, RemoteFault, Unavailable, UnknownName
from heron.models.litellm_chat import LitellmChat, chat_model
from heron.models.litellm_local import register
from heron.models.litellm_start import told
from heron.models.scripted import ScriptedChatModel
from heron.models.serve import ChatServer
from heron.protocols import ChatModel, ChatReply

Message = dict[str, JsonValue]
HI: list[Message] = [{"role": "user", "content": "grüß dich"}]
FINISH: Message = {
    "type": "function",
    "function": {
        "name": "finish",
        "description": "Tell what was done.",
        "parameters": {
            "type": "object",
            "properties": {"text": {"type": "string", "maxLength": 20, "x-text": True}},
            "required": ["text"],
            "additionalProperties": False,
        },
    },
}
KEY = "heron-test-0123456789"


class Answers:
    """What the canned server sends, one per request, and what it was sent."""

    def __init__(self, *answers: tuple[int, Any]) -> None:
        self.left = list(answers)
        self.bodies: list[bytes] = []
        self.keys: list[str | None] = []
        self.url = ""


@contextmanager
def canned(*answers: tuple[int, Any]) -> Iterator[Answers]:
    """An HTTP server on loopback that gives fixed answers."""
    state = Answers(*answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            state.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            state.keys.append(self.headers.get("Authorization"))
            status, body = state.left.pop(0)
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def completion(message: Message) -> Message:
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
    }


def answer_with(arguments: str) -> Message:
    call: Message = {
        "id": "call_9",
        "type": "function",
        "function": {"name": "finish", "arguments": arguments},
    }
    return completion({"role": "assistant", "content": None, "tool_calls": [call]})


def error(message: str) -> Message:
    return {"error": {"message": message, "type": "some_error", "code": "x"}}


def chat_at(url: str, *, model: str = "openai/some-model", **more: Any) -> LitellmChat:
    more.setdefault("pause", lambda _seconds: None)
    return LitellmChat(model, api_base=url, api_key=KEY, **more)


def test_an_answer_over_http_is_counted_at_the_wire() -> None:
    with canned((200, completion({"role": "assistant", "content": "Hallo"}))) as server:
        chat = chat_at(server.url)
        as_protocol: ChatModel = chat
        reply = as_protocol.complete(HI, tools=[FINISH], max_tokens=77)
    assert reply.text == "Hallo"
    assert (reply.tokens_in, reply.tokens_out) == (11, 3)
    assert chat.bytes_from == "http"
    assert reply.bytes_out == len(server.bodies[0])
    assert reply.bytes_in > 100
    assert reply.raw == {"role": "assistant", "content": "Hallo"}
    assert reply.cost_usd is None
    sent = json.loads(server.bodies[0])
    assert sent["model"] == "some-model"
    assert sent["messages"] == HI
    assert sent["tools"] == [FINISH]
    assert 77 in (sent.get("max_tokens"), sent.get("max_completion_tokens"))
    assert server.keys == [f"Bearer {KEY}"]


def test_prices_come_from_the_installed_list() -> None:
    with canned((200, completion({"role": "assistant", "content": "Hi"}))) as server:
        reply = chat_at(server.url, model="openai/gpt-4o-mini").complete(HI)
    assert reply.cost_usd == pytest.approx(11 * 0.15e-6 + 3 * 0.6e-6)


def test_calls_are_read_and_unreadable_ones_are_left_to_the_caller() -> None:
    answers = [(200, answer_with(text)) for text in ('{"text": "ok"}', "{oops", "[1]", "")]
    with canned(*answers) as server:
        chat = chat_at(server.url)
        good, broken, other, empty = (chat.complete(HI, tools=[FINISH]) for _ in answers)
    assert good.calls == (ToolCall(name="finish", arguments={"text": "ok"}),)
    assert good.text == ""
    for reply, written in ((broken, "{oops"), (other, "[1]")):
        assert reply.calls == ()
        (raw,) = cast(Any, reply.raw)["tool_calls"]
        assert raw["id"] == "call_9"
        assert raw["function"] == {"name": "finish", "arguments": written}
    assert empty.calls == (ToolCall(name="finish"),)


def test_a_schema_is_sent_as_a_response_format() -> None:
    schema: Message = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    with canned((200, completion({"role": "assistant", "content": "{}"}))) as server:
        # litellm leaves out what it thinks the model cannot do, so it must know the model.
        chat_at(server.url, model="openai/gpt-4o-mini").complete(HI, schema=schema)
    assert json.loads(server.bodies[0])["response_format"]["json_schema"]["schema"] == schema


def test_what_may_pass_is_tried_again_and_all_attempts_count() -> None:
    ok = completion({"role": "assistant", "content": "at last"})
    waits: list[float] = []
    with canned((503, error("busy")), (429, error("slow down")), (200, ok)) as server:
        chat = chat_at(server.url, pause=waits.append)
        reply = chat.complete(HI)
    assert reply.text == "at last"
    assert waits == [1.0, 2.0]
    assert reply.bytes_out == sum(map(len, server.bodies))


def test_what_stays_is_a_fault_in_one_line_without_the_key() -> None:
    told_key = error(f"Incorrect API key provided: {KEY}.\nSee https://x")
    with canned((401, told_key), (500, error("a")), (500, error("b")), (500, error("c"))) as server:
        chat = chat_at(server.url)
        for attempts in (1, 4):
            with pytest.raises(RemoteFault, match="openai/some-model: ") as caught:
                chat.complete(HI)
            assert "\n" not in str(caught.value)
            assert KEY not in str(caught.value)
            assert len(server.bodies) == attempts


def test_an_answer_without_choices_or_sense_is_a_fault() -> None:
    nothing = {**completion({"role": "assistant", "content": ""}), "choices": []}
    with canned((200, nothing), (200, b"<html>")) as server:
        chat = chat_at(server.url, retries=0)
        for _ in range(2):
            with pytest.raises(RemoteFault):
                chat.complete(HI)


def test_a_server_that_is_not_there_is_a_fault() -> None:
    with canned() as server:
        url = server.url
    waits: list[float] = []
    chat = chat_at(url, pause=waits.append, retries=1)
    with pytest.raises(RemoteFault, match=r"[Cc]onnect"):
        chat.complete(HI)
    assert waits == [1.0]


def test_loopback_is_not_remote_and_all_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_API_BASE", "OPENAI_BASE_URL", "OLLAMA_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    for url in ("http://127.0.0.1:8000/v1", "http://localhost:1/v1", "http://[::1]:1/v1"):
        assert not LitellmChat("openai/x", api_base=url).remote
    assert LitellmChat("openai/x", api_base="http://127.0.0.1:1/v1", remote=True).remote
    assert LitellmChat("openai/x", api_base="https://llm.example/v1").remote
    assert LitellmChat("openai/x", api_key=KEY).remote
    assert not LitellmChat("ollama_chat/qwen3:4b").remote
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:8000/v1")
    assert not LitellmChat("openai/x").remote


def test_what_is_missing_is_told_when_the_model_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(Unavailable, match="set OPENAI_API_KEY"):
        chat_model("litellm:openai/gpt-5-mini")
    with pytest.raises(UnknownName, match="litellm knows no provider of 'nonsense'"):
        chat_model("litellm:nonsense")
    with pytest.raises(UnknownName, match="unknown chat model 'foo:bar'"):
        chat_model("foo:bar")
    with pytest.raises(InputError, match="names no model"):
        chat_model("gguf:")
    with pytest.raises(UnknownName):
        chat_model("gguf:smolm2")


def test_keys_of_the_environment_are_struck_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "abcdef-secret")
    said = told(ValueError("litellm.AuthError: key abcdef-secret\nand Bearer xyz.123456 too"))
    assert "secret" not in said
    assert "123456" not in said
    assert said.startswith("AuthError: key ***")


def test_a_local_model_takes_the_same_way() -> None:
    fault = ModelFault("no room")
    scripted = ScriptedChatModel(
        [ToolCall(name="finish", arguments={"text": "ok"}), "plain", fault, "after"]
    )
    name, provider = register(scripted, "scripted")
    chat = LitellmChat(name, local=provider)
    assert not chat.remote
    reply = chat.complete(HI, tools=[FINISH], max_tokens=33)
    assert reply.calls == (ToolCall(name="finish", arguments={"text": "ok"}),)
    assert chat.bytes_from == "serialised"
    assert reply.bytes_out == len(
        json.dumps(
            {"messages": HI, "tools": [FINISH]}, ensure_ascii=False, separators=(",", ":")
        ).encode()
    )
    request = scripted.requests[0]
    assert (request.messages, request.tools) == (tuple(HI), (FINISH,))
    assert request.max_tokens == 33
    schema: Message = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    assert chat.complete(HI, schema=schema).text == "plain"
    assert scripted.requests[1].schema == schema
    with pytest.raises(ModelFault, match=r"^no room$"):
        chat.complete(HI)
    assert chat.complete([*HI, dict(reply.raw), *HI]).text == "after"
    assert len(scripted.requests) == 4  # a fault of the model is not tried again


def test_two_local_models_live_side_by_side() -> None:
    chats = []
    for text in ("one", "two"):
        name, provider = register(ScriptedChatModel([text]), "same-name")
        chats.append(LitellmChat(name, local=provider))
    assert [chat.complete(HI).text for chat in chats] == ["one", "two"]


def finish_with(chat: ChatModel) -> ChatReply:
    """One held call of the tiny model."""
    reply = chat.complete(HI, tools=[FINISH], max_tokens=200)
    assert reply.calls[0].name == "finish"
    assert len(cast(str, reply.calls[0].arguments["text"])) <= 20
    assert reply.tokens_out > 10
    return reply


def test_a_gguf_file_takes_the_same_way(tiny_path: Path) -> None:
    chat = chat_model(f"gguf:{tiny_path}", window=1024)
    assert not chat.remote
    reply = finish_with(chat)
    assert reply.bytes_out > 100
    with pytest.raises(InputError, match="no role of a chat"):
        chat.complete([{"role": "robot", "content": "x"}])
    with pytest.raises(ModelFault, match="do not fit the window"):
        chat.complete([{"role": "user", "content": "x" * 2000}])


def test_a_gguf_file_behind_the_server_is_reached_over_http(tiny_path: Path) -> None:
    from heron.models.chat_llama import load_llama_chat

    local = load_llama_chat(str(tiny_path), window=1024)
    with ChatServer(local, name="tiny") as server:
        chat = LitellmChat("openai/tiny", api_base=server.url)
        over_http = finish_with(chat)
        with pytest.raises(RemoteFault, match="do not fit the window"):
            LitellmChat("openai/tiny", api_base=server.url, retries=0).complete(
                [{"role": "user", "content": "x" * 2000}]
            )
    assert chat.bytes_from == "http"
    assert over_http.calls == finish_with(local).calls
    local.close()


def test_nothing_of_litellm_is_imported_before_a_model_is_made() -> None:
    script = (
        "import sys; import heron.models.litellm_chat, heron.models.serve, heron.models.scripted;"
        "bad = {'litellm', 'openai', 'llama_cpp'} & set(sys.modules);"
        "sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_litellm_prints_nothing_and_asks_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    with canned((401, error("no"))) as server:
        chat = chat_at(server.url)
        with pytest.raises(RemoteFault):
            chat.complete(HI)
    assert capfd.readouterr() == ("", "")
