"""Models that play a script: for tests, demonstrations, and harnesses without weights.

They keep what they were asked, and fail loudly when the script is over. What they do not know: what
the answers mean.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from heron.contracts import StepCost, ToolCall
from heron.errors import Fault, InputError
from heron.models.chat_history import assistant_call, calls_in, request_bytes
from heron.protocols import ChatReply, Schema

Chances = Mapping[str, float] | Sequence[float]
"""Log-probabilities by option, or in the order of the options that will be asked for."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request for generated text that a ``ScriptedDecisionModel`` got."""

    schema: Schema
    opening: str
    max_tokens: int


@dataclass(frozen=True, kw_only=True)
class ScriptedTurn:
    """One turn of a decision model's script."""

    logprobs: Chances | Fault = ()
    """What ``option_logprobs`` answers; a fault is raised."""
    text: str | Fault | None = None
    """What ``generate`` answers, if it is called at this turn; a fault is raised."""


class ScriptedDecisionModel:
    """A ``DecisionModel`` that plays a script, one turn per ``extend``.

    Args:
        turns: the script.
        cost: what every ``take_cost`` answers.
    """

    def __init__(self, turns: Iterable[ScriptedTurn], *, cost: StepCost | None = None) -> None:
        self._left = list(turns)
        self._turn: ScriptedTurn | None = None
        self._cost = cost or StepCost(wall_s=0.0, reason="scripted model")
        self.begun: list[tuple[str, tuple[tuple[str, str], ...]]] = []
        """(system text, examples) of every ``begin``."""
        self.extended: list[str] = []
        """All texts that were appended."""
        self.kept: list[str] = []
        """Those that were marked to be kept."""
        self.answers: list[str] = []
        """How the turns were closed: the option, or the opening with the text."""
        self.generated: list[Asked] = []
        """All requests to ``generate``."""

    def begin(self, system: str, examples: Sequence[tuple[str, str]] = ()) -> None:
        self.begun.append((system, tuple(examples)))
        self._turn = None

    def extend(self, text: str, *, keep: bool = False) -> None:
        if self._turn is not None:
            raise InputError("the last turn is open: choose or generate its answer first")
        if not self._left:
            raise InputError(f"the script has no turn for {text!r}")
        self._turn = self._left.pop(0)
        self.extended.append(text)
        self.kept += [text] * keep

    def option_logprobs(self, options: Sequence[str]) -> tuple[float, ...]:
        chances = self._open().logprobs
        if isinstance(chances, Fault):
            raise chances
        if isinstance(chances, Mapping):
            return tuple(chances[option] for option in options)
        if len(chances) != len(options):
            raise InputError(f"the script has {len(chances)} log-probabilities for {options}")
        return tuple(chances)

    def choose(self, option: str) -> None:
        self._open()
        self._close(option)

    def generate(self, schema: Schema, *, opening: str = "", max_tokens: int = 160) -> str:
        self.generated.append(Asked(schema=schema, opening=opening, max_tokens=max_tokens))
        text = self._open().text
        if isinstance(text, Fault):
            raise text
        if text is None:
            raise InputError(f"the script has no text for turn {len(self.extended)}")
        self._close(opening + text)
        return text

    def take_cost(self) -> StepCost:
        return self._cost

    def _open(self) -> ScriptedTurn:
        if self._turn is None:
            raise InputError("no turn is open: extend first")
        return self._turn

    def _close(self, answer: str) -> None:
        self.answers.append(answer)
        self._turn = None


@dataclass(frozen=True, kw_only=True)
class ChatRequest:
    """A request that a ``ScriptedChatModel`` got."""

    messages: tuple[Mapping[str, JsonValue], ...]
    tools: tuple[Mapping[str, JsonValue], ...]
    schema: Schema | None
    max_tokens: int


Play = ChatReply | ToolCall | str | Fault | Callable[[ChatRequest], "ChatReply | ToolCall | str"]
"""An answer: whole, a tool call, a text, a fault that is raised, or made from the request."""


@dataclass
class ScriptedChatModel:
    """A ``ChatModel`` that plays a script, one answer per request.

    Answers that are not whole replies get one made for them: the message in OpenAI's format, and
    the bytes that the request would have.
    """

    script: Iterable[Play]
    remote: bool = False
    requests: list[ChatRequest] = field(default_factory=list)
    """All requests, in order."""

    def __post_init__(self) -> None:
        self._left = list(self.script)

    def complete(
        self,
        messages: Sequence[Mapping[str, JsonValue]],
        *,
        tools: Sequence[Mapping[str, JsonValue]] = (),
        schema: Schema | None = None,
        max_tokens: int = 512,
    ) -> ChatReply:
        """The script's next answer.

        Raises:
            InputError: the script is over.
            Fault: the script says so.
        """
        request = ChatRequest(
            messages=tuple(messages), tools=tuple(tools), schema=schema, max_tokens=max_tokens
        )
        self.requests.append(request)
        if not self._left:
            raise InputError(f"the script has no answer to request {len(self.requests)}")
        answer = self._left.pop(0)
        if isinstance(answer, Fault):
            raise answer
        return _reply(answer(request) if callable(answer) else answer, request)


def _reply(answer: ChatReply | ToolCall | str, request: ChatRequest) -> ChatReply:
    if isinstance(answer, ChatReply):
        return answer
    sent = request_bytes(request.messages, request.tools, request.schema)
    if isinstance(answer, str):
        raw: dict[str, JsonValue] = {"role": "assistant", "content": answer}
        return ChatReply(text=answer, bytes_out=sent, bytes_in=len(answer.encode()), raw=raw)
    raw = assistant_call(answer, f"call_{calls_in(request.messages) + 1}")
    size = len(json.dumps(raw, ensure_ascii=False).encode())
    return ChatReply(text="", calls=(answer,), bytes_out=sent, bytes_in=size, raw=raw)
