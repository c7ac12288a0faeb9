"""The authoring guide, carried out to the letter: its files, its changes, its commands' output."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from heron.cli import app as cli

GUIDE = Path(__file__).parents[2] / "docs" / "authoring.md"
FILE = "own/clear_nights/clouds_over_the_dome.yaml"


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Kind and content of the fenced blocks of a section."""
    yield from re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def sessions(block: str) -> Iterator[tuple[list[str], list[str]]]:
    """The commands of a console block, each with its lines of output."""
    for part in block.split("$ heron ")[1:]:
        command, *output = part.rstrip("\n").split("\n")
        yield shlex.split(command), output


def changed(text: str, diff: str) -> str:
    """A file with its lines changed as a diff says."""
    lines = [line[1:] for line in diff.splitlines()]
    old, new = lines
    assert text.count(old + "\n") == 1
    return text.replace(old + "\n", new + "\n")


def test_the_guide_works_to_the_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / FILE
    file.parent.mkdir(parents=True)
    section = GUIDE.read_text(encoding="utf-8").split("## One from nothing")[1].split("\n## ")[0]
    parts: list[str] = []
    ran = 0
    for kind, content in blocks(section):
        if kind == "yaml":
            parts.append(content)
            file.write_text("\n".join(parts), encoding="utf-8")
        elif kind == "diff":
            file.write_text(changed(file.read_text(encoding="utf-8"), content), encoding="utf-8")
        else:
            for command, output in sessions(content):
                with pytest.raises(SystemExit):
                    cli.main(command)
                said = capsys.readouterr()
                assert [line for line in output if line not in said.err.splitlines()] == (
                    said.out.splitlines()
                )
                ran += 1
    assert ran >= 6
