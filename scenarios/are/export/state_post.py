"""Heron's email and messaging → state of ARE's apps. What it does not know: other apps."""

from __future__ import annotations

from collections import Counter
from typing import Any

from heron.scenarios.are.export.ledger import Ledger
from heron.scenarios.are.export.rows import State, attached, note_rest, records, row
from heron.scenarios.are.values import encoded
from heron.sim.app import App

FOLDERS = ("INBOX", "SENT", "DRAFT", "TRASH")
ME = "me"


def email(app: App, ledger: Ledger) -> State:
    """Mails in their folders, the newest first."""
    folders: State = {name: {"folder_name": name, "emails": []} for name in FOLDERS}
    for mail in records(app, "email"):
        fields = row("email", mail, ledger)
        fields["parent_id"] = mail.parent_id
        fields["attachments"] = attached(mail.attachments, mail.enclosed)
        folders[mail.folder]["emails"].insert(0, fields)
    return {"user_email": app.services.owner.email, "view_limit": 5, "folders": folders}


def messaging(app: App, ledger: Ledger) -> State:
    """People, conversations and their messages; the owner takes part in each of them."""
    owner = app.services.owner.name
    people = {one.ref: one.name for one in records(app, "participant")}
    for one in records(app, "participant"):
        note_rest("participant", one, ledger)
    for name, number in Counter([owner, *people.values()]).items():
        if number > 1:
            ledger.note(f"{number} people are called {name!r}, and names stand for ids")
    chats: State = {chat.ref: _chat(chat, people, ledger) for chat in records(app, "conversation")}
    for message in records(app, "message"):
        chat = chats[message.conversation_id]
        chat["messages"].append(_message(message, ledger))
        chat["last_updated"] = chat["messages"][-1]["timestamp"]
    ids = {ME: owner, **people}
    return {
        "conversations": chats,
        "messages_view_limit": 10,
        "conversation_view_limit": 5,
        "mode": "NAME",
        "name_to_id": {name: ref for ref, name in reversed(ids.items())},
        "id_to_name": ids,
        "current_user_id": ME,
        "current_user_name": owner,
    }


def _chat(chat: Any, people: dict[str, str], ledger: Ledger) -> State:
    fields = row("conversation", chat, ledger)
    others = list(chat.participant_ids)
    if not chat.group and len(others) == 1:
        # ARE tells the chat with somebody by its title.
        fields["title"] = people.get(others[0], chat.title)
    return {**fields, "participant_ids": [ME, *others], "messages": [], "last_updated": 0.0}


def _message(message: Any, ledger: Ledger) -> State:
    fields = {"sender_id": message.sender_id, **row("message", message, ledger)}
    if message.attachment is not None:
        said = {one.name: one.content for one in message.enclosed}
        fields["attachment"] = encoded(said.get(message.attachment, ""))
        fields["attachment_name"] = message.attachment
    return fields
