"""A small ARE file of our own, with its recorded run and the state after it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

START = 1772442000.0
"""2026-03-02 09:00 UTC."""


def _event(key: str, type_: str, app: str, function: str, needs: list[str], **args: Any) -> Any:
    written = [
        {"name": n, "value": None if v is None else str(v), "value_type": type(v).__name__}
        for n, v in args.items()
    ]
    return {
        "class_name": "Event",
        "event_type": type_,
        "event_time": None,
        "event_id": key,
        "dependencies": needs,
        "event_relative_time": 5.0,
        "action": {"action_id": "", "app": app, "function": function, "args": written},
    }


def _mail(are_id: str, sender: str, to: str, subject: str, content: str, **more: Any) -> Any:
    fields = {"email_id": are_id, "sender": sender, "recipients": [to], "subject": subject}
    return {**fields, "content": content, "cc": [], "timestamp": START, **more}


def small_file() -> dict[str, Any]:
    """Somebody asks for a time; the assistant answers and notes it."""
    folders: dict[str, Any] = {
        name: {"folder_name": name, "emails": []} for name in ("INBOX", "SENT", "DRAFT", "TRASH")
    }
    mails = {"user_email": "ada@home.example", "view_limit": 5, "folders": folders}
    notes = {"view_limit": 5, "folders": {"Inbox": {"folder_name": "Inbox", "notes": {}}}}
    question = "Hello Ada, can the glazier come on Friday at 14:30? Bo Falk"
    answer = "Friday at 14:30 is fine. Ada"
    later = copy.deepcopy(folders)
    later["INBOX"]["emails"] = [
        _mail("ask", "bo@glass.example", "ada@home.example", "The window", question)
    ]
    later["SENT"]["emails"] = [
        _mail(
            "sent-1",
            "ada@home.example",
            "bo@glass.example",
            "Re: The window",
            answer,
            parent_id="ask",
        )
    ]
    note = {"note_id": "note-1", "title": "Glazier", "content": "Friday 14:30", "pinned": False}
    note |= {"created_at": START + 20, "updated_at": START + 20, "attachments": {}}
    done_notes = copy.deepcopy(notes)
    done_notes["folders"]["Inbox"]["notes"] = {"note-1": note}  # type: ignore[index]
    ui = "PAREAgentUserInterface"
    offer = "Bo Falk asks about Friday 14:30. Shall I reply to him and write a note of it?"
    given = {"sender": "bo@glass.example", "subject": "The window", "content": question}
    events = [
        _event("e0", "ENV", "Emails", "send_email_to_user_with_id", [], email_id="ask", **given),
        _event("e1", "AGENT", ui, "send_message_to_user", ["e0"], content=offer),
        _event("e2", "AGENT", ui, "accept_proposal", ["e1"], content="Yes, please."),
        _event("e3", "AGENT", "Emails", "reply_to_email", ["e2"], email_id="ask", content=answer),
        _event(
            "e4", "AGENT", "Notes", "create_note", ["e3"], title="Glazier", content="Friday 14:30"
        ),
    ]
    values = {"e0": "ask", "e3": "sent-1", "e4": "note-1"}
    return {
        "version": "are_simulation_v1",
        "metadata": {"definition": {"scenario_id": "glazier", "start_time": START}},
        "apps": [
            {"name": ui, "class_name": ui, "app_state": {"messages": []}},
            {"name": "Emails", "class_name": "StatefulEmailApp", "app_state": mails},
            {"name": "Notes", "class_name": "StatefulNotesApp", "app_state": notes},
        ],
        "events": events,
        "completed_events": [
            {
                **event,
                "event_time": START + 5 * number,
                "metadata": {"return_value": values.get(event["event_id"]), "exception": None},
            }
            for number, event in enumerate(events, 1)
        ],
        "final_state": {"Emails": {**mails, "folders": later}, "Notes": done_notes},
    }


@pytest.fixture
def small() -> dict[str, Any]:
    return small_file()
