"""Calls of Heron's that are no row of a table by nature, each turned over by a function of its own.

What it does not know: when a call is due.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from heron.scenarios.are.calls import CARD_FIELDS, EVENTS, TOOLS
from heron.scenarios.are.export.calls import Action, Desk, NoCounterpart, Role
from heron.sim.app import App

_Args = Mapping[str, Any]
_EVENT = (
    "title",
    "start_datetime",
    "end_datetime",
    "tag",
    "description",
    "location",
    "attendees",
)
Special = Callable[[Desk, _Args, str], list[Action]]


def _receive(desk: Desk, given: _Args, ref: str) -> list[Action]:
    if desk.ledger.dialect == "are" or (not ref and not given.get("attachments")):
        return [desk.called(EVENTS["email", "send_email_to_user_only"], given, "email.receive")]
    made = desk.called(EVENTS["email", "send_email_to_user_with_id"], given, "email.receive")
    args = {"email_id": ref, **made.args} if ref else made.args
    return [Action(made.app, made.function, args, writes=True)]


def _receive_message(desk: Desk, given: _Args, _: str) -> list[Action]:
    """ARE has to be told the conversation, here it is known by who writes."""
    whole = dict(given)
    if not whole.get("conversation_id"):
        chat = _chat_with(desk, str(given.get("sender_id")))
        if chat is None:
            desk.ledger.note("a message in a conversation that is still to begin")
        else:
            whole["conversation_id"] = chat
    call = EVENTS["messaging", "create_and_add_message"]
    return [desk.called(call, whole, "messaging.receive")]


def _chat_with(desk: Desk, person: str) -> str | None:
    """The conversation with somebody alone."""
    for chat in desk.world.apps["messaging"].table_of("conversation") or ():
        if not chat.group and tuple(chat.participant_ids) == (person,):
            return str(chat.ref)
    return None


def _by_attendee(desk: Desk, given: _Args, _: str) -> list[Action]:
    """ARE puts who made it before title and description; what stands there already is taken off."""
    prefix = f"Event created by {given.get('who', '')}"
    bare = dict(given)
    for name in ("title", "description"):
        said = str(bare.get(name) or "")
        if said.startswith(prefix):
            bare[name] = said.removeprefix(prefix).removeprefix(": ")
        elif said or name == "title":
            desk.ledger.note(
                f"{name} of an event by an attendee, before which ARE puts who made it"
            )
    call = EVENTS["calendar", "add_calendar_event_by_attendee"]
    return [desk.called(call, bare, "calendar.add_by_attendee")]


def _edit_event(desk: Desk, given: _Args, _: str) -> list[Action]:
    """Here a new start alone moves the end as well, in ARE it does not."""
    event: Any = desk.world.record(str(given["event_id"]))
    whole = dict(given)
    if event is not None and given.get("start_datetime") and not given.get("end_datetime"):
        start = datetime.fromisoformat(str(given["start_datetime"]))
        whole["end_datetime"] = start + (event.end_datetime - event.start_datetime)
    call = TOOLS["calendar", "edit_calendar_event"]
    made = desk.called(call, whole, "calendar.edit_calendar_event")
    if desk.ledger.dialect == "pare" or event is None:
        return [made]
    # ARE's own calendar changes nothing: the event is deleted, and added as it should be.
    desk.ledger.note("an event that is changed: it is deleted and added anew")
    old = {"event_id": made.args["event_id"]}
    kept = {name: getattr(event, name) for name in _EVENT if getattr(event, name)}
    kept["attendees"] = list(kept.get("attendees", ()))
    add = TOOLS["calendar", "add_calendar_event"]
    new = desk.called(add, kept, "calendar.add_calendar_event")
    changed = {name: value for name, value in made.args.items() if name != "event_id"}
    return [
        Action("calendar", "delete_calendar_event", old, writes=True),
        Action("calendar", "add_calendar_event", {**new.args, **changed}, writes=True),
    ]


def _move_note(desk: Desk, given: _Args, _: str) -> list[Action]:
    """ARE has to be told where the note lies."""
    note: Any = desk.world.record(str(given["note_id"]))
    source = {"source_folder_name": note.folder} if note is not None else {}
    call = TOOLS["notes", "move_note"]
    return [desk.called(call, {**source, **given}, "notes.move_note")]


def _edit_contact(desk: Desk, given: _Args, _: str) -> list[Action]:
    rest = {key: value for key, value in given.items() if key != "contact_id"}
    for key in rest:
        if key not in CARD_FIELDS:
            desk.ledger.note(f"argument contacts.edit_contact.{key}")
    updates = {key: value for key, value in rest.items() if key in CARD_FIELDS}
    args = {"contact_id": desk.deep(given["contact_id"]), "updates": updates}
    return [Action("contacts", "edit_contact", args, writes=True)]


def _reply_to_message(desk: Desk, given: _Args, _: str) -> list[Action]:
    """ARE answers no message, it writes to whoever wrote it, or into the group."""
    message: Any = desk.world.record(str(given["message_id"]))
    chat_id = message.conversation_id if message is not None else _told_chat(desk, given)
    chat: Any = desk.world.record(chat_id) if chat_id else None
    if chat is None:
        raise NoCounterpart("messaging.reply_to_message")
    rest = {key: value for key, value in given.items() if key != "message_id"}
    if not chat.group and len(chat.participant_ids) == 1:
        call = TOOLS["messaging", "send_message"]
        return [desk.called(call, {"user_id": chat.participant_ids[0], **rest}, "reply")]
    call = TOOLS["messaging", "send_message_to_group_conversation"]
    return [desk.called(call, {"conversation_id": chat.ref, **rest}, "reply")]


def _told_chat(desk: Desk, given: _Args) -> str | None:
    """The conversation of a message that an event brings."""
    for event in desk.world.queue.events:
        if event.reserve is not None and event.reserve[1] == given["message_id"]:
            chat = event.arguments.get("conversation_id")
            return str(chat) if chat else _chat_with(desk, str(event.arguments.get("sender_id")))
    return None


def _send_message(desk: Desk, given: _Args, _: str) -> list[Action]:
    return [desk.called(TOOLS["messaging", "send_message"], given, "messaging.send_message")]


def _group_created(desk: Desk, given: _Args, _: str) -> list[Action]:
    people = [given["by"], *given.get("user_ids", [])]
    args = {"user_ids": desk.deep(people), "title": given.get("title", "")}
    return [Action("messaging", "create_group_conversation", args, writes=True)]


def _group_renamed(desk: Desk, given: _Args, _: str) -> list[Action]:
    call = EVENTS["messaging", "change_conversation_title"]
    bare = {key: value for key, value in given.items() if key != "by"}
    return [desk.called(call, bare, "messaging.group_renamed")]


def _add_code(desk: Desk, given: _Args, _: str) -> list[Action]:
    """One call per item; a code without items is for all of them."""
    for key, value in given.items():
        if key not in ("discount_code", "percentage", "item_ids", "item_percentages") and value:
            desk.ledger.note(f"argument shopping.add_discount_code.{key}")
    items = list(given.get("item_ids") or ()) or _items(desk.world.apps["shopping"])
    rates = {item: given.get("percentage") for item in items}
    rates |= given.get("item_percentages") or {}
    code = given["discount_code"]
    return [
        Action(
            "shopping",
            "add_discount_code",
            {"item_id": desk.deep(item), "discount_code": {code: float(rate or 0.0)}},
            writes=True,
        )
        for item, rate in rates.items()
    ]


def _update_item(desk: Desk, given: _Args, _: str) -> list[Action]:
    """ARE counts no pieces: it knows only whether there are any."""
    whole = dict(given)
    if given.get("new_stock") is not None and given.get("new_availability") is None:
        whole["new_availability"] = bool(given["new_stock"])
    return [desk.called(EVENTS["shopping", "update_item"], whole, "shopping.update_item")]


def _items(shop: App) -> list[str]:
    table = shop.table_of("item")
    return [item.ref for item in table or ()]


def _move_file(desk: Desk, given: _Args, _: str) -> list[Action]:
    old = str(desk.path(given["file_id"]))
    folder = str(given["folder"]).rstrip("/")
    return [_moved(old, f"{folder}/{old.rpartition('/')[2]}")]


def _rename_file(desk: Desk, given: _Args, _: str) -> list[Action]:
    old = str(desk.path(given["file_id"]))
    return [_moved(old, f"{old.rpartition('/')[0]}/{given['name']}")]


def _moved(old: str, new: str) -> Action:
    return Action("files", "mv", {"path1": old, "path2": new}, writes=True)


def _delete_file(desk: Desk, given: _Args, _: str) -> list[Action]:
    return [Action("files", "rm", {"path": desk.path(given["file_id"])}, writes=True)]


def _delete_folder(_: Desk, given: _Args, __: str) -> list[Action]:
    if given.get("recursive"):
        return [Action("files", "rm", {"path": given["path"], "recursive": True}, writes=True)]
    return [Action("files", "rmdir", {"path": given["path"]}, writes=True)]


SPECIAL: dict[tuple[str, Role], Special] = {
    ("email.receive", "event"): _receive,
    ("messaging.receive", "event"): _receive_message,
    ("calendar.add_by_attendee", "event"): _by_attendee,
    ("calendar.edit_calendar_event", "write"): _edit_event,
    ("notes.move_note", "write"): _move_note,
    ("contacts.edit_contact", "write"): _edit_contact,
    ("messaging.reply_to_message", "write"): _reply_to_message,
    ("messaging.send_message", "write"): _send_message,
    ("messaging.group_created", "event"): _group_created,
    ("messaging.group_renamed", "event"): _group_renamed,
    ("shopping.add_discount_code", "event"): _add_code,
    ("shopping.update_item", "event"): _update_item,
    ("files.move_file", "write"): _move_file,
    ("files.rename_file", "write"): _rename_file,
    ("files.delete_file", "write"): _delete_file,
    ("files.delete_folder", "write"): _delete_folder,
}
"""Heron's call and role → what does the same."""
