"""The notes app's tools, and notes that come from other devices and people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from heron.errors import IllegalCall
from heron.sim.app import App, happens, require, tool
from heron.sim.apps.notes.records import (
    USUAL,
    FolderName,
    Note,
    NoteFolder,
    NoteId,
    Text,
    titled,
)
from heron.sim.attachments import Attachment, loaded, pack, save, take, unpack
from heron.sim.listing import Limit, Offset, matches, page
from heron.sim.tables import AppRecord

_LIKE_AN_ID = re.compile(r"[a-z]\d+")


class NotesApp(App):
    """Where the owner writes things down."""

    NAME = "notes"
    TITLE = "Notes"

    def setup(self) -> None:
        self.folders = self.table("folders", NoteFolder, "note_folder:")
        self.notes = self.table("notes", Note, "n")
        for name in USUAL:
            self.folders.put(NoteFolder(folder_name=name))

    # --- tools: notes ---

    @tool("read")
    def get_note_by_id(self, note_id: NoteId) -> Note:
        """One note in full."""
        return self.notes.get(note_id)

    @tool("read")
    def list_notes(
        self, folder: FolderName = "Inbox", offset: Offset = 0, limit: Limit = 10
    ) -> dict[str, Any]:
        """Notes of a folder, pinned ones first, then the newest."""
        self.folders.get(folder)
        return page("notes", self.listed(folder), offset, limit)

    @tool("read")
    def search_notes(self, query: str) -> list[Note]:
        """Notes whose title, content or attachments have all the words."""
        return self.listed(None, query)

    @tool("read")
    def search_notes_in_folder(self, query: str, folder_name: FolderName = "Inbox") -> list[Note]:
        """Notes of a folder whose title, content or attachments have all the words."""
        self.folders.get(folder_name)
        return self.listed(folder_name, query)

    @tool("read")
    def list_attachments(self, note_id: NoteId) -> list[str]:
        """Names of the files attached to a note."""
        return list(self.notes.get(note_id).attachments)

    @tool("write")
    def create_note(
        self,
        title: Text = "",
        content: Text = "",
        folder: FolderName = "Inbox",
        pinned: bool = False,
    ) -> Note:
        """Write a note; without a title it begins with its content."""
        require(title.strip() or content.strip(), "a note needs a title or content")
        self.folders.get(folder)
        return self.notes.put(
            Note(
                note_id=self.notes.new_id(),
                title=titled(title, content),
                content=content,
                folder=folder,
                pinned=pinned,
                created_at=self.now,
                updated_at=self.now,
            )
        )

    @tool("write")
    def update_note(
        self,
        note_id: NoteId,
        title: Text | None = None,
        content: Text | None = None,
        pinned: bool | None = None,
    ) -> Note:
        """Change title, content or pin of a note; what is left out stays, content is replaced."""
        old = self.notes.get(note_id)
        given = {"title": title, "content": content, "pinned": pinned}
        fields: dict[str, Any] = {k: v for k, v in given.items() if v is not None}
        require(fields, f"nothing to change in {note_id}; give a title, content or pinned")
        written = titled(
            old.title if title is None else title, old.content if content is None else content
        )
        require(written, "a note needs a title or content")
        return self.notes.change(note_id, **{**fields, "title": written}, updated_at=self.now)

    @tool("write")
    def delete_note(self, note_id: NoteId) -> str:
        """Delete a note."""
        return f"deleted {self.notes.delete(note_id).line()}"

    @tool("write")
    def move_note(
        self,
        note_id: NoteId,
        dest_folder_name: FolderName,
        source_folder_name: FolderName | None = None,
    ) -> Note:
        """Move a note into another folder; a source_folder_name, if given, has to be right."""
        old = self._in_folder(note_id, source_folder_name)
        self.folders.get(dest_folder_name)
        require(old.folder != dest_folder_name, f"{note_id} lies in {old.folder} already")
        return self.notes.change(note_id, folder=dest_folder_name)

    @tool("write")
    def duplicate_note(self, note_id: NoteId, folder_name: FolderName | None = None) -> Note:
        """Copy a note within its folder; a folder_name, if given, has to be right."""
        old = self._in_folder(note_id, folder_name)
        new = {"note_id": self.notes.new_id(), "title": f"Copy of {old.title}", "pinned": False}
        times = {"created_at": self.now, "updated_at": self.now}
        return self.notes.put(old.model_copy(update={**new, **times}))

    @tool("write")
    def add_attachment_to_note(self, note_id: NoteId, attachment_path: str) -> Note:
        """Attach a file of the phone by its path."""
        old, new = self.notes.get(note_id), take(self.services.files, [attachment_path])
        (name,) = pack(new)["attachments"]
        require(name not in old.attachments, f"{name!r} is attached to {note_id} already")
        there = unpack(old.attachments, old.enclosed)
        return self.notes.change(note_id, **pack([*there, *new]), updated_at=self.now)

    @tool("write")
    def remove_attachment(self, note_id: NoteId, attachment: str) -> Note:
        """Take an attached file off a note."""
        old = self.notes.get(note_id)
        there = ", ".join(old.attachments) or "nothing"
        attached = attachment in old.attachments
        require(attached, f"{attachment!r} is not attached to {note_id}; {there} is")
        left = [a for a in unpack(old.attachments, old.enclosed) if a.name != attachment]
        return self.notes.change(note_id, **pack(left), updated_at=self.now)

    @tool("write")
    def download_attachments(self, note_id: NoteId) -> list[str]:
        """Save all attachments of a note in the files app; the answer is their paths there."""
        note = self.notes.get(note_id)
        require(note.attachments, f"{note_id} has no attachments")
        return save(self.services.files, unpack(note.attachments, note.enclosed))

    # --- tools: folders ---

    @tool("read")
    def list_folders(self) -> list[NoteFolder]:
        """All folders."""
        return list(self.folders)

    @tool("write")
    def new_folder(self, folder_name: str) -> NoteFolder:
        """Create a folder."""
        return self.folders.put(NoteFolder(folder_name=self._free(folder_name)))

    @tool("write")
    def rename_folder(self, folder: FolderName, new_folder: str) -> NoteFolder:
        """Rename a folder of the owner's own."""
        self._check_own(folder)
        made = self.folders.put(NoteFolder(folder_name=self._free(new_folder)))
        for note in self.listed(folder):
            self.notes.change(note.ref, folder=made.ref)
        self.folders.delete(folder)
        return made

    @tool("write")
    def delete_folder(self, folder_name: FolderName) -> str:
        """Delete a folder of the owner's own with the notes in it."""
        self._check_own(folder_name)
        inside = self.listed(folder_name)
        for note in inside:
            self.notes.delete(note.ref)
        self.folders.delete(folder_name)
        return f"deleted {folder_name} and {len(inside)} notes"

    # --- happenings ---

    @happens
    def sync_delete_folder(self, folder_name: FolderName) -> str:
        """A folder is deleted on another device, with the notes in it."""
        told = self.delete_folder(folder_name)
        self.notify("Folder deleted on another device", told, None)
        return told

    @happens
    def receive_note(
        self,
        title: Text,
        content: Text,
        folder: FolderName = "Inbox",
        sender: str = "",
        attachments: list[Attachment | str] | None = None,
    ) -> Note:
        """A note arrives that somebody shares, or that was written on another device."""
        made = self.create_note(title, content, folder)
        made = self.notes.change(made.ref, **pack(attachments or ()))
        said = f"Note from {sender}" if sender.strip() else "New note"
        self.notify(said, f"{made.title}: {made.content}", made)
        return made

    @happens
    def sync_update_note(self, note_id: NoteId, content: Text, sender: str = "") -> Note:
        """A shared note is changed by somebody else, or on another device."""
        new = self.update_note(note_id, content=content)
        said = f"Note changed by {sender}" if sender.strip() else "Note changed"
        self.notify(said, f"{new.title}: {new.content}", new)
        return new

    # --- backend of screens ---

    def listed(self, folder: str | None, query: str = "") -> list[Note]:
        """Notes of one folder or all, with all the words; pinned first, then the newest."""
        there = [n for n in self.notes if folder is None or n.folder == folder]
        found = [n for n in there if matches(query, [n.title, n.content, *n.attachments])]
        newest = sorted(found, key=lambda n: n.updated_at)[::-1]
        return sorted(newest, key=lambda n: not n.pinned)

    # --- scenario data ---

    def fill(self, content: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Load records; folders that are there already may be named again."""
        rows = content.get("folders", ())
        new = [row for row in rows if row.get("folder_name") not in self.folders]
        super().fill({**content, "folders": new} if "folders" in content else content)

    def add(self, table_name: str, fields: Mapping[str, Any]) -> AppRecord:
        """Load one record; of a note, times may be left out, and its folder comes along."""
        if table_name != "notes":
            return super().add(table_name, fields)
        created = fields.get("created_at", fields.get("updated_at", self.now))
        usual = {"created_at": created, "updated_at": created}
        usual["title"] = titled(str(fields.get("title", "")), str(fields.get("content", "")))
        row = super().add(table_name, {**usual, **loaded(fields, "attachments")})
        if isinstance(row, Note) and row.folder not in self.folders:
            self.folders.put(NoteFolder(folder_name=row.folder))
        return row

    # --- inside ---

    def _in_folder(self, note_id: str, folder: str | None) -> Note:
        note = self.notes.get(note_id)
        if folder is not None and note.folder != self.folders.get(folder).ref:
            raise IllegalCall(f"{note_id} is not in {folder}; it lies in {note.folder}")
        return note

    def _free(self, name: str) -> str:
        """The name of a new folder in one form. It is its id too: no other record may have it."""
        bare = " ".join(name.split())
        require(bare, "a folder needs a name")
        require(len(bare) <= 60, "a folder's name has at most 60 characters")
        require(not _LIKE_AN_ID.fullmatch(bare), f"{bare!r} looks like an id; take another name")
        taken = self.services.record(bare)
        require(taken is None, f"{bare!r} is taken already; take another name")
        return bare

    def _check_own(self, name: str) -> None:
        self.folders.get(name)
        own = ", ".join(f.ref for f in self.folders if f.ref not in USUAL) or "there are none"
        require(name not in USUAL, f"{name} stays as it is; only your own folders: {own}")
