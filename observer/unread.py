"""Observations that a model has not read yet, and the text that it will read.

With a model that is always awake there is one at a time. Behind a gate they add up, each with its
own stamp, so that nothing but idle minutes is left out. What it does not know: who sleeps and why.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import JsonValue

from heron.contracts import Observation, Seen
from heron.observer.encode import Limits, Told, describe, encode

MOST_OBSERVATIONS: Final = 12
"""Unread observations from which on they are to be read whatever they are."""
MOST_SEEN: Final = 24
"""The same for notifications, actions and the like, so that a message fits the smallest window."""


class Unread:
    """Keeps observations in order until they are taken.

    Args:
        limits: how long the parts of the text may get.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._told = Told()
        self._waiting: list[Observation] = []

    def add(self, observation: Observation) -> None:
        """One more."""
        self._waiting.append(observation)

    @property
    def is_full(self) -> bool:
        """Whether it is time to read, so that the text stays short."""
        seen = sum(len(observation.new) for observation in self._waiting)
        return len(self._waiting) >= MOST_OBSERVATIONS or seen >= MOST_SEEN

    def take(self) -> tuple[str, tuple[Seen, ...]]:
        """The text of all of them, and what they hold; the next one begins anew.

        Of the idle ones only the last is said, and only if nothing came after it.
        """
        waiting, self._waiting = self._waiting, []
        texts = []
        for observation in waiting:
            if observation is not waiting[-1] and self._is_idle(observation):
                continue
            text, self._told = encode(observation, self._told, self._limits)
            texts.append(text)
        return "\n".join(texts), tuple(seen for each in waiting for seen in each.new)

    def save(self) -> dict[str, JsonValue]:
        """All of it, as ``load`` takes it."""
        return {
            "told": self._told.model_dump(mode="json"),
            "waiting": [_short(each).model_dump(mode="json") for each in self._waiting],
        }

    def load(self, saved: Mapping[str, Any]) -> None:
        """Go on with what ``save`` gave."""
        self._told = Told.model_validate(saved["told"])
        self._waiting = [Observation.model_validate(each) for each in saved["waiting"]]

    def _is_idle(self, observation: Observation) -> bool:
        same_device = describe(observation.device) == self._told.device
        return not observation.new and observation.brief is None and same_device


def _short(observation: Observation) -> Observation:
    """Without the tools of the brief, which no text holds."""
    if observation.brief is None:
        return observation
    brief = observation.brief.model_copy(update={"tools": (), "write_tools": ()})
    return observation.model_copy(update={"brief": brief})
