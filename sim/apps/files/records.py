"""What the file store keeps, and what paths and names may look like."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field, NaiveDatetime

from heron.sim.attachments import clean_name
from heron.sim.listing import short
from heron.sim.marks import ID, PROSE, VOLATILE, Ref
from heron.sim.tables import AppRecord

ROOT = "/"
FileId = Annotated[str, Ref("file")]
FolderPath = Annotated[str, Ref("folder")]
Text = Annotated[str, PROSE]


def clean_path(path: str) -> str:
    """An absolute path in its one form: ``/Documents/Flat``.

    Raises:
        ValueError: it is relative, or has a part that is no name.
    """
    if not path.startswith(ROOT):
        raise ValueError(f"{path!r} is no absolute path; write /Documents")
    return ROOT + "/".join(clean_name(part) for part in path.split("/") if part)


Name = Annotated[str, AfterValidator(clean_name)]
NewPath = Annotated[str, AfterValidator(clean_path)]


class Folder(AppRecord):
    """A folder, known by its path."""

    KIND: ClassVar[str] = "folder"
    ID: ClassVar[str] = "path"

    path: Annotated[NewPath, ID]

    def line(self) -> str:
        return self.path

    def route(self, parameter: str) -> Any:
        return self.path if parameter == "folder_path" else None


class File(AppRecord):
    """A file."""

    KIND: ClassVar[str] = "file"
    ID: ClassVar[str] = "file_id"

    file_id: Annotated[str, ID]
    name: Name
    folder: Annotated[NewPath, Ref("folder")] = ROOT
    content: Text = ""
    """As text; what a picture shows, in words."""
    size: Annotated[int, Field(ge=0), VOLATILE]
    """Bytes."""
    created_at: Annotated[NaiveDatetime, VOLATILE]
    modified_at: Annotated[NaiveDatetime, VOLATILE]

    @property
    def path(self) -> str:
        """Folder and name."""
        return joined(self.folder, self.name)

    def line(self) -> str:
        said = f": {short(self.content)}" if self.content.strip() else ""
        return f"{self.path} ({shown_size(self.size)}){said}"

    def route(self, parameter: str) -> Any:
        return self.folder if parameter == "folder_path" else None


def joined(folder: str, name: str) -> str:
    """Path of something in a folder."""
    return f"{folder.rstrip('/')}/{name}"


def parent(path: str) -> str:
    """The folder that a path lies in; the root's is itself."""
    return path.rpartition("/")[0] or ROOT


def size_of(content: str) -> int:
    """Bytes of a text."""
    return len(content.encode())


def shown_size(size: int) -> str:
    """As people read it: ``2.1 kB``."""
    return f"{size} B" if size < 1000 else f"{size / 1000:.1f} kB"
