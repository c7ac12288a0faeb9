"""Messaging's backend: what the assistant can call.

What it rests on stands in ``backend``, what other people do in ``others``.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, NaiveDatetime

from heron.sim.app import require, tool
from heron.sim.apps.messaging.others import OtherPeople
from heron.sim.apps.messaging.records import (
    Chat,
    ConversationId,
    Message,
    MessageId,
    Participant,
    Text,
    UserId,
)
from heron.sim.apps.messaging.search import between, finder, newest_first
from heron.sim.attachments import save, unpack
from heron.sim.listing import Limit, Offset, matches, page

Group = Annotated[list[UserId], Field(min_length=2)]


class MessagingApp(OtherPeople):
    """Conversations with one person and in groups."""

    NAME = "messaging"
    TITLE = "Messages"

    # --- read ---

    @tool("read")
    def list_recent_conversations(self, offset: Offset = 0, limit: Limit = 5) -> dict[str, Any]:
        """Conversations, the one with the latest message first."""
        return page("conversations", self.recent(), offset, limit)

    @tool("read")
    def read_conversation(
        self,
        conversation_id: ConversationId,
        offset: Offset = 0,
        limit: Limit = 10,
        min_date: NaiveDatetime | None = None,
        max_date: NaiveDatetime | None = None,
    ) -> dict[str, Any]:
        """A conversation's messages, newest first, and who takes part in it."""
        chat = self.chats.get(conversation_id)
        messages = newest_first(between(self.messages_of(chat.ref), min_date, max_date))
        people = [self.people.get(user_id) for user_id in chat.participant_ids]
        return {
            "conversation": chat,
            **page("messages", messages, offset, limit),
            "participants": people,
        }

    @tool("read")
    def search(
        self,
        query: str,
        min_date: NaiveDatetime | None = None,
        max_date: NaiveDatetime | None = None,
        offset: Offset = 0,
        limit: Limit = 10,
    ) -> dict[str, Any]:
        """Messages in which all words of query stand, newest first."""
        require(query.strip(), "query needs at least one word")
        hits = [m for m in self.messages if matches(query, (m.content, m.sender, m.attachment))]
        return page("messages", newest_first(between(hits, min_date, max_date)), offset, limit)

    @tool("read")
    def regex_search(
        self,
        query: str,
        min_date: NaiveDatetime | None = None,
        max_date: NaiveDatetime | None = None,
        offset: Offset = 0,
        limit: Limit = 10,
    ) -> dict[str, Any]:
        """Messages whose text matches a regular expression, newest first."""
        found = finder(query)
        hits = [message for message in self.messages if found(message.content)]
        return page("messages", newest_first(between(hits, min_date, max_date)), offset, limit)

    @tool("read")
    def lookup_user_id(self, user_name: str) -> list[Participant]:
        """People who can be written to, by part of their name; writes take their user_id."""
        require(user_name.strip(), "user_name needs at least one word")
        return [person for person in self.people if person.matches(user_name)]

    @tool("read")
    def get_user_name_from_id(self, user_id: UserId) -> Participant:
        """Who has this user_id."""
        return self.people.get(user_id)

    @tool("read")
    def get_existing_conversation_ids(self, user_ids: list[UserId]) -> list[Chat]:
        """The conversations in which exactly these people and the owner take part."""
        wanted = {self.people.get(user_id).ref for user_id in user_ids}
        return [chat for chat in self.chats if set(chat.participant_ids) == wanted]

    @tool("read")
    def list_conversations_by_participant(
        self, user_id: UserId, offset: Offset = 0, limit: Limit = 5
    ) -> dict[str, Any]:
        """The conversations in which somebody takes part, the latest first."""
        person = self.people.get(user_id)
        chats = [chat for chat in self.recent() if person.ref in chat.participant_ids]
        return page("conversations", chats, offset, limit)

    # --- write ---

    @tool("write")
    def send_message(
        self, user_id: UserId, content: Text, attachment_path: str | None = None
    ) -> Message:
        """Write to one person, in the chat with them alone."""
        return self.write(self.chat_with(user_id).ref, content, attachment_path)

    @tool("write")
    def reply_to_message(
        self, message_id: MessageId, content: Text, attachment_path: str | None = None
    ) -> Message:
        """Write into the conversation in which a message stands."""
        return self.write(self.messages.get(message_id).conversation_id, content, attachment_path)

    @tool("write")
    def send_message_to_group_conversation(
        self, conversation_id: ConversationId, content: Text, attachment_path: str | None = None
    ) -> Message:
        """Write to a group."""
        return self.write(self.own_group(conversation_id).ref, content, attachment_path)

    @tool("write")
    def create_group_conversation(self, user_ids: Group, title: Text | None = None) -> Chat:
        """Start a group with at least two people."""
        return self.new_group(user_ids, title or "")

    @tool("write")
    def add_participant_to_conversation(
        self, conversation_id: ConversationId, user_id: UserId
    ) -> Chat:
        """Add somebody to a group."""
        return self.join(self.own_group(conversation_id), user_id)

    @tool("write")
    def remove_participant_from_conversation(
        self, conversation_id: ConversationId, user_id: UserId
    ) -> Chat:
        """Remove somebody from a group."""
        return self.part(self.own_group(conversation_id), user_id)

    @tool("write")
    def change_conversation_title(self, conversation_id: ConversationId, title: Text) -> Chat:
        """Give a group another title."""
        return self.rename(self.own_group(conversation_id), title)

    @tool("write")
    def download_attachment(self, message_id: MessageId) -> str:
        """Save the attachment of a message in the files app; the answer is its path there."""
        message = self.messages.get(message_id)
        name = message.attachment or ""
        require(name, f"{message_id} has no attachment")
        saved = save(self.services.files, unpack([name], message.enclosed))
        self.messages.change(message_id, downloaded=True)
        return saved[0]
