"""What email stores: one record per mail, and how a mail is quoted in the next one."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import NaiveDatetime

from heron.sim.attachments import Enclosed, FileNames
from heron.sim.calendar_math import stamp
from heron.sim.listing import matches, short
from heron.sim.marks import ID, PROSE, UNORDERED, VOLATILE, Ref
from heron.sim.tables import AppRecord

Folder = Literal["INBOX", "SENT", "DRAFT", "TRASH"]
EmailId = Annotated[str, Ref("email")]
Text = Annotated[str, PROSE]
Names = Annotated[tuple[str, ...], UNORDERED]

QUOTED = 4000
"""Characters that a quotation keeps, so that a long thread does not grow with its square."""


class Email(AppRecord):
    """A mail, whichever way it went."""

    KIND: ClassVar[str] = "email"
    ID: ClassVar[str] = "email_id"

    email_id: Annotated[str, ID]
    sender: str
    recipients: Names = ()
    subject: Text = ""
    content: Text = ""
    """What was written for this mail; what it quotes stands in ``quoted``."""
    cc: Names = ()
    attachments: FileNames = ()
    """Names of files."""
    enclosed: Enclosed = ()
    timestamp: Annotated[NaiveDatetime, VOLATILE]
    """When it came, was sent, or was last saved as a draft."""
    is_read: Annotated[bool, VOLATILE] = False
    parent_id: EmailId | None = None
    """The mail that it answers or forwards."""
    folder: Folder = "INBOX"
    quoted: Annotated[str, PROSE, VOLATILE] = ""
    """The mail that it answers or forwards, as it stands below the text."""
    downloaded: Names = ()
    """Attachments that have been saved on the phone."""

    def line(self) -> str:
        people = ", ".join(self.recipients) or "nobody yet"
        way = f"to {people}" if self.written_here else f"from {self.sender}"
        subject, when = short(self.subject, 80), stamp(self.timestamp)
        place = f" in {self.folder}" if self.folder in ("DRAFT", "TRASH") else ""
        files = f" [{', '.join(self.attachments)}]" if self.attachments else ""
        return f"{way} '{subject}' {when}{place}: {short(self.content)}{files}"

    def full(self) -> str:
        """All of it, as on its own screen."""
        head = [f"From: {self.sender}", f"To: {', '.join(self.recipients)}"]
        head += [f"Cc: {', '.join(self.cc)}"] if self.cc else []
        head += [f"Date: {stamp(self.timestamp)}", f"Subject: {self.subject}"]
        body = [self.content, self.quoted] if self.quoted else [self.content]
        return "\n".join(head) + "\n\n" + "\n\n".join(body)

    def route(self, parameter: str) -> Any:
        if parameter == "folder":
            return self.folder
        if parameter == "query":
            return f"{self.subject} {self.timestamp.date()}"
        return None

    @property
    def written_here(self) -> bool:
        """Whether it lies where the phone's owner's own mails lie."""
        return self.folder in ("SENT", "DRAFT")

    def matches(self, query: str) -> bool:
        """Whether all words of ``query`` stand in it."""
        day = stamp(self.timestamp)
        people = (self.sender, *self.recipients, *self.cc)
        return matches(query, (*people, self.subject, self.content, day, *self.attachments))


def answered(mail: Email) -> str:
    """A mail as quoted by its answer."""
    text = mail.content + (f"\n\n{mail.quoted}" if mail.quoted else "")
    lines = (f"> {line}".rstrip() for line in text[:QUOTED].splitlines())
    return "\n".join([f"On {stamp(mail.timestamp)} {mail.sender} wrote:", *lines])


def forwarded(mail: Email) -> str:
    """A mail as it stands in the one that forwards it."""
    return f"---------- Forwarded mail ----------\n{mail.full()[:QUOTED]}"


def with_prefix(prefix: Literal["Re", "Fwd"], subject: str) -> str:
    """``Re: subject``; a prefix that is there already is not repeated."""
    start = f"{prefix}:"
    return subject if subject.startswith(start) else f"{start} {subject}".rstrip()
