"""``heron why`` on a run that was really played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heron.cli.app import main


def heron(*arguments: str) -> int:
    """The exit code of ``heron``."""
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("why") / "run"
    told = ["bench", "--observer", "rules", "--executor", "oracle", "--out", str(folder)]
    assert heron(*told) == 0
    return folder


def test_all_failed_episodes_in_a_line_each(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert heron("why", str(run)) == 0
    said = capsys.readouterr()
    assert "train_late_for_client, seed 0: observer, nothing" in said.out
    assert "of 8 episodes failed" in said.err


def test_one_scenario_in_a_few_lines(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert heron("why", str(run), "number_being_looked_up") == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("number_being_looked_up, seed 0 (quiet): ")
    assert told[-1].startswith("cause: ")


def test_as_json(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert heron("why", str(run), "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 8
    assert {row["attribution"]["cause"] for row in rows if row["attribution"]} == {"observer"}


@pytest.mark.parametrize(
    ("told", "says"),
    [
        (["two_times_one_takn"], "two_times_one_taken"),
        (["two_times_one_taken", "--seed", "7"], "leave out --seed"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(
    run: Path, told: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert heron("why", str(run), *told) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1


def test_the_episodes_as_a_page(run: Path, tmp_path: Path) -> None:
    page = tmp_path / "why.html"
    assert heron("why", str(run), "number_being_looked_up", "--html", str(page)) == 0
    text = page.read_text("utf-8")
    assert "data-heron-viewer" in text
    assert "number_being_looked_up" in text
