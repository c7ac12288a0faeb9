"""What other people do in conversations; each raises a notification."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from heron.sim.app import happens, require
from heron.sim.apps.messaging.backend import MessagingBackend
from heron.sim.apps.messaging.records import (
    ME,
    Chat,
    ConversationId,
    Message,
    Participant,
    Text,
    UserId,
)
from heron.sim.attachments import Attachment
from heron.sim.tables import AppRecord

People = Annotated[list[UserId], Field(min_length=1)]


class OtherPeople(MessagingBackend):
    """Messages that arrive, and groups that others change."""

    @happens
    def receive(
        self,
        sender_id: UserId,
        content: Text,
        conversation_id: ConversationId | None = None,
        message_id: str | None = None,
        attachment: Attachment | str | None = None,
        sender_name: str | None = None,
    ) -> Message:
        """A message arrives; without a known conversation it is in the chat with the sender."""
        require(sender_id != ME, "sender_id must be somebody else")
        if sender_id not in self.people:
            name = (sender_name or "").strip() or sender_id
            self.people.put(Participant(user_id=self.claim(self.people, sender_id), name=name))
        if conversation_id is None or conversation_id in self.chats:
            chat = self.chats.get(conversation_id or self.chat_with(sender_id).ref)
        else:
            chat = self._begin(conversation_id, sender_id)
        there = list(chat.participant_ids)
        require(sender_id in there, f"{sender_id} is not in {chat.ref}; there are {there}")
        require(not chat.left, f"the owner has left {chat.ref} and gets nothing from there")
        ref = self.claim(self.messages, message_id)
        message = self.put_message(chat, sender_id, ref, content, attachment)
        self._tell(message.sender, chat, message.content or str(message.attachment), message)
        return message

    @happens
    def group_created(
        self, by: UserId, user_ids: People, title: Text, conversation_id: str | None = None
    ) -> Chat:
        """Somebody starts a group with the owner and others."""
        ref = self.claim(self.chats, conversation_id)
        chat = self.new_group((by, *user_ids), title, ref)
        self._tell(chat.names[0], chat, f"added you to the {chat.line()}", chat)
        return chat

    @happens
    def group_joined(self, conversation_id: ConversationId, user_id: UserId) -> Chat:
        """Somebody comes into a group."""
        chat = self.join(self.own_group(conversation_id), user_id)
        self._tell(chat.names[-1], chat, f"{chat.names[-1]} joined {chat.line()}", chat)
        return chat

    @happens
    def group_left(self, conversation_id: ConversationId, user_id: UserId) -> Chat:
        """Somebody goes out of a group."""
        chat = self.part(self.own_group(conversation_id), user_id)
        name = self.people.get(user_id).name
        self._tell(name, chat, f"{name} left {chat.line()}", chat)
        return chat

    @happens
    def group_renamed(self, conversation_id: ConversationId, by: UserId, title: Text) -> Chat:
        """Somebody gives a group another title."""
        old = self.own_group(conversation_id)
        there = list(old.participant_ids)
        require(by in there, f"{by} is not in {old.ref}; there are {there}")
        chat = self.rename(old, title)
        text = f"renamed the group '{old.title}' to '{chat.title}'"
        self._tell(self.people.get(by).name, chat, text, chat)
        return chat

    def _begin(self, conversation_id: str, sender_id: str) -> Chat:
        alone = [c for c in self.chats if not c.group and c.participant_ids == (sender_id,)]
        known = f"the chat with {sender_id} is {alone[0].ref if alone else ''}"
        require(not alone, f"no conversation {conversation_id!r}; {known}")
        return self.open_with(self.claim(self.chats, conversation_id), self.people.get(sender_id))

    def _tell(self, who: str, chat: Chat, text: str, record: AppRecord) -> None:
        self.notify(f"{who}: {chat.title}" if chat.group else who, text, record)
