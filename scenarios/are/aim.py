"""What a reference is about: the names of what it touches, facts of its texts, what must be seen.

What it does not know: whether the phone takes it (``trial``), how the offer is cut (``offer``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from heron.scenarios.are.assembly import Assembly, Happening, _deep
from heron.scenarios.are.book import Row
from heron.scenarios.are.values import phrase
from heron.scenarios.are.wording import content_words, facts, is_act, names_in
from heron.scenarios.catalog import catalog
from heron.sim.marks import marks_of
from heron.sim.users.judge import has_any

NOUNS: dict[str, tuple[str, ...]] = {
    "apartment": ("apartment", "listing", "flat"),
    "cab": ("ride", "cab", "taxi"),
    "calendar": ("event", "meeting", "appointment", "calendar"),
    "contacts": ("contact", "card", "address book"),
    "email": ("email", "mail"),
    "messaging": ("message", "chat"),
    "notes": ("note",),
    "reminder": ("reminder",),
    "shopping": ("order", "purchase"),
    "files": ("file",),
}
"""App → what one calls the things in it."""

KINDS: tuple[tuple[str, str], ...] = (
    ("cab", "transport"),
    ("apartment", "housing"),
    ("shopping", "purchases"),
    ("calendar", "scheduling"),
    ("reminder", "tasks_reminders"),
    ("contacts", "contacts"),
    ("notes", "notes_documents"),
    ("files", "notes_documents"),
    ("email", "lookup_reply"),
    ("messaging", "lookup_reply"),
)
"""App that the reference writes in → kind of goal; the first counts."""

LOOKS: dict[str, str] = {
    "apartment": "apartment.list_all_apartments",
    "cab": "cab.get_ride_history",
    "calendar": "calendar.read_today_calendar_events",
    "contacts": "contacts.get_current_user_details",
    "email": "email.list_emails",
    "messaging": "messaging.list_recent_conversations",
    "notes": "notes.list_folders",
    "reminder": "reminder.get_all_reminders",
    "shopping": "shopping.list_all_products",
    "files": "files.list_folders",
}
"""App → a read that is always possible, for advice."""

FIRST_WORDS = 40_000
"""Characters of a phone's texts that are looked through for facts."""
_TITLED = ("title", "name", "subject", "discount_code", "end_location", "location")
_PERSONS = ("first_name", "last_name")
_LOCAL = re.compile(r"[a-zA-Z]{3,}")


def kind_of(tools: Iterable[str]) -> str:
    """Kind of goal."""
    apps = {tool.partition(".")[0] for tool in tools}
    return next((kind for app, kind in KINDS if app in apps), "lookup_reply")


# --- what it is about ---------------------------------------------------------------------------


def objects(made: Assembly, trigger: Happening | None) -> list[list[str]]:
    """Groups of words for what the reference is done to, then for what brings it about."""
    groups: list[list[str]] = []
    for step in made.steps:
        rows = [made.book.rows.get(label, {}) for label in labels_in(step.data["arguments"])]
        for row in [step.data["arguments"], *rows]:
            groups += _called(row, made)
    if trigger is not None:
        row = made.book.rows.get(trigger.record or "", {})
        groups += [*_called(trigger.data["with"], made), *_called(row, made)]
        for text in _strings(trigger.data["with"]):
            names = [name for name in names_in(text) if not is_act(name.casefold())]
            groups += [names[:6]] if names else []
    return [group for group in _each_once(groups) if group]


def _called(row: Row, made: Assembly) -> Iterator[list[str]]:
    """By what words a record is called."""
    person = [str(row[name]) for name in _PERSONS if row.get(name)]
    if person:
        yield [" ".join(person), *person]
    for name in _TITLED:
        if isinstance(row.get(name), str) and row[name].strip():
            yield _words_of(row[name])
    sender = row.get("sender")
    for address in [sender, *row.get("recipients", ())] if sender or "recipients" in row else []:
        parts = [part for part in _LOCAL.findall(str(address).partition("@")[0]) if len(part) > 2]
        if parts:
            yield parts
    for item in row.get("order_items", ()):
        if item.get("name"):
            yield _words_of(item["name"])
    for label in labels_in(row):
        inner = made.book.rows.get(label, {})
        if inner.get("name") and "participant" not in inner:
            yield _words_of(inner["name"])


def _words_of(title: str) -> list[str]:
    bare = title.replace("{{", "").replace("}}", "").strip()
    own = [word for word in content_words(bare) if not is_act(word)]
    return [phrase(bare), *own]


def _each_once(groups: Iterable[list[str]]) -> list[list[str]]:
    seen: set[str] = set()
    found = []
    for group in groups:
        key = " ".join(group).casefold()
        if key not in seen:
            seen.add(key)
            found.append([one for one in dict.fromkeys(group) if one.strip()])
    return found


# --- facts --------------------------------------------------------------------------------------


def hold_to_facts(made: Assembly, shown: Sequence[str]) -> None:
    """Say of each text of the reference which facts it has to say; others may say anything."""
    source = _source(made)
    for step in made.steps:
        signature = catalog(None).tools[step.data["tool"]].signature
        free = list(step.data.get("free", ()))
        held: dict[str, list[list[str]]] = {}
        for name, value in step.data["arguments"].items():
            meanings = {mark.meaning for mark in marks_of(signature.hints[name])}
            if "text" not in meanings or not isinstance(value, str) or not value.strip():
                continue
            groups = facts(value, source, _persons(made, step.data["arguments"]))
            kept = [group for group in groups if not _given_away(group, shown)]
            if kept:
                held[name] = [[phrase(one) for one in group] for group in kept]
            else:
                free.append(name)
        if held:
            step.data["facts"] = held
        if free:
            step.data["free"] = list(dict.fromkeys(free))


def _given_away(group: Sequence[str], shown: Sequence[str]) -> bool:
    """Whether a notification says a figure that a text has to say."""
    return any(c.isdigit() for one in group for c in one) and has_any(tuple(shown), group)


def _source(made: Assembly) -> str:
    """What can be read on the phone: what comes, what the steps name, then all the rest."""
    texts = [text for event in made.events for text in _strings(event.data["with"])]
    named = [label for step in made.steps for label in labels_in(step.data["arguments"])]
    events = {event.data.get("label") for event in made.events}
    steps = {step.data.get("label") for step in made.steps}
    for label in dict.fromkeys([*named, *made.book.rows]):
        if label in steps or label in events:
            continue
        texts += _strings(made.book.rows.get(label, {}))
        if sum(map(len, texts)) > FIRST_WORDS:
            break
    return "\n".join(texts)


def _persons(made: Assembly, arguments: Row) -> list[str]:
    """Names of those who are written to, and of the owner: a text that says them says nothing."""
    found = []
    for label in labels_in(arguments):
        row = made.book.rows.get(label, {})
        found += [str(row[key]) for key in ("name", "sender") if row.get(key)]
    for address in arguments.get("recipients", ()):
        found += _LOCAL.findall(str(address).partition("@")[0])
    return [word for name in found for word in _LOCAL.findall(name.partition("@")[0])]


# --- inside -------------------------------------------------------------------------------------


def labels_in(value: Any) -> list[str]:
    """Labels that stand anywhere in a value, in order."""
    return [
        one[1:]
        for one in _deep(value)
        if isinstance(one, str) and one.startswith("@") and not one.startswith("@@")
    ]


def _strings(value: Any) -> list[str]:
    return [
        one
        for one in _deep(value)
        if isinstance(one, str) and not (one.startswith("@") and not one.startswith("@@"))
    ]
