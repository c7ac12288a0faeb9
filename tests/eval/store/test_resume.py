"""``heron bench --resume``: a run that was cut short goes on, and ends as if it had not been."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from heron.cli.app import main
from heron.eval.batch import Bench
from heron.eval.digest import digest_of
from heron.eval.provenance import code_version
from heron.eval.store import EPISODES, EpisodeStore, read_episodes

IDS = "two_times_one_taken,club_session_earlier,repair_number_wanted"
PLAY = ("--scenarios", IDS, "--observer", "rules", "--executor", "oracle", "--runs", "2")
TORTURE = Path(__file__).parents[3] / "benchmarks" / "torture.py"


def bench(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as end:
        main(["bench", *map(str, arguments)])
    assert isinstance(end.value.code, int)
    return end.value.code


def cut(folder: Path, rows: int, tail: bytes = b"") -> Path:
    """Leave some rows of a run, as if it had been killed then."""
    file = folder / EPISODES
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:rows]) + tail)
    (folder / "summary.json").unlink(missing_ok=True)
    return folder


def summary(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "summary.json").read_text())
    return found


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    assert bench(*PLAY, "--out", tmp_path / "run") == 0
    return tmp_path / "run"


def test_a_bare_resume_goes_on_where_the_run_was(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = summary(whole)
    episodes = list(read_episodes(whole))
    cut(whole, 2, tail=b'{"version":1')
    assert bench("--resume", whole) == 0
    told = capsys.readouterr().err
    assert "cut a torn last row off (12 bytes" in told
    assert "4 of 6 episodes are left to play" in told
    after = summary(whole)
    assert after["digest"] == before["digest"] == digest_of(episodes)
    assert after["episodes"] == after["planned_episodes"] == 6
    assert len(after["run"]["sessions"]) == 2
    measured = {"run", "observer", "executor", "metrics", "harness_cpu_s", "wall_s"}
    assert {k: v for k, v in after.items() if k not in measured} == {
        k: v for k, v in before.items() if k not in measured
    }
    assert len((whole / EPISODES).read_bytes().splitlines()) == 6


def test_a_run_that_is_through_is_only_summed_up(whole: Path) -> None:
    rows = (whole / EPISODES).read_bytes()
    (whole / "summary.json").unlink()
    assert bench("--resume", whole) == 0
    assert (whole / EPISODES).read_bytes() == rows
    assert summary(whole)["episodes"] == 6


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--runs", "3", "--runs 3 does not fit"),
        ("--observer", "never", "which was begun with rules"),
        ("--tool-latency", "2", "--tool-latency 2.0 does not fit"),
        ("--window", "512", "which was begun with 4096"),
        ("--split", "full", "which was begun with none"),
        ("--out", "elsewhere", "not both"),
    ],
)
def test_options_that_say_something_else_are_refused(
    whole: Path, option: str, value: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench("--resume", whole, option, value) == 2
    assert told in capsys.readouterr().err


def test_options_that_say_the_same_are_not(whole: Path) -> None:
    assert bench("--resume", whole, *PLAY, "--seed", "0", "--clock", "logical") == 0


def test_what_cannot_be_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--resume", tmp_path / "nope") == 2
    assert "there is no such folder" in capsys.readouterr().err
    assert bench("--resume", tmp_path) == 2
    assert "it holds no run.json" in capsys.readouterr().err
    assert bench(*PLAY, "--out", "") == 2
    assert "name a folder; it is empty" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert bench(*PLAY, "--out", tmp_path / "file") == 2
    assert "is a file; name a folder" in capsys.readouterr().err


def test_lasting_failures_of_no_failures_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(*PLAY, "--lasting-failures", "0.5") == 2
    assert "--tool-failure" in capsys.readouterr().err


def test_two_processes_on_one_run_are_kept_apart(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut(whole, 3)
    before = (whole / "run.json").read_bytes()
    with EpisodeStore(whole, resume=True):
        assert bench("--resume", whole) == 3
    told = capsys.readouterr().err
    assert f"is being written by process {os.getpid()}; wait until it has ended" in told
    assert (whole / "run.json").read_bytes() == before
    assert not (whole / "summary.json").exists()


def _other_code(folder: Path, rows: int) -> None:
    """As if the first rows had been played by other code."""
    file = folder / EPISODES
    lines = file.read_bytes().splitlines(keepends=True)
    mine = json.dumps(code_version()).encode()
    lines[:rows] = [line.replace(mine, b'"0.0+older"', 1) for line in lines[:rows]]
    file.write_bytes(b"".join(lines))


def test_rows_of_other_code_are_refused_replayed_or_kept(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    digest = summary(whole)["digest"]
    _other_code(whole, 2)
    cut(whole, 4)
    assert bench("--resume", whole) == 2
    told = capsys.readouterr().err
    assert "2 by other code (0.0+older, now " in told
    assert not (whole / "summary.json").exists()
    assert bench("--resume", whole, "--stale", "keep") == 0
    assert "2 of 6 episodes are left" in capsys.readouterr().err
    kept = summary(whole)
    assert (kept["episodes"], kept["digest"]) == (6, digest)
    assert kept["run"]["codes"] == sorted(["0.0+older", code_version()])
    assert bench("--resume", whole, "--stale", "replay") == 0
    assert "2 rows were moved to superseded.jsonl" in capsys.readouterr().err
    assert summary(whole)["run"]["codes"] == [code_version()]
    assert summary(whole)["digest"] == digest
    assert len(list(read_episodes(whole / "superseded.jsonl"))) == 2


def test_another_model_file_under_the_same_name_is_refused(
    whole: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Swapped(Bench):
        def __init__(self, plan: Any) -> None:
            super().__init__(plan)
            self.models = {"observer": "f" * 64}

    monkeypatch.setattr("heron.eval.session.Bench", Swapped)
    assert bench("--resume", whole) == 2
    told = capsys.readouterr().err
    assert "begun with another observer file (sha256 none, now ffffffffffff…)" in told


def test_a_run_says_what_played_it_and_not_where(whole: Path) -> None:
    run = json.loads((whole / "run.json").read_text())
    assert run["plan"]["config"]["observer"] == "rules"
    (session,) = run["sessions"]
    assert session["code"] == code_version()
    assert set(session["git"]) == {"commit", "dirty", "reason"}
    assert session["libraries"]["pydantic"]
    assert session["device"]["memory"] > 0
    told = summary(whole)["run"]
    assert told["codes"] == [code_version()]
    assert told["libraries"] == session["libraries"]


@pytest.mark.slow
def test_killed_runs_end_like_one_that_was_left_alone() -> None:
    done = subprocess.run(
        [sys.executable, str(TORTURE), "--kills", "4", "--split", "smoke", "--rows", "6"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("4 kills over ")


def test_the_benchmark_of_the_command_runs() -> None:
    script = str(TORTURE.with_name("bench.py"))
    options = ["--scenarios", "two_times_one_taken", "--observer", "rules", "--executor", "oracle"]
    done = subprocess.run(
        [sys.executable, script, "--limit-ms", "0.001", "--", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1  # nothing is that fast
    found = json.loads(done.stdout)
    assert found["episodes"] == 1
    assert 0 < found["playing_ms"] < found["wall_ms"]
    assert 0 < found["harness_share"] <= 1.05
