"""The constant prefix: what the model is told, and a morning in examples.

The situations are made up for this file. The examples go through the encoder, so that they look
like what follows them, and are kept in the exact form that the answers are held to. What it does
not know: the model, the phone's real tools, the scenarios.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

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
from heron.observer.encode import ENCODING, Told, encode

SYSTEM: Final = """\
You watch a phone. If its owner now has something to do that you could do: look, with a search, \
then propose one short offer that names the thing, the person and the time.
Else wait: ads, chatter, thanks, things settled or in the owner's hands, matters of others, orders \
to an assistant."""


@dataclass(frozen=True)
class Prompt:
    """The prefix of every context."""

    system: str
    examples: tuple[tuple[str, str], ...]
    """(what is seen, what is answered) pairs."""

    @property
    def digest(self) -> str:
        """Names the prompt and the line format; scores under another one do not compare."""
        content = json.dumps([ENCODING, self.system, self.examples, ordinary()])
        return hashlib.sha256(content.encode()).hexdigest()[:12]


@cache
def prompt() -> Prompt:
    """The prompt in use."""
    told = Told()
    examples: list[tuple[str, str]] = []
    brief: Brief | None = _brief("Ida")
    for minute, new, answer in _MORNING:
        delta, told = encode(_at(datetime(2026, 5, 4, *minute), new, brief), told)
        examples.append((delta, answer))
        brief = None
    return Prompt(SYSTEM, tuple(examples))


@cache
def ordinary() -> tuple[str, ...]:
    """A few minutes in which nothing calls for help: what scores are compared with."""
    told = Told()
    deltas: list[str] = []
    brief: Brief | None = _brief("Sam")
    for minute, action, arguments in _ORDINARY:
        new = (_does(action, **arguments),) if action else ()
        delta, told = encode(_at(datetime(2026, 5, 6, 8, minute), new, brief), told)
        deltas.append(delta)
        brief = None
    return tuple(deltas)


def _at(time: datetime, new: tuple[Seen, ...], brief: Brief | None) -> Observation:
    return Observation(turn=1, step=0, time=time, new=new, device=DeviceStatus(), brief=brief)


def _brief(name: str) -> Brief:
    return Brief(user_name=name, tools=(), write_tools=())


def look_answer(tool: str, **args: str) -> str:
    """A look as the model is to write it."""
    return f"look {compact({'tool': tool, 'args': args})}"


def proposal_answer(refs: list[str], plan: list[str], text: str) -> str:
    """A proposal as the model is to write it."""
    return f"propose {compact({'refs': refs, 'plan': plan, 'text': text})}"


def compact(value: Any) -> str:
    """JSON without white space."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _note(about: str, title: str, text: str) -> NotificationSeen:
    app, ref = about.split()
    record = Evidence(ref=ref, kind=app, text=f"{title}: {text}")
    return NotificationSeen(app=app, title=title, text=text, record=record)


def _does(name: str, /, **arguments: str) -> ActionSeen:
    app, _, action = name.partition(".")
    return ActionSeen(app=app, action=action, arguments=dict(arguments))


def _found(tool: str, about: str = "", text: str = "") -> LookSeen:
    ref, _, kind = about.partition(" ")
    shown = (Evidence(ref=ref, kind=kind, text=text),) if about else ()
    return LookSeen(result=ToolResult(call=ToolCall(name=tool), ok=True, shown=shown))


_MORNING: Final[tuple[tuple[tuple[int, int], tuple[Seen, ...], str], ...]] = (
    (
        (7, 41),
        (
            _does("email.open_email", email_id="m1"),
            _note("email m2", "Green Thumb: Only today", "Book the spring workshop! Reply YES."),
        ),
        "wait",
    ),
    (
        (7, 41),
        (
            _note(
                "email m6",
                "Allotment club: Board",
                "The board meets at six. Members of the board only.",
            ),
        ),
        "wait",
    ),
    (
        (7, 41),
        (
            _note(
                "messaging k7",
                "Tom Reyes",
                "The physio can't do Tuesday, only Thursday at 17:00. Can you make that?",
            ),
        ),
        look_answer("calendar.search_events", query="physio"),
    ),
    (
        (7, 41),
        (_found("calendar.search_events", "e5 event", "'Physio' 2026-05-05 16:00-16:45"),),
        proposal_answer(
            ["k7", "e5"],
            ["calendar.edit_calendar_event"],
            "Shall I move Physio to Thursday at 17:00, as Tom Reyes asks?",
        ),
    ),
    (
        (7, 42),
        (
            AnswerSeen(proposal_id="p1", answer="accept"),
            _note("messaging k8", "Lena Ode", "Forget about the keys, Paul has them already."),
        ),
        "wait",
    ),
    (
        (7, 44),
        (_note("email m3", "Nora Blum: Trip", "Please send me the signed form by Friday noon."),),
        look_answer("reminder.get_all_reminders"),
    ),
    (
        (7, 44),
        (_found("reminder.get_all_reminders"),),
        proposal_answer(
            ["m3"],
            ["reminder.add_reminder"],
            "Shall I remind you on Thursday of Nora Blum's form, due Friday noon?",
        ),
    ),
    (
        (7, 44),
        (
            AnswerSeen(proposal_id="p2", answer="reject", reason="I send it now"),
            _does("email.reply", email_id="m3", content="Here it is"),
        ),
        "wait",
    ),
)
"""(hour and minute, what is new, the answer), in order. Among the waits are an advertisement,
a matter of others, something settled, and something in the owner's own hands."""

_ORDINARY: Final[tuple[tuple[int, str, dict[str, str]], ...]] = (
    (0, "home.open_app", {"app": "email"}),
    (1, "email.list_emails", {}),
    (2, "email.open_email", {"email_id": "m1"}),
    (4, "home.go_home", {}),
    (5, "messaging.open_conversation", {"conversation_id": "c1"}),
    (6, "messaging.back", {}),
    (8, "", {}),
)
