"""What the notes app stores: notes and the folders that they lie in."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import NaiveDatetime

from heron.sim.attachments import Enclosed, FileNames
from heron.sim.listing import short
from heron.sim.marks import ID, PROSE, VOLATILE, Ref
from heron.sim.tables import AppRecord

NoteId = Annotated[str, Ref("note")]
FolderName = Annotated[str, Ref("note_folder")]
Text = Annotated[str, PROSE]

USUAL = ("Inbox", "Personal", "Work")
"""Folders that every phone has; they cannot be renamed or deleted."""


class NoteFolder(AppRecord):
    """A folder, known by its name."""

    KIND: ClassVar[str] = "note_folder"
    ID: ClassVar[str] = "folder_name"

    folder_name: Annotated[str, ID]

    def line(self) -> str:
        return f"folder '{short(self.folder_name, 60)}'"


class Note(AppRecord):
    """A note."""

    KIND: ClassVar[str] = "note"
    ID: ClassVar[str] = "note_id"

    note_id: Annotated[str, ID]
    title: Text
    content: Text = ""
    folder: FolderName = "Inbox"
    pinned: bool = False
    """Pinned notes come first."""
    attachments: FileNames = ()
    """Names of files."""
    enclosed: Enclosed = ()
    created_at: Annotated[NaiveDatetime, VOLATILE]
    updated_at: Annotated[NaiveDatetime, VOLATILE]

    def line(self) -> str:
        said = f": {short(self.content)}" if self.content.strip() else ""
        files = f" [{', '.join(self.attachments)}]" if self.attachments else ""
        pin = ", pinned" if self.pinned else ""
        place = f"in {self.folder}{pin}, {self.updated_at:%Y-%m-%d %H:%M}"
        return short(f"'{short(self.title, 80)}' {place}{said}{files}", 400)

    def full(self) -> str:
        """All of it, as on its own screen."""
        head = f"{self.folder}, {self.updated_at:%Y-%m-%d %H:%M}" + (", pinned" * self.pinned)
        files = [f"Attached: {', '.join(self.attachments)}"] if self.attachments else []
        return "\n".join([self.title, head, *files, "", self.content]).rstrip()


def titled(title: str, content: str) -> str:
    """The title, or the content's first 50 characters where there is none."""
    return title.strip() or short(content, 50)
