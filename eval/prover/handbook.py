"""How a user does by hand what the write tools do: a table of recipes.

A tool without a line can be used by the assistant alone. What it does not know: scenarios.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from heron.contracts import ToolCall
from heron.eval.prover.recipes import Press, Recipe, begin, each, on, press
from heron.sim.world import World

# --- what the table's lines make of arguments ---------------------------------------------------


def _name_of(world: World, given: Mapping[str, Any]) -> str | None:
    return getattr(world.record(str(given["user_id"])), "name", None)


def _chat_with(world: World, given: Mapping[str, Any]) -> str | None:
    """The conversation with one person alone."""
    for table in world.directory.tables():
        for record in table:
            if getattr(record, "participant_ids", None) == (given["user_id"],):
                return str(record.ref)
    return None


def _title_of(world: World, given: Mapping[str, Any]) -> str | None:
    return getattr(world.record(str(given["conversation_id"])), "title", None)


def _part(name: str) -> Callable[[World, Mapping[str, Any]], str | None]:
    """A part of a contact's name: the form takes both, so the one not given is as it was."""

    def value(world: World, given: Mapping[str, Any]) -> str | None:
        if not {"first_name", "last_name"} & set(given):
            return None
        known = world.record(str(given.get("contact_id")))
        return given.get(name) or getattr(known, name, None)

    return value


def _name_of_copy(world: World, given: Mapping[str, Any]) -> str | None:
    """Copies are called otherwise until they are named."""
    return given.get("name") or getattr(world.record(str(given["file_id"])), "name", None)


def _product_of(world: World, given: Mapping[str, Any]) -> str | None:
    return getattr(world.record(str(given["item_id"])), "product_id", None)


