"""The seams between the rooms, as protocols over records of ``contracts``.

What it does not know: who implements them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pydantic import JsonValue

from heron.contracts import (
    Brief,
    Execution,
    Observation,
    ObserverAnswer,
    ObserverState,
    StepCost,
    Task,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
    UserStep,
    UserView,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Schema = Mapping[str, JsonValue]
"""A JSON schema."""


class Observer(Protocol):
    """Watches and answers; one method over records."""

    def observe(self, observation: Observation) -> ObserverAnswer:
        """Answer to what is new. ``observation.brief`` is set when a new episode begins."""


@runtime_checkable
class Restorable(Protocol):
    """What an observer may offer beside ``observe``, so that it outlives its process."""

    def save(self) -> ObserverState:
        """What is worth keeping after an answer; of bounded size."""

    def load(self, state: ObserverState, brief: Brief) -> None:
        """Go on where ``save`` was called, in place of a first observation with a brief.

        Raises:
            InputError: another kind of observer made the state.
            ModelFault: the context could not be made again.
        """


@runtime_checkable
class Gated(Protocol):
    """What an observer may offer beside: it says whether its model was woken."""

    woken: bool | None
    """For the last observation; ``None`` without a gate."""


@runtime_checkable
class UsesNetwork(Protocol):
    """What an observer has to offer that asks a model behind an address."""

    def take_usage(self) -> Usage:
        """What it used since the last call; ``remote`` unless the address is this machine's, so
        that the bytes count as egress.
        """


class User(Protocol):
    """A simulated user: sees previews and the current screen, has one step per turn."""

    def step(self, view: UserView) -> UserStep:
        """What the user does now."""


class Toolset(Protocol):
    """Tools that can be called; the caller's rights are already in it."""

    def specs(self) -> tuple[ToolSpec, ...]:
        """What may be called."""

    def call(self, call: ToolCall) -> ToolResult:
        """Call one tool. A refused call is a result that is not ``ok``, never an exception."""


class Executor(Protocol):
    """Acts under a grant."""

    def start(self, task: Task, tools: Toolset) -> Execution:
        """Work on the task until it is done, given up, at its limit, or in need of an answer."""

    def resume(self, reply: str, tools: Toolset) -> Execution:
        """Go on after the user answered the question that the last execution ended with."""


class DecisionModel(Protocol):
    """A local model with an append-only context whose last position can be read.

    ``begin`` sets the constant prefix (kept between episodes), ``extend`` appends a user's
    message, ``option_logprobs`` reads the logits after the assistant header that follows, and one
    of ``choose`` or ``generate`` closes the assistant's turn.
    """

    def begin(self, system: str, examples: Sequence[tuple[str, str]] = ()) -> None:
        """Go back to the constant prefix: a system text and (user, assistant) examples."""

    def extend(self, text: str, *, keep: bool = False) -> None:
        """Append a user's message and the header of the assistant's answer.

        Args:
            text: the message.
            keep: later turns may need this one; where old turns have to go, it goes later.
        """

    def option_logprobs(self, options: Sequence[str]) -> tuple[float, ...]:
        """Natural-log probability of each option's first distinguishing token, at the last
        position. Options must differ in their first token.

        Raises:
            ModelFault: the logits are not numbers.
        """

    def choose(self, option: str) -> None:
        """Close the assistant's turn with ``option`` as its whole text."""

    def generate(self, schema: Schema, *, opening: str = "", max_tokens: int = 160) -> str:
        """Close the assistant's turn with ``opening`` and a JSON text that the schema allows.

        Returns:
            the JSON text, without ``opening``.

        Raises:
            ModelFault: no complete text within ``max_tokens``.
        """

    def take_cost(self) -> StepCost:
        """What was spent since the last call of this method."""


@runtime_checkable
class HiddenStates(Protocol):
    """What a decision model may offer beside its logits."""

    def hidden(self) -> NDArray[np.float32]:
        """Hidden state of the position that ``option_logprobs`` reads, shape (width,)."""


@dataclass(frozen=True)
class ChatReply:
    """A chat model's answer: tool calls, or text if there are none."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    bytes_out: int = 0
    """Bytes of the request body."""
    bytes_in: int = 0
    cost_usd: float | None = None
    raw: Mapping[str, JsonValue] = field(default_factory=dict)
    """The assistant message to append to the history, in OpenAI's format."""


class ChatModel(Protocol):
    """A chat model with tools, in OpenAI's message format."""

    remote: bool
    """Requests leave the device."""

    def complete(
        self,
        messages: Sequence[Mapping[str, JsonValue]],
        *,
        tools: Sequence[Mapping[str, JsonValue]] = (),
        schema: Schema | None = None,
        max_tokens: int = 512,
    ) -> ChatReply:
        """One answer.

        Args:
            messages: the history, OpenAI's chat format.
            tools: function tools, OpenAI's format; a local model is held to their schemas.
            schema: hold the text to this JSON schema.

        Raises:
            RemoteFault: the model could not be reached or refused.
            ModelFault: a local model failed.
        """
