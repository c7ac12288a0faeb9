"""Every app, tool and environment function of ARE's is taken over, each tried in a small file."""

from __future__ import annotations

from typing import Any

import pytest

from heron.scenarios.are.apps import CLASSES
from heron.scenarios.are.calls import EVENTS, TABLE, TOOLS
from heron.scenarios.are.convert import convert
from heron.scenarios.are.offer import ACTS
from heron.scenarios.are.reading import of
from heron.scenarios.are.remarks import Refused
from heron.scenarios.are.yaml_text import text_of
from heron.scenarios.catalog import catalog
from heron.scenarios.check import check
from heron.scenarios.document import parse
from heron.scenarios.loader import load_document

SHA = "0" * 64

WRITES: dict[tuple[str, str], dict[str, Any]] = {
    ("apartment", "save_apartment"): {"apartment_id": "weir"},
    ("apartment", "remove_saved_apartment"): {"apartment_id": "mill"},
    ("cab", "user_cancel_ride"): {},
    ("calendar", "add_calendar_event"): {
        "title": "Row in boat 12",
        "start_datetime": "2026-03-05 19:15:00",
        "end_datetime": "2026-03-05 20:15:00",
        "tag": None,
        "attendees": ["Wilma Roth"],
    },
    ("calendar", "edit_calendar_event"): {
        "event_id": "row",
        "start_datetime": "2026-03-05 08:15:00",
    },
    ("calendar", "delete_calendar_event"): {"event_id": "row"},
    ("contacts", "add_new_contact"): {"first_name": "Wilma", "last_name": "Roth", "age": 41},
    ("contacts", "edit_contact"): {"contact_id": "kit", "updates": {"job": "Cox of boat 12"}},
    ("contacts", "delete_contact"): {"contact_id": "kit"},
    ("email", "send_email"): {
        "recipients": ["kit@club.example"],
        "subject": "Boat 12",
        "content": "We row at 19:15.",
        "cc": None,
        "attachment_paths": ["crew.txt"],
    },
    ("email", "reply_to_email"): {
        "email_id": "news",
        "folder_name": "INBOX",
        "content": "19:15 is fine.",
    },
    ("email", "forward_email"): {"email_id": "in-1", "recipients": ["kit@club.example"]},
    ("email", "move_email"): {"email_id": "in-1", "dest_folder_name": "TRASH"},
    ("email", "delete_email"): {"email_id": "in-1", "folder_name": "INBOX"},
    ("email", "download_attachments"): {"email_id": "in-1", "path_to_save": "Downloads/"},
    ("messaging", "send_message"): {"user_id": "user-kit", "content": "Boat 12 at 19:15"},
    ("messaging", "send_message_to_group_conversation"): {
        "conversation_id": "chat-crew",
        "content": "Boat 12",
        "attachment_path": "Boats/seven.txt",
    },
    ("messaging", "create_group_conversation"): {
        "user_ids": ["user-kit", "user-sol"],
        "title": "Boat 12",
    },
    ("messaging", "create_conversation"): {
        "participants": ["user-kit", "user-sol"],
        "title": "Boat 12",
    },
    ("messaging", "add_participant_to_conversation"): {
        "conversation_id": "chat-crew",
        "user_id": "user-sol",
    },
    ("messaging", "remove_participant_from_conversation"): {
        "conversation_id": "chat-crew",
        "user_id": "user-kit",
    },
    ("messaging", "change_conversation_title"): {
        "conversation_id": "chat-crew",
        "title": "Boat 12",
    },
    ("messaging", "download_attachment"): {
        "conversation_id": "chat-crew",
        "message_id": "msg-2",
        "download_path": "Downloads/",
    },
    ("notes", "create_note"): {"folder": "Inbox", "title": "", "content": "Boat 12 at 19:15"},
    ("notes", "update_note"): {"note_id": "boats", "content": "Boat 7 is being mended"},
    ("notes", "delete_note"): {"note_id": "boats"},
    ("notes", "move_note"): {"note_id": "boats", "dest_folder_name": "Clubs"},
    ("notes", "duplicate_note"): {"folder_name": "Inbox", "note_id": "boats"},
    ("notes", "add_attachment_to_note"): {"note_id": "boats", "attachment_path": "/crew.txt"},
    ("notes", "remove_attachment"): {"note_id": "boats", "attachment": "hull.txt"},
    ("notes", "download_attachments"): {"note_id": "boats"},
    ("notes", "new_folder"): {"folder_name": "Boat 12"},
    ("notes", "rename_folder"): {"folder": "Clubs", "new_folder": "Boat 12"},
    ("notes", "delete_folder"): {"folder_name": "Clubs"},
    ("reminder", "add_reminder"): {
        "title": "Row in boat 12",
        "due_datetime": "2026-03-05 19:00:00",
        "description": "At 19:15",
        "repetition_unit": "week",
        "repetition_value": 1,
    },
    ("reminder", "update_reminder"): {
        "reminder_id": "oil",
        "title": "Oil boat 12",
        "description": "All eight",
        "due_datetime": "2026-03-05 09:00:00",
        "repetition_unit": None,
        "repetition_value": None,
    },
    ("reminder", "delete_reminder"): {"reminder_id": "oil"},
    ("reminder", "delete_all_reminders"): {},
    ("shopping", "add_to_cart"): {"item_id": "cup-red", "quantity": 2},
    ("shopping", "remove_from_cart"): {"item_id": "cup-red", "quantity": 1},
    ("shopping", "checkout"): {"discount_code": "TIN10"},
    ("shopping", "cancel_order"): {"order_id": "ord-1"},
    ("files", "mkdir"): {"path": "Boats/Twelve"},
    ("files", "makedirs"): {"path": "/Boats/Twelve/Crew", "exist_ok": True},
    ("files", "mv"): {"path1": "crew.txt", "path2": "Boats/crew.txt"},
    ("files", "rm"): {"path": "crew.txt"},
    ("files", "rmdir"): {"path": "Empty"},
}
"""Write tool → arguments with which the small phone takes it."""

