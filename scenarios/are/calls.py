"""ARE's functions ↔ Heron's tools and happenings: names, arguments, and how values are turned over.

An argument without a counterpart is named with ``None`` and the values under which leaving it out
changes nothing. Functions that are no table row by nature have ``special``: they are turned over by
a function of that name in ``turning``. What it does not know: any scenario.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["read", "write", "event"]
"""A tool that reads, a tool that writes, or something that the environment does."""

ANY: Any = object()
"""Whatever stands there."""


@dataclass(frozen=True)
class Argument:
    """An argument on both sides."""

    are: str
    heron: str | None
    form: str = "text"
    """``text``, ``number``, ``count``, ``flag``, ``time``, ``texts``, ``options``, ``path``,
    ``paths``, ``address``, ``addresses``, ``folder``, ``choice``, ``ref:KIND``, ``refs:KIND``."""
    harmless: tuple[Any, ...] = ()
    """Values under which an argument without a counterpart says nothing; ``ANY`` for all."""


@dataclass(frozen=True)
class Call:
    """A function of ARE's and its counterpart."""

    app: str
    are: str
    heron: str | None
    role: Role
    arguments: tuple[Argument, ...] = ()
    returns: str | None = None
    """Kind of the record whose id it returns."""
    special: str | None = None


def _texts(*names: str) -> tuple[Argument, ...]:
    return tuple(Argument(name, name) for name in names)


def _counts(*names: str) -> tuple[Argument, ...]:
    return tuple(Argument(name, name, "count") for name in names)


def _times(*names: str) -> tuple[Argument, ...]:
    return tuple(Argument(name, name, "time") for name in names)


def _drop(*names: str) -> tuple[Argument, ...]:
    return tuple(Argument(name, None, harmless=(ANY,)) for name in names)


def _ref(name: str, kind: str, heron: str | None = None) -> Argument:
    return Argument(name, heron or name, f"ref:{kind}")


_PAGE = _counts("offset", "limit")
_EVENT = (
    *_texts("title"),
    *_times("start_datetime", "end_datetime"),
    *_texts("tag", "description", "location"),
    Argument("attendees", "attendees", "texts"),
)
_CARD = (
    *_texts("first_name", "last_name"),
    Argument("gender", "gender", "choice:contact.gender"),
    Argument("age", "age", "count"),
    *_texts("nationality", "city_living", "country"),
    Argument("status", "status", "choice:contact.status"),
    *_texts("job", "description", "phone"),
    Argument("email", "email", "address"),
    *_texts("address"),
)
CARD_FIELDS = {argument.are: argument for argument in _CARD}
"""What ``edit_contact`` may change."""

_APARTMENT = (
    Call("apartment", "list_all_apartments", "list_all_apartments", "read"),
    Call(
        "apartment",
        "get_apartment_details",
        "get_apartment_details",
        "read",
        (_ref("apartment_id", "apartment"),),
    ),
    Call("apartment", "list_saved_apartments", "list_saved_apartments", "read"),
    Call(
        "apartment",
        "search_apartments",
        "search_apartments",
        "read",
        (
            *_texts("name", "location", "zip_code"),
            Argument("min_price", "min_price", "number"),
            Argument("max_price", "max_price", "number"),
            *_counts("number_of_bedrooms", "number_of_bathrooms"),
            *_texts("property_type"),
            *_counts("square_footage"),
            *_texts("furnished_status", "floor_level", "pet_policy", "lease_term"),
            Argument("amenities", "amenities", "texts"),
            Argument("saved_only", "saved_only", "flag"),
        ),
    ),
    Call(
        "apartment",
        "save_apartment",
        "save_apartment",
        "write",
        (_ref("apartment_id", "apartment"),),
    ),
    Call(
        "apartment",
        "remove_saved_apartment",
        "remove_saved_apartment",
        "write",
        (_ref("apartment_id", "apartment"),),
    ),
    Call(
        "apartment",
        "add_new_apartment",
        "add_new_apartment",
        "event",
        (
            *_texts("name", "location", "zip_code"),
            Argument("price", "price", "number"),
            *_counts("number_of_bedrooms", "number_of_bathrooms", "square_footage"),
            *_texts("property_type", "furnished_status", "floor_level", "pet_policy", "lease_term"),
            Argument("amenities", "amenities", "texts"),
        ),
        returns="apartment",
    ),
    Call(
        "apartment",
        "update_apartment",
        "update_apartment",
        "event",
        (_ref("apartment_id", "apartment"), Argument("new_price", "new_price", "number")),
        returns="apartment",
    ),
    Call(
        "apartment",
        "delete_apartment",
        "delete_apartment",
        "event",
        (_ref("apartment_id", "apartment"),),
    ),
)

