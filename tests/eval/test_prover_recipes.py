"""What the user does by the recipes has the effect of the tool in whose place it is done."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from heron.contracts import Grant, ToolCall
from heron.eval.net import net_effects
from heron.eval.prover.handbook import RECIPES, recipe_for
from heron.eval.prover.recipes import acts
from heron.scenarios.catalog import catalog
from heron.sim.app import Owner
from heron.sim.installed import choose
from heron.sim.marks import field_marks
from heron.sim.world import World

GRANT = Grant(grant_id="g1", proposal_id="p1", turn=0)

FLAT = {"zip_code": "1", "bedrooms": 1, "bathrooms": 1, "square_footage": 40}

CONTENT: dict[str, dict[str, list[dict[str, Any]]]] = {
    "apartment": {
        "apartments": [
            {"apartment_id": "a1", "name": "Loft", "location": "Mill", "price": 900, **FLAT},
            {"apartment_id": "a2", "name": "Nook", "location": "Quay", "price": 7, "saved": True}
            | FLAT,
        ]
    },
    "calendar": {
        "events": [
            {
                "event_id": "e1",
                "title": "Choir",
                "start_datetime": "2026-03-11 19:00",
                "end_datetime": "2026-03-11 20:00",
                "repetition_unit": "week",
            }
        ]
    },
    "contacts": {"contacts": [{"contact_id": "c1", "first_name": "Ben", "phone": "1"}]},
    "email": {
        "emails": [
            {
                "email_id": "m1",
                "sender": "ben@example.org",
                "recipients": ["ann@example.org", "cleo@example.org"],
                "subject": "Plans",
                "content": "See below.",
                "timestamp": "2026-03-09 10:00",
                "attachments": ["plan.pdf"],
            }
        ]
    },
    "files": {
        "files": [
            {"file_id": "f1", "name": "a.txt", "folder": "/Documents", "content": "A"},
            {"file_id": "f2", "name": "b.txt", "folder": "/Own", "content": "B"},
        ]
    },
    "messaging": {
        "people": [{"user_id": f"u{n}", "name": f"Friend {n}"} for n in (1, 2, 3)],
        "conversations": [
            {"conversation_id": "t1", "participant_ids": ["u1"]},
            {
                "conversation_id": "t2",
                "participant_ids": ["u1", "u2"],
                "title": "We",
                "group": True,
            },
        ],
        "messages": [
            {
                "message_id": "x1",
                "conversation_id": "t1",
                "sender_id": "u1",
                "content": "Hi",
                "timestamp": "2026-03-09 10:00",
                "attachment": "photo.png",
            }
        ],
    },
    "notes": {
        "folders": [{"folder_name": "Trips"}],
        "notes": [
            {
                "note_id": "n1",
                "title": "List",
                "content": "Tent",
                "folder": "Inbox",
                "attachments": ["map.pdf"],
                "created_at": "2026-03-01 10:00",
                "updated_at": "2026-03-01 10:00",
            }
        ],
    },
    "reminder": {
        "reminders": [{"reminder_id": "r1", "title": "Call", "due_datetime": "2026-03-11 10:00"}]
    },
    "shopping": {
        "products": [{"name": "Lamp", "variants": [{"price": 40}, {"price": 45, "in_cart": 2}]}],
        "orders": [
            {
                "order_id": "o1",
                "order_status": "processed",
                "order_date": "2026-03-08 12:00",
                "order_items": [{"item_id": "s1", "quantity": 1}],
                "order_total": 40.0,
            }
        ],
    },
}

CALLS: dict[str, dict[str, Any]] = {
    "apartment.save_apartment": {"apartment_id": "a1"},
    "apartment.remove_saved_apartment": {"apartment_id": "a2"},
    "cab.order_ride": {
        "start_location": "Home",
        "end_location": "Station",
        "service_type": "Van",
        "ride_time": "2026-03-10 12:00",
    },
    "calendar.add_calendar_event": {
        "title": "Tea",
        "start_datetime": "2026-03-12 15:00",
        "end_datetime": "2026-03-12 16:30",
        "location": "Hall",
        "attendees": ["Ben"],
        "tag": "fun",
    },
    "calendar.edit_calendar_event": {"event_id": "e1", "start_datetime": "2026-03-11 18:00"},
    "calendar.delete_calendar_event": {"event_id": "e1", "day": "2026-03-18"},
    "contacts.add_new_contact": {"first_name": "Cleo", "last_name": "Ray", "job": "Baker"},
    "contacts.edit_contact": {"contact_id": "c1", "last_name": "Ray", "city_living": "Bath"},
    "contacts.delete_contact": {"contact_id": "c1"},
    "email.send_email": {"recipients": ["ben@example.org"], "subject": "S", "content": "C"},
    "email.reply_to_email": {"email_id": "m1", "content": "Yes", "reply_all": True},
    "email.forward_email": {"email_id": "m1", "recipients": ["dan@example.org"], "content": "!"},
    "email.move_email": {"email_id": "m1", "dest_folder_name": "TRASH"},
    "email.delete_email": {"email_id": "m1"},
    "email.download_attachments": {"email_id": "m1"},
    "files.create_file": {"name": "c.txt", "content": "C"},
    "files.write_file": {"file_id": "f1", "content": "AA"},
    "files.rename_file": {"file_id": "f1", "name": "z.txt"},
    "files.move_file": {"file_id": "f1", "folder": "/Own"},
    "files.copy_file": {"file_id": "f1", "folder": "/Own"},
    "files.delete_file": {"file_id": "f1"},
    "files.create_folder": {"path": "/Documents/New"},
    "files.delete_folder": {"path": "/Own", "recursive": True},
    "messaging.send_message": {"user_id": "u1", "content": "Hello"},
    "messaging.reply_to_message": {"message_id": "x1", "content": "Hello"},
    "messaging.send_message_to_group_conversation": {"conversation_id": "t2", "content": "All"},
    "messaging.add_participant_to_conversation": {"conversation_id": "t2", "user_id": "u3"},
    "messaging.remove_participant_from_conversation": {"conversation_id": "t2", "user_id": "u2"},
    "messaging.change_conversation_title": {"conversation_id": "t2", "title": "Us"},
    "messaging.download_attachment": {"message_id": "x1"},
    "notes.create_note": {"title": "New", "content": "x", "folder": "Trips", "pinned": True},
    "notes.update_note": {"note_id": "n1", "content": "Tent, stove"},
    "notes.delete_note": {"note_id": "n1"},
    "notes.move_note": {"note_id": "n1", "dest_folder_name": "Trips"},
    "notes.duplicate_note": {"note_id": "n1"},
    "notes.add_attachment_to_note": {"note_id": "n1", "attachment_path": "/Documents/a.txt"},
    "notes.remove_attachment": {"note_id": "n1", "attachment": "map.pdf"},
    "notes.download_attachments": {"note_id": "n1"},
    "notes.new_folder": {"folder_name": "Songs"},
    "notes.rename_folder": {"folder": "Trips", "new_folder": "Tours"},
    "notes.delete_folder": {"folder_name": "Trips"},
    "reminder.add_reminder": {"title": "Eat", "due_datetime": "2026-03-12 12:00"},
    "reminder.update_reminder": {"reminder_id": "r1", "due_datetime": "2026-03-12 12:00"},
    "reminder.delete_reminder": {"reminder_id": "r1"},
    "shopping.add_to_cart": {"item_id": "s1", "quantity": 3},
    "shopping.remove_from_cart": {"item_id": "s2", "quantity": 1},
    "shopping.checkout": {},
    "shopping.cancel_order": {"order_id": "o1"},
}


@pytest.fixture(scope="module")
def world() -> World:
    owner = Owner("Ann Lee", "ann@example.org")
    made = World(owner, datetime(2026, 3, 10, 9, 0), choose(None))
    for app, content in CONTENT.items():
        made.apps[app].fill(content)
    made.open_grant(GRANT)
    return made


def effects(world: World, mark: int, actor: Any) -> dict[Any, Any]:
    """What was done since a mark, without ids and what nobody compares."""
    kinds = {t.record_type.KIND: field_marks(t.record_type) for t in world.directory.tables()}
    entries = [entry.record(world.app_of) for entry in world.log[mark:]]
    return {
        (key, name): value
        for key, net in net_effects(entries, actor).items()
        for name, (_, value) in net.changed.items()
        if "volatile" not in {mark.meaning for mark in kinds[key[1]][name]}
    }


@pytest.mark.parametrize("tool", sorted({*CALLS, "cab.user_cancel_ride"}))
def test_by_hand_as_by_tool(world: World, tool: str) -> None:
    start = world.snapshot()
    if tool == "cab.user_cancel_ride":
        order = ToolCall(name="cab.order_ride", arguments=CALLS["cab.order_ride"])
        assert world.call_tool(order, GRANT).ok
    call = ToolCall(name=tool, arguments=CALLS.get(tool, {}))
    ready = world.snapshot()
    result = world.call_tool(call, GRANT)
    assert result.ok, result.error
    wanted = effects(world, ready.log, "assistant")
    world.restore(ready)
    recipe = recipe_for(call)
    assert recipe is not None
    for act in acts(recipe, world, call):
        entry = world.user_act(act)
        assert entry.error is None, entry.error
    assert effects(world, ready.log, "user") == wanted != {}
    world.restore(start)


def test_recipes_are_for_write_tools_and_each_is_tried() -> None:
    writes = {name for name, tool in catalog().tools.items() if tool.effect == "write"}
    assert set(RECIPES) <= writes
    assert set(RECIPES) == {*CALLS, "cab.user_cancel_ride"}
