"""The pseudo-tools by which a model ends or suspends its work.

What they do not know: how an execution is recorded.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import JsonValue

from heron.contracts import Arguments, ToolSpec

Closing = Literal["finish", "ask_user", "give_up"]

LONGEST_MESSAGE = 300
"""Characters of a report, a question or a reason: it is read on a phone."""


def _spec(name: Closing, description: str, parameter: str) -> ToolSpec:
    text: JsonValue = {"type": "string", "minLength": 1, "maxLength": LONGEST_MESSAGE}
    return ToolSpec(
        name=name,
        effect="read",
        description=description,
        parameters={
            "type": "object",
            "properties": {parameter: text},
            "required": [parameter],
            "additionalProperties": False,
        },
    )


CLOSINGS: Final[dict[Closing, ToolSpec]] = {
    "finish": _spec("finish", "Tell the user what was done, in one sentence.", "message"),
    "ask_user": _spec("ask_user", "Ask what only the user can know; work stops.", "question"),
    "give_up": _spec("give_up", "It cannot be done: say why.", "reason"),
}


def closing(name: str) -> Closing | None:
    """The pseudo-tool of that name, if it is one."""
    return name if name in CLOSINGS else None


def said(arguments: Arguments) -> str:
    """The one text that a checked call of a pseudo-tool carries."""
    return str(next(iter(arguments.values()))).strip()
