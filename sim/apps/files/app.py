"""The file store: list, read, search; create, write, copy, move, rename, delete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count, takewhile
from typing import Any

from heron.errors import IllegalCall
from heron.registry import nearest
from heron.sim.app import App, happens, require, tool
from heron.sim.apps.files.records import (
    ROOT,
    File,
    FileId,
    Folder,
    FolderPath,
    Name,
    NewPath,
    Text,
    joined,
    parent,
    size_of,
)
from heron.sim.attachments import LONGEST
from heron.sim.listing import Limit, Offset, matches, page
from heron.sim.tables import AppRecord

DOWNLOADS = "/Downloads"
FOLDERS = (ROOT, "/Documents", DOWNLOADS, "/Pictures")
"""Those that every phone has; they cannot be deleted."""
DEEPEST = 12


class FilesApp(App):
    """Where the owner keeps files."""

    NAME = "files"
    TITLE = "Files"

    def setup(self) -> None:
        self.folders = self.table("folders", Folder, "folder:")
        self.files = self.table("files", File, "f")
        for path in FOLDERS:
            self.folders.put(Folder(path=path))

    # --- tools ---

    @tool("read")
    def list_files(self, folder: FolderPath = ROOT) -> dict[str, Any]:
        """Folders and files that lie in a folder."""
        self.folders.get(folder)
        return {"folders": self.subfolders(folder), "files": self.files_in(folder)}

    @tool("read")
    def list_folders(self) -> list[Folder]:
        """All folders, by path."""
        return sorted(self.folders, key=lambda folder: folder.path)

    @tool("read")
    def read_file(self, file_id: FileId) -> File:
        """One file with its content."""
        return self.files.get(file_id)

    @tool("read")
    def find_file(self, path: str) -> File:
        """The file at a path, such as /Documents/lease.txt."""
        found = next((file for file in self.files if file.path == path.strip()), None)
        if found is None:
            raise IllegalCall(f"no file at {path!r}; search_files finds files by their words")
        return found

    @tool("read")
    def search_files(self, query: str, offset: Offset = 0, limit: Limit = 10) -> dict[str, Any]:
        """Files whose path or content has all the words."""
        return page("files", self.search(query), offset, limit)

    @tool("write")
    def create_file(
        self, name: Name, content: Text = "", folder: FolderPath = "/Documents"
    ) -> File:
        """Create a text file."""
        self.folders.get(folder)
        self._check_free(folder, name)
        return self.files.put(
            File(
                file_id=self.files.new_id(),
                name=name,
                folder=folder,
                content=content,
                size=size_of(content),
                created_at=self.now,
                modified_at=self.now,
            )
        )

    @tool("write")
    def write_file(self, file_id: FileId, content: Text) -> File:
        """Replace what a file says."""
        return self.files.change(
            file_id, content=content, size=size_of(content), modified_at=self.now
        )

    @tool("write")
    def copy_file(self, file_id: FileId, folder: FolderPath, name: Name | None = None) -> File:
        """Copy a file into a folder, under another name if one is given."""
        old = self.files.get(file_id)
        self.folders.get(folder)
        self._check_free(folder, name or old.name)
        changes = {"file_id": self.files.new_id(), "folder": folder, "name": name or old.name}
        return self.files.put(old.model_copy(update={**changes, "created_at": self.now}))

    @tool("write")
    def move_file(self, file_id: FileId, folder: FolderPath) -> File:
        """Move a file into another folder."""
        old = self.files.get(file_id)
        self.folders.get(folder)
        require(old.folder != folder, f"{file_id} lies in {folder} already")
        self._check_free(folder, old.name)
        return self.files.change(file_id, folder=folder)

    @tool("write")
    def rename_file(self, file_id: FileId, name: Name) -> File:
        """Give a file another name."""
        old = self.files.get(file_id)
        require(old.name != name, f"{file_id} is called {name!r} already")
        self._check_free(old.folder, name)
        return self.files.change(file_id, name=name)

    @tool("write")
    def delete_file(self, file_id: FileId) -> str:
        """Delete a file."""
        return f"deleted {self.files.delete(file_id).path}"

    @tool("write")
    def create_folder(self, path: NewPath) -> Folder:
        """Create a folder, with the folders that it lies in."""
        require(self.services.record(path) is None, f"there is a folder {path} already")
        require(path.count("/") <= DEEPEST, f"{path} is too deep; {DEEPEST} folders are the most")
        above = parent(path)
        self._check_free(above, path.rpartition("/")[2])
        if above not in self.folders:
            self.create_folder(above)
        return self.folders.put(Folder(path=path))

    @tool("write")
    def delete_folder(self, path: FolderPath, recursive: bool = False) -> str:
        """Delete a folder; with recursive also one that holds something."""
        self.folders.get(path)
        require(path not in FOLDERS, f"{path} stays; only folders of your own can be deleted")
        below = [f.path for f in self.folders if f.path.startswith(f"{path}/")]
        inside = [f.ref for f in self.files if f.folder in (path, *below)]
        held = f"{path} holds {len(below)} folders and {len(inside)} files; set recursive"
        require(recursive or not (below or inside), held)
        for ref in inside:
            self.files.delete(ref)
        for folder in (*below, path):
            self.folders.delete(folder)
        return f"deleted {path}"

    # --- happenings ---

    @happens
    def receive_file(
        self, name: Name, content: Text = "", folder: FolderPath = "/Downloads"
    ) -> File:
        """A file arrives, by a share or a download."""
        made = self.create_file(name, content, folder)
        self.notify("New file", made.line(), made)
        return made

    # --- backend of screens ---

    def subfolders(self, path: str) -> list[Folder]:
        """Folders that lie in a folder, by path."""
        return [f for f in self.list_folders() if f.path != ROOT and parent(f.path) == path]

    def files_in(self, path: str) -> list[File]:
        """Files that lie in a folder, by name."""
        return sorted((f for f in self.files if f.folder == path), key=lambda f: f.name)

    def search(self, query: str, below: str = ROOT) -> list[File]:
        """Files at or below a folder whose path or content has all the words, by path."""
        start = below.rstrip("/") + "/"
        there = [f for f in self.files if f.path.startswith(start)]
        found = [f for f in there if matches(query, [f.path, f.content])]
        return sorted(found, key=lambda f: f.path)

    def free_name(self, folder: str, name: str) -> str:
        """``name``, or the first ``name (2)``, ``name (3)``, … that is free in a folder."""
        taken = {file.name for file in self.files_in(folder)}
        taken |= {sub.path.rpartition("/")[2] for sub in self.subfolders(folder)}
        return next(one for one in _numbered(name) if one not in taken)

    # --- file store of the other apps ---

    def file_store(self) -> FilesApp:
        return self

    def look_up(self, path: str) -> File:
        """The file at a path, or the only one with a name or an id.

        Raises:
            IllegalCall: there is none, or several have the name.
        """
        wanted = path.strip()
        absolute = wanted if wanted.startswith(ROOT) else ROOT + wanted
        found = [file for file in self.files if file.path == absolute or file.ref == wanted]
        found = found or [file for file in self.files if file.name == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            places = ", ".join(file.path for file in found[:5])
            raise IllegalCall(f"several files are called {wanted!r}: {places}; give the path")
        known = [file.path for file in self.files]
        there = nearest(absolute, known) if known else "there is no file at all"
        raise IllegalCall(f"no file {wanted!r} on this phone; {there}")

    def keep(self, name: str, content: str) -> File | None:
        """Save a file in Downloads, under ``name (2)``, … where another has its name.

        Returns:
            the new file, or ``None`` if the same one has been saved there before.
        """
        there = {file.name: file.content for file in self.files_in(DOWNLOADS)}
        free = self.free_name(DOWNLOADS, name)
        for one in takewhile(lambda one: one != free, _numbered(name)):
            if there.get(one) == content:
                return None
        return self.create_file(free, content, DOWNLOADS)

    # --- scenario data ---

    def add(self, table_name: str, fields: Mapping[str, Any]) -> AppRecord:
        """Load one record; of a file, times and size may be left out, folders come along."""
        if table_name != "files":
            return super().add(table_name, fields)
        usual = {
            "size": size_of(str(fields.get("content", ""))),
            "created_at": fields.get("modified_at", self.now),
            "modified_at": fields.get("created_at", self.now),
        }
        row = super().add(table_name, {**usual, **fields})
        if isinstance(row, File) and row.folder not in self.folders:
            self.create_folder(row.folder)
        return row

    def _check_free(self, folder: str, name: str) -> None:
        free = self.free_name(folder, name)
        require(free == name, f"{joined(folder, name)} is there already; take {free!r}")


def _numbered(name: str) -> Iterator[str]:
    """A name, and the ones under which further files of that name are kept."""
    stem, dot, ending = name.rpartition(".")
    base, end = (stem, dot + ending) if stem and len(ending) < 20 else (name, "")
    yield name
    for number in count(2):
        tail = f" ({number}){end}"
        yield base[: LONGEST - len(tail)] + tail
