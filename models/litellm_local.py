"""A local chat model as a provider of litellm, so that both kinds take the same way.

What it does not know: which model it is, and how requests are retried (they are not).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heron.errors import HeronError
from heron.models.litellm_start import quiet, start_litellm
from heron.protocols import ChatModel, ChatReply

PROVIDER = "heron"
"""Name of the provider in litellm's model ids: ``heron/<name>``."""


class LocalProvider:
    """Answers litellm's calls with a chat model in this process."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.reply: ChatReply | None = None
        """The last answer."""
        self.error: HeronError | None = None
        """Why the last call failed, before litellm gave the error another type."""

    def answer(self, messages: list[Mapping[str, Any]], params: Mapping[str, Any]) -> Any:
        """One call, as litellm hands it over; returns its ``ModelResponse``."""
        with quiet():
            from litellm.types.utils import ModelResponse

        self.reply = self.error = None
        try:
            reply = self.model.complete(
                messages,
                tools=params.get("tools") or (),
                schema=_schema(params.get("response_format")),
                max_tokens=params.get("max_tokens") or 512,
            )
        except HeronError as error:
            self.error = error
            raise
        self.reply = reply
        usage = {
            "prompt_tokens": reply.tokens_in,
            "completion_tokens": reply.tokens_out,
            "total_tokens": reply.tokens_in + reply.tokens_out,
        }
        choice = {
            "index": 0,
            "finish_reason": "tool_calls" if reply.calls else "stop",
            "message": dict(reply.raw),
        }
        return ModelResponse(choices=[choice], usage=usage)


def register(model: ChatModel, name: str) -> tuple[str, LocalProvider]:
    """Make ``model`` callable by ``litellm.completion``.

    Returns:
        the model id for litellm, and the provider behind it.
    """
    litellm = start_litellm()
    provider = LocalProvider(model)

    with quiet():
        base: Any = litellm.CustomLLM

    class Handler(base):  # type: ignore[misc]
        """litellm's side: it wants a subclass of its own."""

        def completion(self, *_args: Any, **given: Any) -> Any:
            return provider.answer(given["messages"], given["optional_params"])

    # A provider of its own per model, so that two can live in one process.
    number = len(litellm.custom_provider_map)
    own = PROVIDER if number == 0 else f"{PROVIDER}{number}"
    litellm.custom_provider_map.append({"provider": own, "custom_handler": Handler()})
    return f"{own}/{name}", provider


def _schema(given: Any) -> Mapping[str, Any] | None:
    """The JSON schema in a ``response_format``."""
    if not isinstance(given, Mapping):
        return None
    if given.get("type") == "json_schema":
        found = given.get("json_schema", {}).get("schema")
        return found if isinstance(found, Mapping) else None
    return {"type": "object"} if given.get("type") == "json_object" else None
