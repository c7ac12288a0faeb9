"""Chat models through litellm: any provider it knows, or a GGUF file on this device.

litellm is imported when a model is made, never before. Keys come from the environment, under the
names that litellm expects (``OPENAI_API_KEY``, …). What it does not know: what the tools do.
"""

from __future__ import annotations

import ipaddress
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import JsonValue

from heron.errors import InputError, RemoteFault, Unavailable, UnknownName
from heron.models.allowance import Allowance, allowance
from heron.models.chat_history import request_bytes
from heron.models.litellm_local import LocalProvider, register
from heron.models.litellm_message import calls_of, plain, raw_of
from heron.models.litellm_start import WIRE, quiet, start_litellm, told
from heron.protocols import ChatModel, ChatReply, Schema
from heron.registry import split_spec

BytesFrom = Literal["http", "serialised"]
_BYTES_PER_TOKEN = 3
"""Fewer than most texts have, so that a call is estimated too large rather than too small."""
_PASSING = frozenset((408, 409, 429))
"""HTTP statuses after which the same request may go through."""


class LitellmChat:
    """A ``ChatModel`` of any provider of litellm.

    Args:
        model: litellm's id, ``provider/model``.
        api_base: address of an OpenAI-compatible or other server; by default the provider's, or
            what its environment variable says.
        api_key: by default from the environment.
        remote: whether requests leave the device; by default they do, unless the address is a
            loopback one.
        timeout_s: longest wait for one answer.
        retries: repetitions after a failure that may pass (no connection, 408, 429, 5xx).
        pause: told the seconds to wait before a repetition: 1, 2, 4, …
        local: the provider in this process behind ``model``, if it is one.

    Raises:
        UnknownName: litellm knows no such provider.
        Unavailable: the provider's key is not in the environment.
    """

    def __init__(
        self,
        model: str,
        *,
        api_base: str | None = None,
        api_key: str | None = None,
        remote: bool | None = None,
        timeout_s: float = 120.0,
        retries: int = 2,
        pause: Callable[[float], None] = time.sleep,
        local: LocalProvider | None = None,
    ) -> None:
        self._litellm = start_litellm()
        self.model = model
        self._retries, self._pause, self._local = retries, pause, local
        self._allowance: Allowance | None = None if local else allowance()
        provider, base = ("", None) if local else self._provider(model)
        base = api_base or _base_of(provider) or base
        self.remote = remote if remote is not None else local is None and not _is_loopback(base)
        """Requests leave the device."""
        self.bytes_from: BytesFrom = "serialised"
        """Where the last answer's ``bytes_out`` comes from: the body that went through the HTTP
        client, all attempts together, or messages, tools and schema written as JSON."""
        self.seed: int | None = None
        """Sent with each request, if given, to providers that take one."""
        self._secrets = (api_key,) if api_key else ()
        self._fixed: dict[str, Any] = {
            "model": model,
            "temperature": 0,
            "timeout": timeout_s,
            "max_retries": 0,
            "drop_params": True,
        }
        if api_base:
            self._fixed["api_base"] = api_base
        if local is None and not api_key:
            api_key = self._key(model, base)
        if api_key:
            self._fixed["api_key"] = api_key

    def complete(
        self,
        messages: Sequence[Mapping[str, JsonValue]],
        *,
        tools: Sequence[Mapping[str, JsonValue]] = (),
        schema: Schema | None = None,
        max_tokens: int = 512,
    ) -> ChatReply:
        """One answer, at temperature 0 where the provider allows it.

        A call whose arguments are no JSON object is not in ``calls`` but stands in ``raw`` as the
        model wrote it, so that the caller can say what was wrong.

        Raises:
            RemoteFault: the model could not be reached, refused, or answered with nothing.
            CapReached: the run may spend no more.
            ModelFault: a local model failed.
            InputError: a local model cannot use the messages, tools or schema.
        """
        asked: dict[str, Any] = {**self._fixed, "messages": plain(messages)}
        asked["max_tokens"] = max_tokens
        if self.seed is not None:
            asked["seed"] = self.seed
        if tools:
            asked["tools"] = plain(tools)
        if schema is not None:
            named = {"name": "answer", "schema": plain(schema), "strict": True}
            asked["response_format"] = {"type": "json_schema", "json_schema": named}
        requests, sent, received = WIRE.requests, WIRE.sent, WIRE.received
        answer = self._ask(asked, request_bytes(messages, tools, schema) // _BYTES_PER_TOKEN)
        self.bytes_from = "serialised" if WIRE.requests == requests else "http"
        counted = self.bytes_from == "http"
        message = answer.choices[0].message
        raw = raw_of(message)
        usage = getattr(answer, "usage", None)
        return ChatReply(
            text=message.content or "",
            calls=calls_of(raw),
            tokens_in=getattr(usage, "prompt_tokens", 0) or 0,
            tokens_out=getattr(usage, "completion_tokens", 0) or 0,
            bytes_out=WIRE.sent - sent if counted else request_bytes(messages, tools, schema),
            bytes_in=WIRE.received - received if counted else len(json.dumps(raw).encode()),
            cost_usd=None if self._local else self._cost(usage),
            raw=raw,
        )

    def _ask(self, asked: dict[str, Any], tokens: int) -> Any:
        import openai

        for attempt in range(self._retries + 1):
            call = self._allowed(tokens, asked["max_tokens"])
            try:
                with quiet():
                    answer = self._litellm.completion(**asked)
            except openai.OpenAIError as error:
                if self._allowance is not None:
                    self._allowance.fail(call)
                if self._local and self._local.error:
                    raise self._local.error from error
                if attempt == self._retries or not _may_pass(error):
                    said = told(error, secrets=self._secrets)
                    raise RemoteFault(f"{self.model}: {said}") from None
                self._pause(2.0**attempt)
                continue
            self._note(call, getattr(answer, "usage", None))
            if not answer.choices:
                raise RemoteFault(f"{self.model}: the answer holds nothing")
            return answer
        raise AssertionError(attempt)

    def _allowed(self, tokens_in: int, tokens_out: int) -> int:
        """Wait for a call of the run's allowance, if it has one.

        Raises:
            CapReached: none is left.
        """
        if self._allowance is None:
            return 0
        # A server of one's own need not have a price.
        priced = self.remote or self._allowance.price(self.model) is not None
        return self._allowance.ask(self.model, tokens_in, tokens_out, priced=priced)

    def _note(self, call: int, usage: Any) -> None:
        """Tell the allowance what a call took."""
        if self._allowance is not None:
            total = getattr(usage, "total_tokens", 0) or 0
            self._allowance.tell(call, total, self._cost(usage))

    def _provider(self, model: str) -> tuple[str, str | None]:
        try:
            with quiet():
                _, provider, _, base = self._litellm.get_llm_provider(model)
        except self._litellm.BadRequestError:
            raise UnknownName(
                f"litellm knows no provider of {model!r}; write provider/model, for example "
                f"openai/gpt-5-mini or ollama_chat/qwen3:4b"
            ) from None
        return provider, base

    def _key(self, model: str, base: str | None) -> str | None:
        """A key to send, where the environment has none and none is needed."""
        with quiet():
            missing = self._litellm.validate_environment(model)["missing_keys"]
        keys = [name for name in missing if not name.endswith(("_BASE", "_URL"))]
        if not keys:
            return None
        if base is None:
            raise Unavailable(f"model {model!r} needs a key: set {' and '.join(keys)}")
        return "none"  # a server of one's own; clients refuse to send no key at all

    def _cost(self, usage: Any) -> float | None:
        """US dollars by the price that the run gives, or by litellm's installed list."""
        if usage is None:
            return None
        given = self._allowance.given(self.model) if self._allowance else None
        if given is not None:
            return given.of(usage.prompt_tokens, usage.completion_tokens)
        try:
            with quiet():
                costs = self._litellm.cost_per_token(model=self.model, usage_object=usage)
        except self._litellm.exceptions.ModelNotMappedError:
            return None
        return float(sum(costs))


def chat_model(
    spec: str,
    *,
    threads: int = 1,
    window: int = 4096,
    api_base: str | None = None,
    api_key: str | None = None,
) -> ChatModel:
    """The chat model that ``spec`` names, through litellm.

    Args:
        spec: ``litellm:<provider/model>``, or ``gguf:<catalogue name or path>``.
        threads: threads of a local model.
        window: tokens of context of a local model.
        api_base: address of the server, for litellm.
        api_key: key, for litellm; by default from the environment.

    Raises:
        UnknownName: no such kind, provider or catalogue model.
        InputError: the model's file is not here or cannot be used.
        Unavailable: a key is missing.
    """
    kind, argument = split_spec(spec)
    if kind == "litellm" and argument:
        return LitellmChat(argument, api_base=api_base, api_key=api_key)
    if kind == "gguf" and argument:
        # Not at the top: a remote model needs nothing of llama.cpp.
        from heron.models.chat_llama import load_llama_chat

        chat = load_llama_chat(argument, threads=threads, window=window)
        name, provider = register(chat, Path(argument).name)
        return LitellmChat(name, local=provider)
    if kind in ("litellm", "gguf"):
        raise InputError(f"{spec!r} names no model: write {kind}:<model>")
    raise UnknownName(f"unknown chat model {spec!r}; known: gguf:<model>, litellm:<provider/model>")


def _base_of(provider: str) -> str | None:
    """The address that the environment gives for a provider, or that is always its own."""
    name = provider.upper().removesuffix("_CHAT")
    given = os.environ.get(f"{name}_API_BASE") or os.environ.get(f"{name}_BASE_URL")
    return given or ("http://localhost:11434" if name == "OLLAMA" else None)


def _is_loopback(base: str | None) -> bool:
    host = urlsplit(base).hostname if base else None
    if host is None:
        return False
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _may_pass(error: Exception) -> bool:
    import openai

    if isinstance(error, openai.APIConnectionError):  # timeouts are among them
        return True
    status = getattr(error, "status_code", None)
    return isinstance(status, int) and (status in _PASSING or status >= 500)
