"""``heron compare`` and ``heron bench --decompose``, called as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heron.cli.app import build
from heron.cli.errors import run
from heron.contracts import EpisodeRecord
from heron.eval.store import read_episodes


def heron(*words: str) -> int:
    return run(lambda: build().main(list(words), prog_name="heron", standalone_mode=False))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of ``rules`` with its counterfactual parts, and one of ``always``."""
    base = tmp_path_factory.mktemp("runs")
    for observer, more in (("rules", ["--decompose"]), ("always", [])):
        words = ["bench", "--observer", observer, "--executor", "none", "--runs", "2"]
        assert heron(*words, "--out", str(base / observer), *more) == 0
    return base


def test_a_table_of_differences(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = str(folder / "rules"), str(folder / "always")
    assert heron("compare", *sides, "--metric", "silence") == 0
    out, err = capsys.readouterr()
    assert "2 configurations on the same 8 scenarios, 16 episodes each" in out
    assert "rules  always  silence rate" in out
    assert "corrected for 1 comparison (Holm)" in out
    assert "heron: warning: 8 scenarios only" in err


def test_json_holds_all_of_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", str(folder / "rules"), str(folder / "always"), "--json", "--runs", "4"]
    assert heron(*words, "--metric", "proposal_rate,success") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["metrics"] == ["proposal_rate", "success_rate"]
    assert told["differences"][0]["detectable"]["runs"] == 4
    assert told["tests"] == 2


def test_the_same_configuration_twice_goes_by_folder(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    again = tmp_path / "again"
    words = ["bench", "--observer", "always", "--executor", "none", "--runs", "2"]
    assert heron(*words, "--out", str(again)) == 0
    capsys.readouterr()
    assert heron("compare", str(folder / "always"), str(again)) == 0
    out = capsys.readouterr().out
    assert str(again) in out
    assert "not told apart" in out


def test_the_loss_is_split(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert heron("compare", "--decompose", str(folder / "rules"), "--json") == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert (told["observer"], told["executor"]) == ("rules", "none")
    assert told["ceiling"]["value"] == 1.0
    parts = sum(told[name]["value"] for name in ("to_observer", "to_executor", "rest"))
    assert parts == pytest.approx(told["loss"]["value"])
    summary = json.loads((folder / "rules" / "summary.json").read_text())
    assert summary["decomposition"] == [told]
    assert "Decomposition" in (folder / "rules" / "report.md").read_text()


def test_counterfactual_runs_lie_beneath_and_do_not_count_as_the_runs_own(folder: Path) -> None:
    own: list[EpisodeRecord] = list(read_episodes(folder / "rules"))
    assert {(e.config.observer, e.config.executor) for e in own} == {("rules", "none")}
    parts = sorted(path.name for path in (folder / "rules" / "counterfactual").iterdir())
    assert parts == ["ceiling", "executor", "observer"]


def test_what_cannot_be_done_is_told_in_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert heron("compare", str(folder / "rules")) == 2
    assert heron("compare", "--decompose", str(folder / "always")) == 2
    sides = str(folder / "rules"), str(folder / "always")
    assert heron("compare", *sides, "--metric", "sucess") == 2
    assert heron("compare", *sides, "--metric", ",") == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.startswith("heron: error: ") for line in lines] == [True] * 4
    assert "nothing to compare" in lines[0]
    assert "heron bench --decompose" in lines[1]
    assert "success" in lines[2]