_TRIP = (
    *_texts("start_location", "end_location", "service_type"),
    *_times("ride_time"),
)
_CAB = (
    Call("cab", "get_quotation", "get_quotation", "read", _TRIP),
    Call(
        "cab",
        "list_rides",
        "list_rides",
        "read",
        (*_texts("start_location", "end_location"), *_times("ride_time")),
    ),
    Call("cab", "get_current_ride_status", "get_current_ride_status", "read"),
    Call("cab", "get_ride", "get_ride", "read", (Argument("idx", "ride_id", "nth:ride"),)),
    Call("cab", "get_ride_history", "get_ride_history", "read", _PAGE),
    Call("cab", "get_ride_history_length", "get_ride_history_length", "read"),
    Call("cab", "order_ride", "order_ride", "write", _TRIP, returns="ride"),
    Call("cab", "user_cancel_ride", "user_cancel_ride", "write"),
    Call("cab", "cancel_ride", "cancel_ride", "event", _texts("who_cancel", "message")),
    Call("cab", "end_ride", "end_ride", "event"),
    Call("cab", "update_ride_status", "update_ride_status", "event", _texts("status", "message")),
)

_CALENDAR = (
    Call(
        "calendar", "get_calendar_event", "get_calendar_event", "read", (_ref("event_id", "event"),)
    ),
    Call(
        "calendar",
        "get_calendar_events_from_to",
        "get_calendar_events_from_to",
        "read",
        (*_times("start_datetime", "end_datetime"), *_PAGE),
    ),
    Call("calendar", "read_today_calendar_events", "read_today_calendar_events", "read"),
    Call("calendar", "get_all_tags", "get_all_tags", "read"),
    Call(
        "calendar",
        "get_calendar_events_by_tag",
        "get_calendar_events_by_tag",
        "read",
        _texts("tag"),
    ),
    Call("calendar", "search_events", "search_events", "read", _texts("query")),
    Call(
        "calendar",
        "add_calendar_event",
        "add_calendar_event",
        "write",
        _EVENT,
        returns="event",
        special="add_calendar_event",
    ),
    Call(
        "calendar",
        "edit_calendar_event",
        "edit_calendar_event",
        "write",
        (_ref("event_id", "event"), *_EVENT),
        special="edit_calendar_event",
    ),
    Call(
        "calendar",
        "delete_calendar_event",
        "delete_calendar_event",
        "write",
        (_ref("event_id", "event"),),
    ),
    Call(
        "calendar",
        "add_calendar_event_by_attendee",
        "add_by_attendee",
        "event",
        (Argument("who_add", "who"), *_EVENT),
        returns="event",
        special="add_by_attendee",
    ),
    Call(
        "calendar",
        "delete_calendar_event_by_attendee",
        "delete_by_attendee",
        "event",
        (_ref("event_id", "event"), Argument("who_delete", "who")),
    ),
)

_CONTACTS = (
    Call("contacts", "get_contacts", "get_contacts", "read", _counts("offset")),
    Call("contacts", "get_contact", "get_contact", "read", (_ref("contact_id", "contact"),)),
    Call("contacts", "get_current_user_details", "get_current_user_details", "read"),
    Call("contacts", "search_contacts", "search_contacts", "read", _texts("query")),
    Call("contacts", "add_new_contact", "add_new_contact", "write", _CARD, returns="contact"),
    Call(
        "contacts",
        "edit_contact",
        "edit_contact",
        "write",
        (_ref("contact_id", "contact"), Argument("updates", None, "options")),
        special="edit_contact",
    ),
    Call("contacts", "delete_contact", "delete_contact", "write", (_ref("contact_id", "contact"),)),
)

