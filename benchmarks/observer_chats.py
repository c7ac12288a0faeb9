"""The observer as most people would write it, for ``observer.py``: ``Llama.create_chat_completion``
with the whole chat at each turn.

The library keeps what an old chat and a new one have in common at their beginning. So it is
measured where the chat only grows, the same held to a JSON schema, since answers have to be read by
a program, and where the time of day stands at its head, so that nothing is in common. What it does
not know: Heron's own loop.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any, Final

from llama_cpp import Llama
from observer_costs import TURN, WINDOW, Counts, clocks
from observer_rows import Row, Samples, both, ratio
from observer_stream import actions

from heron.observer.encode import Told, encode
from heron.observer.prompt import prompt


class Chats:
    """The same chat in three ways; the file is loaded twice."""

    SCHEMA: Final = {
        "type": "json_object",
        "schema": {
            "type": "object",
            "properties": {"decision": {"enum": ["wait", "look", "propose"]}},
            "required": ["decision"],
        },
    }

    def __init__(self, path: Path) -> None:
        self._grows, self._moves = (
            Llama(str(path), n_ctx=WINDOW, n_threads=1, n_threads_batch=1, verbose=False)
            for _ in range(2)
        )

    def play(self, samples: Samples, counts: Counts) -> None:
        """Turn 10 in each way, behind a call at turn 9."""
        kinds: tuple[tuple[str, dict[str, Any]], ...] = (
            ("chat", {"max_tokens": 16}),
            ("chat, JSON", {"max_tokens": 32, "response_format": self.SCHEMA}),
        )
        for name, more in kinds:
            self._call(self._grows, _messages(TURN - 1), max_tokens=1)
            begun = clocks()
            used = self._call(self._grows, _messages(TURN), **more)
            samples.add(name, clocks() - begun)
            counts[name] = used["completion_tokens"]
        self._moves.reset()
        begun = clocks()
        used = self._call(self._moves, _messages(TURN, clock=True), max_tokens=16)
        samples.add("chat, clock", clocks() - begun)
        counts["chat, clock"] = used["completion_tokens"]

    @staticmethod
    def _call(llama: Llama, messages: list[dict[str, str]], **more: Any) -> dict[str, int]:
        used: dict[str, int] = llama.create_chat_completion(messages, temperature=0, **more)[
            "usage"
        ]
        return used

    def close(self) -> None:
        """Free the memory."""
        self._grows.close()
        self._moves.close()


def _messages(turns: int, *, clock: bool = False) -> list[dict[str, str]]:
    """The chat as the library takes it; with ``clock`` the time stands at its head."""
    head = f"It is 09:{turns:02d}.\n" if clock else ""
    messages = [{"role": "system", "content": head + prompt().system}]
    for seen, said in prompt().examples:
        messages += [{"role": "user", "content": seen}, {"role": "assistant", "content": said}]
    told = Told()
    for observation in islice(actions(), turns):
        delta, told = encode(observation, told)
        messages += [
            {"role": "user", "content": delta},
            {"role": "assistant", "content": "wait"},
        ]
    return messages[:-1]


def chat_rows(found: Samples, counts: Counts) -> list[Row]:
    """Each way against the decision of the same rounds."""
    decision = both(found, "decision")
    names = {
        "chat, clock": "chat with the time at its head / decision, turn 10",
        "chat": "chat that only grows / decision, turn 10",
        "chat, JSON": "the same held to a JSON schema / decision, turn 10",
    }
    return [
        ratio(
            said,
            both(found, name),
            decision,
            at_least=5,
            parts={"ms": 1000 * found.median(name), "tokens written": counts[name]},
        )
        for name, said in names.items()
    ]
