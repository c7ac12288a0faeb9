"""``heron export``, called as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heron.cli.app import build
from heron.cli.errors import run
from heron.eval.exporting import extras


def heron(*words: str) -> int:
    return run(lambda: build().main(list(words), prog_name="heron", standalone_mode=False))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "rules"
    words = ["bench", "--observer", "rules", "--executor", "oracle"]
    assert heron(*words, "--scenarios", "club_session_earlier", "--out", str(out)) == 0
    return out


def test_traces_to_a_file(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("opentelemetry.sdk")
    out = tmp_path / "t.jsonl"
    assert heron("export", "otel", str(folder), "--out", str(out)) == 0
    assert capsys.readouterr().out == f"{out}: 1 traces, 12 spans\n"
    assert heron("export", "otel", str(folder), "--out", str(tmp_path / "2"), "--json") == 0
    assert json.loads(capsys.readouterr().out)["traces"] == 1


def test_what_is_wrong_is_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, told in (
        (["otel", str(folder)], "give either --out FILE or --endpoint URL"),
        (["otel", str(folder), "--out", "x", "--endpoint", "http://y"], "give either"),
        (["otel", str(tmp_path / "no"), "--out", "x"], "there is no such file or folder"),
        (["otel", str(folder), "--endpoint", "y"], "is no address"),
    ):
        assert heron("export", *words) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert told in err
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("kind", "option"),
    [
        ("inspect", "--out"),
        ("otel", "--out"),
        ("mlflow", "--tracking"),
    ],
)
def test_an_extra_that_is_not_installed(
    folder: Path,
    kind: str,
    option: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    assert heron("export", kind, str(folder), option, "x") == 3
    err = capsys.readouterr().err
    assert f"pip install 'heron-observer[{kind}]'" in err
    assert err.count("\n") == 1


def test_bench_writes_exports_beside_its_episodes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("opentelemetry.sdk")
    out = tmp_path / "run"
    words = ["--scenarios", "club_session_earlier", "--executor", "none", "--out", str(out)]
    assert heron("bench", "--observer", "never", *words, "--export", "otel") == 0
    assert f"written to {out / 'traces.jsonl'}" in capsys.readouterr().err
    before = (out / "traces.jsonl").read_bytes()
    assert heron("bench", "--resume", str(out), "--export", "otel") == 0
    assert (out / "traces.jsonl").read_bytes().count(b"\n") == before.count(b"\n") == 1


def test_bench_asks_for_the_extra_before_it_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    out = tmp_path / "run"
    words = ["--observer", "never", "--executor", "none", "--out", str(out)]
    assert heron("bench", *words, "--export", "inspect") == 3
    assert "heron-observer[inspect]" in capsys.readouterr().err
    assert not out.exists()
