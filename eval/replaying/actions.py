"""The user's actions in PARE's apps → Heron's names, as its observers see them.

What has no counterpart keeps its own name, and the import says so. What it does not know: values.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

PAGING: Final = frozenset(
    {
        "offset", "limit", "min_date", "max_date",
        "offset_recent_messages_per_conversation", "limit_recent_messages_per_conversation",
    }
)  # fmt: skip
"""Arguments that say which stretch of a list is shown; Heron's screens take none."""


class Named(NamedTuple):
    """An action as Heron has it."""

    name: str
    arguments: Mapping[str, str] = MappingProxyType({})
    """Arguments that have another name with Heron."""
    near: bool = False
    """It is the nearest that Heron has, and not the same."""


def _same(*names: str) -> dict[str, Named]:
    return {name: Named(name) for name in names}


ACTIONS: Final[dict[str, dict[str, Named]]] = {
    "system": {
        "open_app": Named("open_app", {"app_name": "app"}),
        "switch_app": Named("switch_app", {"app_name": "app"}),
        "go_home": Named("go_home"),
    },
    "apartment": _same(
        "list_apartments", "view_apartment", "open_search", "open_favorites", "search", "save",
        "unsave",
    ),
    "cab": {
        **_same(
            "list_rides", "open_current_ride", "get_ride_history", "list_service_types",
            "get_quotation", "show_quotation", "order_ride", "cancel_ride",
        ),
    },
    "calendar": {
        **_same(
            "set_day", "filter_by_tag", "filter_by_attendee", "set_title", "set_tag",
            "set_description", "set_location", "add_attendee", "remove_attendee", "save",
            "discard", "delete",
        ),
        "list_events": Named("show_today", near=True),
        "read_today_calendar_events": Named("show_today"),
        "search_events": Named("search"),
        "open_event_by_id": Named("open_event"),
        "open_event_by_index": Named("open_event"),
        "get_calendar_events_by_tag": Named("filter_by_tag"),
        "start_create_event": Named("create_new"),
        "edit_event": Named("edit"),
    },
    "contacts": {
        "list_contacts": Named("next_page", near=True),
        "search_contacts": Named("search"),
        "open_contact": Named("open_contact"),
        "view_current_user": Named("open_own_card"),
        "start_edit_contact": Named("edit"),
        "delete_contact": Named("delete"),
        "create_contact": Named("create_new", near=True),
        "update_contact": Named("save", near=True),
    },
    "email": {
        **_same(
            "reply", "forward", "delete", "download_attachments", "set_recipients",
            "add_recipient", "set_cc", "set_subject", "save_draft",
        ),
        "list_emails": Named("open_folder", near=True),
        "search_emails": Named("search"),
        "open_email_by_id": Named("open_email"),
        "open_email_by_index": Named("open_email"),
        "switch_folder": Named("open_folder", {"folder_name": "folder"}),
        "start_compose": Named("compose"),
        "start_compose_reply": Named("reply"),
        "move": Named("move", {"destination_folder": "folder"}),
        "set_body": Named("set_content", {"body": "content"}),
        "attach_file": Named("attach", {"attachment_path": "path"}),
        "send_composed_email": Named("send"),
        "discard_draft": Named("discard"),
        "refresh": Named("open_email", near=True),
    },
    "messaging": {
        "open_conversation": Named("open_conversation"),
        "search_conversations": Named("search"),
        "list_recent_conversations": Named("older", near=True),
        "read_messages": Named("show_latest", near=True),
        "send_message": Named("send"),
    },
    "notes": {
        **_same(
            "list_notes", "open", "new_note", "search", "list_folders", "refresh", "edit",
            "list_attachments", "remove_attachment", "duplicate", "delete", "update",
        ),
        "add_attachment": Named("add_attachment", {"path": "attachment_path"}),
        "move": Named("choose_folder"),
    },
    "reminder": {
        **_same(
            "open_reminder", "create_new", "edit", "delete", "set_title", "set_description",
            "set_due_datetime", "set_repetition", "save",
        ),
        "list_all_reminders": Named("list_all"),
        "list_upcoming_reminders": Named("list_upcoming"),
        "list_due_reminders": Named("list_due"),
        "cancel": Named("discard"),
    },
    "shopping": _same(
        "list_products", "view_product", "view_cart", "list_orders", "view_variant", "add_to_cart",
        "remove_item", "checkout", "view_order",
    ),
}  # fmt: skip
"""Heron's app → PARE's action → Heron's. ``go_back`` is the system's ``back`` in every app."""

BACK: Final = "go_back"
