"""A user that is a chat model: one legal move a turn, out of those that its view allows.

An answer that is no legal move is sent back at most twice, with what was wrong; then the user
idles. What it has seen and done stays in its history; when that grows too long, the older half
goes at once, so that a local model rarely has to read anything again. What it does not know: which
library answers, in which process it runs, the scenario beyond its briefing.
"""

from __future__ import annotations

from typing import NamedTuple

from pydantic import JsonValue

from heron.contracts import Idle, Usage, UserStep, UserView
from heron.errors import InputError, Unfinished
from heron.eval.users.choices import Choices, InvalidMove
from heron.eval.users.intentions import Intentions
from heron.eval.users.prompt import Briefing, choices_text, seen_text, system_text
from heron.executor.ledger import Ledger
from heron.protocols import ChatModel

REPAIRS = 2
"""Times that an answer may be sent back at one step."""
LONGEST_HISTORY = 6000
"""Characters of past turns."""
MAX_TOKENS = 320

GAVE_UP = '{"why":"","move":{"do":"idle"}}'
"""What stands in the history where no answer was a move."""


class _Past(NamedTuple):
    """A turn that is over."""

    seen: str
    answer: str


class ModelUser:
    """A ``User``.

    Args:
        model: it is asked at temperature 0.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._ledger = Ledger(remote=model.remote)
        self._system: str | None = None
        self._past: list[_Past] = []
        self._intentions = Intentions()

    def begin(self, told: Briefing) -> None:
        """Forget the last episode."""
        self._system = system_text(told)
        self._past = []
        self._intentions = Intentions(told.habits)

    def step(self, view: UserView) -> UserStep:
        """What the user does now.

        Raises:
            ModelFault: a local model failed.
            RemoteFault: the model could not be reached or refused.
        """
        self._intentions.note_view(view)
        choices = Choices(view, complete=self._model.remote)
        seen = seen_text(view)
        ways = choices_text(view, choices, self._intentions.next)
        step, answer = self._settle(
            [*self._history(), _message("user", f"{seen}\n{ways}")], choices
        )
        self._intentions.note_step(step)
        self._remember(_Past(seen, answer))
        return step

    def _settle(
        self, messages: list[dict[str, JsonValue]], choices: Choices
    ) -> tuple[UserStep, str]:
        """A legal step, and the answer that it comes from."""
        problem = ""
        for invalid in range(REPAIRS + 1):
            text = self._ask(messages, choices)
            try:
                step = choices.read(text)
            except InvalidMove as error:
                problem = str(error)
                again = f"That is not possible: {problem}. Answer again with one JSON object."
                messages += [_message("assistant", text or "…"), _message("user", again)]
                continue
            return step.model_copy(update={"invalid": invalid}), text
        note = f"gave up: {problem}"
        return UserStep(move=Idle(), note=note, invalid=REPAIRS + 1, gave_up=True), GAVE_UP

    def take_usage(self) -> Usage:
        """What the calls since the last ``take_usage`` took; after a fault, those before it."""
        return self._ledger.take()

    def _ask(self, messages: list[dict[str, JsonValue]], choices: Choices) -> str:
        try:
            reply = self._model.complete(
                tuple(messages), schema=choices.schema, max_tokens=MAX_TOKENS
            )
        except Unfinished:
            return ""
        self._ledger.add(reply)
        return reply.text.strip()

    def _history(self) -> list[dict[str, JsonValue]]:
        if self._system is None:
            raise InputError("begin an episode before its first step")
        messages = [_message("system", self._system)]
        for past in self._past:
            messages += [_message("user", past.seen), _message("assistant", past.answer)]
        return messages

    def _remember(self, past: _Past) -> None:
        self._past.append(past)
        if self._length() > LONGEST_HISTORY:
            while len(self._past) > 1 and self._length() > LONGEST_HISTORY // 2:
                self._past.pop(0)

    def _length(self) -> int:
        return sum(len(past.seen) + len(past.answer) for past in self._past)


def _message(role: str, content: str) -> dict[str, JsonValue]:
    return {"role": role, "content": content}
