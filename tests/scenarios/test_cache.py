"""The cache gives what the file would give, and never stands in the way of it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from heron.errors import ScenarioError
from heron.scenarios import cache
from heron.scenarios.cache import cached
from heron.scenarios.loader import load_file, load_suite


@pytest.fixture
def file(small: str, write: Callable[[str], Path]) -> Path:
    return write(small)


def refused(_: Path) -> None:
    raise AssertionError("the file was read although the cache holds it")


def test_what_was_read_once_comes_from_the_cache(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cached(tmp_path / "kept") as reader:
        first = reader(file)
    monkeypatch.setattr(cache, "load_file", refused)
    with cached(tmp_path / "kept") as reader:
        again = reader(file)
    assert again == first == load_file(file)
    assert (again.hash, again.document.data) == (first.hash, first.document.data)


def test_a_changed_file_is_read_again(file: Path, tmp_path: Path) -> None:
    with cached(tmp_path / "kept") as reader:
        reader(file)
    file.write_text(file.read_text("utf-8").replace("setting: student", "setting: nurse"), "utf-8")
    with cached(tmp_path / "kept") as reader:
        assert reader(file).setting == "nurse"


def test_other_code_makes_a_cache_of_its_own(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cached(tmp_path / "kept") as reader:
        reader(file)
    monkeypatch.setattr(cache, "_code", lambda: "other")
    monkeypatch.setattr(cache, "load_file", refused)
    with cached(tmp_path / "kept") as reader, pytest.raises(AssertionError):
        reader(file)


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps([1, 2])])
def test_a_broken_cache_is_an_empty_one(file: Path, tmp_path: Path, content: bytes) -> None:
    kept = tmp_path / "kept"
    with cached(kept) as reader:
        reader(file)
    (made,) = kept.iterdir()
    made.write_bytes(content)
    with cached(kept) as reader:
        assert reader(file).id == "small"
    assert len(made.read_bytes()) > len(content)


def test_a_cache_that_others_could_write_is_not_opened(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    with cached(kept) as reader:
        reader(file)
    (made,) = kept.iterdir()
    assert made.stat().st_mode & 0o077 == 0
    made.chmod(0o666)
    monkeypatch.setattr(cache, "load_file", refused)
    with cached(kept) as reader, pytest.raises(AssertionError):
        reader(file)


def test_a_folder_that_cannot_be_written_does_no_harm(file: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("in the way", "utf-8")
    with cached(tmp_path / "kept") as reader:
        assert reader(file).id == "small"


def test_broken_files_are_told_each_time(file: Path, tmp_path: Path) -> None:
    file.write_text("schema: 1\n", "utf-8")
    for _ in range(2):
        with cached(tmp_path / "kept") as reader, pytest.raises(ScenarioError):
            reader(file)


def test_old_forms_are_cleared_away(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcdef":
        monkeypatch.setattr(cache, "_code", lambda name=name: name)
        with cached(tmp_path / "kept") as reader:
            reader(file)
    assert len(list((tmp_path / "kept").iterdir())) == cache.KEPT_FORMS


def test_the_suite_is_the_same_from_the_cache(tmp_path: Path) -> None:
    for _ in range(2):
        with cached(tmp_path) as reader:
            suite = load_suite("smoke", reader=reader)
        assert [s.hash for s in suite] == [s.hash for s in load_suite("smoke")]
