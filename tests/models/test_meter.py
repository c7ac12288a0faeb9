"""Time and memory are measured, or the reason is told why not."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from heron.models.meter import Stopwatch, memory_of


def spin() -> int:
    return sum(range(200_000))


def test_only_time_inside_the_block_counts_and_is_handed_out_once() -> None:
    watch = Stopwatch()
    start = time.perf_counter()
    with watch.running(), watch.running():
        spin()
    assert watch.wall_s < time.perf_counter() - start
    first = watch.wall_s
    spin()
    assert 0 < watch.wall_s == first
    with watch.running():
        spin()
    assert watch.wall_s > first
    wall, cpu = watch.take()
    assert wall > first
    assert cpu > 0
    assert watch.take() == (0.0, 0.0)


def fail_in(watch: Stopwatch) -> None:
    with watch.running():
        spin()
        raise ValueError("stop")


def test_time_counts_also_if_the_block_raises() -> None:
    watch = Stopwatch()
    with pytest.raises(ValueError, match="stop"):
        fail_in(watch)
    failed = watch.wall_s
    assert failed > 0
    with watch.running():
        spin()
    assert watch.wall_s > failed


def test_memory_of_this_process_is_measured_on_linux() -> None:
    sample = memory_of(os.getpid())
    if sample.reason is None:
        assert sample.anonymous is not None
        assert sample.anonymous > 2**20
        assert sample.file_backed is not None
        assert sample.file_backed > 2**20
    else:
        assert sample.anonymous is None


def proc_with(tmp_path: Path, text: str) -> Path:
    (tmp_path / "7").mkdir()
    (tmp_path / "self").mkdir()
    (tmp_path / "7" / "smaps_rollup").write_text(text)
    return tmp_path


def test_file_backed_is_what_is_resident_and_not_anonymous(tmp_path: Path) -> None:
    proc = proc_with(tmp_path, "00-ff ---p 0 00:00 0 [rollup]\nRss:  1000 kB\nAnonymous:  300 kB\n")
    sample = memory_of(7, proc=proc)
    assert (sample.anonymous, sample.file_backed) == (300 * 1024, 700 * 1024)


def test_what_cannot_be_measured_is_none_with_a_reason(tmp_path: Path) -> None:
    proc = proc_with(tmp_path, "nothing known\n")
    assert "no Rss" in str(memory_of(7, proc=proc).reason)
    assert memory_of(8, proc=proc).reason == "no process 8"
    assert "on this system" in str(memory_of(8, proc=tmp_path / "none").reason)
    assert memory_of(8, proc=proc).anonymous is None
