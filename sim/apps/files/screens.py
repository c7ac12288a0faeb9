"""The file store's screens: a folder, a file, and where to move it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heron.contracts import Item
from heron.sim.apps.files.app import FOLDERS, FilesApp
from heron.sim.apps.files.records import (
    ROOT,
    File,
    FileId,
    FolderPath,
    Name,
    Text,
    joined,
    parent,
    shown_size,
)
from heron.sim.listing import short
from heron.sim.screens import Screen, action, item


@dataclass(frozen=True)
class FolderList(Screen[FilesApp]):
    """What lies in a folder, or what a search finds in and below it."""

    SHOWS = "folder"
    folder: FolderPath = ROOT
    query: str = ""

    def title(self, app: FilesApp) -> str:
        return f"{self.folder}: {short(self.query, 40)}" if self.query else self.folder

    def items(self, app: FilesApp) -> Iterable[Item]:
        yield item(app.folders.get(self.folder), "*")
        if self.query:
            for file in app.search(self.query, self.folder):
                yield _row(file, file.path)
            return
        for folder in app.subfolders(self.folder):
            yield item(folder, "*")
        for file in app.files_in(self.folder):
            yield _row(file, file.name)

    @action()
    def open_folder(self, app: FilesApp, path: FolderPath) -> FolderList:
        """Open a folder."""
        return FolderList(app.folders.get(path).ref)

    @action(when=lambda screen, _: screen.folder != ROOT or bool(screen.query))
    def open_parent(self, app: FilesApp) -> FolderList:
        """Leave the search, or go to the folder above."""
        return FolderList(self.folder if self.query else parent(self.folder))

    @action()
    def go_to(self, app: FilesApp, folder_path: str) -> FolderList:
        """Type the path of a folder."""
        return FolderList(app.folders.get(folder_path).ref)

    @action()
    def search(self, app: FilesApp, query: str) -> FolderList:
        """Look for files in this folder and those below it."""
        return FolderList(self.folder, query.strip())

    @action()
    def open_file(self, app: FilesApp, file_id: FileId) -> FileDetail:
        """Open a file."""
        return FileDetail(app.files.get(file_id).ref)

    @action("write")
    def create_file(self, app: FilesApp, name: Name, content: Text = "") -> FileDetail:
        """Create a text file in this folder."""
        return FileDetail(app.create_file(name, content, self.folder).ref)

    @action("write")
    def create_folder(self, app: FilesApp, name: Name) -> FolderList:
        """Create a folder in this folder."""
        app.create_folder(joined(self.folder, name))
        return FolderList(self.folder)

    @action("write", when=lambda screen, _: screen.folder not in FOLDERS)
    def delete_folder(self, app: FilesApp, recursive: bool = False) -> FolderList:
        """Delete this folder; with recursive also if it holds something."""
        app.delete_folder(self.folder, recursive)
        return FolderList(parent(self.folder))


@dataclass(frozen=True)
class FileDetail(Screen[FilesApp]):
    """One file."""

    SHOWS = "file"
    file_id: FileId

    def title(self, app: FilesApp) -> str:
        return app.files.get(self.file_id).name

    def items(self, app: FilesApp) -> Iterable[Item]:
        file = app.files.get(self.file_id)
        when = f"{file.modified_at:%Y-%m-%d %H:%M}"
        head = f"{file.path} ({shown_size(file.size)}), {when}"
        yield item(file, "*", text=f"{head}\n{file.content}" if file.content else head)

    @action("write")
    def rename(self, app: FilesApp, name: Name) -> FileDetail:
        """Give this file another name."""
        app.rename_file(self.file_id, name)
        return self

    @action("write", takes=40.0)
    def write(self, app: FilesApp, content: Text) -> FileDetail:
        """Replace what this file says."""
        app.write_file(self.file_id, content)
        return self

    @action()
    def move(self, app: FilesApp) -> MoveFile:
        """Choose another folder for this file."""
        return MoveFile(self.file_id)

    @action("write")
    def copy(self, app: FilesApp) -> FileDetail:
        """Make a copy beside this file."""
        file = app.files.get(self.file_id)
        name = app.free_name(file.folder, file.name)
        return FileDetail(app.copy_file(self.file_id, file.folder, name).ref)

    @action("write")
    def delete(self, app: FilesApp) -> FolderList:
        """Delete this file."""
        folder = app.files.get(self.file_id).folder
        app.delete_file(self.file_id)
        return FolderList(folder)


@dataclass(frozen=True)
class MoveFile(Screen[FilesApp]):
    """Folders to move a file to."""

    FORM = True
    file_id: FileId

    def title(self, app: FilesApp) -> str:
        return f"Move {app.files.get(self.file_id).name}"

    def items(self, app: FilesApp) -> Iterable[Item]:
        here = app.files.get(self.file_id).folder
        for folder in app.list_folders():
            if folder.path != here:
                yield item(folder, "*")

    @action("write")
    def choose_folder(self, app: FilesApp, path: FolderPath) -> FileDetail:
        """Move the file into a folder."""
        app.move_file(self.file_id, path)
        return FileDetail(self.file_id)


def _row(file: File, text: str) -> Item:
    return item(file, "name", "folder", "size", text=f"{text} ({shown_size(file.size)})")
