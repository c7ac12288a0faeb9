"""Observations for tests, and a decision model that plays a script.

The fake keeps the whole dialogue as text, so that a test can read what a real model would have
been shown, and refuses calls that a real one would not understand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from tests.observer.streams import BRIEF

from heron.contracts import (
    ActionSeen,
    AnswerSeen,
    Brief,
    DeviceStatus,
    Evidence,
    LookSeen,
    NotificationSeen,
    Observation,
    Seen,
    StepCost,
    ToolCall,
    ToolResult,
)
from heron.protocols import Schema

START = datetime(2026, 3, 11, 9, 3)


def record(ref: str, text: str = "something", kind: str = "email") -> Evidence:
    return Evidence(ref=ref, kind=kind, text=text)


def note(
    text: str, *, title: str = "Anna Berg", ref: str | None = "m4", app: str = "email"
) -> Seen:
    about = None if ref is None else record(ref, f"{title}: {text}")
    return NotificationSeen(app=app, title=title, text=text, record=about)


def did(name: str, error: str | None = None, **arguments: Any) -> Seen:
    app, _, action = name.partition(".")
    return ActionSeen(app=app, action=action, arguments=arguments, error=error)


def looked(
    *shown: Evidence, tool: str = "calendar.search_events", error: str | None = None
) -> Seen:
    call = ToolCall(name=tool)
    return LookSeen(result=ToolResult(call=call, ok=error is None, error=error, shown=shown))


def answered(answer: Any, reason: str = "") -> Seen:
    return AnswerSeen(proposal_id="p1", answer=answer, reason=reason)


class Episode:
    """Makes one observation after the other."""

    def __init__(self, brief: Brief = BRIEF) -> None:
        self._brief: Brief | None = brief
        self._turn = 0

    def next(
        self,
        *new: Seen,
        open_proposal: str | None = None,
        looks_left: int = 0,
        device: DeviceStatus | None = None,
    ) -> Observation:
        self._turn += 1
        brief, self._brief = self._brief, None
        return Observation(
            turn=self._turn,
            step=0,
            time=START + timedelta(seconds=60 * (self._turn - 1)),
            new=new,
            device=device or DeviceStatus(),
            open_proposal=open_proposal,
            looks_left=looks_left,
            brief=brief,
        )


Writer = Callable[[Schema], dict[str, Any]]


class PlayedModel:
    """A decision model that plays a script.

    Args:
        shares: (wait, look, propose) per observation, the last one for ever; the answer to an
            observation in which nothing happened, asked before an episode, is an even third.
        write: writes the object for a schema; by default the first of everything allowed.
    """

    def __init__(self, *shares: tuple[float, float, float], write: Writer | None = None) -> None:
        self._shares = list(shares) or [(1.0, 0.0, 0.0)]
        self._write = write or first_of
        self.prefix: tuple[str, tuple[tuple[str, str], ...]] | None = None
        self.turns: list[tuple[str, str | None]] = []
        self.schemas: list[Schema] = []
        self.begun = 0
        self.calibrating = False

    def begin(self, system: str, examples: Sequence[tuple[str, str]] = ()) -> None:
        self.prefix, self.turns = (system, tuple(examples)), []
        self.begun += 1

    def extend(self, text: str) -> None:
        assert self.prefix is not None, "begin first"
        assert all(answer is not None for _, answer in self.turns), "the last turn is open"
        self.turns.append((text, None))

    def option_logprobs(self, options: Sequence[str]) -> tuple[float, ...]:
        from math import log

        assert tuple(options) == ("wait", "look", "propose")
        episode = any("phone of Mara" in text for text, _ in self.turns)
        if not episode:
            return (log(1 / 3),) * 3
        now = self._shares[0] if len(self._shares) == 1 else self._shares.pop(0)
        return tuple(log(max(share, 1e-9)) for share in now)

    def choose(self, option: str) -> None:
        self._close(option)

    def generate(self, schema: Schema, *, opening: str = "", max_tokens: int = 160) -> str:
        self.schemas.append(schema)
        text = json.dumps(self._write(schema), separators=(",", ":"))
        self._close(opening + text)
        return text

    def _close(self, answer: str) -> None:
        text, earlier = self.turns[-1]
        assert earlier is None, "the turn is closed"
        self.turns[-1] = (text, answer)

    def take_cost(self) -> StepCost:
        return StepCost(wall_s=0.0)


def first_of(schema: Schema) -> Any:
    """A value that a schema allows: the first of each choice, one item per list."""
    node: Any = schema
    if "anyOf" in node:
        return first_of(node["anyOf"][0])
    if "const" in node:
        return node["const"]
    if "enum" in node:
        return node["enum"][0]
    match node.get("type"):
        case "object":
            return {name: first_of(node["properties"][name]) for name in node["required"]}
        case "array":
            return [first_of(node["items"])]
        case "string":
            return "Shall I move the dentist to Thursday?"[: node["maxLength"]]
        case _:
            return 0
