"""Notes in folders, some of them pinned; an app of the phone."""

from __future__ import annotations

from heron.sim.apps.notes.app import NotesApp
from heron.sim.apps.notes.screens import EditNote, FolderList, MoveNote, NoteDetail, NoteList

NotesApp.ROOT = NoteList
NotesApp.SCREENS = (NoteList, NoteDetail, EditNote, MoveNote, FolderList)
APP = NotesApp
