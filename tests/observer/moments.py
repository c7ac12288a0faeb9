"""Observations for tests, and a scripted model that writes what the schema asks for."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from math import log
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
    ToolCall,
    ToolResult,
)
from heron.models.scripted import Asked, ScriptedDecisionModel, ScriptedTurn
from heron.protocols import Schema

OFFER = "Shall I move the dentist to Thursday?"
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


class PlayedModel(ScriptedDecisionModel):
    """The scripted model, with a script for as long as needed and texts made from the schema.

    Args:
        shares: (wait, look, propose) per observation, the last one for ever.
        write: writes the object for a schema; by default the first of everything allowed.
    """

    def __init__(self, *shares: tuple[float, float, float], write: Writer | None = None) -> None:
        script = [*shares, *[shares[-1] if shares else (1.0, 0.0, 0.0)] * 40]
        super().__init__(
            ScriptedTurn(logprobs=[log(max(share, 1e-9)) for share in turn]) for turn in script
        )
        self._write = write or first_of
        self._text = ""

    @property
    def turns(self) -> list[tuple[str, str]]:
        """(what was appended, how it was closed) of all closed turns."""
        return list(zip(self.extended, self.answers, strict=False))

    def generate(self, schema: Schema, *, opening: str = "", max_tokens: int = 160) -> str:
        text = json.dumps(self._write(schema), separators=(",", ":"))
        self.generated.append(Asked(schema=schema, opening=opening, max_tokens=max_tokens))
        self.choose(opening + text)
        return text


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
        case "string" if "pattern" in node:
            return OFFER
        case "string":
            return "dentist"[: node["maxLength"]]
        case _:
            return 0
