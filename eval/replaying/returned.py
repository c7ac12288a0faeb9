"""What a recorded call came back with, as text → the records that it shows.

ARE writes return values as Python prints them: ``Email(sender='…', …)`` within lists and mappings,
or lines such as ``Contact ID: …``. They are parsed, never run. What cannot be read stays text. What
it does not know: which call it was.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from heron.contracts import Evidence

LONGEST: Final = 100_000
"""Characters of a value beyond which it is not parsed."""
MOST: Final = 50
"""Records taken from one value."""

KINDS: Final[dict[str, tuple[str, str, tuple[str, ...]]]] = {
    "Email": ("email", "email_id", ("sender", "subject", "content")),
    "MessageV2": ("message", "message_id", ("sender_id", "content")),
    "Message": ("message", "message_id", ("sender", "content")),
    "ConversationV2": ("conversation", "conversation_id", ("title",)),
    "Conversation": ("conversation", "conversation_id", ("title",)),
    "CalendarEvent": ("event", "event_id", ("title", "start_strftime", "location", "tag")),
    "Contact": ("contact", "contact_id", ("first_name", "last_name", "email", "phone")),
    "Reminder": ("reminder", "reminder_id", ("title", "due_datetime", "description")),
    "Note": ("note", "note_id", ("title", "content")),
    "Product": ("product", "product_id", ("name",)),
    "Item": ("item", "item_id", ("price", "options")),
    "Order": ("order", "order_id", ("order_status",)),
    "Apartment": ("apartment", "apartment_id", ("name", "location", "price")),
    "Ride": ("ride", "ride_id", ("start_location", "end_location", "status")),
}
"""Class → kind of the record, its id's field, and the fields that a line tells."""

_ANGLE = re.compile(r"<([^<>]*)>")
_LINE = re.compile(r"^\s*([A-Z]\w*) ID: (\S+)\s*$", re.MULTILINE)


def records_in(value: str | None) -> tuple[Evidence, ...]:
    """The records in a return value, under their own ids, each once."""
    if not value or len(value) > LONGEST:
        return ()
    found = {record.ref: record for record in (*_printed(value), *_lines(value))}
    return tuple(found.values())[:MOST]


def _printed(value: str) -> Iterator[Evidence]:
    try:
        tree = ast.parse(_ANGLE.sub("None", value).strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        known = KINDS.get(node.func.id)
        if known is None:
            continue
        kind, key, told = known
        fields = {
            one.arg: one.value.value
            for one in node.keywords
            if one.arg is not None and isinstance(one.value, ast.Constant)
        }
        ref = fields.get(key)
        if isinstance(ref, str) and ref:
            said = [str(fields[name]) for name in told if fields.get(name)]
            yield Evidence(ref=ref, kind=kind, text=_clean(", ".join(said)))


def _lines(value: str) -> Iterator[Evidence]:
    marks = list(_LINE.finditer(value))
    for mark, following in zip_longest(marks, marks[1:]):
        rest = value[mark.end() : following.start() if following else None]
        yield Evidence(ref=mark[2], kind=mark[1].lower(), text=_clean(", ".join(rest.split("\n"))))


def _clean(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split()).strip(", ")[:400]
