"""State of ARE's email and messaging apps → records of Heron's.

What it does not know: what happens to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from heron.scenarios.are.book import Book, Row, texts
from heron.scenarios.are.reading import filled, listed, mapping, text, word
from heron.scenarios.are.values import plain

Tables = dict[str, list[Row]]
FOLDERS = ("INBOX", "SENT", "DRAFT", "TRASH")
ME = "me"
_PHONE = re.compile(r"^\+?[\d\s().-]{5,}$")
OWNER_V1 = "Me"
"""What the first messaging app of ARE calls the owner."""


# --- email --------------------------------------------------------------------------------------


def email(book: Book, state: Mapping[str, Any], place: str) -> Tables:
    """Mails in their folders."""
    _only(book, state, place, ("user_email", "view_limit", "folders"))
    book.own_email = text(state.get("user_email") or "", f"{place}.user_email").strip()
    mails = list(_mails(book, mapping(state.get("folders") or {}, f"{place}.folders"), place))
    labels = []
    for _, data, where in mails:
        are_id = word(data.get("email_id"), f"{where}.email_id")
        again = book.find("email", are_id) is not None
        labels.append(
            book.another("email", are_id, where) if again else book.label("email", are_id)
        )
    return {"emails": [_mail(book, *one) for one in zip(labels, mails, strict=True)]}


def _mails(
    book: Book, folders: Mapping[str, Any], place: str
) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    for name, folder in folders.items():
        if name.upper() not in FOLDERS:
            book.refuse(f"{place}: folder {name[:60]!r}")
            continue
        data = mapping(folder, f"{place}.{name}")
        _only(book, data, f"{place}.{name}", ("folder_name", "emails"))
        inside = listed(data.get("emails") or [], f"{place}.{name}.emails")
        # Heron tells mails of the same time apart by the order in which they are stored.
        for index, mail in reversed(list(enumerate(inside))):
            where = f"{place}.{name}[{index}]"
            yield name.upper(), mapping(mail, where), where


def _mail(book: Book, label: str, mail: tuple[str, Mapping[str, Any], str]) -> Row:
    folder, data, place = mail
    row: Row = {"label": label, **book.row("email", data, place)}
    row.setdefault("sender", plain(book.own_email))
    if folder != "INBOX":
        row["folder"] = folder
    if data.get("attachments"):
        row["attachments"] = book.attachments(data["attachments"], f"{place}.attachments")
    parent = data.get("parent_id")
    if filled(parent):
        known = book.ref("email", parent)
        if known is None:
            book.note("dangling", f"{place}: the mail {parent!r} that it answers")
        else:
            row["parent_id"] = known
    return _kept(book, row)


# --- messaging ----------------------------------------------------------------------------------


def messaging(book: Book, state: Mapping[str, Any], place: str) -> Tables:
    """People, conversations and their messages."""
    known = (
        "conversations",
        "messages_view_limit",
        "conversation_view_limit",
        "mode",
        "name_to_id",
        "id_to_name",
        "current_user_id",
        "current_user_name",
    )
    _only(book, state, place, known)
    first = "current_user_id" not in state
    book.me = OWNER_V1 if first else text(state["current_user_id"] or "", f"{place}.current_user")
    names = mapping(state.get("id_to_name") or {}, f"{place}.id_to_name")
    people = {key: text(name, f"{place}.id_to_name") for key, name in names.items()}
    chats = mapping(state.get("conversations") or {}, f"{place}.conversations")
    made: Tables = {"people": [], "conversations": [], "messages": []}
    book.strangers = made["people"] if state.get("mode") == "PHONE_NUMBER" else None
    desk = _Chats(book, people, made)
    for are_id, name in people.items():
        desk.person(are_id, name)
    for are_id, chat in chats.items():
        where = f"{place}.{are_id[:40]}"
        desk.chat(are_id, mapping(chat, where), where)
    return made


class _Chats:
    """Fills the tables of the messaging app."""

    def __init__(self, book: Book, names: Mapping[str, str], made: Tables) -> None:
        self._book, self._names, self._made = book, names, made
        self._alone: set[str] = set()
        self._aliases: set[str] = set()

    def person(self, are_id: str, name: str) -> str | None:
        """``@label`` of somebody; ``None`` for the owner."""
        book = self._book
        if are_id == book.me or are_id in self._aliases:
            return None
        if book.find("participant", are_id) is None:
            row: Row = {"label": book.label("participant", are_id), "name": plain(name.strip())}
            if not name.strip():
                row["name"] = plain(are_id)
            if _PHONE.match(are_id):
                row["phone"] = plain(are_id)
            self._made["people"].append(_kept(book, row))
        return book.ref("participant", are_id)

    def chat(self, are_id: str, data: Mapping[str, Any], place: str) -> None:
        """A conversation and its messages."""
        book = self._book
        row = book.row("conversation", data, place)
        given = data.get("participant_ids", data.get("participants")) or []
        members = list(dict.fromkeys(texts(given, f"{place}.participant_ids")))
        strange = [one for one in members if one not in self._names and not _PHONE.match(one)]
        alias = strange[0] if book.me not in members and len(strange) == 1 else None
        if alias is not None and self._names:
            book.note("approximated", f"{place}: {alias!r} is taken to be the owner")
            self._aliases.add(alias)
        others = [one for one in members if one not in (book.me, *self._aliases)]
        refs = [self.person(one, self._names.get(one, one)) for one in others]
        row = {"label": book.label("conversation", are_id), **row, "participant_ids": refs}
        usual = ", ".join(sorted(self._names.get(one, one) for one in others))
        title = str(row.get("title") or "").strip()
        by_ids = bool(members) and set(title.split(", ")) == set(members)
        if not title or by_ids:
            row["title"] = plain(usual or "Chat")
        if len(others) == 1:
            named = row["title"] == plain(usual) and not by_ids and book.me in members
            default = named and others[0] not in self._alone
            # ARE writes to somebody in the chat that has their name, and else begins a new one.
            row["group"] = not default
            if default:
                self._alone.add(others[0])
        self._made["conversations"].append(_kept(book, row))
        messages = listed(data.get("messages") or [], f"{place}.messages")
        for index, one in enumerate(messages):
            where = f"{place}.messages[{index}]"
            self._message(row["label"], mapping(one, where), where)

    def _message(self, chat: str, data: Mapping[str, Any], place: str) -> None:
        book = self._book
        are_id = word(data.get("message_id"), f"{place}.message_id")
        sender = word(data.get("sender_id", data.get("sender")), f"{place}.sender_id")
        again = book.find("message", are_id) is not None
        label = book.another("message", are_id, place) if again else book.label("message", are_id)
        row: Row = {"label": label, "conversation_id": f"@{chat}"}
        row["sender_id"] = self.person(sender, self._names.get(sender, sender)) or ME
        row |= book.row("message", data, place)
        name = data.get("attachment_name")
        if filled(name):
            where = f"{place}.attachment"
            row["attachment"] = book.attachment(text(name, where), data.get("attachment"), where)
        self._made["messages"].append(_kept(book, row))


# --- both ---------------------------------------------------------------------------------------


def _kept(book: Book, row: Row) -> Row:
    book.rows[row["label"]] = row
    return row


def _only(book: Book, data: Mapping[str, Any], place: str, known: tuple[str, ...]) -> None:
    """Refuse what no table names and yet holds something."""
    for name, value in data.items():
        if name not in known and filled(value):
            book.refuse(f"{place}: field {name[:60]!r}")
