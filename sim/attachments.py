"""Files that travel with mails, messages and notes, and the seam to where the phone keeps files.

A record names what is attached to it and holds apart, as ``enclosed``, what the attachments say:
nobody is told that before they are saved on the phone. What it does not know: the apps that carry
attachments, and which app keeps files (one whose ``file_store`` is not ``None``, if any).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from heron.errors import IllegalCall
from heron.sim.app import require
from heron.sim.marks import PROSE, UNORDERED, UNTOLD

LONGEST = 120
"""Characters of a file's name."""


class Attachment(BaseModel):
    """A file that comes with something."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: Annotated[str, Field(min_length=1)]
    content: Annotated[str, PROSE] = ""
    """As text; what a picture shows, in words."""


class StoredFile(Protocol):
    """A file on the phone."""

    @property
    def name(self) -> str:
        """Without its folder."""

    @property
    def path(self) -> str:
        """Folder and name."""

    @property
    def content(self) -> str:
        """As text."""


class FileStore(Protocol):
    """Where the phone keeps files: what an app offers that keeps them."""

    def look_up(self, path: str) -> StoredFile:
        """The file at a path, or the only one with a name or an id.

        Raises:
            IllegalCall: there is none, or several; the message names some that there are.
        """

    def keep(self, name: str, content: str) -> StoredFile | None:
        """Save a file among the downloads, beside any other of its name.

        Returns:
            the new file, or ``None`` if the same one has been saved there before.
        """


def clean_name(name: str) -> str:
    """A file's or folder's name without spaces around it.

    Raises:
        ValueError: it is empty, too long, or holds a slash or a line break.
    """
    bare = name.strip()
    if not bare or bare in (".", "..") or "/" in bare or not bare.isprintable():
        raise ValueError(f"{name!r} is no file name; it needs letters, without / and line breaks")
    if len(bare) > LONGEST:
        raise ValueError(f"a file name has at most {LONGEST} characters")
    return bare


# --- fields of records --------------------------------------------------------------------------


def _name(given: Any) -> Any:
    """The name in what scenario data give as an attachment: a name, or a name and content."""
    if isinstance(given, Mapping):
        try:
            given = Attachment.model_validate(given)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            problem = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
            raise ValueError(f"{problem}; it is a name, or name and content") from error
    if isinstance(given, Attachment):
        given = given.name
    return clean_name(given.rpartition("/")[2]) if isinstance(given, str) else given


def _names(given: Any) -> Any:
    return tuple(map(_name, given)) if isinstance(given, list | tuple) else given


FileName = Annotated[str | None, BeforeValidator(_name)]
FileNames = Annotated[tuple[str, ...], BeforeValidator(_names), UNORDERED]
Enclosed = Annotated[tuple[Attachment, ...], UNTOLD]
"""What attachments say, by name in order; those of which nothing is known are left out."""


def loaded(fields: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A record's scenario data, in which the attachments under ``key`` may have contents, with
    these in ``enclosed`` as well; what is wrong with them is the record's to say.
    """
    given = fields.get(key)
    several = given if isinstance(given, list | tuple) else [given]
    if "enclosed" in fields or not any(isinstance(one, Mapping) for one in several):
        return fields
    try:
        there = [Attachment.model_validate(one) for one in several if isinstance(one, Mapping)]
        return {**fields, "enclosed": pack(there)["enclosed"]}
    except (ValidationError, IllegalCall):
        return fields


# --- what apps do with attachments --------------------------------------------------------------


def pack(given: Iterable[Attachment | str]) -> dict[str, Any]:
    """The fields ``attachments`` and ``enclosed`` of a record that carries these, each once.

    Raises:
        IllegalCall: one has no file name, or two have the same and differ.
    """
    found: dict[str, str] = {}
    for one in given:
        path, content = (one, "") if isinstance(one, str) else (one.name, one.content)
        try:
            name = clean_name(path.rpartition("/")[2])
        except ValueError as error:
            raise IllegalCall(f"an attachment needs a file name: {error}") from error
        same = found.setdefault(name, content) == content
        require(same, f"two attachments are called {name!r}; rename one of the files")
    enclosed = tuple(Attachment(name=name, content=found[name]) for name in sorted(found))
    return {"attachments": tuple(found), "enclosed": tuple(one for one in enclosed if one.content)}


def unpack(names: Sequence[str], enclosed: Iterable[Attachment]) -> list[Attachment]:
    """What a record carries that has these two fields."""
    said = {one.name: one.content for one in enclosed}
    return [Attachment(name=name, content=said.get(name, "")) for name in names]


def take(store: FileStore | None, paths: Iterable[str]) -> list[Attachment | str]:
    """Files of the phone, to be attached; where it keeps none, their names alone.

    Raises:
        IllegalCall: there is no such file.
    """
    if store is None:
        return list(paths)
    files = [store.look_up(path) for path in paths]
    return [Attachment(name=file.name, content=file.content) for file in files]


def save(store: FileStore | None, attachments: Iterable[Attachment]) -> list[str]:
    """Save attachments on the phone; where it keeps no files nothing is saved.

    Returns:
        the new files' paths; the attachments' names where the phone keeps no files.

    Raises:
        IllegalCall: all of them have been saved before.
    """
    there = list(attachments)
    if store is None:
        return [one.name for one in there]
    kept = [store.keep(one.name, one.content) for one in there]
    names = ", ".join(one.name for one in there)
    require(any(kept), f"{names} is saved among the downloads already; it can be read there")
    return [file.path for file in kept if file is not None]
