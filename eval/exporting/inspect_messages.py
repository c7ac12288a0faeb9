"""An episode as a chat and as events, in the shape of Inspect's records but as plain JSON.

The user's side speaks as ``user``, observer and executor as ``assistant`` (``model`` says which),
their calls as tool calls with their results. What it does not know: Inspect's library.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Any

from heron.contracts import EpisodeRecord, ToolCall
from heron.eval.exporting.layout import Answered, Executed, Layout, Moment
from heron.eval.exporting.tokens import Tokens, tokens_of
from heron.eval.exporting.wording import (
    answer_words,
    execution_words,
    result_words,
    turn_words,
)

Json = dict[str, Any]

UNSTORED = "(what a look brought up is not stored)"


class Chat:
    """The messages and events of one episode.

    Args:
        episode: the episode.
        layout: of it.
        start: when it began, as far as is known.
    """

    def __init__(self, episode: EpisodeRecord, layout: Layout, start: datetime) -> None:
        self._episode, self._layout, self._start = episode, layout, start
        self._name = f"{episode.scenario}#{episode.seed}#{start.isoformat()}"
        self._count = 0
        self.messages: list[Json] = []
        self.events: list[Json] = []
        self._fill()

    def _fill(self) -> None:
        # Executions come before answers, and both after what the user did in their turn.
        moments: dict[int, list[Moment]] = {turn.turn: [] for turn in self._episode.turns}
        for moment in self._layout.moments:
            moments[moment.turn.turn].append(moment)
        now = 0.0
        for turn in self._episode.turns:
            said = self._message(role="user", content=turn_words(self._episode, turn))
            # The observer's event shows it too, but comes after the execution, if there is one.
            if turn.execution is not None or not turn.observer:
                self._event("info", now, now, source="turn", data=said["content"])
            for moment in moments[turn.turn]:
                now = moment.end
                if isinstance(moment, Executed):
                    self._executed(moment)
                else:
                    self._answered(moment, said)

    # --- observer ---

    def _answered(self, moment: Answered, said: Json) -> None:
        answer, model = moment.given.answer, f"observer/{self._episode.config.observer}"
        calls = [self._call(answer.call)] if answer.type == "look" else []
        scores = answer.scores.model_dump(mode="json") if answer.scores is not None else {}
        message = self._message(
            role="assistant",
            content=answer_words(answer),
            source="generate",
            model=model,
            tool_calls=calls or None,
            metadata={"answer": answer.type, **scores},
        )
        self._model_event(moment, said, message)
        for call in calls:
            failed = moment.looked.error if moment.looked is not None else None
            self._tool(moment, call, failed or UNSTORED, failed)

    def _model_event(self, moment: Answered, said: Json, message: Json) -> None:
        cost, first = moment.cost, moment.given.step == 0
        self._event(
            "model",
            moment.begin,
            moment.end,
            model=message["model"],
            input=[said] if first else [],
            tools=[],
            tool_choice="auto",
            config={},
            output={
                "model": message["model"],
                "choices": [
                    {
                        "message": message,
                        "stop_reason": "tool_calls" if message.get("tool_calls") else "stop",
                    }
                ],
                "usage": usage(tokens_of(cost)),
                "time": cost.wall_s if cost is not None else None,
            },
            metadata=cost.model_dump(mode="json", exclude_none=True) if cost is not None else None,
        )

    # --- executor ---

    def _executed(self, moment: Executed) -> None:
        model = f"executor/{self._episode.config.executor}"
        for result in moment.execution.calls:
            call = self._call(result.call)
            self._message(
                role="assistant", content="", source="generate", model=model, tool_calls=[call]
            )
            self._tool(moment, call, result_words(result), None if result.ok else result.error)
        self._message(
            role="assistant",
            content=execution_words(moment.execution),
            source="generate",
            model=model,
            metadata={"end": moment.execution.end, "grant": moment.execution.grant_id},
        )
        self._event(
            "info",
            moment.end,
            moment.end,
            source="executor",
            data=f"{moment.execution.end}: {moment.execution.message}",
        )

    def _tool(self, moment: Moment, call: Json, told: str, error: str | None) -> None:
        wrong = {"type": "unknown", "message": error} if error is not None else None
        message = self._message(
            role="tool",
            content=told,
            tool_call_id=call["id"],
            function=call["function"],
            error=wrong,
        )
        self._event(
            "tool",
            moment.end,
            moment.end,
            id=call["id"],
            function=call["function"],
            arguments=call["arguments"],
            result=told,
            error=wrong,
            message_id=message["id"],
        )

    def scored(self, score: Json, scorer: str) -> None:
        """Add the event in which the episode was scored."""
        end = self._layout.seconds
        self._event("score", end, end, score=score, scorer=scorer)

    # --- records ---

    def _call(self, call: ToolCall) -> Json:
        return {"id": self._id(), "function": call.name, "arguments": dict(call.arguments)}

    def _message(self, **content: Any) -> Json:
        message = {"id": self._id(), **{k: v for k, v in content.items() if v is not None}}
        self.messages.append(message)
        return message

    def _event(self, event: str, begin: float, end: float, **content: Any) -> None:
        took = {"completed": self._at(end), "working_time": end - begin}
        self.events.append(
            {
                "event": event,
                "uuid": self._id(),
                "timestamp": self._at(begin),
                "working_start": begin,
                **(took if event in ("model", "tool") else {}),
                **content,
            }
        )

    def _at(self, seconds: float) -> str:
        return (self._start + timedelta(seconds=seconds)).isoformat()

    def _id(self) -> str:
        """The same for the same episode."""
        self._count += 1
        text = f"{self._name}#{self._count}"
        return hashlib.sha256(text.encode()).hexdigest()[:22]


def usage(tokens: Tokens | None) -> Json | None:
    """Tokens as Inspect counts them: those kept from before apart from those that went in."""
    if tokens is None:
        return None
    return {
        "input_tokens": tokens.fresh,
        "output_tokens": tokens.out,
        "total_tokens": tokens.read + tokens.out,
        "input_tokens_cache_read": tokens.reused or None,
    }
