"""Takes over one ARE file, and many: read, convert, check, prove, write.

A scenario is written beside its place and moved there when it is whole, so that no half of one is
ever found. What it does not know: the terminal.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from heron.errors import HeronError, InputError
from heron.eval.importing.final import Proof, prove
from heron.eval.importing.restoring import restored
from heron.eval.whole_files import write_whole
from heron.scenarios.are.convert import Converted, convert
from heron.scenarios.are.reading import AreFile, read
from heron.scenarios.are.remarks import Refused, Remark
from heron.scenarios.are.yaml_text import text_of
from heron.scenarios.check import check
from heron.scenarios.document import parse
from heron.scenarios.loader import load_document
from heron.scenarios.schema import Scenario

Status = Literal["clean", "remarks", "refused"]
LONGEST_ID = 80
NOTHING = Proof()
RESTORED = "the scenario that it carries was restored, its phone equal before and after"


@dataclass(frozen=True)
class Imported:
    """What became of a file."""

    file: str
    status: Status
    output: str | None = None
    """The scenario that was written."""
    remarks: tuple[Remark, ...] = ()
    refused: tuple[str, ...] = ()
    """What has no counterpart."""
    proof: Proof = NOTHING

    @property
    def data(self) -> dict[str, Any]:
        """For a report."""
        return {
            "file": self.file,
            "status": self.status,
            "output": self.output,
            "remarks": [{"kind": r.kind, "detail": r.detail} for r in self.remarks],
            "refused": list(self.refused),
            "final_state": {
                "records": self.proof.records,
                "fields": self.proof.fields,
                "differences": list(self.proof.differences),
                "not_compared": self.proof.missing or None,
            },
        }

    @property
    def line(self) -> str:
        """In one line."""
        if self.status == "refused":
            return f"{Path(self.file).name}: refused: {'; '.join(self.refused)}"
        told = ", ".join(dict.fromkeys(remark.kind for remark in self.remarks))
        state = "not compared" if self.proof.missing else f"{self.proof.fields} fields"
        same = "" if self.proof.missing or self.proof.differences else " equal"
        return f"{Path(self.file).name}: {told or 'clean'} (final state: {state}{same})"


def import_all(
    files: Iterable[Path], out: Path, *, force: bool, told: Callable[[Imported], None]
) -> list[Imported]:
    """Take over files, each written before the next is read.

    Args:
        files: ARE's.
        out: the folder of the scenarios; it is made.
        force: write over scenarios that are there.
        told: told of each file when it is done.

    Raises:
        InputError: the folder cannot be made.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out} cannot be made: {error.strerror}") from error
    done: list[Imported] = []
    taken: set[str] = set()
    for file in files:
        found = import_file(file, out, force=force, taken=taken)
        done.append(found)
        told(found)
    return done


def import_file(file: Path, out: Path, *, force: bool, taken: set[str]) -> Imported:
    """Take over one file; what is wrong with it is in the result, not raised.

    Args:
        file: ARE's.
        out: the folder of the scenario.
        force: write over a scenario that is there.
        taken: ids that this import has given; the new one is added.
    """
    try:
        data = read(file)
        back, altered = restored(data.carried)
        if back is not None and back.name in taken:
            raise Refused(f"the scenario {back.name} that it carries was taken over already")
        name = back.name if back is not None else _id(file, taken)
        target = out / f"{name}.yaml"
        if target.exists() and not force:
            raise Refused(f"{target} is there already (--force writes over it)")
        if back is not None:
            write_whole(target, back.text)
            taken.add(name)
            return Imported(str(file), "clean", str(target), proof=Proof(missing=RESTORED))
        text, converted, proof = taken_over(data, name, file.name, _sha256(file), altered)
        write_whole(target, text)
    except Refused as error:
        return Imported(str(file), "refused", refused=error.names)
    except (HeronError, OSError) as error:
        return Imported(str(file), "refused", refused=(" ".join(str(error).split()),))
    except Exception as error:  # noqa: BLE001 - a batch goes on, and names what broke
        broken = f"internal error ({type(error).__name__}: {' '.join(str(error).split())[:200]})"
        return Imported(str(file), "refused", refused=(broken,))
    taken.add(name)
    status: Status = "remarks" if converted.remarks or proof.differences else "clean"
    remarks = [*converted.remarks, *(Remark("final_state", one) for one in proof.differences)]
    return Imported(str(file), status, str(target), tuple(remarks), proof=proof)


def taken_over(
    file: AreFile, name: str, source: str, sha256: str, altered: str = ""
) -> tuple[str, Converted, Proof]:
    """The scenario's text, how it came to be, and what a comparison with the file says.

    Args:
        file: ARE's.
        name: the scenario's id.
        source: the file's name.
        sha256: of the file.
        altered: why a scenario that the file carries was not restored, if that is so.

    Raises:
        Refused: it has no counterpart, or what would be written is no scenario.
    """
    converted = convert(file, name, source, sha256, altered)
    text = text_of(converted.data)
    scenario = _checked(text, name)
    try:
        proof = prove(scenario, converted, file)
    except InputError as error:
        raise Refused(f"the reference does not run: {error}") from error
    if proof.differences:
        lines = [Remark("final_state", one).line() for one in proof.differences]
        converted.data["source"]["remarks"] += lines
        text = text_of(converted.data)
    return text, converted, proof


def _checked(text: str, name: str) -> Scenario:
    """The scenario that a text is, checked as a file would be."""
    try:
        scenario = load_document(parse(text, f"{name}.yaml"))
    except InputError as error:
        raise Refused(f"no scenario comes of it: {error}") from error
    problems = check(scenario, range(1))
    if problems:
        raise Refused(*(f"{one.key}: {one.problem}" for one in problems[:5]))
    return scenario


def _id(file: Path, taken: set[str]) -> str:
    """An id made of the file's name that no other file of this import has."""
    bare = re.sub(r"[^a-z0-9]+", "_", file.name.removesuffix(".json").casefold()).strip("_")
    bare = bare if bare[:1].isalpha() else f"are_{bare}".rstrip("_")
    bare = bare[:LONGEST_ID].rstrip("_")
    name, number = bare, 1
    while name in taken:
        number += 1
        name = f"{bare}_{number}"
    return name


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
