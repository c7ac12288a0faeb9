"""A folder that cannot be written is told before anything is measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from heron.cli.app import main
from heron.errors import InputError, Unavailable


def heron(*arguments: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    return end.value.code


def test_a_file_in_the_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").write_text("x", "utf-8")
    out = str(tmp_path / "taken" / "deeper")
    assert heron("profile", "smollm2-135m", "--out", out) == Unavailable.exit_code
    assert capsys.readouterr().err.startswith(f"heron: error: cannot write to {out}")


def test_no_name_is_no_choice(capsys: pytest.CaptureFixture[str]) -> None:
    assert heron("scenarios", "check", "") == InputError.exit_code
    assert "no scenario is named" in capsys.readouterr().err
