"""A disk that fills up in the middle of a run: one line, and what was whole stays."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from heron.cli import app as cli


def heron(*arguments: object) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as end:
        cli.main(list(map(str, arguments)))
    assert isinstance(end.value.code, int)
    return end.value.code


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def play(out: Path) -> int:
    """The exit code of a run of three scenarios by the oracle."""
    ids = "two_times_one_taken,club_session_earlier,repair_number_wanted"
    who = ("--observer", "oracle", "--executor", "oracle")
    return heron("bench", "--scenarios", ids, *who, "--out", out)


@pytest.mark.parametrize("size", [1_500, 40_000])
def test_bench_and_judge_tell_a_full_disk_in_a_line(
    tmp_path: Path, size: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with files_up_to(size):
        assert play(tmp_path / "full") == 3
    assert "heron: error: cannot write to" in capsys.readouterr().err
    assert play(tmp_path / "whole") == 0
    assert heron("users", "points", tmp_path / "whole", "--out", tmp_path / "points.jsonl") == 0
    judge = ("users", "judge", tmp_path / "points.jsonl", "--user", "scripted", "--out")
    with files_up_to(100):
        assert heron(*judge, tmp_path / "judged.jsonl") == 3
    assert "heron: error: cannot write to" in capsys.readouterr().err
    assert heron(*judge, tmp_path / "judged.jsonl") == 0


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no device that is always full")
def test_a_full_stdout_is_told_in_a_line() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "heron", "scenarios", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == "heron: error: cannot write the output: No space left on device\n"