_MAIL = (_ref("email_id", "email"), *_drop("folder_name"))
_EMAIL = (
    Call(
        "email",
        "list_emails",
        "list_emails",
        "read",
        (Argument("folder_name", "folder_name", "folder"), *_PAGE),
    ),
    Call("email", "get_email_by_id", "get_email_by_id", "read", _MAIL),
    Call(
        "email",
        "get_email_by_index",
        "get_email_by_index",
        "read",
        (Argument("idx", "index", "count"), Argument("folder_name", "folder_name", "folder")),
    ),
    Call(
        "email",
        "search_emails",
        "search_emails",
        "read",
        (*_texts("query"), Argument("folder_name", "folder_name", "folder")),
    ),
    Call(
        "email",
        "send_email",
        "send_email",
        "write",
        (
            Argument("recipients", "recipients", "addresses"),
            *_texts("subject", "content"),
            Argument("cc", "cc", "addresses"),
            Argument("attachment_paths", "attachment_paths", "paths"),
        ),
        returns="email",
        special="send_email",
    ),
    Call(
        "email",
        "reply_to_email",
        "reply_to_email",
        "write",
        (*_MAIL, *_texts("content"), Argument("attachment_paths", "attachment_paths", "paths")),
        returns="email",
    ),
    Call(
        "email",
        "forward_email",
        "forward_email",
        "write",
        (*_MAIL, Argument("recipients", "recipients", "addresses")),
        returns="email",
    ),
    Call(
        "email",
        "move_email",
        "move_email",
        "write",
        (
            _ref("email_id", "email"),
            *_drop("source_folder_name"),
            Argument("dest_folder_name", "dest_folder_name", "folder"),
        ),
        special="move_email",
    ),
    Call("email", "delete_email", "delete_email", "write", _MAIL),
    Call(
        "email",
        "download_attachments",
        "download_attachments",
        "write",
        (*_MAIL, Argument("path_to_save", None, "downloads")),
    ),
    Call(
        "email",
        "send_email_to_user_only",
        "receive",
        "event",
        (Argument("sender", "sender", "address"), *_texts("subject", "content")),
        returns="email",
        special="receive_email",
    ),
    Call(
        "email",
        "send_email_to_user_with_id",
        "receive",
        "event",
        (
            *_drop("email_id"),
            Argument("sender", "sender", "address"),
            *_texts("subject", "content"),
            Argument("attachment_paths", "attachments", "enclosed"),
        ),
        returns="email",
        special="receive_email",
    ),
    Call(
        "email",
        "create_and_add_email",
        "receive",
        "event",
        (
            Argument("sender", "sender", "address"),
            Argument("recipients", None, "recipients"),
            *_texts("subject", "content"),
            Argument("folder_name", None, harmless=("INBOX", "Inbox", "inbox")),
        ),
        returns="email",
        special="receive_email",
    ),
    Call(
        "email",
        "create_and_add_email_with_time",
        "receive",
        "event",
        (
            Argument("sender", "sender", "address"),
            Argument("recipients", None, "recipients"),
            *_texts("subject", "content"),
            *_drop("email_time"),
            Argument("folder_name", None, harmless=("INBOX", "Inbox", "inbox")),
        ),
        returns="email",
        special="receive_email",
    ),
    Call(
        "email",
        "reply_to_email_from_user",
        "reply_to_user",
        "event",
        (
            Argument("sender", "sender", "address"),
            _ref("email_id", "email"),
            *_texts("content"),
            Argument("attachment_paths", "attachments", "enclosed"),
        ),
        returns="email",
    ),
)

