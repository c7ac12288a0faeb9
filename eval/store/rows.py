"""Finds the rows of files by their keys, each once, without reading what is behind the key.

Sorted by key, so that neither the order in which episodes ended nor the order of files matters.
Of rows with the same key the one whose bytes sort first is taken, whichever came first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.errors import InputError
from heron.eval.digest import episode_digest
from heron.eval.store.files import Line, episode_files, lines_of
from heron.eval.store.keys import EpisodeKey, config_hash

Tell = Callable[[str], None]
"""Takes one line about what is wrong with a file and does not stop the reading."""

BEHIND = b',"turns":['
"""Where the part of a row ends that holds its key."""


class Row(NamedTuple):
    """A whole row, and where it is."""

    key: EpisodeKey
    file: Path
    number: int
    """Its line, from 1."""
    offset: int
    length: int
    """Bytes, with the newline."""


def rows_of(paths: Iterable[Path], tell: Tell) -> list[Row]:
    """The rows of files and folders, sorted by key, each key once.

    Args:
        paths: files, or runs' folders.
        tell: told of torn rows, and of rows with one key that differ.

    Raises:
        InputError: a file is not there, or a line is no row.
    """
    kept: dict[EpisodeKey, Row] = {}
    twice: list[tuple[Row, Row]] = []
    files = dict.fromkeys(file for path in paths for file in episode_files(path))
    for row in (row for file in files for row in rows_in(file, tell)):
        other = kept.setdefault(row.key, row)
        if other is not row:
            twice.append((other, row))
    differing = 0
    for other, row in twice:
        first, second = text_of(kept[row.key]), text_of(row)
        differing += not _same(other, row)
        kept[row.key] = kept[row.key] if first <= second else row
    if differing:
        tell(_differing(differing, twice))
    return [kept[key] for key in sorted(kept)]


def rows_in(file: Path, tell: Tell) -> Iterator[Row]:
    """The rows of one file as they come; a torn one is told and left out.

    Raises:
        InputError: the file cannot be read, or a line is no row.
    """
    for line in lines_of(file):
        if line.whole:
            yield Row(_key(file, line), file, line.number, line.offset, len(line.text))
        else:
            tell(
                f"{file}:{line.number}: the last row is torn ({len(line.text)} bytes) and is not "
                f"counted; it is being written, or its run was killed and goes on with --resume"
            )


def text_of(row: Row) -> bytes:
    """A row's line, with its newline."""
    with row.file.open("rb") as opened:
        opened.seek(row.offset)
        return opened.read(row.length)


def episode_in(row: Row, text: bytes) -> EpisodeRecord:
    """The episode in a row's line.

    Raises:
        InputError: the row is damaged.
    """
    try:
        return EpisodeRecord.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise damaged(row.file, row.number, f"{where}: {first['msg']}") from error


def damaged(file: Path, number: int, why: str) -> InputError:
    """What is said of a row that cannot be read and is not torn off at the end."""
    return InputError(
        f"{file}:{number}: no episode: {why.strip(': ')} (move this line out of the file; "
        f"--resume then plays its episode again)"
    )


def _key(file: Path, line: Line) -> EpisodeKey:
    head, behind, _ = line.text.partition(BEHIND)
    if not line.text.strip():
        raise damaged(file, line.number, "the line is empty")
    try:
        data: Any = from_json(head + b"}" if behind else line.text)
        if not isinstance(data, dict):
            raise damaged(file, line.number, "it is no object in JSON")
        return EpisodeKey(
            scenario=str(data["scenario"]),
            scenario_hash=str(data["scenario_hash"]),
            seed=int(data["seed"]),
            config_hash=config_hash(
                EpisodeConfig.model_validate(data["config"]), data.get("models")
            ),
            code=data.get("code") or "",
        )
    except ValidationError as error:
        raise damaged(file, line.number, error.errors()[0]["msg"]) from error
    except KeyError as error:
        raise damaged(file, line.number, f"{error} is missing") from error
    except (ValueError, TypeError) as error:
        raise damaged(file, line.number, str(error)) from error


def _same(one: Row, other: Row) -> bool:
    """Whether two rows tell the same but for what was measured."""
    texts = text_of(one), text_of(other)
    if texts[0] == texts[1]:
        return True
    first, second = (
        episode_digest(episode_in(row, text)) for row, text in zip((one, other), texts, strict=True)
    )
    return first == second


def _differing(count: int, twice: list[tuple[Row, Row]]) -> str:
    one, other = next(pair for pair in twice if not _same(*pair))
    return (
        f"{count} episodes are there twice and not the same, for example {one.key.scenario}, seed "
        f"{one.key.seed}, in {one.file}:{one.number} and {other.file}:{other.number}; one each is "
        f"counted"
    )
