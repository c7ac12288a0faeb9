"""An ARE file in the making: a small phone with all apps, and what is to happen on it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

START = 1772442000.0
"""2026-03-02 09:00 UTC."""
HOUR, DAY = 3600.0, 86400.0

NAMES = {
    "email": "Emails",
    "messaging": "Messages",
    "calendar": "Calendar",
    "contacts": "Contacts",
    "notes": "Notes",
    "reminder": "Reminders",
    "shopping": "Shopping",
    "apartment": "Apartment",
    "cab": "Cab",
    "files": "Files",
    "system": "System",
    "assistant": "PAREAgentUserInterface",
}
CLASSES = {
    "email": "StatefulEmailApp",
    "messaging": "StatefulMessagingApp",
    "calendar": "StatefulCalendarApp",
    "contacts": "StatefulContactsApp",
    "notes": "StatefulNotesApp",
    "reminder": "StatefulReminderApp",
    "shopping": "StatefulShoppingApp",
    "apartment": "StatefulApartmentApp",
    "cab": "StatefulCabApp",
    "files": "SandboxLocalFileSystem",
    "system": "HomeScreenSystemApp",
    "assistant": "PAREAgentUserInterface",
}


def mail(are_id: str, sender: str, subject: str, content: str, **more: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "email_id": are_id,
        "sender": sender,
        "recipients": ["ada@home.example"],
        "subject": subject,
        "content": content,
        "parent_id": None,
        "cc": [],
        "attachments": {},
        "timestamp": START - DAY,
        "is_read": True,
    }
    return {**fields, **more}


def message(are_id: str, sender: str, content: str, **more: Any) -> dict[str, Any]:
    fields = {"message_id": are_id, "sender_id": sender, "content": content}
    return {**fields, "timestamp": START - HOUR, **more}


def flat(name: str, street: str, price: float, saved: bool) -> dict[str, Any]:
    return {
        "name": name,
        "location": street,
        "zip_code": "10117",
        "price": price,
        "bedrooms": 2,
        "bathrooms": 1,
        "square_footage": 700,
        "property_type": "Apartment",
        "amenities": ["Lift"],
        "saved": saved,
    }


def card(are_id: str, first: str, last: str, **more: Any) -> dict[str, Any]:
    fields = {"contact_id": are_id, "first_name": first, "last_name": last, "is_user": False}
    return {**fields, "gender": "Unknown", "status": "Unknown", "age": None, **more}


def states() -> dict[str, Any]:
    """App → state, of a phone on which there is one of everything."""
    folders: dict[str, Any] = {
        name: {"folder_name": name, "emails": []} for name in ("INBOX", "SENT", "DRAFT", "TRASH")
    }
    folders["INBOX"]["emails"] = [
        mail(
            "in-1",
            "wilma@club.example",
            "Rowing on Thursday",
            "We row at 18:30 from the Weir landing.",
            attachments={"plan.txt": "Qm9hdCA3"},
        )
    ]
    folders["SENT"]["emails"] = [
        mail(
            "out-1", "ada@home.example", "Oars", "Do we need oars?", recipients=["kit@club.example"]
        )
    ]
    ride = {
        "ride_id": "ride-old",
        "status": "BOOKED",
        "service_type": "Default",
        "start_location": "Weir landing",
        "end_location": "Mill Lane 4",
        "price": 14.0,
        "duration": 21.4,
        "time_stamp": START - 3 * DAY,
        "distance_km": 14.0,
        "delay": None,
        "delay_history": [],
    }
    under_way = {
        **ride,
        "ride_id": "ride-now",
        "time_stamp": START + HOUR,
        "delay": 6,
        "delay_history": [{"delay": 6, "time_stamp": START - 60}],
    }
    item = {"item_id": "cup-red", "price": 9.5, "available": True, "options": {"colour": "red"}}
    bought = {"item_id": "cup-red", "quantity": 2, "price": 9.5, "available": True, "options": {}}
    return {
        "email": {"user_email": "ada@home.example", "view_limit": 5, "folders": folders},
        "messaging": {
            "conversations": {
                "chat-kit": {
                    "conversation_id": "chat-kit",
                    "participant_ids": ["user-me", "user-kit"],
                    "title": "Kit Arden",
                    "last_updated": START,
                    "messages": [message("msg-1", "user-kit", "Shall we take boat 7?")],
                },
                "chat-crew": {
                    "conversation_id": "chat-crew",
                    "participant_ids": ["user-me", "user-kit", "user-wil"],
                    "title": "Crew",
                    "last_updated": START,
                    "messages": [
                        message(
                            "msg-2",
                            "user-wil",
                            "The route",
                            attachment="Vmlh",
                            attachment_name="route.txt",
                        )
                    ],
                },
            },
            "messages_view_limit": 10,
            "conversation_view_limit": 5,
            "mode": "NAME",
            "id_to_name": {
                "user-me": "Ada Lind",
                "user-kit": "Kit Arden",
                "user-wil": "Wilma Roth",
                "user-sol": "Sol Berg",
            },
            "name_to_id": {},
            "current_user_id": "user-me",
            "current_user_name": "Ada Lind",
        },
        "calendar": {
            "events": {
                "row": {
                    "event_id": "row",
                    "title": "Rowing",
                    "start_datetime": START + 3 * DAY,
                    "end_datetime": START + 3 * DAY + HOUR,
                    "tag": "Sport",
                    "description": None,
                    "location": "Weir landing",
                    "attendees": ["Wilma Roth"],
                    "start_strftime": "x",
                    "end_strftime": "y",
                }
            }
        },
        "contacts": {
            "view_limit": 10,
            "contacts": {
                "me": card("me", "Ada", "Lind", is_user=True, email="ada@home.example"),
                "kit": card("kit", "Kit", "Arden", phone="+1-555-0142", email="kit@club.example"),
            },
        },
        "notes": {
            "view_limit": 5,
            "folders": {
                "Inbox": {
                    "folder_name": "Inbox",
                    "notes": {
                        "boats": {
                            "note_id": "boats",
                            "title": "Boats",
                            "content": "Boat 7 leaks.",
                            "pinned": False,
                            "attachments": {"hull.txt": "Q3JhY2s="},
                            "created_at": START - DAY,
                            "updated_at": START - DAY,
                        }
                    },
                },
                "Personal": {"folder_name": "Personal", "notes": {}},
                "Clubs": {"folder_name": "Clubs", "notes": {}},
            },
        },
        "reminder": {
            "reminders": {
                "oil": {
                    "reminder_id": "oil",
                    "title": "Oil the rowlocks",
                    "due_datetime": "2026-03-05 08:00:00",
                    "description": "All eight",
                    "repetition_unit": None,
                    "repetition_value": 1,
                }
            }
        },
        "shopping": {
            "products": {
                "cup": {"product_id": "cup", "name": "Tin cup", "variants": {"cup-red": item}}
            },
            "cart": {"cup-red": {**bought, "quantity": 1}},
            "discount_codes": {"cup-red": {"TIN10": 10.0}},
            "orders": {
                "ord-1": {
                    "order_id": "ord-1",
                    "order_status": "processed",
                    "order_date": START - DAY,
                    "order_total": 19.0,
                    "order_items": {"cup-red": bought},
                }
            },
        },
        "apartment": {
            "apartments": {
                "mill": flat("Mill House", "Mill Lane 4", 900.0, True),
                "weir": flat("Weir House", "Weir Road 2", 800.0, False),
            },
            "saved_apartments": ["mill"],
        },
        "cab": {"ride_history": [ride, under_way], "quotation_history": [], "d_service_config": {}},
        "files": {
            "tmpdir": "/tmp/x",
            "files": {
                "name": "",
                "type": "directory",
                "children": [
                    {"name": "crew.txt", "type": "file"},
                    {
                        "name": "Boats",
                        "type": "directory",
                        "children": [{"name": "seven.txt", "type": "file"}],
                    },
                    {"name": "Empty", "type": "directory", "children": []},
                ],
            },
        },
        "system": None,
        "assistant": {"messages": []},
    }


class Are:
    """An ARE file in the making; each event hangs on the one before it."""

    def __init__(self, *apps: str) -> None:
        every = states()
        chosen = {name: every[name] for name in (apps or every)}
        chosen.setdefault("assistant", every["assistant"])
        self.states = copy.deepcopy(chosen)
        self.events: list[dict[str, Any]] = []
        self.done: list[dict[str, Any]] = []
        self.final: dict[str, Any] | None = None
        self.definition: dict[str, Any] = {"scenario_id": "made_up", "start_time": START}

    def add(self, type_: str, app: str, function: str, after: float = 2.0, **args: Any) -> str:
        """One more event; arguments are written as ARE does."""
        number = len(self.events)
        needs = args.pop("needs", [self.events[-1]["event_id"]] if self.events else [])
        key: str = args.pop("key", f"event-{number}")
        written = [
            {"name": name, "value": None if v is None else str(v), "value_type": type(v).__name__}
            for name, v in args.items()
        ]
        action = {
            "action_id": "",
            "app": NAMES.get(app, app),
            "function": function,
            "operation_type": None,
            "args": written,
        }
        self.events.append(
            {
                "class_name": "OracleEvent" if type_ == "AGENT" else "Event",
                "event_type": type_,
                "event_time": None,
                "event_id": key,
                "dependencies": list(needs),
                "event_relative_time": after,
                "action": action,
            }
        )
        return key

    def env(self, app: str, function: str, **args: Any) -> str:
        return self.add("ENV", app, function, **args)

    def agent(self, app: str, function: str, **args: Any) -> str:
        return self.add("AGENT", app, function, **args)

    def trigger(self) -> str:
        """A mail comes."""
        return self.env(
            "email",
            "send_email_to_user_with_id",
            email_id="news",
            sender="wilma@club.example",
            subject="A change",
            content="Hello Ada, boat 7 is being mended, we row in boat 12 at 19:15. Wilma Roth",
        )

    def offer(self, text: str = "") -> None:
        """The agent asks and the user agrees."""
        usual = "Wilma Roth wrote about boat 12. Shall I save it, add it and tell Kit Arden?"
        self.agent("assistant", "send_message_to_user", content=text or usual)
        self.agent("assistant", "accept_proposal", content="Yes, please do.")

    def ran(self, key: str, value: str | None = None, exception: str | None = None) -> None:
        """An event of the recorded run."""
        event = next(one for one in self.events if one["event_id"] == key)
        metadata = {"return_value": value, "exception": exception}
        self.done.append({**event, "event_time": START + len(self.done), "metadata": metadata})

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "version": "are_simulation_v1",
            "metadata": {"definition": self.definition},
            "apps": [
                {"name": NAMES[name], "class_name": CLASSES[name], "app_state": state}
                for name, state in self.states.items()
            ],
            "events": self.events,
            "completed_events": self.done,
            "final_state": self.final,
        }


@pytest.fixture
def are() -> type[Are]:
    return Are
