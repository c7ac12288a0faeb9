"""``heron sweep`` from end to end: any way of playing a sweep leaves the same rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heron.cli.app import main
from heron.contracts import EpisodeRecord
from heron.eval.digest import episode_digest
from heron.eval.store import EPISODES, key_of, read_episodes

TEXT = """\
axes:
  observer: [never, rules]
  executor: [oracle]
  tool_failure: [0, 0.2]
exclude: [{observer: never, tool_failure: 0.2}]
scenarios: {names: [two_times_one_taken, club_session_earlier, class_move_already_entered]}
runs: 2
"""
EPISODES_IN_ALL = 3 * 3 * 2


def sweep(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as end:
        main(["sweep", *map(str, arguments)])
    assert isinstance(end.value.code, int)
    return end.value.code


def rows(folder: Path) -> dict[tuple[object, ...], str]:
    """The key but for the code, which may be edited while a test runs → digest."""
    found: list[EpisodeRecord] = list(read_episodes(folder))
    return {key_of(episode)[:4]: episode_digest(episode) for episode in found}


def summary(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "summary.json").read_text())
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(TEXT)
    return path


@pytest.fixture
def whole(file: Path, tmp_path: Path) -> Path:
    assert sweep(file, "--out", tmp_path / "whole") == 0
    return tmp_path / "whole"


def test_a_sweep_leaves_one_store_and_a_summary_by_configuration(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = tmp_path / "whole"
    assert sweep(file, "--out", whole) == 0
    told = summary(whole)
    assert (told["sweep"], told["episodes"], told["planned_episodes"]) == (
        "mine",
        EPISODES_IN_ALL,
        EPISODES_IN_ALL,
    )
    own = told["configurations"]
    assert [(c["config"]["observer"], c["config"]["tool_failure"]) for c in own] == [
        ("never", 0.0),
        ("rules", 0.0),
        ("rules", 0.2),
    ]
    assert {c["episodes"] for c in own} == {6}
    assert own[0]["metrics"]["silence_rate"]["value"] == 1.0
    assert own[0]["metrics"]["acceptance_rate"]["value"] is None
    assert own[0]["metrics"]["acceptance_rate"]["reason"]
    out, err = capsys.readouterr()
    assert "observer rules, tool failure 0.2" in out
    assert f"digest {told['digest']}" in out
    assert "run 2 of 2 is done (3/3 configurations)" in err


def test_workers_and_shards_leave_the_same_rows(file: Path, whole: Path, tmp_path: Path) -> None:
    assert sweep(file, "--out", tmp_path / "two", "--workers", "2") == 0
    assert rows(tmp_path / "two") == rows(whole)
    for number in (1, 2, 3):
        assert sweep(file, "--out", tmp_path / "parts", "--shard", f"{number}/3") == 0
    assert rows(tmp_path / "parts") == rows(whole)
    assert summary(tmp_path / "parts")["digest"] == summary(whole)["digest"]
    files = sorted(path.name for path in (tmp_path / "parts").glob("episodes*.jsonl"))
    assert files == [f"episodes.{number}-of-3.jsonl" for number in (1, 2, 3)]


def test_a_sweep_that_was_cut_short_goes_on(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = rows(whole)
    lines = (whole / EPISODES).read_bytes().splitlines(keepends=True)
    (whole / EPISODES).write_bytes(b"".join(lines[:5]) + lines[5][:100])
    (whole / "summary.json").unlink()
    assert sweep("--resume", whole, "--stale", "keep") == 0
    assert (
        f"{EPISODES_IN_ALL - 5} of {EPISODES_IN_ALL} episodes are left" in capsys.readouterr().err
    )
    assert rows(whole) == before
    assert summary(whole)["sweep"] == "mine"


def test_what_does_not_fit_a_folder_is_refused(
    file: Path, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep(file, "--out", whole) == 2
    assert "--resume" in capsys.readouterr().err
    assert sweep("events", "--resume", whole) == 2
    assert "is not the sweep in" in capsys.readouterr().err
    assert sweep("events", "--out", whole, "--shard", "1/2") == 2
    assert "is of another sweep" in capsys.readouterr().err
    assert sweep("--resume", tmp_path) == 2
    assert "it holds no sweep.yaml" in capsys.readouterr().err
    assert sweep(file, "--shard", "1/2") == 2
    assert "--shard needs --out" in capsys.readouterr().err
    assert sweep() == 2
    assert "name a sweep" in capsys.readouterr().err


def test_a_dry_run_counts_and_says_what_it_does_not_know(
    file: Path, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert sweep(file, "--dry-run", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["episodes"], told["hours"], told["usd"]) == (EPISODES_IN_ALL, None, 0.0)
    assert "no episode of it is recorded" in told["hours_reason"]
    assert sweep(file, "--dry-run", "--json", "--estimate-from", whole, "--workers", "2") == 0
    two = json.loads(capsys.readouterr().out)
    assert two["hours"] > 0
    assert sweep(file, "--dry-run", "--json", "--estimate-from", whole) == 0
    assert json.loads(capsys.readouterr().out)["hours"] == pytest.approx(2 * two["hours"])
    assert sweep(file, "--dry-run", "--json", "--out", whole, "--calibrate") == 0
    assert json.loads(capsys.readouterr().out)["episodes"] == 0
    assert not (tmp_path / "runs").exists()
    assert sweep(file, "--dry-run", "--calibrate") == 0
    assert "hours: 0.00" in capsys.readouterr().out


REMOTE = """\
axes:
  observer: oracle
  executor: [litellm:openai/gpt-5-mini, litellm:openai/mine]
scenarios: {names: [two_times_one_taken]}
"""


def test_money_is_estimated_from_tokens_or_not_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (tmp_path / "remote.yaml").write_text(REMOTE)
    assert sweep(tmp_path / "remote.yaml", "--dry-run", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["usd"] is None
    assert [part["usd"] for part in told["parts"]] == [None, None]
    assert "no episode of it is recorded" in told["parts"][0]["usd_reason"]
    assert "no price of openai/mine" in told["parts"][1]["usd_reason"]


def test_ready_made_sweeps_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert sweep("--list") == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines()] == [
        "events",
        "main",
        "tool-failure",
        "user-ablation",
    ]
