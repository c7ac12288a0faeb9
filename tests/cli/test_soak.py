"""``heron soak`` from its options to its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heron.cli import app as cli
from heron.cli import soak as command
from heron.eval.soak.records import Sample


def heron(*arguments: object) -> int:
    """The exit code of ``heron soak`` with these arguments."""
    with pytest.raises(SystemExit) as end:
        cli.main(["soak", *map(str, arguments)])
    assert isinstance(end.value.code, int)
    return end.value.code


def test_a_soak_is_told_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "soak"
    assert heron("--observer", "never", "--events", 120, "--usage", "heavy", "--out", out) == 0
    told = capsys.readouterr()
    assert "soak of never, virtual clock" in told.out
    assert "120 in " in told.out
    assert "none: thinking takes no time" in told.out
    assert "/120 events, hour " in told.err
    assert heron("--resume", "--events", 150, "--out", out, "--json") == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["events"] == 150
    assert summary == json.loads((out / "summary.json").read_text())


def test_ctrl_c_keeps_and_sums_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(sample: Sample, _plan: Any) -> None:
        if sample.observation == 7:
            raise KeyboardInterrupt

    monkeypatch.setattr(command, "_tell_progress", stop)
    assert heron("--observer", "never", "--events", 50, "--out", tmp_path / "s") == 130
    told = capsys.readouterr()
    assert "observations           7, wait 7" in told.out
    assert "--resume --out" in told.err
    assert len((tmp_path / "s" / "soak.jsonl").read_text().splitlines()) == 7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--resume"], "give --out"),
        (["--resume", "--out", "nowhere"], "no soak to resume"),
        (["--observer", "rulez"], "unknown observer"),
        (["--observer", "never", "--rate", "often"], "6/min"),
        (["--observer", "never", "--usage", "nobody"], "unknown usage"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert heron(*options) == 2
    told = capsys.readouterr().err
    assert message in told
    assert len(told.strip().splitlines()) == 1
