"""What an observer can be made from. What it does not know: which observers there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from heron.contracts import Record, ToolCall
from heron.errors import InputError
from heron.protocols import DecisionModel, Observer


class Cue(Record):
    """A scenario's reference proposal and its moment, for the ``oracle``.

    The moment is the first observation at which no proposal is open, turn and time have come, and
    everything in ``after`` has appeared; so "propose at turn N" is ``not_before=N`` alone.
    """

    text: str
    plan: tuple[str, ...] = ()
    """Names of the write tools of the reference solution."""
    refs: tuple[str, ...] = ()
    """Ids of the records that the proposal is about."""
    after: tuple[str, ...] = ()
    """Ids of the records that must have appeared in a notification or a look."""
    not_before: int = 0
    """First turn at which help is of use."""
    not_after: int | None = None
    """Last turn at which help is of use; later the oracle stays silent."""
    opens: datetime | None = None
    """The phone's time from which on help is of use."""
    closes: datetime | None = None
    """The phone's time after which it is of none."""
    looks: tuple[ToolCall, ...] = ()
    """Looks to take first, once the moment has come, so that the evidence handed
    over holds what they show."""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What a factory is handed. Each takes what it needs and ignores the rest."""

    argument: str = ""
    """What stands after the colon: ``smollm2-…`` of ``gguf:smollm2-…``."""
    seed: int = 0
    """The episode's seed, for observers that draw."""
    cue: Cue | None = None
    """For ``oracle``: the reference proposal; ``None`` where none is wanted."""
    model: DecisionModel | None = None
    """For ``gguf``: the model that decides and words."""
    info: Mapping[str, Any] = field(default_factory=dict)
    """What is known of the model, as the room ``models`` tells it."""
    folder: Path | None = None
    """Where the model's file lies."""


Factory = Callable[[Setup], Observer]
"""Makes an observer. In the harness one is made per episode; in a process of its own one is made
per process, and an observation with a ``brief`` begins the next episode."""


def model_of(argument: str) -> str:
    """The model that an argument names: what stands before a question mark."""
    return argument.partition("?")[0]


def options_of(argument: str, known: Sequence[str]) -> dict[str, str]:
    """What an argument asks for beside the model: ``name?option=value&option=value``.

    Raises:
        InputError: an option that is not known, or one without a value.
    """
    _, _, tail = argument.partition("?")
    found = {}
    for part in filter(None, tail.split("&")):
        name, _, value = part.partition("=")
        if name not in known or not value:
            raise InputError(f"{argument!r}: {part!r} is no option; known: {', '.join(known)}=…")
        found[name] = value
    return found