_CHAT = _ref("conversation_id", "conversation")
_BETWEEN = _times("min_date", "max_date")
_FEW = _drop("offset_recent_messages_per_conversation", "limit_recent_messages_per_conversation")
_FILE = Argument("attachment_path", "attachment_path", "path")
_MESSAGING = (
    Call("messaging", "get_user_id", "lookup_user_id", "read", _texts("user_name")),
    Call("messaging", "lookup_user_id", "lookup_user_id", "read", _texts("user_name")),
    Call(
        "messaging",
        "get_user_name_from_id",
        "get_user_name_from_id",
        "read",
        (_ref("user_id", "participant"),),
    ),
    Call(
        "messaging",
        "get_existing_conversation_ids",
        "get_existing_conversation_ids",
        "read",
        (Argument("user_ids", "user_ids", "refs:participant"),),
    ),
    Call(
        "messaging",
        "list_recent_conversations",
        "list_recent_conversations",
        "read",
        (*_PAGE, *_FEW),
    ),
    Call(
        "messaging",
        "list_conversations_by_participant",
        "list_conversations_by_participant",
        "read",
        (_ref("user_id", "participant"), *_PAGE, *_FEW),
    ),
    Call(
        "messaging",
        "read_conversation",
        "read_conversation",
        "read",
        (_CHAT, *_PAGE, *_BETWEEN),
    ),
    Call("messaging", "search", "search", "read", (*_texts("query"), *_BETWEEN)),
    Call("messaging", "regex_search", "regex_search", "read", (*_texts("query"), *_BETWEEN)),
    Call(
        "messaging",
        "send_message",
        "send_message",
        "write",
        (
            _ref("user_id", "participant"),
            *_texts("content"),
            _FILE,
            Argument("conversation_id", None, "ref:conversation"),
        ),
        returns="conversation",
        special="send_message",
    ),
    Call(
        "messaging",
        "send_message_to_group_conversation",
        "send_message_to_group_conversation",
        "write",
        (_CHAT, *_texts("content"), _FILE),
        returns="conversation",
    ),
    Call(
        "messaging",
        "create_group_conversation",
        "create_group_conversation",
        "write",
        (Argument("user_ids", "user_ids", "refs:participant"), *_texts("title")),
        returns="conversation",
    ),
    Call(
        "messaging",
        "create_conversation",
        "create_group_conversation",
        "write",
        (Argument("participants", "user_ids", "refs:participant"), *_texts("title")),
        returns="conversation",
    ),
    Call(
        "messaging",
        "add_participant_to_conversation",
        "add_participant_to_conversation",
        "write",
        (_CHAT, _ref("user_id", "participant")),
        returns="conversation",
    ),
    Call(
        "messaging",
        "remove_participant_from_conversation",
        "remove_participant_from_conversation",
        "write",
        (_CHAT, _ref("user_id", "participant")),
        returns="conversation",
    ),
    Call(
        "messaging",
        "change_conversation_title",
        "change_conversation_title",
        "write",
        (_CHAT, *_texts("title")),
        returns="conversation",
    ),
    Call(
        "messaging",
        "download_attachment",
        "download_attachment",
        "write",
        (
            Argument("conversation_id", None, "ref:conversation", harmless=(ANY,)),
            _ref("message_id", "message"),
            Argument("download_path", None, "downloads"),
        ),
    ),
    Call(
        "messaging",
        "create_and_add_message",
        "receive",
        "event",
        (_CHAT, _ref("sender_id", "participant"), *_texts("content")),
    ),
    Call(
        "messaging",
        "add_message",
        "receive",
        "event",
        (_CHAT, _ref("sender_id", "participant"), *_texts("content"), *_drop("timestamp")),
    ),
    Call(
        "messaging",
        "create_group_conversation",
        "group_created",
        "event",
        (Argument("user_ids", "user_ids", "refs:participant"), *_texts("title")),
        returns="conversation",
        special="group_created",
    ),
    Call(
        "messaging",
        "create_conversation",
        "group_created",
        "event",
        (Argument("participants", "user_ids", "refs:participant"), *_texts("title")),
        returns="conversation",
        special="group_created",
    ),
    Call(
        "messaging",
        "add_participant_to_conversation",
        "group_joined",
        "event",
        (_CHAT, _ref("user_id", "participant")),
        returns="conversation",
    ),
    Call(
        "messaging",
        "remove_participant_from_conversation",
        "group_left",
        "event",
        (_CHAT, _ref("user_id", "participant")),
        returns="conversation",
    ),
    Call(
        "messaging",
        "change_conversation_title",
        "group_renamed",
        "event",
        (_CHAT, *_texts("title")),
        returns="conversation",
        special="group_renamed",
    ),
)

