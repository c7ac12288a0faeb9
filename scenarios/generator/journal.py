"""Every answer of a model on disk before the next is asked for, and played back after a break.

One JSON object a line. An answer is played back only to the very prompt that it was given to, so
a journal of other prompts (another version of Heron) is cut off where it parts. What it does not
know: stages, models.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from heron.errors import InputError

Line = dict[str, Any]
_MAY_DIFFER = ("heron", "date")


class Journal:
    """The lines of one scenario's making.

    Args:
        file: made if it is not there. A last line that was torn by a kill is cut off.
        head: what the making rests on, as its first line. A journal with another head is refused.

    Raises:
        InputError: the file cannot be read, or has another head; the message says what differs.
    """

    def __init__(self, file: Path, head: Line) -> None:
        self.file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = _mended(file)
        if lines and "head" in lines[0]:
            _same(lines[0]["head"], head, file)
        self.head: Line = lines[0]["head"] if lines else head
        """As it was begun: whatever does not have to be the same is taken from there."""
        self._left = lines[1:]
        self._kept = lines[:1]
        if not lines:
            self._write({"head": head})

    def recall(self, prompt: str) -> Line | None:
        """The next line, if it answers this prompt.

        Args:
            prompt: digest of the prompt.
        """
        if not self._left:
            return None
        if self._left[0].get("prompt") != prompt:
            self._cut()
            return None
        self._kept.append(self._left.pop(0))
        return self._kept[-1]

    def note(self, line: Line) -> None:
        """Put a line on disk."""
        self._write(line)

    def _cut(self) -> None:
        self._left = []
        draft = self.file.with_suffix(".draft")
        draft.write_text("".join(_text(line) for line in self._kept), encoding="utf-8")
        draft.replace(self.file)

    def _write(self, line: Line) -> None:
        self._kept.append(line)
        with self.file.open("a", encoding="utf-8") as out:
            out.write(_text(line))
            out.flush()
            os.fsync(out.fileno())


def _text(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"


def _mended(file: Path) -> list[Line]:
    """The whole lines of a file, which then holds nothing else."""
    if not file.exists():
        return []
    content = file.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        with file.open("r+b") as out:
            out.truncate(len(whole))
    try:
        return [json.loads(line) for line in whole.decode("utf-8").splitlines()]
    except ValueError as error:
        raise InputError(f"{file}: no journal of the generator: {error}; remove it") from error


def _same(found: Line, wanted: Line, file: Path) -> None:
    """Whether two heads are of one making; version and date may differ."""
    for name, value in wanted.items():
        if name not in _MAY_DIFFER and found.get(name) != value:
            raise InputError(
                f"{file}: it was begun with {name} {found.get(name)!r}, not {value!r}; use the "
                f"same options, another --seed, or another --out"
            )
