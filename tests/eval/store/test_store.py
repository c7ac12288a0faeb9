"""The store: rows once each, whole or mended, one writer, readable at any time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.errors import InputError, Unavailable
from heron.eval.digest import episode_digest
from heron.eval.store import EPISODES, EpisodeStore, config_hash, key_of, read_episodes
from heron.eval.store.rows import rows_of

MakeEpisode = Callable[..., EpisodeRecord]


def keep(folder: Path, *episodes: EpisodeRecord, **more: str) -> None:
    with EpisodeStore(folder, resume=True, **more) as store:
        for one in episodes:
            assert store.append(one)


# --- keys ---------------------------------------------------------------------------------------


def test_a_row_tells_its_key_without_its_turns(tmp_path: Path, episode: MakeEpisode) -> None:
    whole = [episode("a", 1), episode("a", 0), episode("b", 0, observer='x"turns":[', code=None)]
    keep(tmp_path, *whole)
    rows = rows_of([tmp_path], print)
    assert [row.key for row in rows] == sorted(map(key_of, whole))


def test_what_makes_another_episode_makes_another_key(episode: MakeEpisode) -> None:
    base = episode("a", 0)
    others = [
        episode("b", 0),
        episode("a", 1),
        episode("a", 0, observer="never"),
        episode("a", 0, code="0+b"),
        base.model_copy(update={"scenario_hash": "other"}),
        base.model_copy(update={"models": {"observer": "f" * 64}}),
        base.model_copy(update={"config": base.config.model_copy(update={"window": 512})}),
    ]
    assert len({key_of(base), *map(key_of, others)}) == 1 + len(others)
    assert key_of(episode("a", 0, wall_s=9.0, state="1")) == key_of(base)


def test_a_field_that_is_added_later_changes_no_hash_while_it_is_the_default() -> None:
    config = EpisodeConfig(observer="a", executor="b", user="c")
    assert config_hash(config) == config_hash(config.model_copy(update={"turns": 10}))
    assert config_hash(config) != config_hash(config.model_copy(update={"turns": 11}))


def test_digests_know_neither_code_nor_model_file_nor_the_default_window(
    episode: MakeEpisode,
) -> None:
    base = episode()
    other = base.model_copy(update={"code": "1+z", "models": {"user": "f" * 64}})
    assert episode_digest(base) == episode_digest(other)
    wide = base.config.model_copy(update={"window": 8192})
    assert episode_digest(base) != episode_digest(base.model_copy(update={"config": wide}))


# --- writing ------------------------------------------------------------------------------------


def test_an_episode_is_written_once(tmp_path: Path, episode: MakeEpisode) -> None:
    with EpisodeStore(tmp_path / "new") as store:
        assert store.append(episode())
        assert not store.append(episode(wall_s=3.0))
        assert store.done == {key_of(episode())}
    assert list(read_episodes(tmp_path / "new")) == [episode()]


def test_a_folder_that_holds_episodes_is_taken(tmp_path: Path, episode: MakeEpisode) -> None:
    with EpisodeStore(tmp_path):
        pass
    with EpisodeStore(tmp_path) as store:  # there was nothing to lose
        store.append(episode())
    with pytest.raises(InputError, match=r"already holds episodes\.jsonl.*--resume"):
        EpisodeStore(tmp_path)
    with EpisodeStore(tmp_path, resume=True) as store:
        assert store.done == {key_of(episode())}


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(InputError, match="is a file; name a folder"):
        EpisodeStore(tmp_path / "x")


def test_a_shard_writes_its_own_file_and_knows_the_others_rows(
    tmp_path: Path, episode: MakeEpisode
) -> None:
    with EpisodeStore(tmp_path, shard="1/2") as one:
        one.append(episode("a"))
        with EpisodeStore(tmp_path, shard="2/2") as two:
            assert two.done == {key_of(episode("a"))}
            two.append(episode("b"))
    assert sorted(p.name for p in tmp_path.glob("*.jsonl")) == [
        "episodes.1-of-2.jsonl",
        "episodes.2-of-2.jsonl",
    ]
    assert [one.scenario for one in read_episodes(tmp_path)] == ["a", "b"]
    with pytest.raises(InputError, match="'3/2' is no shard"):
        EpisodeStore(tmp_path, shard="3/2")


def test_a_full_disk_leaves_whole_rows_only(
    tmp_path: Path, episode: MakeEpisode, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def half(descriptor: int, text: bytes) -> int:
        if len(text) < 400:  # the rest of a row
            raise OSError(28, "No space left on device")
        return write(descriptor, text[: len(text) // 2])

    with EpisodeStore(tmp_path) as store:
        store.append(episode("a"))
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", half)
            with pytest.raises(Unavailable, match="No space left"):
                store.append(episode("b"))
        store.append(episode("c"))
    assert [one.scenario for one in read_episodes(tmp_path)] == ["a", "c"]


def test_rows_can_be_set_aside(tmp_path: Path, episode: MakeEpisode) -> None:
    keep(tmp_path, episode("a"), episode("b"), episode("c"))
    with EpisodeStore(tmp_path, resume=True) as store:
        assert store.set_aside({key_of(episode("b")), key_of(episode("z"))}) == 1
        assert store.append(episode("b", wall_s=1.0))
    assert [one.scenario for one in read_episodes(tmp_path)] == ["a", "b", "c"]
    assert list(read_episodes(tmp_path / "superseded.jsonl")) == [episode("b")]


# --- torn and damaged rows ----------------------------------------------------------------------


@pytest.mark.parametrize("tail", [b'{"version":1,"scen', b"\x00\x00\x00", b"{", b"x" * 200_000])
def test_a_torn_row_is_told_by_readers_and_mended_by_the_writer(
    tmp_path: Path, episode: MakeEpisode, tail: bytes
) -> None:
    keep(tmp_path, episode("a"))
    file = tmp_path / EPISODES
    with file.open("ab") as opened:
        opened.write(tail)
    told: list[str] = []
    assert list(read_episodes(tmp_path, tell=told.append)) == [episode("a")]
    assert len(told) == 1
    assert f"{file}:2: the last row is torn ({len(tail)} bytes)" in told[0]
    with EpisodeStore(tmp_path, resume=True) as store:
        assert len(store.mended) == 1
        assert f"cut a torn last row off ({len(tail)} bytes" in store.mended[0]
        store.append(episode("b"))
    assert (tmp_path / "episodes.jsonl.torn").read_bytes() == tail + b"\n"
    assert list(read_episodes(tmp_path, tell=pytest.fail)) == [episode("a"), episode("b")]


def test_a_torn_row_is_told_on_stderr_by_default(
    tmp_path: Path, episode: MakeEpisode, caplog: pytest.LogCaptureFixture
) -> None:
    keep(tmp_path, episode("a"))
    with (tmp_path / EPISODES).open("ab") as opened:
        opened.write(b"{")
    list(read_episodes(tmp_path))
    assert [record.levelname for record in caplog.records] == ["WARNING"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "the line is empty"),
        (b"nonsense", "expected ident"),
        (b'{"scenario":"a"}', "'scenario_hash' is missing"),
        (b"[]", "it is no object in JSON"),
        (b"\x00\x00", "expected value"),
    ],
)
def test_a_damaged_row_in_the_middle_is_one_line_with_its_place_and_a_remedy(
    tmp_path: Path, episode: MakeEpisode, line: bytes, why: str
) -> None:
    keep(tmp_path, episode("a"))
    file = tmp_path / EPISODES
    with file.open("ab") as opened:
        opened.write(line + b"\n")
    for read in (lambda: list(read_episodes(file)), lambda: EpisodeStore(tmp_path, resume=True)):
        with pytest.raises(InputError, match="move this line out of the file") as error:
            read()
        assert str(error.value).startswith(f"{file}:2: no episode: {why}")
        assert "\n" not in str(error.value)


def test_damage_behind_the_key_is_found_when_the_row_is_read(
    tmp_path: Path, episode: MakeEpisode
) -> None:
    keep(tmp_path, episode("a"))
    file = tmp_path / EPISODES
    file.write_bytes(file.read_bytes().replace(b'"outcome":"success"', b'"outcome":"succ"'))
    with pytest.raises(InputError, match=r":1: no episode: verdict\.outcome: "):
        list(read_episodes(file))


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file or folder"):
        list(read_episodes(tmp_path / "nope"))
    with pytest.raises(InputError, match="the folder holds no episodes"):
        list(read_episodes(tmp_path))


# --- merging ------------------------------------------------------------------------------------


def test_the_same_rows_collapse_whatever_the_order(tmp_path: Path, episode: MakeEpisode) -> None:
    keep(tmp_path / "1", episode("b", 1), episode("a"), episode("b", 0, wall_s=1.0))
    keep(tmp_path / "2", episode("b", 0, wall_s=2.0), episode("c"))
    there, back = [tmp_path / "1", tmp_path / "2"], [tmp_path / "2", tmp_path / "1"]
    found = list(read_episodes(*there, tell=pytest.fail))
    assert found == list(read_episodes(*back, tell=pytest.fail))
    assert [(e.scenario, e.seed) for e in found] == [("a", 0), ("b", 0), ("b", 1), ("c", 0)]


def test_rows_that_differ_under_one_key_are_told(tmp_path: Path, episode: MakeEpisode) -> None:
    keep(tmp_path / "1", episode("a", state="1"))
    keep(tmp_path / "2", episode("a", state="2"))
    told: list[str] = []
    for order in ("12", "21"):
        (found,) = read_episodes(*(tmp_path / name for name in order), tell=told.append)
        assert found == episode("a", state="1")
    assert len(told) == 2
    assert told[0].startswith("1 episodes are there twice and not the same, for example a, seed 0")


# --- processes ----------------------------------------------------------------------------------

HOLD = """
import sys
from pathlib import Path
from heron.eval.store import EpisodeStore
store = EpisodeStore(Path(sys.argv[1]), resume=True)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_writer_is_told_who_holds_the_file_and_a_killed_one_blocks_nobody(
    tmp_path: Path, episode: MakeEpisode
) -> None:
    keep(tmp_path, episode("a"))
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Unavailable, match=f"is being written by process {holder.pid};"):
            EpisodeStore(tmp_path, resume=True)
        assert list(read_episodes(tmp_path)) == [episode("a")]
        holder.send_signal(signal.SIGKILL)
    with EpisodeStore(tmp_path, resume=True) as store:
        assert store.append(episode("b"))
