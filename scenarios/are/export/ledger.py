"""What an export knows while it runs: whose tools are to read the file, and what was left out.

What it does not know: apps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from heron.scenarios.are.apps import ASSISTANT, CLASSES, NAMES, SYSTEM

Dialect = Literal["pare", "are"]
"""``pare``: classes and answers of PARE, as its scenario files have them; ``are``: those of ARE
itself, which has no notes, and whose user answers by a message."""

_OWN: dict[str, str] = {
    "apartment": "ApartmentListingApp",
    "cab": "CabApp",
    "calendar": "CalendarApp",
    "contacts": "ContactsApp",
    "email": "EmailClientV2",
    "messaging": "MessagingAppV2",
    "shopping": "ShoppingApp",
    "files": "SandboxLocalFileSystem",
    SYSTEM: "SystemApp",
    ASSISTANT: "AgentUserInterface",
}
"""Heron's app → the class of ARE that its own reader finds; notes and reminders have none there."""
_OWN_NAMES = {SYSTEM: "SystemApp", ASSISTANT: "AgentUserInterface"}


@dataclass
class Ledger:
    """Notes what a file cannot say."""

    dialect: Dialect = "pare"
    left_out: list[str] = field(default_factory=list)

    def note(self, what: str) -> None:
        """Something has no counterpart; told once."""
        if what not in self.left_out:
            self.left_out.append(what)

    def has(self, app: str) -> bool:
        """Whether there is such an app in the dialect."""
        return self.dialect == "pare" or app in _OWN

    def class_of(self, app: str) -> str:
        """ARE's class of an app of Heron's."""
        return CLASSES[app][0] if self.dialect == "pare" else _OWN[app]

    def name_of(self, app: str) -> str:
        """What an app of Heron's is called in the file."""
        return NAMES[app] if self.dialect == "pare" else _OWN_NAMES.get(app, NAMES[app])
