"""Email's screens: a mailbox, a mail with its thread, and the form in which a mail is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from heron.contracts import Item
from heron.sim.addresses import Address
from heron.sim.app import require
from heron.sim.apps.email.app import EmailApp
from heron.sim.apps.email.records import Email, EmailId, Folder, Text
from heron.sim.attachments import pack, unpack
from heron.sim.calendar_math import stamp
from heron.sim.listing import LISTED
from heron.sim.screens import Screen, action, item, label


@dataclass(frozen=True)
class Mailbox(Screen[EmailApp]):
    """The mails of a folder, or those in which some words stand, newest first."""

    folder: Folder = "INBOX"
    query: str = ""
    page: int = 0

    def title(self, app: EmailApp) -> str:
        if self.query:
            return f"Mails with '{self.query}'"
        if self.folder != "INBOX":
            return self.folder
        unread = sum(not mail.is_read and mail.folder == "INBOX" for mail in app.emails)
        return f"INBOX ({unread} unread)"

    def items(self, app: EmailApp) -> Iterable[Item]:
        for mail in self.mails(app)[self.page * LISTED :][:LISTED]:
            yield _row(mail)

    def mails(self, app: EmailApp) -> list[Email]:
        """All that it lists, on all its pages."""
        return app.found(self.query) if self.query else app.folder(self.folder)

    def more(self, app: EmailApp) -> bool:
        """Whether there are older mails than those shown."""
        return len(self.mails(app)) > (self.page + 1) * LISTED

    @action()
    def open_email(self, app: EmailApp, email_id: EmailId) -> EmailDetail:
        """Open a mail; from then on it counts as read."""
        app.emails.change(email_id, is_read=True)
        return EmailDetail(email_id)

    @action()
    def open_folder(self, app: EmailApp, folder: Folder) -> Mailbox:
        """Show another folder."""
        return Mailbox(folder)

    @action()
    def search(self, app: EmailApp, query: str) -> Mailbox:
        """Show the mails of all folders in which these words stand."""
        return Mailbox(self.folder, query.strip())

    @action(when=more)
    def older(self, app: EmailApp) -> Mailbox:
        """Show older mails."""
        return replace(self, page=self.page + 1)

    @action()
    def compose(self, app: EmailApp) -> Compose:
        """Start a new mail."""
        return Compose(app.blank(), self.folder)


def _row(mail: Email, before: str = "") -> Item:
    """A mail in one line: with whom, about what, when."""
    people = f"to {', '.join(mail.recipients)}" if mail.written_here else mail.sender
    unread = "" if mail.is_read else " (unread)"
    text = f"{before}{people}: {mail.subject} {stamp(mail.timestamp)}{unread}"
    with_whom = "recipients" if mail.written_here else "sender"
    return item(mail, with_whom, "subject", "timestamp", "is_read", text=text)


def _is_draft(screen: EmailDetail, app: EmailApp) -> bool:
    return app.emails.get(screen.email_id).folder == "DRAFT"


def _is_mail(screen: EmailDetail, app: EmailApp) -> bool:
    return not _is_draft(screen, app)


def _has_attachments(screen: EmailDetail, app: EmailApp) -> bool:
    return bool(app.emails.get(screen.email_id).attachments)


@dataclass(frozen=True)
class EmailDetail(Screen[EmailApp]):
    """A mail in full, and the other mails of its thread in a line each."""

    SHOWS = "email"
    email_id: EmailId

    def title(self, app: EmailApp) -> str:
        return app.emails.get(self.email_id).subject or "(no subject)"

    def items(self, app: EmailApp) -> Iterable[Item]:
        mail = app.emails.get(self.email_id)
        yield item(mail, "*", text=mail.full())
        for name in mail.attachments:
            saved = " (saved)" if name in mail.downloaded else ""
            yield label(f"{name}{saved}", "attachment")
        for other in app.thread(self.email_id)[-LISTED:]:
            yield _row(other, "In this thread: ")

    @action()
    def open_in_thread(self, app: EmailApp, email_id: EmailId) -> EmailDetail:
        """Open another mail of this thread."""
        app.emails.change(email_id, is_read=True)
        return EmailDetail(email_id)

    @action(when=_is_mail)
    def reply(self, app: EmailApp) -> Compose:
        """Answer the sender."""
        mail = app.emails.get(self.email_id)
        return Compose(app.answer(mail), mail.folder)

    @action(when=_is_mail)
    def reply_all(self, app: EmailApp) -> Compose:
        """Answer everybody who got this mail."""
        mail = app.emails.get(self.email_id)
        return Compose(app.answer(mail, everybody=True), mail.folder)

    @action(when=_is_mail)
    def forward(self, app: EmailApp) -> Compose:
        """Forward this mail."""
        mail = app.emails.get(self.email_id)
        return Compose(app.forwarding(mail), mail.folder)

    @action(when=_is_draft)
    def edit_draft(self, app: EmailApp) -> Compose:
        """Go on writing this draft."""
        return Compose(app.emails.get(self.email_id), "DRAFT")

    @action("write", when=_is_mail)
    def move(self, app: EmailApp, folder: Folder) -> Mailbox:
        """Move this mail to another folder."""
        came_from = app.emails.get(self.email_id).folder
        app.move_email(self.email_id, folder)
        return Mailbox(came_from)

    @action("write")
    def delete(self, app: EmailApp) -> Mailbox:
        """Delete this mail: to TRASH, or for good where it lies there or is a draft."""
        came_from = app.emails.get(self.email_id).folder
        app.delete_email(self.email_id)
        return Mailbox(came_from)

    @action("write", when=_is_mail)
    def mark_unread(self, app: EmailApp) -> Mailbox:
        """Let this mail count as unread again."""
        return Mailbox(app.emails.change(self.email_id, is_read=False).folder)

    @action("write", when=_has_attachments)
    def download_attachments(self, app: EmailApp) -> EmailDetail:
        """Save the attachments in the files app."""
        app.download_attachments(self.email_id)
        return self


def _can_be_sent(screen: Compose, _: EmailApp) -> bool:
    mail = screen.draft
    said = mail.subject.strip() or mail.content.strip() or mail.attachments
    return bool(mail.recipients and said)


@dataclass(frozen=True)
class Compose(Screen[EmailApp]):
    """The form in which a mail is written; nothing is stored before it is sent or saved."""

    FORM = True
    draft: Email
    came_from: Folder = "INBOX"

    def title(self, app: EmailApp) -> str:
        return self.draft.subject or "New mail"

    def items(self, app: EmailApp) -> Iterable[Item]:
        mail = self.draft
        yield label(f"To: {', '.join(mail.recipients)}", "field")
        yield label(f"Cc: {', '.join(mail.cc)}", "field")
        yield label(f"Subject: {mail.subject}", "field")
        yield label(f"Text: {mail.content}", "field")
        for name in mail.attachments:
            yield label(name, "attachment")
        if mail.quoted:
            yield label(mail.quoted, "quote")

    def _with(self, **fields: Any) -> Compose:
        return replace(self, draft=self.draft.model_copy(update=fields))

    @action()
    def set_recipients(
        self, app: EmailApp, recipients: Annotated[list[Address], Field(min_length=1)]
    ) -> Compose:
        """Type the addresses to which it goes."""
        return self._with(recipients=tuple(dict.fromkeys(recipients)))

    @action()
    def add_recipient(self, app: EmailApp, recipient: Address) -> Compose:
        """Type one more address to which it goes."""
        return self._with(recipients=tuple(dict.fromkeys((*self.draft.recipients, recipient))))

    @action()
    def set_cc(self, app: EmailApp, cc: list[Address]) -> Compose:
        """Type the addresses that get a copy."""
        return self._with(cc=tuple(dict.fromkeys(cc)))

    @action()
    def set_subject(self, app: EmailApp, subject: Text) -> Compose:
        """Type the subject."""
        return self._with(subject=subject)

    @action(takes=60)
    def set_content(self, app: EmailApp, content: Text) -> Compose:
        """Type the text."""
        return self._with(content=content)

    @action()
    def attach(self, app: EmailApp, path: str) -> Compose:
        """Attach a file of the phone by its path."""
        return self._with(**app.attached([path], self.draft))

    @action(when=lambda screen, _: bool(screen.draft.attachments))
    def remove_attachment(self, app: EmailApp, name: str) -> Compose:
        """Remove an attached file."""
        there = self.draft.attachments
        require(name in there, f"no attachment {name!r}; there are {list(there)}")
        left = [one for one in unpack(there, self.draft.enclosed) if one.name != name]
        return self._with(**pack(left))

    @action("write", when=_can_be_sent)
    def send(self, app: EmailApp) -> Mailbox:
        """Send the mail."""
        app.post(self.draft)
        return Mailbox(self.came_from)

    @action("write")
    def save_draft(self, app: EmailApp) -> Mailbox:
        """Keep the mail in DRAFT and leave."""
        app.save_draft(self.draft)
        return Mailbox(self.came_from)

    @action()
    def discard(self, app: EmailApp) -> Mailbox:
        """Leave without sending or saving."""
        return Mailbox(self.came_from)
