"""Messaging's screens: the conversations, one of them, who takes part in it, and a new one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated

from pydantic import Field

from heron.contracts import Item
from heron.sim.apps.messaging.app import MessagingApp
from heron.sim.apps.messaging.records import (
    ConversationId,
    Message,
    MessageId,
    Participant,
    Text,
    UserId,
)
from heron.sim.listing import LISTED
from heron.sim.screens import Screen, action, item, label


@dataclass(frozen=True)
class ConversationList(Screen[MessagingApp]):
    """Conversations, the one with the latest message first, or those in which some words stand."""

    query: str = ""
    page: int = 0

    def title(self, app: MessagingApp) -> str:
        return f"Messages with '{self.query}'" if self.query else "Messages"

    def items(self, app: MessagingApp) -> Iterable[Item]:
        unread = [m.conversation_id for m in app.messages if not m.is_read]
        for chat in app.recent(self.query)[self.page * LISTED :][:LISTED]:
            new = unread.count(chat.ref)
            yield item(chat, "title", text=f"{chat.title} ({new} new)" if new else chat.title)

    def more(self, app: MessagingApp) -> bool:
        """Whether there are older conversations than those shown."""
        return len(app.recent(self.query)) > (self.page + 1) * LISTED

    @action()
    def open_conversation(self, app: MessagingApp, conversation_id: ConversationId) -> Conversation:
        """Open a conversation; its messages count as read from then on."""
        app.mark_read(conversation_id)
        return Conversation(conversation_id)

    @action()
    def search(self, app: MessagingApp, query: str) -> ConversationList:
        """Show the conversations in which these words stand; all of them without any."""
        return ConversationList(query.strip())

    @action(when=more)
    def older(self, app: MessagingApp) -> ConversationList:
        """Show older conversations."""
        return replace(self, page=self.page + 1)

    @action()
    def new_chat(self, app: MessagingApp) -> NewChat:
        """Write to somebody else, or start a group."""
        return NewChat()


def _can_write(screen: Conversation | ConversationInfo | AddPerson, app: MessagingApp) -> bool:
    return not app.chats.get(screen.conversation_id).left


def _own_group(screen: ConversationInfo | AddPerson, app: MessagingApp) -> bool:
    return app.chats.get(screen.conversation_id).group and _can_write(screen, app)


@dataclass(frozen=True)
class Conversation(Screen[MessagingApp]):
    """A conversation's messages in full: the latest, or the last ones of some day."""

    SHOWS = "message"
    conversation_id: ConversationId
    until: date | None = None

    def title(self, app: MessagingApp) -> str:
        return app.chats.get(self.conversation_id).title

    def items(self, app: MessagingApp) -> Iterable[Item]:
        for message in self.messages(app):
            yield item(message, "*", text=message.full())

    def messages(self, app: MessagingApp) -> list[Message]:
        """What it shows, oldest first."""
        messages = app.messages_of(self.conversation_id)
        if self.until is not None:
            messages = [m for m in messages if m.timestamp.date() <= self.until]
        return messages[-LISTED:]

    @action("write", takes=40, when=_can_write)
    def send(
        self, app: MessagingApp, content: Text, attachment_path: str | None = None
    ) -> Conversation:
        """Write into this conversation, with a file of the phone by its path."""
        app.mark_read(self.conversation_id)
        app.write(self.conversation_id, content, attachment_path)
        return Conversation(self.conversation_id)

    @action()
    def show_day(self, app: MessagingApp, day: date) -> Conversation:
        """Go back to a day."""
        return replace(self, until=day)

    @action()
    def show_latest(self, app: MessagingApp) -> Conversation:
        """Show the latest messages."""
        app.mark_read(self.conversation_id)
        return replace(self, until=None)

    @action("write", when=lambda screen, app: any(m.attachment for m in screen.messages(app)))
    def download_attachment(self, app: MessagingApp, message_id: MessageId) -> Conversation:
        """Save a message's attachment in the files app."""
        app.download_attachment(message_id)
        return self

    @action()
    def open_info(self, app: MessagingApp) -> ConversationInfo:
        """See who takes part."""
        return ConversationInfo(self.conversation_id)