_NOTE = _ref("note_id", "note")
_NOTES = (
    Call("notes", "get_note_by_id", "get_note_by_id", "read", (_NOTE,)),
    Call("notes", "list_notes", "list_notes", "read", (*_texts("folder"), *_PAGE)),
    Call("notes", "list_folders", "list_folders", "read"),
    Call("notes", "search_notes", "search_notes", "read", _texts("query")),
    Call(
        "notes",
        "search_notes_in_folder",
        "search_notes_in_folder",
        "read",
        _texts("query", "folder_name"),
    ),
    Call("notes", "list_attachments", "list_attachments", "read", (_NOTE,)),
    Call(
        "notes",
        "create_note",
        "create_note",
        "write",
        (*_texts("folder", "title", "content"), *_drop("pinned")),
        returns="note",
        special="create_note",
    ),
    Call(
        "notes",
        "update_note",
        "update_note",
        "write",
        (_NOTE, *_texts("title", "content")),
        returns="note",
        special="update_note",
    ),
    Call("notes", "delete_note", "delete_note", "write", (_NOTE,), returns="note"),
    Call(
        "notes",
        "move_note",
        "move_note",
        "write",
        (_NOTE, *_texts("source_folder_name", "dest_folder_name")),
        returns="note",
        special="move_note",
    ),
    Call(
        "notes",
        "duplicate_note",
        "duplicate_note",
        "write",
        (*_texts("folder_name"), _NOTE),
        returns="note",
    ),
    Call(
        "notes",
        "add_attachment_to_note",
        "add_attachment_to_note",
        "write",
        (_NOTE, Argument("attachment_path", "attachment_path", "path")),
        returns="note",
    ),
    Call(
        "notes",
        "remove_attachment",
        "remove_attachment",
        "write",
        (_NOTE, *_texts("attachment")),
        returns="note",
    ),
    Call(
        "notes",
        "download_attachments",
        "download_attachments",
        "write",
        (_NOTE, Argument("path_to_save", None, "downloads")),
    ),
    Call("notes", "new_folder", "new_folder", "write", _texts("folder_name")),
    Call("notes", "rename_folder", "rename_folder", "write", _texts("folder", "new_folder")),
    Call("notes", "delete_folder", "delete_folder", "write", _texts("folder_name")),
    Call("notes", "delete_folder", "sync_delete_folder", "event", _texts("folder_name")),
    Call(
        "notes",
        "create_note_with_time",
        "receive_note",
        "event",
        (*_texts("folder", "title", "content"), *_drop("pinned", "created_at", "updated_at")),
        returns="note",
        special="create_note",
    ),
)

_REMINDER_FIELDS = (
    *_texts("title"),
    *_times("due_datetime"),
    *_texts("description"),
    Argument("repetition_unit", "repetition_unit", "choice:reminder.repetition_unit"),
    *_counts("repetition_value"),
)
_REMINDER = (
    Call("reminder", "get_due_reminders", "get_due_reminders", "read"),
    Call("reminder", "get_all_reminders", "get_all_reminders", "read"),
    Call("reminder", "add_reminder", "add_reminder", "write", _REMINDER_FIELDS, returns="reminder"),
    Call(
        "reminder",
        "update_reminder",
        "update_reminder",
        "write",
        (_ref("reminder_id", "reminder"), *_REMINDER_FIELDS),
        returns="reminder",
    ),
    Call(
        "reminder",
        "delete_reminder",
        "delete_reminder",
        "write",
        (_ref("reminder_id", "reminder"),),
    ),
    Call("reminder", "delete_all_reminders", "delete_all_reminders", "write"),
)

