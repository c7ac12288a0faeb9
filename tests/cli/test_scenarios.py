"""``heron scenarios``: tables, JSON, exit codes, and one line per problem."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heron.cli import app as cli
from heron.scenarios.loader import DATA


def scenarios(*arguments: str) -> int:
    """The exit code of ``heron scenarios``."""
    with pytest.raises(SystemExit) as end:
        cli.main(["scenarios", *arguments])
    assert isinstance(end.value.code, int)
    return end.value.code


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("list", "--split", "smoke") == 0
    heading, *rows = capsys.readouterr().out.splitlines()
    names = ["id", "family", "type", "kind", "splits", "part", "setting", "locale"]
    assert heading.split() == names
    assert len(rows) == 8
    assert "quiet,smoke" in [row.split()[4] for row in rows]


def test_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("list", "--split", "quiet", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["type"] for row in rows} == {"quiet"}
    assert all("quiet" in row["splits"] and len(row["hash"]) == 64 for row in rows)


def test_an_unknown_split_says_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("list", "--split", "smok") == 2
    assert "did you mean 'smoke'?" in capsys.readouterr().err


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("show", "two_times_one_taken", "--seed", "3") == 0
    told = capsys.readouterr().out
    assert told.startswith("two_times_one_taken (seed 3, goal, scheduling, freelancer, en_US)")
    assert "email.reply_to_email(email_id='m3'" in told


def test_show_as_json_and_from_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    file = DATA / "offered_times" / "two_times_one_taken.yaml"
    assert scenarios("show", str(file), "--json") == 0
    from_file = json.loads(capsys.readouterr().out)
    assert scenarios("show", "two_times_one_taken", "--json") == 0
    assert json.loads(capsys.readouterr().out) == from_file
    assert from_file["labels"]["ask"] == "m3"


@pytest.mark.parametrize("name", ["two_times", "none.yaml", "./nothing"])
def test_show_of_what_is_not_there(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("show", name) == 2
    said = capsys.readouterr().err
    assert said.startswith("heron: error: ")
    assert said.count("\n") == 1


def test_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("check", "--split", "smoke", "--seeds", "2") == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "8 scenarios, 2 seeds each, 0 problems\n"


def test_check_tells_each_problem_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = DATA / "late_trains" / "train_late_for_client.yaml"
    file = tmp_path / sound.name
    text = sound.read_text(encoding="utf-8")
    file.write_text(text.replace("at: 4", "at: 40000").replace("- rest: 1", "- rest: 2"))
    broken = tmp_path / "broken.yaml"
    broken.write_text("schema: 1\nid: [")
    assert scenarios("check", str(file), str(broken), "clinic_line_hours") == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"{broken}:") for line in lines)
    assert any(f"{file}:" in line and "window.opens: " in line for line in lines)
    assert all(line.startswith(str(tmp_path)) for line in lines)


def test_check_takes_names_or_a_split(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("check", "clinic_line_hours", "--split", "smoke") == 2
    assert "not both" in capsys.readouterr().err


def test_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("schema") == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["properties"]["schema"]["const"] == 1
    assert "club_session_earlier" not in str(schema)
