"""ARE's functions ↔ Heron's tools and happenings: all tables in one, and how to look things up.

What it does not know: any scenario.
"""

from __future__ import annotations

from heron.scenarios.are.call_rows import ANY, Argument, Call, Role, drop, texts
from heron.scenarios.are.calls_desk import CALENDAR, CARD_FIELDS, CONTACTS, FILES, NOTES, REMINDER
from heron.scenarios.are.calls_post import EMAIL, MESSAGING
from heron.scenarios.are.calls_trade import APARTMENT, CAB, SHOPPING

__all__ = ["ANY", "CARD_FIELDS", "EVENTS", "TABLE", "TOOLS", "Argument", "Call", "exported"]

_NOTHING = (
    ("system", "get_current_time"),
    ("system", "wait"),
    ("system", "wait_for_notification"),
    ("system", "go_home"),
    ("system", "open_app"),
    ("system", "switch_app"),
    ("assistant", "wait"),
    ("assistant", "get_last_message_from_user"),
    ("assistant", "get_last_unread_messages"),
    ("assistant", "get_last_message_from_agent"),
    ("assistant", "get_all_messages"),
)
_IDLE = tuple(
    Call(app, name, None, "read", drop("time", "timeout", "app_name")) for app, name in _NOTHING
)

_SAID = texts("content")
_ASSISTANT = (
    Call("assistant", "send_message_to_user", None, "write", _SAID),
    Call("assistant", "accept_proposal", None, "write", _SAID),
    Call("assistant", "reject_proposal", None, "write", _SAID),
    Call(
        "assistant",
        "send_message_to_agent",
        None,
        "write",
        (*_SAID, *drop("attachments", "base64_utils")),
    ),
)

TABLE: tuple[Call, ...] = (
    *APARTMENT,
    *CAB,
    *CALENDAR,
    *CONTACTS,
    *EMAIL,
    *MESSAGING,
    *NOTES,
    *REMINDER,
    *SHOPPING,
    *FILES,
    *_IDLE,
    *_ASSISTANT,
)
"""Everything that is mapped, once."""

TOOLS = {(call.app, call.are): call for call in TABLE if call.role != "event"}
"""Heron's app and ARE's function → a tool of the assistant."""
EVENTS = {(call.app, call.are): call for call in TABLE if call.role == "event"}
"""Heron's app and ARE's function → what the environment does."""


def exported(app: str, name: str, role: Role) -> Call | None:
    """The function that stands for a tool or happening of Heron's; the first, if several do."""
    found = (c for c in TABLE if (c.app, c.heron, c.role) == (app, name, role))
    return next(found, None)
