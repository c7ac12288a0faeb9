"""The email app's backend: what the assistant can call and what other people do.

What it does not know: contacts; an address is all it knows of a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field

from heron.sim.addresses import Address, is_address
from heron.sim.app import App, happens, require, tool
from heron.sim.apps.email.records import (
    Email,
    EmailId,
    Folder,
    Text,
    answered,
    forwarded,
    with_prefix,
)
from heron.sim.attachments import Attachment, loaded, pack, save, take, unpack
from heron.sim.listing import Limit, Offset, page
from heron.sim.tables import AppRecord

Given = list[Attachment | str]
"""Attachments that arrive: names, or names and contents."""
Recipients = Annotated[list[Address], Field(min_length=1)]


class EmailApp(App):
    """Mails that came, that were sent, and that are still being written."""

    NAME = "email"
    TITLE = "Email"

    def setup(self) -> None:
        self.emails = self.table("emails", Email, "m")

    def folder(self, name: Folder) -> list[Email]:
        """The mails of a folder, newest first."""
        return _newest_first(mail for mail in self.emails if mail.folder == name)

    def found(self, query: str, folder: Folder | None = None) -> list[Email]:
        """The mails in which all words of ``query`` stand, newest first."""
        places = [mail for mail in self.emails if folder is None or mail.folder == folder]
        return _newest_first(mail for mail in places if mail.matches(query))

    def thread(self, email_id: str) -> list[Email]:
        """The other mails of a conversation by mail: those it answers and those that answer it."""
        mail = self.emails.get(email_id)
        earlier: list[Email] = []
        while mail.parent_id is not None:
            parent = self.emails.find(mail.parent_id)
            if parent is None or parent in earlier or parent.ref == email_id:
                break
            earlier.insert(0, parent)
            mail = parent
        later = [m for m in self.emails if m.parent_id == email_id and m.folder != "DRAFT"]
        return [*earlier, *(m for m in later if m not in earlier)]

    def blank(self) -> Email:
        """A new mail, not yet stored."""
        return Email(email_id="", sender=self.owner.email, timestamp=self.now)

    def answer(self, mail: Email, everybody: bool = False) -> Email:
        """An empty answer to a mail, not yet stored."""
        own = self.owner.email
        to = mail.recipients if mail.sender == own else (mail.sender,)
        others = [a for a in (*mail.recipients, *mail.cc) if a not in (own, *to)]
        return self.blank().model_copy(
            update={
                "recipients": _each_once(to),
                "cc": _each_once(others) if everybody else (),
                "subject": with_prefix("Re", mail.subject),
                "parent_id": mail.ref,
                "quoted": answered(mail),
            }
        )

    def forwarding(self, mail: Email) -> Email:
        """A mail that forwards another, to nobody yet, not yet stored."""
        return self.blank().model_copy(
            update={
                "subject": with_prefix("Fwd", mail.subject),
                "attachments": mail.attachments,
                "enclosed": mail.enclosed,
                "parent_id": mail.ref,
                "quoted": forwarded(mail),
            }
        )

    # --- tools ---

    @tool("read")
    def list_emails(
        self, folder_name: Folder = "INBOX", offset: Offset = 0, limit: Limit = 10
    ) -> dict[str, Any]:
        """Mails of a folder, newest first; offset skips the newest."""
        return page("emails", self.folder(folder_name), offset, limit)

    @tool("read")
    def get_email_by_id(self, email_id: EmailId) -> Email:
        """One mail in full."""
        return self.emails.get(email_id)

    @tool("read")
    def get_email_by_index(self, index: Offset, folder_name: Folder = "INBOX") -> Email:
        """The mail at a place in a folder, 0 being the newest."""
        mails = self.folder(folder_name)
        require(mails, f"{folder_name} is empty")
        require(index < len(mails), f"{folder_name} has mails 0 to {len(mails) - 1}")
        return mails[index]

    @tool("read")
    def search_emails(
        self, query: str, folder_name: Folder | None = None, offset: Offset = 0, limit: Limit = 10
    ) -> dict[str, Any]:
        """Mails in which all words of query stand, newest first; without a folder, in all."""
        require(query.strip(), "query needs at least one word")
        return page("emails", self.found(query, folder_name), offset, limit)

    @tool("write")
    def send_email(
        self,
        recipients: Recipients,
        subject: Text,
        content: Text,
        cc: list[Address] | None = None,
        attachment_paths: list[str] | None = None,
    ) -> Email:
        """Send a new mail to addresses, with files of the phone by their paths."""
        return self.post(
            self.blank(),
            recipients=_each_once(recipients),
            cc=_each_once(cc or ()),
            subject=subject,
            content=content,
            **self.attached(attachment_paths or ()),
        )

    @tool("write")
    def reply_to_email(
        self,
        email_id: EmailId,
        content: Text,
        reply_all: bool = False,
        attachment_paths: list[str] | None = None,
    ) -> Email:
        """Answer a mail; its sender gets the answer, with reply_all everybody who got the mail."""
        require(content.strip(), "an answer needs a text")
        return self.post(
            self.answer(self.received_or_sent(email_id), reply_all),
            content=content,
            **self.attached(attachment_paths or ()),
        )

    @tool("write")
    def forward_email(self, email_id: EmailId, recipients: Recipients, content: Text = "") -> Email:
        """Forward a mail with its attachments; content is what you add to it."""
        return self.post(
            self.forwarding(self.received_or_sent(email_id)),
            recipients=_each_once(recipients),
            content=content,
        )

    @tool("write")
    def move_email(self, email_id: EmailId, dest_folder_name: Folder) -> Email:
        """Move a mail to another folder."""
        mail = self.received_or_sent(email_id)
        require(dest_folder_name != "DRAFT", "only mails not yet sent lie in DRAFT")
        require(mail.folder != dest_folder_name, f"{email_id} is in {dest_folder_name} already")
        return self.emails.change(email_id, folder=dest_folder_name)

    @tool("write")
    def delete_email(self, email_id: EmailId) -> str:
        """Move a mail to TRASH; from TRASH and DRAFT it is deleted for good."""
        mail = self.emails.get(email_id)
        if mail.folder in ("TRASH", "DRAFT"):
            self.emails.delete(email_id)
            return f"deleted {email_id} for good"
        self.emails.change(email_id, folder="TRASH")
        return f"moved {email_id} to TRASH"

    @tool("write")
    def download_attachments(self, email_id: EmailId) -> list[str]:
        """Save all attachments of a mail in the files app; the answer is their paths there."""
        mail = self.emails.get(email_id)
        require(mail.attachments, f"{email_id} has no attachments")
        saved = save(self.services.files, unpack(mail.attachments, mail.enclosed))
        self.emails.change(email_id, downloaded=mail.attachments)
        return saved

    # --- what other people do ---

    @happens
    def receive(
        self,
        sender: Address,
        subject: Text,
        content: Text,
        cc: list[Address] | None = None,
        attachments: Given | None = None,
        email_id: str | None = None,
    ) -> Email:
        """A mail arrives."""
        return self._arrive(
            sender,
            email_id,
            recipients=(self.owner.email,),
            cc=_each_once(cc or ()),
            subject=subject,
            content=content,
            **pack(attachments or ()),
        )

    @happens
    def reply_to_user(
        self,
        email_id: EmailId,
        sender: Address,
        content: Text,
        attachments: Given | None = None,
        reply_id: str | None = None,
    ) -> Email:
        """Somebody answers a mail that was sent from this phone."""
        mail = self.received_or_sent(email_id)
        require(mail.sender == self.owner.email, f"{email_id} was not sent from here")
        return self._arrive(
            sender,
            reply_id,
            recipients=(self.owner.email,),
            subject=with_prefix("Re", mail.subject),
            content=content,
            **pack(attachments or ()),
            parent_id=mail.ref,
            quoted=answered(mail),
        )

    # --- scenario data ---

    def add(self, table_name: str, fields: Mapping[str, Any]) -> AppRecord:
        """Load one mail; an attachment is a name, or a name and content."""
        return super().add(table_name, loaded(fields, "attachments"))

    # --- for screens ---

    def attached(self, paths: Iterable[str], mail: Email | None = None) -> dict[str, Any]:
        """The fields of a mail that says what is attached: files of the phone by their paths,
        beside what ``mail`` carries already.

        Raises:
            IllegalCall: there is no such file.
        """
        there = [] if mail is None else unpack(mail.attachments, mail.enclosed)
        return pack([*there, *take(self.services.files, paths)])

    def received_or_sent(self, email_id: str) -> Email:
        """A mail that is no draft.

        Raises:
            IllegalCall: there is none, or it is a draft.
        """
        mail = self.emails.get(email_id)
        require(mail.folder != "DRAFT", f"{email_id} is a draft: it can only be sent or deleted")
        return mail

    def post(self, mail: Email, **fields: Any) -> Email:
        """Send a mail, its ``fields`` filled in; one that lay in DRAFT leaves it.

        Raises:
            IllegalCall: it has no recipients, a wrong address, or nothing to say.
        """
        mail = mail.model_copy(update=fields)
        require(mail.recipients, "a mail needs at least one recipient")
        wrong = [a for a in (*mail.recipients, *mail.cc) if not is_address(a)]
        require(not wrong, f"{wrong} is not an email address (name@example.org)")
        said = mail.subject.strip() or mail.content.strip() or mail.attachments
        require(said, "a mail needs a subject or a text")
        return self._keep(mail, "SENT")

    def save_draft(self, mail: Email) -> Email:
        """Keep a mail that is not finished."""
        return self._keep(mail, "DRAFT")

    def _keep(self, mail: Email, folder: Folder) -> Email:
        ref = mail.ref if mail.ref in self.emails else self.emails.new_id()
        kept = {"email_id": ref, "folder": folder, "is_read": True, "timestamp": self.now}
        return self.emails.put(mail.model_copy(update=kept))

    def _arrive(self, sender: str, wanted: str | None, **fields: Any) -> Email:
        ref = self.claim(self.emails, wanted)
        mail = Email(email_id=ref, sender=sender, timestamp=self.now, **fields)
        self.notify(f"{sender}: {mail.subject}", mail.content, mail)
        return self.emails.put(mail)


def _newest_first(mails: Iterable[Email]) -> list[Email]:
    """Of equal times, the one stored last comes first."""
    return sorted(mails, key=lambda mail: mail.timestamp)[::-1]


def _each_once(addresses: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(addresses))
