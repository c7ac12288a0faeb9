"""What messaging stores: the people it knows, conversations, and one record per message.

The phone's owner takes part in every conversation, is nobody's participant, and writes as ``me``.
Names stand beside ids in conversations and messages, so that a record reads by itself.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import NaiveDatetime

from heron.sim.attachments import Enclosed, FileName
from heron.sim.calendar_math import stamp
from heron.sim.listing import matches, short
from heron.sim.marks import ID, PROSE, UNORDERED, VOLATILE, Ref
from heron.sim.tables import AppRecord

ME = "me"
"""Who the phone's owner is, as a sender."""

UserId = Annotated[str, Ref("participant")]
ConversationId = Annotated[str, Ref("conversation")]
MessageId = Annotated[str, Ref("message")]
Text = Annotated[str, PROSE]


class Participant(AppRecord):
    """Somebody who can be written to."""

    KIND: ClassVar[str] = "participant"
    ID: ClassVar[str] = "user_id"

    user_id: Annotated[str, ID]
    name: str
    phone: str | None = None

    def line(self) -> str:
        return f"{self.name}, {self.phone}" if self.phone else self.name

    def route(self, parameter: str) -> Any:
        return self.line() if parameter == "query" else None

    def matches(self, query: str) -> bool:
        """Whether all words of ``query`` stand in it."""
        return matches(query, (self.line(),))


class Chat(AppRecord):
    """A conversation: with one person, or a group."""

    KIND: ClassVar[str] = "conversation"
    ID: ClassVar[str] = "conversation_id"

    conversation_id: Annotated[str, ID]
    title: Text
    """Of a conversation with one person it is their name."""
    participant_ids: Annotated[tuple[UserId, ...], UNORDERED] = ()
    """The others; the owner is not among them."""
    names: Annotated[tuple[str, ...], VOLATILE] = ()
    """The others' names."""
    group: bool = False
    left: bool = False
    """Whether the owner has left the group."""

    def line(self) -> str:
        if not self.group:
            return f"chat with {', '.join(self.names) or self.title}"
        gone = ", which you have left" if self.left else ""
        return f"group '{short(self.title, 60)}' with {', '.join(self.names) or 'nobody'}{gone}"

    def route(self, parameter: str) -> Any:
        return " ".join((self.title, *self.names)) if parameter == "query" else None


class Message(AppRecord):
    """Something that somebody wrote in a conversation."""

    KIND: ClassVar[str] = "message"
    ID: ClassVar[str] = "message_id"

    message_id: Annotated[str, ID]
    conversation_id: ConversationId
    sender_id: UserId
    """``me`` is the phone's owner."""
    sender: Annotated[str, VOLATILE] = ""
    """The sender's name."""
    content: Text = ""
    timestamp: Annotated[NaiveDatetime, VOLATILE]
    attachment: FileName = None
    """Name of a file."""
    enclosed: Enclosed = ()
    is_read: Annotated[bool, VOLATILE] = True
    downloaded: bool = False
    """Whether the attachment has been saved on the phone."""

    def line(self) -> str:
        file = f" [{self.attachment}]" if self.attachment else ""
        when = stamp(self.timestamp)
        return f"{self.sender} in {self.conversation_id} {when}: {short(self.content)}{file}"

    def full(self) -> str:
        """All of it, as in its conversation."""
        saved = ", saved" if self.downloaded else ""
        file = f" [{self.attachment}{saved}]" if self.attachment else ""
        return f"{self.sender} {stamp(self.timestamp)}: {self.content}{file}"

    def route(self, parameter: str) -> Any:
        if parameter == "day":
            return self.timestamp.date().isoformat()
        return f"{self.content} {self.sender}" if parameter == "query" else None
