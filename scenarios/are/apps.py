"""App classes of ARE and PARE ↔ Heron's apps.

What it does not know: what stands in an app, and what it can do (``records``, ``calls``).
"""

from __future__ import annotations

from typing import Final

SYSTEM: Final = "system"
ASSISTANT: Final = "assistant"
"""The line between user and assistant: proposals and answers, no app of the phone."""

CLASSES: dict[str, tuple[str, ...]] = {
    "apartment": ("StatefulApartmentApp", "ApartmentListingApp", "RentAFlat"),
    "cab": ("StatefulCabApp", "CabApp", "Cabs", "Cab"),
    "calendar": ("StatefulCalendarApp", "CalendarV2", "CalendarApp", "Calendar"),
    "contacts": ("StatefulContactsApp", "ContactsApp", "Contacts"),
    "email": ("StatefulEmailApp", "EmailClientV2", "EmailClientApp", "Mail", "Emails"),
    "messaging": ("StatefulMessagingApp", "MessagingAppV2", "MessagingApp", "Messages"),
    "notes": ("StatefulNotesApp", "StatefulNoteApp", "NotesApp", "Notes"),
    "reminder": ("StatefulReminderApp", "ReminderApp", "Reminders"),
    "shopping": ("StatefulShoppingApp", "ShoppingApp", "Shopping"),
    "files": ("SandboxLocalFileSystem", "VirtualFileSystem", "Files"),
    SYSTEM: ("HomeScreenSystemApp", "SystemApp", "System"),
    ASSISTANT: (
        "PAREAgentUserInterface",
        "AgentUserInterface",
        "ProactiveAgentUserInterface",
        "PASAgentUserInterface",
    ),
}
"""Heron's app → ARE's classes for it; the first is the one that an export names."""

NAMES: dict[str, str] = {
    "apartment": "Apartment",
    "cab": "Cab",
    "calendar": "Calendar",
    "contacts": "Contacts",
    "email": "Emails",
    "messaging": "Messages",
    "notes": "Notes",
    "reminder": "Reminders",
    "shopping": "Shopping",
    "files": "Files",
    SYSTEM: "System",
    ASSISTANT: "PAREAgentUserInterface",
}
"""Heron's app → the name that PARE's scenarios give it."""

_OF = {name: app for app, classes in CLASSES.items() for name in classes}


def app_of(class_name: str) -> str | None:
    """Heron's app for a class; ``None`` if there is none."""
    return _OF.get(class_name)