def _has(argument: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda given: given.get(argument) not in (None, False)


def _lacks(argument: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda given: given.get(argument) in (None, False)


def _above(_: World, given: Mapping[str, Any]) -> str:
    return str(given["path"]).rpartition("/")[0] or "/"


def _last(_: World, given: Mapping[str, Any]) -> str:
    return str(given["path"]).rpartition("/")[2]


EVENT = (
    press("set_title", title="title"),
    press("set_start", start_datetime="start_datetime"),
    press("set_end", end_datetime="end_datetime"),
    press("set_all_day", all_day="all_day"),
    press("set_location", location="location"),
    press("set_description", description="description"),
    press("set_tag", tag="tag"),
    press("set_timezone", timezone="timezone"),
    each("add_attendee", "attendee", "attendees"),
    press(
        "set_repetition",
        unit="repetition_unit",
        value="repetition_value",
        count="repetition_count",
        until="repetition_until",
    ),
    press("save"),
)
CARD = (
    press("set_name", first_name=_part("first_name"), last_name=_part("last_name")),
    press("set_phone", phone="phone"),
    press("set_email", email="email"),
    press("set_address", address="address"),
    press("set_city", city_living="city_living", country="country"),
    press("set_job", job="job"),
    press("set_description", description="description"),
    press("set_nationality", nationality="nationality"),
    press("set_age", age="age"),
    press("set_gender", gender="gender"),
    press("set_status", status="status"),
    press("save"),
)
REMINDER = (
    press("set_title", title="title"),
    press("set_due_datetime", due_datetime="due_datetime"),
    press("set_description", description="description"),
    press("set_repetition", unit="repetition_unit", value="repetition_value"),
    press("save"),
)
MAIL = (
    press("set_recipients", recipients="recipients"),
    press("set_cc", cc="cc"),
    press("set_subject", subject="subject"),
    press("set_content", content="content"),
    each("attach", "path", "attachment_paths"),
    press("send"),
)
NOTE = (press("set_title", title="title"), press("set_content", content="content"), press("save"))
NEW_NOTE = (
    press("list_folders"),
    press("open", folder=lambda _, given: given.get("folder", "Inbox")),
    press("new_note"),
    *NOTE,
)
WRITE = press("send", content="content", attachment_path="attachment_path")

RECIPES: dict[str, tuple[Recipe, ...]] = {
    "apartment.save_apartment": on("apartment_id", press("save")),
    "apartment.remove_saved_apartment": on("apartment_id", press("unsave")),
    "cab.order_ride": begin(
        press(
            "list_rides",
            start_location="start_location",
            end_location="end_location",
            ride_time="ride_time",
        ),
        press("get_quotation", service_type="service_type"),
        press("order_ride"),
    ),
    "cab.user_cancel_ride": begin(press("open_current_ride"), press("cancel_ride")),
    "calendar.add_calendar_event": begin(press("create_new"), *EVENT),
    "calendar.edit_calendar_event": on("event_id", press("edit"), *EVENT),
    "calendar.delete_calendar_event": (
        Recipe((press("delete"),), "event_id", _lacks("day")),
        Recipe(
            (
                press("set_day", day="day"),
                press("open_event", event_id="event_id"),
                press("delete_this_day"),
            ),
            where=_has("day"),
        ),
    ),
    "contacts.add_new_contact": begin(press("create_new"), *CARD),
    "contacts.edit_contact": on("contact_id", press("edit"), *CARD),
    "contacts.delete_contact": on("contact_id", press("delete")),
    "email.send_email": begin(press("compose"), *MAIL),
    "email.reply_to_email": (
        Recipe((press("reply"), *MAIL), "email_id", _lacks("reply_all")),
        Recipe((press("reply_all"), *MAIL), "email_id", _has("reply_all")),
    ),
    "email.forward_email": on("email_id", press("forward"), *MAIL),
    "email.move_email": on("email_id", press("move", folder="dest_folder_name")),
    "email.delete_email": on("email_id", press("delete")),
    "email.download_attachments": on("email_id", press("download_attachments")),
    "files.create_file": begin(
        press("go_to", folder_path=lambda _, given: given.get("folder", "/Documents")),
        press("create_file", name="name", content="content"),
    ),
    "files.write_file": on("file_id", press("write", content="content")),
    "files.rename_file": on("file_id", press("rename", name="name")),
    "files.move_file": on("file_id", press("move"), press("choose_folder", path="folder")),
    "files.copy_file": on(
        "file_id",
        press("copy"),
        press("move"),
        press("choose_folder", path="folder"),
        press("rename", name=_name_of_copy),
    ),
    "files.delete_file": on("file_id", press("delete")),
    "files.create_folder": begin(
        press("go_to", folder_path=_above), press("create_folder", name=_last)
    ),
    "files.delete_folder": begin(
        press("go_to", folder_path="path"),
        Press("delete_folder", {"recursive": "recursive"}, always=True),
    ),
    "messaging.send_message": (
        Recipe(
            (
                press("new_chat"),
                press("search", query=_name_of),
                press("choose", user_ids=lambda _, given: [given["user_id"]]),
                press("send", content="content"),
            ),
            where=_lacks("attachment_path"),
        ),
        Recipe(
            (press("open_conversation", conversation_id=_chat_with), WRITE),
            where=_has("attachment_path"),
        ),
    ),
    "messaging.reply_to_message": on("message_id", WRITE),
    "messaging.send_message_to_group_conversation": begin(
        press("search", query=_title_of),
        press("open_conversation", conversation_id="conversation_id"),
        WRITE,
    ),
    "messaging.add_participant_to_conversation": on(
        "conversation_id", press("add_person"), press("add", user_id="user_id")
    ),
    "messaging.remove_participant_from_conversation": on(
        "conversation_id", press("remove_person", user_id="user_id")
    ),
    "messaging.change_conversation_title": on("conversation_id", press("rename", title="title")),
    "messaging.download_attachment": on(
        "message_id", press("download_attachment", message_id="message_id")
    ),
    "notes.create_note": (
        Recipe((*NEW_NOTE, press("pin")), where=_has("pinned")),
        Recipe(NEW_NOTE),
    ),
    "notes.update_note": (
        Recipe((press("edit"), *NOTE), "note_id", _lacks("pinned")),
        Recipe((press("pin"),), "note_id", lambda given: given.get("pinned") is True),
    ),
    "notes.delete_note": on("note_id", press("delete")),
    "notes.move_note": on(
        "note_id",
        press("move"),
        press("choose_folder", dest_folder_name="dest_folder_name"),
    ),
    "notes.duplicate_note": on("note_id", press("duplicate")),
    "notes.add_attachment_to_note": on(
        "note_id", press("add_attachment", attachment_path="attachment_path")
    ),
    "notes.remove_attachment": on("note_id", press("remove_attachment", attachment="attachment")),
    "notes.download_attachments": on("note_id", press("download_attachments")),
    "notes.new_folder": begin(
        press("list_folders"), press("new_folder", folder_name="folder_name")
    ),
    "notes.rename_folder": begin(
        press("list_folders"), press("rename_folder", folder="folder", new_folder="new_folder")
    ),
    "notes.delete_folder": begin(
        press("list_folders"), press("delete_folder", folder="folder_name")
    ),
    "reminder.add_reminder": begin(press("create_new"), *REMINDER),
    "reminder.update_reminder": on("reminder_id", press("edit"), *REMINDER),
    "reminder.delete_reminder": on("reminder_id", press("delete")),
    "shopping.add_to_cart": begin(
        press("view_product", product_id=_product_of),
        press("view_variant", item_id="item_id"),
        Press("add_to_cart", {"quantity": "quantity"}, always=True),
    ),
    "shopping.remove_from_cart": begin(
        press("view_cart"),
        press("remove_item", item_id="item_id", quantity=lambda _, given: given.get("quantity", 1)),
    ),
    "shopping.checkout": begin(
        press("view_cart"), Press("checkout", {"discount_code": "discount_code"}, always=True)
    ),
    "shopping.cancel_order": on("order_id", press("cancel_order")),
}
"""Tool → its recipes, of which the first that suits the arguments is taken."""


def recipe_for(call: ToolCall) -> Recipe | None:
    """The recipe that suits a call, if there is one."""
    return next((r for r in RECIPES.get(call.name, ()) if r.where(call.arguments)), None)
