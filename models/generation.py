"""Greedy writing: JSON under a schema, or plain text, at the end of a context.

The same context and schema give the same text; nothing is drawn at random. The last tokens of a
text need not be evaluated to be read, so they are left to whoever appends next. What it does not
know: turns and templates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from heron.errors import Unfinished
from heron.models.constraint import Constraint
from heron.models.llama_context import LlamaContext


class Written(NamedTuple):
    """A text and its tokens."""

    text: str
    tokens: list[int]
    """All of them; the context may lack the last ones."""


def write_json(
    context: LlamaContext, constraint: Constraint, *, unread: Sequence[int], max_tokens: int
) -> Written:
    """Write a JSON text; what the schema leaves no choice in is evaluated in one go.

    Args:
        context: where to write.
        constraint: what may be written.
        unread: tokens that stand before the text and are not evaluated yet.
        max_tokens: longest text.

    Raises:
        Unfinished: the text is not complete within ``max_tokens``.
        ModelFault: evaluation failed.
    """
    written: list[int] = []
    waiting = list(unread)
    while not constraint.complete:
        if len(written) >= max_tokens:
            raise Unfinished(f"no complete JSON text within {max_tokens} tokens")
        tokens = constraint.forced()
        if not tokens:
            if waiting:
                context.append(waiting)
            tokens, waiting = [constraint.best(context.logits())], []
        constraint.accept(tokens)
        written += tokens
        waiting += tokens
    if written and context.model.ends(written[-1]):
        written.pop()
    text = b"".join(map(context.model.piece, written)).decode("utf-8", "replace")
    constraint.value(text)
    return Written(text, written)


def write_text(
    context: LlamaContext, *, unread: Sequence[int], max_tokens: int, stop: str | None = None
) -> Written:
    """Write plain text until the model ends it, ``stop`` occurs, or ``max_tokens`` are reached.

    Raises:
        ModelFault: evaluation failed.
    """
    written: list[int] = []
    waiting = list(unread)
    data = b""
    ending = (stop or "").encode()
    while len(written) < max_tokens:
        if waiting:
            context.append(waiting)
        token = int(np.argmax(context.logits()))
        if context.model.ends(token):
            break
        written.append(token)
        waiting = [token]
        data += context.model.piece(token)
        if ending and ending in data:
            data = data[: data.index(ending)]
            break
    return Written(data.decode("utf-8", "replace").strip(), written)