_SHOPPING = (
    Call("shopping", "list_all_products", "list_all_products", "read", _PAGE),
    Call(
        "shopping",
        "get_product_details",
        "get_product_details",
        "read",
        (_ref("product_id", "product"),),
    ),
    Call("shopping", "search_product", "search_product", "read", (*_texts("product_name"), *_PAGE)),
    Call("shopping", "list_cart", "list_cart", "read"),
    Call(
        "shopping",
        "get_discount_code_info",
        "get_discount_code_info",
        "read",
        _texts("discount_code"),
    ),
    Call("shopping", "get_all_discount_codes", "get_all_discount_codes", "read"),
    Call("shopping", "list_orders", "list_orders", "read"),
    Call(
        "shopping", "get_order_details", "get_order_details", "read", (_ref("order_id", "order"),)
    ),
    Call(
        "shopping",
        "add_to_cart",
        "add_to_cart",
        "write",
        (_ref("item_id", "item"), *_counts("quantity")),
        returns="item",
    ),
    Call(
        "shopping",
        "remove_from_cart",
        "remove_from_cart",
        "write",
        (_ref("item_id", "item"), *_counts("quantity")),
        returns="item",
    ),
    Call("shopping", "checkout", "checkout", "write", _texts("discount_code"), returns="order"),
    Call(
        "shopping",
        "cancel_order",
        "cancel_order",
        "write",
        (_ref("order_id", "order"),),
        returns="order",
    ),
    Call("shopping", "add_product", "add_product", "event", _texts("name"), returns="product"),
    Call(
        "shopping",
        "add_item_to_product",
        "add_item_to_product",
        "event",
        (
            _ref("product_id", "product"),
            Argument("price", "price", "number"),
            Argument("options", "options", "options"),
            Argument("available", "available", "flag"),
        ),
        returns="item",
    ),
    Call(
        "shopping",
        "update_item",
        "update_item",
        "event",
        (
            _ref("item_id", "item"),
            Argument("new_price", "new_price", "number"),
            Argument("new_availability", "new_availability", "flag"),
        ),
        returns="item",
    ),
    Call(
        "shopping",
        "add_discount_code",
        "add_discount_code",
        "event",
        (_ref("item_id", "item"), Argument("discount_code", None, "options")),
        special="add_discount_code",
    ),
    Call(
        "shopping",
        "update_order_status",
        "update_order_status",
        "event",
        (
            _ref("order_id", "order"),
            Argument("status", "status", "choice:order.order_status"),
        ),
    ),
    Call(
        "shopping",
        "cancel_order",
        "cancel_order_by_shop",
        "event",
        (_ref("order_id", "order"),),
        returns="order",
    ),
)

_PATH = Argument("path", "file_id", "ref:path")
_REST = _drop(
    "recursive", "on_error", "kwargs", "block_size", "cache_options", "compression", "detail",
    "maxdepth", "max_lines",
)  # fmt: skip
_FILES = (
    Call("files", "ls", "list_files", "read", (Argument("path", "folder", "path"), *_REST)),
    Call("files", "tree", "list_folders", "read", _drop("path")),
    Call("files", "cat", "read_file", "read", (_PATH, *_REST)),
    Call("files", "get_file_content", "read_file", "read", (_PATH,)),
    Call(
        "files",
        "read_document",
        "read_file",
        "read",
        (Argument("file_path", "file_id", "ref:path"), *_REST),
    ),
    Call("files", "info", "find_file", "read", (Argument("path", "path", "path"), *_REST)),
    Call("files", "exists", "find_file", "read", (Argument("path", "path", "path"), *_REST)),
    Call("files", "display", "find_file", "read", (Argument("path", "path", "path"),)),
    Call(
        "files",
        "open",
        "read_file",
        "read",
        (_PATH, Argument("mode", None, harmless=("r", "rb", "rt")), *_REST),
    ),
    Call(
        "files",
        "mkdir",
        "create_folder",
        "write",
        (
            Argument("path", "path", "path"),
            *_drop("create_parents", "create_recursive", "kwargs"),
        ),
    ),
    Call(
        "files",
        "makedirs",
        "create_folder",
        "write",
        (Argument("path", "path", "path"), *_drop("exist_ok")),
    ),
    Call(
        "files",
        "mv",
        "move_file",
        "write",
        (Argument("path1", None, "path"), Argument("path2", None, "path"), *_REST),
        special="move_file",
    ),
    Call(
        "files",
        "rm",
        "delete_file",
        "write",
        (Argument("path", None, "path"), Argument("recursive", None, "flag"), *_drop("kwargs")),
        special="remove_path",
    ),
    Call("files", "rmdir", "delete_folder", "write", (Argument("path", "path", "path"),)),
)

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
    Call(app, name, None, "read", _drop("time", "timeout", "app_name")) for app, name in _NOTHING
)

_SAID = _texts("content")
_ASSISTANT = (
    Call("assistant", "send_message_to_user", None, "write", _SAID),
    Call("assistant", "accept_proposal", None, "write", _SAID),
    Call("assistant", "reject_proposal", None, "write", _SAID),
    Call(
        "assistant",
        "send_message_to_agent",
        None,
        "write",
        (*_SAID, *_drop("attachments", "base64_utils")),
    ),
)

TABLE: tuple[Call, ...] = (
    *_APARTMENT,
    *_CAB,
    *_CALENDAR,
    *_CONTACTS,
    *_EMAIL,
    *_MESSAGING,
    *_NOTES,
    *_REMINDER,
    *_SHOPPING,
    *_FILES,
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