EVENT_ARGS: dict[tuple[str, str], dict[str, Any]] = {
    ("apartment", "add_new_apartment"): {
        "name": "Lock House",
        "location": "Lock Street 9",
        "zip_code": "10119",
        "price": 950.0,
        "number_of_bedrooms": 2,
        "number_of_bathrooms": 1,
        "square_footage": 640,
        "amenities": ["Lift"],
    },
    ("apartment", "update_apartment"): {"apartment_id": "mill", "new_price": 850.0},
    ("apartment", "delete_apartment"): {"apartment_id": "mill"},
    ("cab", "cancel_ride"): {"who_cancel": "driver", "message": "The car broke down"},
    ("cab", "end_ride"): {},
    ("cab", "update_ride_status"): {"status": "DELAYED", "message": "Fifteen minutes late"},
    ("calendar", "add_calendar_event_by_attendee"): {
        "who_add": "Wilma Roth",
        "title": "Crew supper",
        "start_datetime": "2026-03-06 19:00:00",
        "end_datetime": "2026-03-06 21:00:00",
        "tag": "Fun",
    },
    ("calendar", "delete_calendar_event_by_attendee"): {
        "event_id": "row",
        "who_delete": "Wilma Roth",
    },
    ("email", "send_email_to_user_only"): {
        "sender": "kit@club.example",
        "subject": "News",
        "content": "Boat 12 it is.",
    },
    ("email", "send_email_to_user_with_id"): {
        "email_id": "later",
        "sender": "kit@club.example",
        "subject": "News",
        "content": "Boat 12 it is.",
        "attachment_paths": ["crew.txt"],
    },
    ("email", "create_and_add_email"): {
        "sender": "kit@club.example",
        "recipients": ["ada@home.example"],
        "subject": "News",
        "content": "Boat 12 it is.",
        "folder_name": "INBOX",
    },
    ("email", "create_and_add_email_with_time"): {
        "sender": "kit@club.example",
        "subject": "News",
        "content": "Boat 12 it is.",
        "email_time": "2026-03-02 09:00:00",
    },
    ("email", "reply_to_email_from_user"): {
        "sender": "kit@club.example",
        "email_id": "out-1",
        "content": "Twelve of them.",
    },
    ("messaging", "create_and_add_message"): {
        "conversation_id": "chat-kit",
        "sender_id": "user-kit",
        "content": "Boat 12 it is.",
    },
    ("messaging", "add_message"): {
        "conversation_id": "chat-crew",
        "sender_id": "user-wil",
        "content": "Boat 12 it is.",
        "timestamp": 1772442000.0,
    },
    ("messaging", "create_group_conversation"): {
        "user_ids": ["user-kit", "user-sol"],
        "title": "Supper",
    },
    ("messaging", "create_conversation"): {"participants": ["user-kit", "user-sol"]},
    ("messaging", "add_participant_to_conversation"): {
        "conversation_id": "chat-crew",
        "user_id": "user-sol",
    },
    ("messaging", "remove_participant_from_conversation"): {
        "conversation_id": "chat-crew",
        "user_id": "user-kit",
    },
    ("messaging", "change_conversation_title"): {
        "conversation_id": "chat-crew",
        "title": "Boat 12",
    },
    ("notes", "delete_folder"): {"folder_name": "Clubs"},
    ("notes", "create_note_with_time"): {
        "folder": "Inbox",
        "title": "Crew list",
        "content": "Wilma, Kit, Sol",
        "created_at": "2026-03-02 09:00:00",
    },
    ("shopping", "add_product"): {"name": "Tin plate"},
    ("shopping", "add_item_to_product"): {
        "product_id": "cup",
        "price": 8.0,
        "options": {"colour": "blue"},
        "available": True,
    },
    ("shopping", "update_item"): {"item_id": "cup-red", "new_price": 7.5},
    ("shopping", "add_discount_code"): {"item_id": "cup-red", "discount_code": {"TIN20": 20.0}},
    ("shopping", "update_order_status"): {"order_id": "ord-1", "status": "shipped"},
    ("shopping", "cancel_order"): {"order_id": "ord-1"},
}
"""Environment function → arguments with which the small phone takes it."""

