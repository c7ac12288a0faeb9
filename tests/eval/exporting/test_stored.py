"""Runs by configuration, with what they say of themselves."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from heron.errors import InputError, Unavailable
from heron.eval.exporting.extras import need
from heron.eval.exporting.stored import stored


def test_runs_are_told_apart_by_configuration_whatever_their_order(runs: dict[str, Path]) -> None:
    told: list[str] = []
    one = stored([runs["oracle"], runs["rules"]], told.append)
    other = stored([runs["rules"], runs["oracle"], runs["rules"]], told.append)
    assert [own.name for own in one] == ["oracle-oracle-scripted", "rules-oracle-scripted"]
    assert one == other
    assert [len(list(own.episodes())) for own in one] == [4, 4]
    assert told == []
    assert one[0].started is not None
    assert one[0].sessions[0].command.startswith(("heron", "pytest", "/", "~"))


def test_two_runs_that_differ_otherwise_get_names_of_their_own(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "other"
    shutil.copytree(runs["rules"], folder)
    file = folder / "episodes.jsonl"
    file.write_text(file.read_text().replace('"turns":10', '"turns":9'))
    names = [own.name for own in stored([runs["rules"], folder], lambda _: None)]
    assert len(set(names)) == 2
    assert all(name.startswith("rules-oracle-scripted-") for name in names)


def test_a_run_that_does_not_say_when_it_began(full_run: Path) -> None:
    (own,) = stored([full_run], lambda _: None)
    assert own.started is None
    assert own.sessions == ()
    assert own.model_name("observer") is None


def test_wrong_and_empty_runs_are_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        stored([tmp_path / "nowhere"], lambda _: None)
    (tmp_path / "episodes.jsonl").touch()
    with pytest.raises(InputError, match="no episodes to export"):
        stored([tmp_path], lambda _: None)


def test_an_extra_that_is_not_here_is_named() -> None:
    need("json", "none")
    with pytest.raises(Unavailable, match=r"pip install 'heron-observer\[otel\]'"):
        need("no_such_library.sdk", "otel")
    with pytest.raises(Unavailable, match=r"needs no_such_library, which"):
        need("no_such_library", "inspect")
