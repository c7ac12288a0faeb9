"""A made-up run in ARE's form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

START = 1_700_000_000.0
PANEL = "AgentPanel"


def event(who: str, at: float, turn: int, call: str, value: str | None = None, **args: Any) -> Any:
    app, function = call.split(".")
    mode = args.pop("mode", "observe" if who == "AGENT" else None)
    exception = args.pop("exception", None)
    return {
        "event_type": who,
        "event_time": START + at,
        "event_id": f"{who}-{at}",
        "action": {
            "app": app,
            "function": function,
            "args": [
                {"name": name, "value": told, "value_type": type(told).__name__}
                for name, told in args.items()
            ],
        },
        "metadata": {
            "return_value": value,
            "exception": exception,
            "proactive_mode": mode,
            "turn_number": turn,
        },
    }


def run() -> dict[str, Any]:
    """Bo asks for a book; the assistant offers to answer, and the owner agrees."""
    mail = "Email(sender='bo@lake.example', subject='The heron book', content='x', email_id='aa11')"
    offer = "Shall I tell Bo that the book is at the desk?"
    return {
        "version": "are_simulation_v1",
        "metadata": {
            "definition": {"scenario_id": "lend_book", "start_time": START, "run_number": 2},
            "simulation": {"model_id": "user:some-user|observe:some-model"},
        },
        "apps": [
            {"name": PANEL, "class_name": "PASAgentUserInterface", "app_state": {}},
            {"name": "System", "class_name": "HomeScreenSystemApp", "app_state": None},
            {"name": "Emails", "class_name": "StatefulEmailApp", "app_state": {"folders": {}}},
            {
                "name": "Contacts",
                "class_name": "StatefulContactsApp",
                "app_state": {
                    "contacts": {
                        "zz": {"first_name": "Ada", "last_name": "Reed", "is_user": True},
                    }
                },
            },
        ],
        "events": [],
        "completed_events": [
            event("USER", 5, 0, "System.open_app", "opened", app_name="Emails"),
            event("AGENT", 9, 0, f"{PANEL}.wait"),
            event(
                "ENV", 20, 1, "Emails.send_email_to_user_only", "aa11",
                sender="bo@lake.example", subject="The heron book", content="Could I borrow it?",
            ),
            event("USER", 22, 1, "Emails.open_email_by_index", mail, index=0),
            event("AGENT", 22.001, 1, "Emails.get_email_by_id", mail, email_id="aa11"),
            event("AGENT", 30, 1, "Emails.search_emails", f"[{mail}]", query="book"),
            event("AGENT", 40, 1, f"{PANEL}.send_message_to_user", content=offer),
            event("USER", 50, 2, f"{PANEL}.accept_proposal", "x", content="Yes."),
            event(
                "AGENT", 55, 2, "Emails.reply_to_email", "bb22", mode="execute",
                email_id="aa11", content="It is at the desk.",
            ),
            event("AGENT", 58, 2, f"{PANEL}.send_message_to_user", mode="execute", content="Done."),
            event("USER", 70, 4, "Emails.shake_phone"),
            event("AGENT", 75, 4, f"{PANEL}.wait"),
        ],
    }  # fmt: skip


@pytest.fixture
def made_up() -> Callable[[], dict[str, Any]]:
    """Makes the run."""
    return run