READ_ARGS: dict[str, Any] = {
    "apartment_id": "mill",
    "event_id": "row",
    "contact_id": "kit",
    "email_id": "in-1",
    "user_id": "user-kit",
    "user_ids": ["user-kit"],
    "conversation_id": "chat-kit",
    "note_id": "boats",
    "product_id": "cup",
    "order_id": "ord-1",
    "idx": 0,
    "path": "crew.txt",
    "file_path": "crew.txt",
    "folder_name": "INBOX",
    "amenities": ["Lift"],
    "saved_only": False,
    "mode": "rb",
}


def made(are: Any) -> dict[str, Any]:
    """The scenario of a file, checked as a file is."""
    found = convert(of(are.data()), "made_up", "made_up.json", SHA)
    scenario = load_document(parse(text_of(found.data), "made_up.yaml"))
    assert [str(problem) for problem in check(scenario, range(1))] == []
    refused = [r.line() for r in found.remarks if r.kind.endswith(("refused", "raised"))]
    assert refused == []
    return found.data


def test_every_tool_and_function_is_tried_here() -> None:
    ordered = {("cab", "order_ride")}
    said = {key for key in TOOLS if key[0] in ("system", "assistant")}
    writes = {key for key, call in TOOLS.items() if call.role == "write"} - said - ordered
    assert writes == set(WRITES)
    assert set(EVENTS) == set(EVENT_ARGS)


@pytest.mark.parametrize("key", WRITES, ids=".".join)
def test_a_write_of_the_agents(are: Any, key: tuple[str, str]) -> None:
    file = are()
    file.trigger()
    file.offer()
    file.agent(*key, **WRITES[key])
    tools = [step["tool"] for step in made(file)["reference"]]
    assert tools == [f"{TOOLS[key].app}.{TOOLS[key].heron}"]