@dataclass(frozen=True)
class ConversationInfo(Screen[MessagingApp]):
    """Who takes part in a conversation."""

    SHOWS = "conversation"
    conversation_id: ConversationId

    def title(self, app: MessagingApp) -> str:
        return app.chats.get(self.conversation_id).title

    def items(self, app: MessagingApp) -> Iterable[Item]:
        chat = app.chats.get(self.conversation_id)
        yield item(chat, "*")
        for user_id in chat.participant_ids:
            yield item(app.people.get(user_id), "*")

    @action("write", when=_own_group)
    def rename(self, app: MessagingApp, title: Text) -> ConversationInfo:
        """Give the group another title."""
        app.change_conversation_title(self.conversation_id, title)
        return self

    @action(when=_own_group)
    def add_person(self, app: MessagingApp) -> AddPerson:
        """Choose somebody to add to the group."""
        return AddPerson(self.conversation_id)

    @action("write", when=_own_group)
    def remove_person(self, app: MessagingApp, user_id: UserId) -> ConversationInfo:
        """Remove somebody from the group."""
        app.remove_participant_from_conversation(self.conversation_id, user_id)
        return self

    @action("write", when=_own_group)
    def leave(self, app: MessagingApp) -> ConversationList:
        """Leave the group."""
        app.chats.change(self.conversation_id, left=True)
        return ConversationList()


@dataclass(frozen=True)
class AddPerson(Screen[MessagingApp]):
    """Those who can be added to a group."""

    conversation_id: ConversationId
    query: str = ""

    def title(self, app: MessagingApp) -> str:
        return f"Add to {app.chats.get(self.conversation_id).title}"

    def items(self, app: MessagingApp) -> Iterable[Item]:
        there = app.chats.get(self.conversation_id).participant_ids
        others = [p for p in _people(app, self.query) if p.ref not in there]
        return [item(person, "*") for person in others[:LISTED]]

    @action()
    def search(self, app: MessagingApp, query: str) -> AddPerson:
        """Show people by part of their name or number."""
        return replace(self, query=query.strip())

    @action("write", when=_own_group)
    def add(self, app: MessagingApp, user_id: UserId) -> ConversationInfo:
        """Add somebody to the group."""
        app.add_participant_to_conversation(self.conversation_id, user_id)
        return ConversationInfo(self.conversation_id)


@dataclass(frozen=True)
class NewChat(Screen[MessagingApp]):
    """The form of a new conversation; nothing is stored before the first message is sent."""

    SHOWS = "participant"
    FORM = True
    user_ids: tuple[str, ...] = ()
    name: str = ""
    query: str = ""

    def title(self, app: MessagingApp) -> str:
        return "New conversation"

    def items(self, app: MessagingApp) -> Iterable[Item]:
        names = [app.people.get(user_id).name for user_id in self.user_ids]
        yield label(f"To: {', '.join(names)}", "field")
        yield label(f"Title: {self.name}", "field")
        for person in _people(app, self.query)[:LISTED]:
            yield item(person, "*")

    @action()
    def search(self, app: MessagingApp, query: str) -> NewChat:
        """Show people by part of their name or number."""
        return replace(self, query=query.strip())

    @action()
    def choose(
        self, app: MessagingApp, user_ids: Annotated[list[UserId], Field(min_length=1)]
    ) -> NewChat:
        """Choose one person to write to, or several for a group, beside those chosen already."""
        return replace(self, user_ids=tuple(dict.fromkeys((*self.user_ids, *user_ids))))

    @action(when=lambda screen, _: bool(screen.user_ids))
    def choose_nobody(self, app: MessagingApp) -> NewChat:
        """Start choosing anew."""
        return replace(self, user_ids=())

    @action(when=lambda screen, _: len(screen.user_ids) > 1)
    def set_title(self, app: MessagingApp, title: Text) -> NewChat:
        """Type the group's title."""
        return replace(self, name=title)

    @action("write", takes=40, when=lambda screen, _: bool(screen.user_ids))
    def send(self, app: MessagingApp, content: Text) -> Conversation:
        """Write to those chosen; two or more become a new group."""
        if len(self.user_ids) == 1:
            chat = app.chat_with(self.user_ids[0])
        else:
            chat = app.new_group(self.user_ids, self.name)
        app.write(chat.ref, content)
        return Conversation(chat.ref)

    @action()
    def discard(self, app: MessagingApp) -> ConversationList:
        """Leave without writing."""
        return ConversationList()


def _people(app: MessagingApp, query: str) -> list[Participant]:
    found = [person for person in app.people if not query or person.matches(query)]
    return sorted(found, key=lambda person: person.name.casefold())
