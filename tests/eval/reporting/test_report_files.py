"""The files of a report: Markdown, CSV, Parquet, and what is said when one cannot be made."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from heron.cli.app import build as command_line
from heron.cli.errors import run
from heron.contracts import EpisodeRecord
from heron.errors import Unavailable
from heron.eval.metrics import silence_rate, success_rate
from heron.eval.reporting.make import Wanted, make
from heron.eval.reporting.tabular import NAMES, write_parquet
from heron.eval.scoring.extraction import features_of
from heron.eval.store import read_episodes


def heron(*words: object) -> int:
    return run(
        lambda: command_line().main(
            [str(word) for word in words], prog_name="heron", standalone_mode=False
        )
    )


def test_says_what_the_metrics_say(
    runs: tuple[Path, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert heron("report", *runs, "--out", tmp_path, "--json", "--no-episodes") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["episodes"] == 56
    for one in told["configurations"]:
        own: list[EpisodeRecord] = [
            episode
            for episode in read_episodes(*runs)
            if episode.config.model_dump(mode="json") == one["config"]
        ]
        assert one["figures"]["success_rate"]["value"] == success_rate(own)
        assert one["figures"]["silence_rate"]["value"] == silence_rate(own)
    values = [one["figures"]["success_rate"]["value"] for one in told["configurations"]]
    assert values == sorted(values, reverse=True)
    assert [one["key"] for one in told["configurations"]] == ["A", "B", "C", "D"]


def test_the_page_lies_in_the_first_run(
    play: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = play(tmp_path / "one", "rules", runs=1)
    assert heron("report", folder) == 0
    assert f"written to {folder / 'report.html'}" in capsys.readouterr().out
    page = (folder / "report.html").read_text("utf-8")
    assert "How rules fared" in page
    assert not list(folder.glob(".report*"))


def test_the_same_runs_give_the_same_bytes_in_any_order(
    runs: tuple[Path, ...], tmp_path: Path
) -> None:
    first, again = tmp_path / "a.html", tmp_path / "b.html"
    make(runs, Wanted(page=first, markdown=tmp_path / "a.md", episodes=False))
    make(runs[::-1], Wanted(page=again, markdown=tmp_path / "b.md", episodes=False))

    def without_runs(path: Path) -> list[str]:
        names = [str(folder) for folder in runs]
        return [
            line
            for line in path.read_text("utf-8").splitlines()
            if not any(n in line for n in names)
        ]

    assert without_runs(first) == without_runs(again)
    assert without_runs(tmp_path / "a.md") == without_runs(tmp_path / "b.md")


def test_markdown_has_the_same_figures(runs: tuple[Path, ...], tmp_path: Path) -> None:
    made = make(runs, Wanted(page=tmp_path / "r.html", markdown=tmp_path / "r.md", episodes=False))
    text = (tmp_path / "r.md").read_text("utf-8")
    assert text.startswith("# 4 configurations compared")
    assert "| A oracle" in text
    assert "not comparable" in text
    widths = {line.count("|") for line in text.split("## Leaderboard")[1].splitlines()[4:8]}
    assert len(widths) == 1
    assert made.figures[0].mark.name == "oracle"


def test_bench_writes_the_same_breakdowns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    words = ("bench", "--observer", "oracle", "--executor", "oracle", "--runs", "2")
    assert heron(*words, "--out", folder) == 0
    own = (folder / "report.md").read_text("utf-8")
    assert heron("report", folder, "--no-episodes", "--markdown", tmp_path / "r.md") == 0
    whole = (tmp_path / "r.md").read_text("utf-8")
    for title in ("## How reliable it is", "## By kind and by app", "## Offers"):
        section = whole.partition(title)[2].partition("\n## ")[0]
        assert section.strip()
        assert section in own


def test_a_cell_cannot_break_a_row_of_markdown(play: Callable[..., Path], tmp_path: Path) -> None:
    from heron.eval.reporting.markdown import markdown
    from heron.eval.reporting.pieces import Column, Report, Section, Table, cell

    table = Table(
        name="t",
        caption="One. Two.",
        columns=(Column(title="a|b", text=True),),
        rows=((cell("c|d\ne"),),),
    )
    section = Section(name="s", title="S", pieces=(table,))
    text = markdown(Report(title="T", kicker="", lead="", sections=(section,)))
    assert "| a\\|b |" in text
    assert "| c\\|d e |" in text


def test_csv_and_parquet_are_the_features(runs: tuple[Path, ...], tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    wanted = Wanted(
        page=tmp_path / "r.html",
        csv=tmp_path / "r.csv",
        parquet=tmp_path / "r.parquet",
        episodes=False,
    )
    make(runs, wanted)
    with (tmp_path / "r.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    table = pq.read_table(tmp_path / "r.parquet")
    assert table.column_names == list(NAMES) == list(lines[0])
    assert table.num_rows == len(lines) == 56
    rows = {
        (r["observer"], r["tool_failure"], r["scenario"], r["seed"]): r for r in table.to_pylist()
    }
    for episode in read_episodes(*runs):
        own = features_of(episode)
        row = rows[own.observer, own.tool_failure, own.scenario, own.seed]
        assert {name: row[name] for name in NAMES} == {
            name: list(value) if isinstance(value := getattr(own, name), tuple) else value
            for name in NAMES
        }
    assert json.loads(lines[0]["wall_s"])
    assert {line["joules_total"] for line in lines} == {""}


def test_says_how_to_get_parquet(
    runs: tuple[Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Unavailable, match=r"pip install 'heron-observer\[parquet\]'"):
        write_parquet(tmp_path / "r.parquet", [])


@pytest.mark.parametrize(
    ("make_it", "words", "said"),
    [
        (lambda _: None, ("there-is-none",), "there is no such file or folder"),
        (lambda base: (base / "empty").mkdir(), ("empty",), "the folder holds no episodes"),
        (lambda base: (base / "e.jsonl").touch(), ("e.jsonl",), "no episodes to report on"),
        (lambda base: (base / "e.jsonl").write_text("{}\n"), ("e.jsonl",), "no episode"),
    ],
)
def test_says_in_one_line_what_cannot_be_read(
    make_it: Callable[[Path], object],
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    make_it(tmp_path)
    assert heron("report", *words) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1


def test_says_in_one_line_what_cannot_be_written(
    runs: tuple[Path, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert heron("report", runs[0], "--out", tmp_path / "file" / "r.html", "--no-episodes") == 3
    assert "cannot write" in capsys.readouterr().err
    assert heron("report", runs[0], "--out", tmp_path / "r.pdf") == 2
    assert "ends in .html" in capsys.readouterr().err
    assert heron("report", runs[0], "--out", tmp_path / "r.html", "--csv", tmp_path) == 2
    assert "is a folder" in capsys.readouterr().err


def test_a_torn_row_is_told(
    play: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = play(tmp_path / "one", "rules", runs=1)
    with (folder / "episodes.jsonl").open("ab") as file:
        file.write(b'{"version":1,"scen')
    assert heron("report", folder) == 0
    out = capsys.readouterr().out
    assert "7 episodes of 1 configuration" in out
    assert "torn" in out
    assert "torn" in (folder / "report.html").read_text("utf-8")


def test_text_of_a_run_is_never_markup(play: Callable[..., Path], tmp_path: Path) -> None:
    folder = play(tmp_path / "one", "rules", runs=1)
    file = folder / "episodes.jsonl"
    evil = "</script><img src=x onerror=alert(1)>"
    file.write_text(file.read_text("utf-8").replace('"observer":"rules"', f'"observer":"{evil}"'))
    make([folder], Wanted(page=tmp_path / "r.html"))
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "<img" not in page
    assert "&lt;img src=x" in page


@pytest.mark.parametrize("option", ["--markdown", "--csv", "--parquet"])
@pytest.mark.parametrize("name", ["episodes.jsonl", "run.json", "summary.json"])
def test_nothing_of_the_run_is_written_over(
    play: Callable[..., Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    option: str,
    name: str,
) -> None:
    folder = play(tmp_path / "one", "never", runs=1)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert heron("report", folder, "--out", tmp_path / "p.html", option, folder / name) == 2
    assert "belongs to the run that is read" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_no_file_takes_the_place_of_another_or_of_a_pipe(
    runs: tuple[Path, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "p.html"
    assert heron("report", *runs, "--out", page, "--csv", page) == 2
    assert "is named twice" in capsys.readouterr().err
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert heron("report", *runs, "--no-episodes", "--out", page, "--markdown", pipe) == 2
    assert "is no ordinary file" in capsys.readouterr().err
    assert pipe.is_fifo()
