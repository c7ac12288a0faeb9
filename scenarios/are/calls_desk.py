"""Calls of ARE's calendar, contacts, notes, reminders and files ↔ Heron's.

What it does not know: other apps.
"""

from __future__ import annotations

from heron.scenarios.are.call_rows import PAGE, Argument, Call, counts, drop, ref, texts, times

_EVENT = (
    *texts("title"),
    *times("start_datetime", "end_datetime"),
    *texts("tag", "description", "location"),
    Argument("attendees", "attendees", "texts"),
)
_CARD = (
    *texts("first_name", "last_name"),
    Argument("gender", "gender", "choice:contact.gender"),
    Argument("age", "age", "count"),
    *texts("nationality", "city_living", "country"),
    Argument("status", "status", "choice:contact.status"),
    *texts("job", "description", "phone"),
    Argument("email", "email", "address"),
    *texts("address"),
)
CARD_FIELDS = {argument.are: argument for argument in _CARD}
"""What ``edit_contact`` may change."""

CALENDAR = (
    Call(
        "calendar", "get_calendar_event", "get_calendar_event", "read", (ref("event_id", "event"),)
    ),
    Call(
        "calendar",
        "get_calendar_events_from_to",
        "get_calendar_events_from_to",
        "read",
        (*times("start_datetime", "end_datetime"), *PAGE),
    ),
    Call("calendar", "read_today_calendar_events", "read_today_calendar_events", "read"),
    Call("calendar", "get_all_tags", "get_all_tags", "read"),
    Call(
        "calendar",
        "get_calendar_events_by_tag",
        "get_calendar_events_by_tag",
        "read",
        texts("tag"),
    ),
    Call("calendar", "search_events", "search_events", "read", texts("query")),
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
        (ref("event_id", "event"), *_EVENT),
        special="edit_calendar_event",
    ),
    Call(
        "calendar",
        "delete_calendar_event",
        "delete_calendar_event",
        "write",
        (ref("event_id", "event"),),
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
        (ref("event_id", "event"), Argument("who_delete", "who")),
    ),
)

CONTACTS = (
    Call("contacts", "get_contacts", "get_contacts", "read", counts("offset")),
    Call("contacts", "get_contact", "get_contact", "read", (ref("contact_id", "contact"),)),
    Call("contacts", "get_current_user_details", "get_current_user_details", "read"),
    Call("contacts", "search_contacts", "search_contacts", "read", texts("query")),
    Call("contacts", "add_new_contact", "add_new_contact", "write", _CARD, returns="contact"),
    Call(
        "contacts",
        "edit_contact",
        "edit_contact",
        "write",
        (ref("contact_id", "contact"), Argument("updates", None, "options")),
        special="edit_contact",
    ),
    Call("contacts", "delete_contact", "delete_contact", "write", (ref("contact_id", "contact"),)),
)

_NOTE = ref("note_id", "note")
NOTES = (
    Call("notes", "get_note_by_id", "get_note_by_id", "read", (_NOTE,)),
    Call("notes", "list_notes", "list_notes", "read", (*texts("folder"), *PAGE)),
    Call("notes", "list_folders", "list_folders", "read"),
    Call("notes", "search_notes", "search_notes", "read", texts("query")),
    Call(
        "notes",
        "search_notes_in_folder",
        "search_notes_in_folder",
        "read",
        texts("query", "folder_name"),
    ),
    Call("notes", "list_attachments", "list_attachments", "read", (_NOTE,)),
    Call(
        "notes",
        "create_note",
        "create_note",
        "write",
        (*texts("folder", "title", "content"), *drop("pinned")),
        returns="note",
        special="create_note",
    ),
    Call(
        "notes",
        "update_note",
        "update_note",
        "write",
        (_NOTE, *texts("title", "content")),
        returns="note",
        special="update_note",
    ),
    Call("notes", "delete_note", "delete_note", "write", (_NOTE,), returns="note"),
    Call(
        "notes",
        "move_note",
        "move_note",
        "write",
        (_NOTE, *texts("source_folder_name", "dest_folder_name")),
        returns="note",
        special="move_note",
    ),
    Call(
        "notes",
        "duplicate_note",
        "duplicate_note",
        "write",
        (*texts("folder_name"), _NOTE),
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
        (_NOTE, *texts("attachment")),
        returns="note",
    ),
    Call(
        "notes",
        "download_attachments",
        "download_attachments",
        "write",
        (_NOTE, Argument("path_to_save", None, "downloads")),
    ),
    Call("notes", "new_folder", "new_folder", "write", texts("folder_name")),
    Call("notes", "rename_folder", "rename_folder", "write", texts("folder", "new_folder")),
    Call("notes", "delete_folder", "delete_folder", "write", texts("folder_name")),
    Call("notes", "delete_folder", "sync_delete_folder", "event", texts("folder_name")),
    Call(
        "notes",
        "create_note_with_time",
        "receive_note",
        "event",
        (*texts("folder", "title", "content"), *drop("pinned", "created_at", "updated_at")),
        returns="note",
        special="create_note",
    ),
)

_REMINDER_FIELDS = (
    *texts("title"),
    *times("due_datetime"),
    *texts("description"),
    Argument("repetition_unit", "repetition_unit", "choice:reminder.repetition_unit"),
    *counts("repetition_value"),
)
REMINDER = (
    Call("reminder", "get_due_reminders", "get_due_reminders", "read"),
    Call("reminder", "get_all_reminders", "get_all_reminders", "read"),
    Call("reminder", "add_reminder", "add_reminder", "write", _REMINDER_FIELDS, returns="reminder"),
    Call(
        "reminder",
        "update_reminder",
        "update_reminder",
        "write",
        (ref("reminder_id", "reminder"), *_REMINDER_FIELDS),
        returns="reminder",
    ),
    Call(
        "reminder",
        "delete_reminder",
        "delete_reminder",
        "write",
        (ref("reminder_id", "reminder"),),
    ),
    Call("reminder", "delete_all_reminders", "delete_all_reminders", "write"),
)

_PATH = Argument("path", "file_id", "ref:path")
_REST = drop(
    "recursive", "on_error", "kwargs", "block_size", "cache_options", "compression", "detail",
    "maxdepth", "max_lines",
)  # fmt: skip
FILES = (
    Call("files", "ls", "list_files", "read", (Argument("path", "folder", "path"), *_REST)),
    Call("files", "tree", "list_folders", "read", drop("path")),
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
            *drop("create_parents", "create_recursive", "kwargs"),
        ),
    ),
    Call(
        "files",
        "makedirs",
        "create_folder",
        "write",
        (Argument("path", "path", "path"), *drop("exist_ok")),
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
        (Argument("path", None, "path"), Argument("recursive", None, "flag"), *drop("kwargs")),
        special="remove_path",
    ),
    Call("files", "rmdir", "delete_folder", "write", (Argument("path", "path", "path"),)),
)
