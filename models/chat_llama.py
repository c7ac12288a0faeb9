"""A chat model on a local GGUF file: OpenAI's messages in, text or one held tool call out.

With tools the answer is held to one call of one of them, with arguments of its schema; a reference
that the schema limits to ids shown can be no other. What the context holds from the step before is
kept as far as it is the same. What it does not know: what the tools do, and how requests come in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import JsonValue

from heron.contracts import ToolCall
from heron.errors import ModelFault
from heron.models.chat_history import (
    PlainDialogue,
    assistant_call,
    call_schema,
    calls_in,
    plain_dialogue,
    request_bytes,
)
from heron.models.constraint import Constraint, Grammars
from heron.models.dialogue_tokens import DialogueTokens, common_length
from heron.models.generation import Written, write_json, write_text
from heron.models.llama_context import FlashAttention, LlamaContext
from heron.models.llama_lib import LlamaModel
from heron.models.model_info import ModelInfo, info_of
from heron.models.store import resolve
from heron.protocols import ChatReply, Schema


class LlamaChat:
    """A ``ChatModel`` on this device.

    Args:
        model: the file.
        context: a context of it that belongs to this object.
    """

    remote = False

    def __init__(self, model: LlamaModel, context: LlamaContext) -> None:
        self._model, self._context = model, context
        self._tokens = DialogueTokens(model)
        self._grammars = Grammars(model)
        self.info: ModelInfo = info_of(model, context, self._tokens.template, self._grammars)
        """What runs here."""

    def complete(
        self,
        messages: Sequence[Mapping[str, JsonValue]],
        *,
        tools: Sequence[Mapping[str, JsonValue]] = (),
        schema: Schema | None = None,
        max_tokens: int = 512,
    ) -> ChatReply:
        """One answer, greedy: one tool call if there are tools, JSON under ``schema``, or text.

        Raises:
            InputError: the messages, tools or schema cannot be used.
            ModelFault: they do not fit the window, the JSON text is not complete within
                ``max_tokens``, or evaluation failed.
        """
        dialogue = plain_dialogue(messages, tools)
        prompt, lead = self._prompt(dialogue, max_tokens)
        held = call_schema(tools) if tools else schema
        constraint = None if held is None else self._grammars.constraint(held, lead=lead)
        written = self._write(prompt, constraint, max_tokens)
        reply = ChatReply(
            text=written.text.strip(),
            tokens_in=len(prompt),
            tokens_out=len(written.tokens),
            bytes_out=request_bytes(messages, tools, schema),
            bytes_in=len(written.text.encode()),
            raw={"role": "assistant", "content": written.text},
        )
        return _as_call(reply, calls_in(messages) + 1) if tools else reply

    def close(self) -> None:
        """Free the context and the model."""
        self._context.close()
        self._model.close()

    def _write(self, prompt: list[int], constraint: Constraint | None, max_tokens: int) -> Written:
        # The last token is always evaluated, for its logits.
        common = min(common_length(self._context.tokens, prompt), len(prompt) - 1)
        self._context.rewind(common)
        unread = prompt[len(self._context.tokens) :]
        if constraint is None:
            stop = self._tokens.template.stop
            return write_text(self._context, unread=unread, max_tokens=max_tokens, stop=stop)
        return write_json(self._context, constraint, unread=unread, max_tokens=max_tokens)

    def _prompt(self, dialogue: PlainDialogue, max_tokens: int) -> tuple[list[int], str]:
        """The prompt's tokens, and the spaces that the answer begins with. If it is too long, the
        oldest exchanges but the first go.

        Raises:
            ModelFault: it is too long without them.
        """
        pairs = list(dialogue.pairs)
        while True:
            writer = self._tokens.dialogue()
            segments = [*writer.begin(dialogue.system, pairs), *writer.user(dialogue.last)]
            tokens = self._tokens.encode(segments, at_start=True)
            if len(tokens) + max_tokens <= self._context.window:
                return tokens, writer.lead
            if len(pairs) < 2:
                raise ModelFault(
                    f"a prompt of {len(tokens)} tokens and an answer of {max_tokens} do not fit "
                    f"the window of {self._context.window}"
                )
            del pairs[1]


def _as_call(reply: ChatReply, number: int) -> ChatReply:
    said = cast(dict[str, Any], json.loads(reply.text))
    call = ToolCall(name=said["tool"], arguments=said["arguments"])
    return ChatReply(
        text="",
        calls=(call,),
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        bytes_out=reply.bytes_out,
        bytes_in=reply.bytes_in,
        raw=assistant_call(call, f"call_{number}"),
    )


def load_llama_chat(
    spec: str, *, threads: int = 1, window: int = 4096, flash_attention: FlashAttention = "off"
) -> LlamaChat:
    """Load a model of the catalogue or a GGUF file as a chat model.

    Raises:
        UnknownName: neither a name of the catalogue nor a file.
        InputError: the model is not here, or the window is too large for it.
        ModelFileError: the file cannot be used.
        ModelFault: there is not enough memory.
    """
    model = LlamaModel(resolve(spec))
    context = LlamaContext(model, window=window, threads=threads, flash_attention=flash_attention)
    return LlamaChat(model, context)
