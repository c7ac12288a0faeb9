"""What messaging's tools, screens and happenings rest on.

What it does not know: contacts; it has people of its own, by name and, where known, phone number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from heron.errors import InputError
from heron.sim.app import App, require
from heron.sim.apps.messaging.records import (
    ME,
    Chat,
    Message,
    Participant,
)
from heron.sim.attachments import Attachment, loaded, pack, take
from heron.sim.listing import matches
from heron.sim.tables import AppRecord


class MessagingBackend(App):
    """People, conversations and messages."""

    def setup(self) -> None:
        self.people = self.table("people", Participant, "u")
        self.chats = self.table("conversations", Chat, "c")
        self.messages = self.table("messages", Message, "g")

    # --- scenario data ---

    def fill(self, content: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Load people, then conversations, then messages; a conversation may hold its messages."""
        unknown = [name for name in content if name not in self.tables]
        if unknown:
            raise InputError(f"{self.NAME} has no {unknown[0]!r}; it has {', '.join(self.tables)}")
        for person in content.get("people", ()):
            self.add("people", person)
        for fields in content.get("conversations", ()):
            chat = self.add("conversations", {k: v for k, v in fields.items() if k != "messages"})
            for message in fields.get("messages", ()):
                self.add("messages", {"conversation_id": chat.ref, **message})
        for message in content.get("messages", ()):
            self.add("messages", message)

    def add(self, table_name: str, fields: Mapping[str, Any]) -> AppRecord:
        """Load one record; what follows from its ids (names, a chat's title) is filled in."""
        if table_name == "conversations":
            ids = tuple(fields.get("participant_ids", ()))
            names = tuple(self._known(user_id).name for user_id in ids)
            usual = {"title": ", ".join(names), "names": names, "group": len(ids) != 1}
            return super().add(table_name, {**usual, **fields})
        if table_name == "messages":
            sender = fields.get("sender_id", ME)
            name = self.owner.name if sender == ME else self._known(sender).name
            if fields.get("conversation_id") not in self.chats:
                raise InputError(f"{self.NAME}: no conversation {fields.get('conversation_id')!r}")
            given = loaded(fields, "attachment")
            return super().add(table_name, {"sender_id": sender, "sender": name, **given})
        return super().add(table_name, fields)

    def _known(self, user_id: Any) -> Participant:
        person = self.people.find(user_id)
        if person is None:
            known = ", ".join(p.ref for p in self.people) or "nobody"
            raise InputError(f"{self.NAME}: no participant {user_id!r} in people; there is {known}")
        return person

    # --- what is there ---

    def messages_of(self, conversation_id: str) -> list[Message]:
        """A conversation's messages, oldest first."""
        own = [m for m in self.messages if m.conversation_id == conversation_id]
        return sorted(own, key=lambda message: message.timestamp)

    def recent(self, query: str = "") -> list[Chat]:
        """Conversations, the one with the latest message first; with ``query`` those in whose
        title, names or messages all its words stand.
        """
        latest: dict[str, tuple[datetime, int]] = {}
        texts: dict[str, list[str]] = {}
        for place, message in enumerate(self.messages):
            ref, key = message.conversation_id, (message.timestamp, place)
            latest[ref] = max(key, latest.get(ref, key))
            if query:
                texts.setdefault(ref, []).extend((message.content, message.sender))
        found = [
            chat
            for chat in self.chats
            if not query or matches(query, (chat.title, *chat.names, *texts.get(chat.ref, ())))
        ]
        never = (datetime(1, 1, 1), 0)
        return sorted(found, key=lambda chat: latest.get(chat.ref, never), reverse=True)

    def own_group(self, conversation_id: str) -> Chat:
        """A group in which the owner takes part.

        Raises:
            IllegalCall: there is none, or it is no group, or the owner has left it.
        """
        chat = self.chats.get(conversation_id)
        alone = f"{conversation_id} is the {chat.line()}, not a group: send_message writes there"
        require(chat.group, alone)
        require(not chat.left, f"the owner has left {conversation_id} and cannot act there")
        return chat

    # --- what can be done ---

    def chat_with(self, user_id: str) -> Chat:
        """The conversation with one person alone; it is made if there is none."""
        person = self.people.get(user_id)
        alone = [c for c in self.chats if not c.group and c.participant_ids == (user_id,)]
        return alone[0] if alone else self.open_with(self.chats.new_id(), person)

    def write(self, conversation_id: str, content: str, path: str | None = None) -> Message:
        """The owner writes into a conversation, with a file of the phone by its path."""
        chat = self.chats.get(conversation_id)
        require(not chat.left, f"the owner has left {conversation_id} and cannot write there")
        file = take(self.services.files, [path])[0] if path else None
        return self.put_message(chat, ME, self.messages.new_id(), content, file)

    def new_group(
        self, user_ids: Iterable[str], title: str = "", conversation_id: str | None = None
    ) -> Chat:
        """Start a group; without a title it is called by its people's names."""
        people = [self.people.get(user_id) for user_id in dict.fromkeys(user_ids)]
        require(len(people) > 1, "a group needs at least two people; send_message writes to one")
        names = tuple(person.name for person in people)
        return self.chats.put(
            Chat(
                conversation_id=conversation_id or self.chats.new_id(),
                title=title.strip() or ", ".join(names),
                participant_ids=tuple(person.ref for person in people),
                names=names,
                group=True,
            )
        )

    def join(self, chat: Chat, user_id: str) -> Chat:
        """Somebody comes into a group."""
        person = self.people.get(user_id)
        require(user_id not in chat.participant_ids, f"{user_id} is in {chat.ref} already")
        ids, names = (*chat.participant_ids, user_id), (*chat.names, person.name)
        return self.chats.change(chat.ref, participant_ids=ids, names=names)

    def part(self, chat: Chat, user_id: str) -> Chat:
        """Somebody goes out of a group."""
        there = list(chat.participant_ids)
        require(user_id in there, f"{user_id} is not in {chat.ref}; there are {there}")
        ids = tuple(other for other in there if other != user_id)
        names = tuple(self.people.get(other).name for other in ids)
        return self.chats.change(chat.ref, participant_ids=ids, names=names)

    def rename(self, chat: Chat, title: str) -> Chat:
        """A group gets another title."""
        require(title.strip(), "a title needs at least one letter")
        return self.chats.change(chat.ref, title=title.strip())

    def mark_read(self, conversation_id: str) -> None:
        """The owner has a conversation before them."""
        for message in self.messages_of(conversation_id):
            self.messages.change(message.ref, is_read=True)

    def open_with(self, conversation_id: str, person: Participant) -> Chat:
        """Start the chat with one person alone."""
        return self.chats.put(
            Chat(
                conversation_id=conversation_id,
                title=person.name,
                participant_ids=(person.ref,),
                names=(person.name,),
            )
        )

    def put_message(
        self,
        chat: Chat,
        sender_id: str,
        message_id: str,
        content: str,
        attachment: Attachment | str | None,
    ) -> Message:
        """Store a message.

        Raises:
            IllegalCall: it has neither text nor attachment.
        """
        packed = pack([attachment] if attachment else [])
        name = next(iter(packed["attachments"]), None)
        require(content.strip() or name, "a message needs a text or an attachment")
        mine = sender_id == ME
        return self.messages.put(
            Message(
                message_id=message_id,
                conversation_id=chat.ref,
                sender_id=sender_id,
                sender=self.owner.name if mine else self.people.get(sender_id).name,
                content=content,
                timestamp=self.now,
                attachment=name,
                enclosed=packed["enclosed"],
                is_read=mine,
            )
        )
