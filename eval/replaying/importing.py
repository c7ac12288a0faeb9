"""Takes trace files over into a folder of recorded streams, each whole or not at all.

What it does not know: the terminal.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from heron.contracts import Record
from heron.errors import InputError, Unavailable
from heron.eval.replaying.stream import SUFFIX, write_stream
from heron.eval.replaying.trace import read_trace
from heron.eval.replaying.turning import stream_of
from heron.scenarios.are.remarks import Refused


class TakenOver(Record):
    """What became of a file."""

    file: str
    status: Literal["clean", "remarks", "refused"]
    written: str | None = None
    moments: int = 0
    offers: int = 0
    accepted: int = 0
    remarks: tuple[str, ...] = ()
    """Why it was refused, or what differs from it."""


def take_over(file: Path, out: Path, *, force: bool = False) -> TakenOver:
    """Write a trace's stream into a folder.

    Args:
        file: of ARE or PARE.
        out: the folder; it is made.
        force: write over a stream that is there.

    Raises:
        Unavailable: the folder cannot be written to.
    """
    try:
        stream = stream_of(read_trace(file))
        target = out / f"{_named(file)}{SUFFIX}"
        if target.exists() and not force:
            raise Refused(f"{target} is there already; --force writes over it")
    except InputError as error:
        return TakenOver(file=str(file), status="refused", remarks=(str(error),))
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"cannot make {out}: {error.strerror}") from error
    write_stream(stream, target)
    answers = [offer.answer for _, offer in stream.offers]
    return TakenOver(
        file=str(file),
        status="remarks" if stream.header.remarks else "clean",
        written=str(target),
        moments=len(stream.moments),
        offers=len(answers),
        accepted=answers.count("accept"),
        remarks=stream.header.remarks,
    )


def _named(file: Path) -> str:
    return file.name.removesuffix(".json")[:120]
