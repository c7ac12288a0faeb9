"""How a model is asked to answer a decision point, and how its answer is read.

The constant part comes first, so that a local model keeps it between points. What it does not
know: which model, and what was recorded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, NamedTuple, cast, get_args

from pydantic import JsonValue

from heron.eval.judging.points import DecisionPoint, Moment, Recorded
from heron.protocols import Schema

OPTIONS: Final[tuple[Recorded, ...]] = get_args(Recorded)
LONGEST_REASON: Final = 160
MAX_TOKENS: Final = 512
"""A remote model may think first; a local one is held to the schema and ends long before."""

SCHEMA: Final[Schema] = {
    "type": "object",
    "properties": {
        "decision": {"type": "string", "enum": list(OPTIONS)},
        "reason": {"type": "string", "maxLength": LONGEST_REASON},
    },
    "required": ["decision", "reason"],
    "additionalProperties": False,
}

SYSTEM: Final = """\
You are the owner of a phone, not an assistant. An assistant watches the phone and has just made \
you an offer. Answer it as its owner would, by what you have seen so far:
- accept: it fits what is going on, is a help to you, and says clearly what will be done.
- reject: it is vague, offers nothing to be done, is about something else, or is not what you want.
- gather_context: it may be right, but you have not read yet what it rests on, and look first.
Answer with one JSON object and nothing else:
{"decision": "accept" or "reject" or "gather_context", "reason": "<a few words>"}"""


class Said(NamedTuple):
    """A model's answer as it was understood."""

    decision: Recorded | None
    """``None``: not to be understood; ``problem`` says why."""
    reason: str = ""
    problem: str | None = None


def messages(point: DecisionPoint) -> list[dict[str, JsonValue]]:
    """The request for a point, in OpenAI's chat format."""
    return [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": "\n".join(_lines(point))},
    ]


def read(text: str) -> Said:
    """What a model's text says: one JSON object, alone or within other words."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        value = json.loads(text[begin : end + 1]) if begin >= 0 else None
    except ValueError:
        value = None
    if not isinstance(value, dict):
        return Said(None, problem=f"no JSON object: {_short(text)}")
    decision = value.get("decision")
    if decision not in OPTIONS:
        return Said(None, problem=f"no such decision: {_short(str(decision))}")
    return Said(cast(Recorded, decision), _short(str(value.get("reason", ""))))


def _lines(point: DecisionPoint) -> Iterator[str]:
    if point.goal:
        yield f"What you are after: {point.goal}"
        yield ""
    yield "What you have seen and done so far:"
    for moment in point.context:
        yield from _moment(moment)
    yield ""
    yield "The assistant's offer:"
    yield point.proposal.strip()
    yield ""
    yield "Your answer:"


def _moment(moment: Moment) -> Iterator[str]:
    yield f"Turn {moment.turn}"
    for notification in moment.notifications:
        yield from (f"  notification: {line}" for line in notification.split("\n"))
    if moment.screen:
        yield "  on the screen: " + " / ".join(moment.screen)
    for step in moment.steps:
        result = " ".join(step.result.split())
        yield f"  you: {step.action}" + (f" → {result}" if result else "")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1] + "…"
