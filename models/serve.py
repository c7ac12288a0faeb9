"""A chat model behind an OpenAI-compatible HTTP address, on this machine by default.

``POST /v1/chat/completions`` (without streaming) and ``GET /v1/models``. Requests are answered one
at a time. Errors have OpenAI's form. There is no authentication: on another address than loopback
everybody who reaches it may use the model. What it does not know: which model answers.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self, cast

from pydantic import JsonValue

from heron.errors import HeronError, InputError
from heron.protocols import ChatModel, ChatReply, Schema

LARGEST_BODY = 8 * 2**20
"""Bytes of a request that are read."""


class ChatServer:
    """Serves a chat model until the end of the ``with`` block.

    Args:
        model: it is called from one thread at a time.
        name: the name that requests must give.
        host: address to listen on.
        port: 0 takes a free one.

    Raises:
        InputError: the address cannot be listened on.
    """

    def __init__(
        self, model: ChatModel, *, name: str = "heron", host: str = "127.0.0.1", port: int = 0
    ) -> None:
        self.name = name
        self._model = model
        self._turn = threading.Lock()
        try:
            self._server = _Server((host, port), self)
        except OSError as error:
            raise InputError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True
        )
        self.requests = 0
        """Requests for completions that were understood."""

    @property
    def url(self) -> str:
        """The base address that clients are given."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening and wait for the request in progress."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()

    def wait(self) -> None:
        """Serve until interrupted; for a command that does nothing else."""
        self._thread.join()

    def complete(self, request: Request) -> dict[str, JsonValue]:
        """One answer in OpenAI's format.

        Raises:
            HeronError: the model failed.
        """
        with self._turn:
            self.requests += 1
            reply = self._model.complete(
                request.messages,
                tools=request.tools,
                schema=request.schema,
                max_tokens=request.max_tokens,
            )
            return _completion(reply, self.name, self.requests)


class Request(NamedTuple):
    """What is understood of a request."""

    messages: list[Mapping[str, JsonValue]]
    tools: list[Mapping[str, JsonValue]]
    schema: Schema | None
    max_tokens: int


def read_request(body: bytes, name: str) -> Request:
    """Read a request for a completion.

    Args:
        body: the JSON text.
        name: the name of the model that is served.

    Raises:
        InputError: it is not understood; the message names the field.
    """
    try:
        given = json.loads(body)
    except ValueError as error:
        raise InputError(f"the body is no JSON: {error}") from None
    if not isinstance(given, dict):
        raise InputError("the body must be a JSON object")
    if given.get("stream"):
        raise InputError("stream: streaming is not supported; leave it out")
    if given.get("n", 1) != 1:
        raise InputError("n: one choice at a time")
    if given.get("model", name) != name:
        raise InputError(f"model: {given['model']!r} is not served here; {name!r} is")
    messages = _objects(given, "messages")
    if not messages:
        raise InputError("messages: at least one is needed")
    limit = given.get("max_completion_tokens") or given.get("max_tokens") or 512
    if not isinstance(limit, int) or limit < 1:
        raise InputError("max_tokens: must be a whole number from 1 on")
    return Request(messages, _objects(given, "tools"), _format(given), limit)


def _objects(given: Mapping[str, Any], key: str) -> list[Mapping[str, JsonValue]]:
    found = given.get(key) or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise InputError(f"{key}: must be a list of objects")
    return cast("list[Mapping[str, JsonValue]]", found)


def _format(given: Mapping[str, Any]) -> Schema | None:
    form = given.get("response_format")
    if form is None:
        return None
    kind = form.get("type") if isinstance(form, dict) else None
    if kind == "text":
        return None
    if kind == "json_object":
        return {"type": "object"}
    named = form.get("json_schema") if kind == "json_schema" else None
    schema = named.get("schema") if isinstance(named, dict) else None
    if not isinstance(schema, dict):
        raise InputError("response_format: must be text, json_object, or json_schema with a schema")
    return schema


def _completion(reply: ChatReply, name: str, number: int) -> dict[str, JsonValue]:
    message = dict(reply.raw) or {"role": "assistant", "content": reply.text}
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,  # answers are the same for the same requests
        "model": name,
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": "tool_calls" if message.get("tool_calls") else "stop",
            }
        ],
        "usage": {
            "prompt_tokens": reply.tokens_in,
            "completion_tokens": reply.tokens_out,
            "total_tokens": reply.tokens_in + reply.tokens_out,
        },
    }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], chat: ChatServer) -> None:
        self.chat = chat
        super().__init__(address, _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    server: _Server

    def do_GET(self) -> None:
        """List the one model."""
        if self.path.rstrip("/") != "/v1/models":
            self._refuse(HTTPStatus.NOT_FOUND, f"there is no GET {self.path}")
            return
        model = {"id": self.server.chat.name, "object": "model", "created": 0, "owned_by": "heron"}
        self._send(HTTPStatus.OK, {"object": "list", "data": [model]})

    def do_POST(self) -> None:
        """Answer a request for a completion."""
        size = self.headers.get("Content-Length", "")
        self.close_connection = True  # a body that is not read must not be taken for a request
        if self.path.rstrip("/") != "/v1/chat/completions":
            self._refuse(HTTPStatus.NOT_FOUND, f"there is no POST {self.path}")
            return
        if not size.isdigit():
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "the body needs a Content-Length")
            return
        if int(size) > LARGEST_BODY:
            message = f"the body is larger than {LARGEST_BODY} bytes"
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
            return
        self.close_connection = False
        try:
            request = read_request(self.rfile.read(int(size)), self.server.chat.name)
            self._send(HTTPStatus.OK, self.server.chat.complete(request))
        except InputError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
        except HeronError as error:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Say nothing: what is served is private."""

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        kind = (
            "server_error"
            if status >= HTTPStatus.INTERNAL_SERVER_ERROR
            else "invalid_request_error"
        )
        self._send(status, {"error": {"message": message, "type": kind, "code": int(status)}})

    def _send(self, status: HTTPStatus, body: Mapping[str, Any]) -> None:
        data = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
