"""The made-up streams of ``streams.yaml`` as records, with a phone that answers looks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from shlex import split
from typing import Any

import yaml

from heron.contracts import (
    ActionSeen,
    Arguments,
    Brief,
    DeviceStatus,
    Evidence,
    LookSeen,
    NotificationSeen,
    Observation,
    Seen,
    ToolCall,
    ToolResult,
    ToolSpec,
)

_QUERY: Arguments = {
    "type": "object",
    "properties": {"query": {"type": "string"}},
    "required": ["query"],
}
_EVENT: Arguments = {
    "type": "object",
    "properties": {"event_id": {"type": "string", "x-ref": "event"}},
    "required": ["event_id"],
}
_READS: tuple[tuple[str, str, Arguments], ...] = (
    ("calendar.search_events", "Search events.", _QUERY),
    ("calendar.get_calendar_event", "One event.", _EVENT),
    ("email.search_emails", "Search mails.", _QUERY),
    ("contacts.search_contacts", "Search contacts.", _QUERY),
    ("messaging.search", "Search messages.", _QUERY),
    ("reminder.get_all_reminders", "All reminders.", {"type": "object", "properties": {}}),
)
READ_TOOLS = tuple(
    ToolSpec(name=name, effect="read", description=description, parameters=parameters)
    for name, description, parameters in _READS
)
WRITE_TOOLS = (
    "calendar.add_calendar_event",
    "calendar.edit_calendar_event",
    "calendar.delete_calendar_event",
    "contacts.add_new_contact",
    "contacts.edit_contact",
    "email.send_email",
    "email.reply_to_email",
    "email.forward_email",
    "messaging.send_message",
    "reminder.add_reminder",
    "reminder.edit_reminder",
)
BRIEF = Brief(user_name="Mara Lind", tools=READ_TOOLS, write_tools=WRITE_TOOLS)
START = datetime(2026, 3, 10, 9, 2)
WINDOW = 2
"""Steps after the wanted one in which an offer is still of use."""


@dataclass(frozen=True)
class Stream:
    """One stream."""

    name: str
    steps: tuple[tuple[Seen, ...], ...]
    wanted: int | None
    """Step from which on an offer is of use."""
    records: tuple[Evidence, ...]

    def observation(self, index: int, **changes: Any) -> Observation:
        """What an observer sees at a step."""
        fields = {
            "turn": index + 1,
            "step": 0,
            "time": START + timedelta(seconds=80 * index),
            "new": self.steps[index],
            "device": DeviceStatus(),
            "looks_left": 2,
            "brief": BRIEF if index == 0 else None,
        }
        return Observation.model_validate({**fields, **changes})

    def is_in_time(self, index: int) -> bool:
        """Whether an offer at a step is of use."""
        return self.wanted is not None and 0 <= index - self.wanted <= WINDOW

    def is_early(self, index: int) -> bool:
        """Whether an offer at a step disturbs: there is no need, or not yet."""
        return self.wanted is None or index < self.wanted

    def after_look(self, seen: Observation, call: ToolCall) -> Observation:
        """The observation that follows a look."""
        changes = {
            "step": seen.step + 1,
            "looks_left": seen.looks_left - 1,
            "new": (self.look(call),),
            "brief": None,
        }
        return seen.model_copy(update=changes)

    def look(self, call: ToolCall) -> LookSeen:
        """What a look finds: records that share a word, or have the id, or are of the app."""
        asked = str(next(iter(call.arguments.values()), "")).casefold().split()
        kind = {"calendar": "event", "contacts": "contact", "reminder": "reminder"}.get(
            call.name.partition(".")[0], "email"
        )
        shown = tuple(
            record
            for record in self.records
            if record.kind == kind
            and (
                not asked or record.ref in asked or any(w in record.text.casefold() for w in asked)
            )
        )
        return LookSeen(result=ToolResult(call=call, ok=True, shown=shown))


@cache
def streams() -> tuple[Stream, ...]:
    """All streams of the file."""
    text = (Path(__file__).parent / "streams.yaml").read_text("utf-8")
    return tuple(_stream(entry) for entry in yaml.safe_load(text))


def _stream(entry: dict[str, Any]) -> Stream:
    records = []
    for ref, line in entry["records"].items():
        kind, _, text = line.partition(" ")
        records.append(Evidence(ref=ref, kind=kind, text=text))
    steps = tuple(tuple(map(_item, step)) for step in entry["steps"])
    return Stream(entry["id"], steps, entry.get("wanted"), tuple(records))


def _item(item: dict[str, str]) -> Seen:
    if "do" in item:
        name, *values = split(item["do"])
        app, _, action = name.partition(".")
        arguments = {f"argument_{index}": value for index, value in enumerate(values)}
        return ActionSeen(app=app, action=action, arguments=dict(arguments))
    app, ref, kind = item["note"].split()
    record = Evidence(ref=ref, kind=kind, text=f"{item['from']}: {item['text']}")
    return NotificationSeen(app=app, title=item["from"], text=item["text"], record=record)
