"""Names of records and people in a recorded run: short ids, as Heron has, and what they stand for.

A record's id in ARE is 32 characters of hexadecimal, which says nothing and costs an observer
twenty tokens. What it does not know: events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from heron.scenarios.are.apps import app_of
from heron.scenarios.are.reading import AreApp

PREFIX = {
    "email": "m", "conversation": "c", "message": "t", "participant": "u", "event": "e",
    "contact": "k", "reminder": "r", "note": "n", "product": "p", "item": "i", "order": "o",
    "apartment": "a", "ride": "d",
}  # fmt: skip
_OF_ARGUMENT = {f"{kind}_id": kind for kind in PREFIX} | {
    "sender_id": "participant",
    "user_id": "participant",
}


class Names:
    """Ids and people of one run.

    Args:
        apps: as the file has them at the start.
    """

    def __init__(self, apps: Sequence[AreApp]) -> None:
        self.apps = {app.name: app_of(app.class_name) or app_of(app.name) for app in apps}
        """Name in the file → Heron's app; ``None`` where there is none."""
        self.ids: dict[str, str] = {}
        self._count: Counter[str] = Counter()
        self._people: dict[str, str] = {}
        self._chats: dict[str, Mapping[str, Any]] = {}
        self.owner = "user"
        for app in apps:
            self._read(app.state or {})

    def _read(self, state: Mapping[str, Any]) -> None:
        """Who the owner is, what people are called, which conversations there are."""
        self._people |= {k: v for k, v in _items(state, "id_to_name") if isinstance(v, str)}
        self._chats |= {k: v for k, v in _items(state, "conversations") if isinstance(v, Mapping)}
        for _, card in _items(state, "contacts"):
            if isinstance(card, Mapping) and card.get("is_user") is True:
                names = (card.get("first_name"), card.get("last_name"))
                told = " ".join(name for name in names if isinstance(name, str) and name)
                self.owner = clean(told) or self.owner

    def short(self, kind: str, ref: str) -> str:
        """The short id of a record."""
        if ref not in self.ids:
            prefix = PREFIX.get(kind, "x")
            self._count[prefix] += 1
            self.ids[ref] = f"{prefix}{self._count[prefix]}"
        return self.ids[ref]

    def argument(self, name: str, value: Any) -> Any:
        """An argument's value with short ids."""
        kind = _OF_ARGUMENT.get(name)
        if isinstance(value, str):
            if value in self.ids:
                return self.ids[value]
            return self.short(kind, value) if kind and value else clean(value)
        if isinstance(value, list):
            return [self.argument(name, one) for one in value]
        if isinstance(value, dict):
            return {clean(str(key)): self.argument("", one) for key, one in value.items()}
        return (
            value if value is None or isinstance(value, bool | int | float) else clean(str(value))
        )

    def person(self, ref: Any) -> str:
        """What somebody is called."""
        return clean(self._people.get(str(ref), str(ref)))

    def chat(self, ref: Any) -> str:
        """The title of a conversation of several; empty for one with a single person."""
        chat = self._chats.get(str(ref), {})
        people, title = chat.get("participant_ids"), chat.get("title")
        several = isinstance(people, list) and len(people) > 2
        return clean(title) if several and isinstance(title, str) else ""


def _items(state: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    found = state.get(key)
    return list(found.items()) if isinstance(found, Mapping) else []


def clean(text: str) -> str:
    """A text that a file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
