"""The notes app's screens: notes, a note, the form, where to move a note, folders."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from heron.contracts import Item
from heron.sim.apps.notes.app import NotesApp
from heron.sim.apps.notes.records import USUAL, FolderName, Note, NoteId, Text
from heron.sim.listing import short
from heron.sim.screens import Screen, action, item, label


@dataclass(frozen=True)
class NoteList(Screen[NotesApp]):
    """Notes, all or those of a folder, all or those that a search finds."""

    folder: FolderName | None = None
    query: str = ""

    def title(self, app: NotesApp) -> str:
        place = self.folder or "All notes"
        return f"{place}: {short(self.query, 40)}" if self.query else place

    def items(self, app: NotesApp) -> Iterable[Item]:
        for note in app.listed(self.folder, self.query):
            yield _row(note)

    @action()
    def list_notes(self, app: NotesApp) -> NoteList:
        """Show all notes."""
        return NoteList()

    @action()
    def search(self, app: NotesApp, keyword: str) -> NoteList:
        """Show the notes here that have all the words."""
        return replace(self, query=keyword.strip())

    @action()
    def open(self, app: NotesApp, note_id: NoteId) -> NoteDetail:
        """Open a note."""
        return NoteDetail(app.notes.get(note_id).ref)

    @action()
    def new_note(self, app: NotesApp) -> EditNote:
        """Start a new note here."""
        return EditNote(folder=self.folder or USUAL[0])

    @action()
    def list_folders(self, app: NotesApp) -> FolderList:
        """Go to the folders."""
        return FolderList()


@dataclass(frozen=True)
class NoteDetail(Screen[NotesApp]):
    """One note."""

    SHOWS = "note"
    note_id: NoteId

    def title(self, app: NotesApp) -> str:
        return short(app.notes.get(self.note_id).title, 80)

    def items(self, app: NotesApp) -> Iterable[Item]:
        note = app.notes.get(self.note_id)
        yield item(note, "*", text=note.full())

    @action()
    def refresh(self, app: NotesApp) -> NoteDetail:
        """Show the note as it is now."""
        return self

    @action()
    def list_attachments(self, app: NotesApp) -> NoteDetail:
        """Look at the files attached to this note."""
        return self

    @action("write")
    def add_attachment(self, app: NotesApp, attachment_path: str) -> NoteDetail:
        """Attach a file of the phone by its path."""
        app.add_attachment_to_note(self.note_id, attachment_path)
        return self

    @action("write", when=lambda screen, app: bool(app.notes.get(screen.note_id).attachments))
    def remove_attachment(self, app: NotesApp, attachment: str) -> NoteDetail:
        """Take an attached file off this note."""
        app.remove_attachment(self.note_id, attachment)
        return self

    @action("write", when=lambda screen, app: bool(app.notes.get(screen.note_id).attachments))
    def download_attachments(self, app: NotesApp) -> NoteDetail:
        """Save the attachments in the files app."""
        app.download_attachments(self.note_id)
        return self

    @action("write", when=lambda screen, app: not app.notes.get(screen.note_id).pinned)
    def pin(self, app: NotesApp) -> NoteDetail:
        """Pin this note to the top."""
        app.update_note(self.note_id, pinned=True)
        return self

    @action("write", when=lambda screen, app: app.notes.get(screen.note_id).pinned)
    def unpin(self, app: NotesApp) -> NoteDetail:
        """Let this note take its turn again."""
        app.update_note(self.note_id, pinned=False)
        return self

    @action()
    def edit(self, app: NotesApp) -> EditNote:
        """Edit this note."""
        old = app.notes.get(self.note_id)
        return EditNote(old.ref, old.folder, old.title, old.content)

    @action("write")
    def duplicate(self, app: NotesApp) -> NoteDetail:
        """Make a copy of this note and open it."""
        return NoteDetail(app.duplicate_note(self.note_id).ref)

    @action()
    def move(self, app: NotesApp) -> MoveNote:
        """Choose another folder for this note."""
        return MoveNote(self.note_id)

    @action("write")
    def delete(self, app: NotesApp) -> NoteList:
        """Delete this note."""
        app.delete_note(self.note_id)
        return NoteList()


@dataclass(frozen=True)
class EditNote(Screen[NotesApp]):
    """The form of a new or an old note; nothing is stored before it is saved."""

    FORM = True
    note_id: NoteId | None = None
    folder: str = USUAL[0]
    name: str = ""
    content: str = ""

    def title(self, app: NotesApp) -> str:
        return "Edit note" if self.note_id else f"New note in {self.folder}"

    def items(self, app: NotesApp) -> Iterable[Item]:
        yield label(f"Title: {self.name}", "field")
        yield label(f"Content: {self.content}", "field")

    @action()
    def set_title(self, app: NotesApp, title: Text) -> EditNote:
        """Type the title."""
        return replace(self, name=title)

    @action(takes=40.0)
    def set_content(self, app: NotesApp, content: Text) -> EditNote:
        """Type the content."""
        return replace(self, content=content)

    @action("write", takes=60.0)
    def update(self, app: NotesApp, title: Text, content: Text) -> NoteDetail:
        """Type title and content and save the note."""
        return replace(self, name=title, content=content)._stored(app)

    @action("write", when=lambda screen, _: bool(screen.name.strip() or screen.content.strip()))
    def save(self, app: NotesApp) -> NoteDetail:
        """Save the note."""
        return self._stored(app)

    @action()
    def discard(self, app: NotesApp) -> NoteList:
        """Leave without saving."""
        return NoteList()

    def _stored(self, app: NotesApp) -> NoteDetail:
        if self.note_id is None:
            folder = self.folder if self.folder in app.folders else USUAL[0]
            return NoteDetail(app.create_note(self.name, self.content, folder).ref)
        return NoteDetail(app.update_note(self.note_id, self.name, self.content).ref)


@dataclass(frozen=True)
class MoveNote(Screen[NotesApp]):
    """Folders to move a note to."""

    FORM = True
    note_id: NoteId

    def title(self, app: NotesApp) -> str:
        return f"Move {short(app.notes.get(self.note_id).title, 60)}"

    def items(self, app: NotesApp) -> Iterable[Item]:
        here = app.notes.get(self.note_id).folder
        for folder in app.folders:
            if folder.ref != here:
                yield item(folder, "*")

    @action("write")
    def choose_folder(self, app: NotesApp, dest_folder_name: FolderName) -> NoteDetail:
        """Move the note into a folder."""
        app.move_note(self.note_id, dest_folder_name)
        return NoteDetail(self.note_id)


@dataclass(frozen=True)
class FolderList(Screen[NotesApp]):
    """All folders."""

    SHOWS = "note_folder"

    def title(self, app: NotesApp) -> str:
        return "Folders"

    def items(self, app: NotesApp) -> Iterable[Item]:
        for folder in app.folders:
            yield item(folder, "*", text=f"{folder.ref} ({len(app.listed(folder.ref))})")

    @action()
    def open(self, app: NotesApp, folder: FolderName) -> NoteList:
        """Open a folder."""
        return NoteList(app.folders.get(folder).ref)

    @action("write")
    def new_folder(self, app: NotesApp, folder_name: str) -> FolderList:
        """Create a folder."""
        app.new_folder(folder_name)
        return self

    @action("write")
    def rename_folder(self, app: NotesApp, folder: FolderName, new_folder: str) -> FolderList:
        """Rename a folder."""
        app.rename_folder(folder, new_folder)
        return self

    @action("write")
    def delete_folder(self, app: NotesApp, folder: FolderName) -> FolderList:
        """Delete a folder with the notes in it."""
        app.delete_folder(folder)
        return self


def _row(note: Note) -> Item:
    pin = "pinned, " if note.pinned else ""
    text = f"{short(note.title, 80)} ({pin}{note.folder}, {note.updated_at:%Y-%m-%d})"
    return item(note, "title", "folder", "pinned", "updated_at", text=text)