def test_a_ride_is_ordered_where_none_is_under_way(are: Any) -> None:
    file = are()
    file.states["cab"]["ride_history"].pop()
    file.trigger()
    file.offer()
    trip = {"start_location": "Mill Lane 4", "end_location": "Weir landing"}
    file.agent("cab", "order_ride", **trip, service_type="Default", ride_time=None)
    assert [s["tool"] for s in made(file)["reference"]] == ["cab.order_ride"]


@pytest.mark.parametrize("key", EVENT_ARGS, ids=".".join)
def test_an_event_of_the_environment(are: Any, key: tuple[str, str]) -> None:
    file = are()
    file.env(*key, **EVENT_ARGS[key])
    file.offer("There is news of Wilma Roth and boat 12. Shall I write a note of it?")
    file.agent("notes", "create_note", title="Boat 12", content="19:15", folder="Inbox")
    events = [event["do"] for event in made(file)["events"]]
    assert events == [f"{EVENTS[key].app}.{EVENTS[key].heron}"]


READS = [key for key, call in TOOLS.items() if call.role == "read"]


@pytest.mark.parametrize("key", READS, ids=".".join)
def test_a_read_of_the_agents(are: Any, key: tuple[str, str]) -> None:
    file = are()
    file.trigger()
    given = {a.are: READ_ARGS[a.are] for a in TOOLS[key].arguments if a.are in READ_ARGS}
    file.agent(*key, **given)
    file.offer()
    file.agent("notes", "create_note", title="Boat 12", content="19:15", folder="Inbox")
    assert len(made(file)["reference"]) == 1


def test_every_counterpart_exists() -> None:
    known = catalog(None)
    for call in TABLE:
        if call.heron is None:
            continue
        name = f"{call.app}.{call.heron}"
        declared = known.happenings[name] if call.role == "event" else known.tools[name]
        if call.role != "event":
            assert declared.effect == call.role, name
        takes = {parameter.name for parameter in declared.signature.parameters}
        if call.special is None:
            given = {a.heron for a in call.arguments if a.heron is not None}
            assert given <= takes, name
    assert set(ACTS) <= set(known.tools)


@pytest.mark.parametrize("app", CLASSES)
def test_every_class_of_an_app_is_known(are: Any, app: str) -> None:
    for class_name in CLASSES[app]:
        file = are()
        data = file.data()
        for one in data["apps"]:
            if one["class_name"] == CLASSES[app][0]:
                one["class_name"] = class_name
        of(data)


@pytest.mark.parametrize(
    ("breaks", "named"),
    [
        (lambda d: d["apps"].append({"name": "City", "class_name": "CityApp"}), "City"),
        (lambda d: d["apps"].append({"name": "Chats", "class_name": "MessagingAppV2"}), "Chats"),
        (lambda d: d["events"][0]["action"].update(function="fly"), "Emails.fly"),
        (lambda d: d["events"][0].update(event_type="VALIDATION"), "VALIDATION"),
        (lambda d: d["events"][0].update(event_type="CONDITION"), "CONDITION"),
        (
            lambda d: d["events"][0]["action"]["args"].append({"name": "priority", "value": "1"}),
            "priority",
        ),
        (lambda d: d["apps"][2]["app_state"]["events"]["row"].update(colour="red"), "colour"),
        (lambda d: d["events"][1].update(dependencies=["nobody"]), "nobody"),
        (lambda d: d["events"][0].update(dependencies=["event-1"]), "circle"),
        (lambda d: d.update(version="2"), "version"),
    ],
)
def test_what_has_no_counterpart_is_refused_by_name(are: Any, breaks: Any, named: str) -> None:
    file = are()
    file.trigger()
    file.offer()
    file.agent("notes", "create_note", title="Boat 12", content="19:15", folder="Inbox")
    data = file.data()
    breaks(data)
    with pytest.raises(Refused, match=named):
        convert(of(data), "made_up", "made_up.json", SHA)
