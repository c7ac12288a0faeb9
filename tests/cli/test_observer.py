"""``heron observer``: from scenarios to a calibration, its worth, and an observer that uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heron.cli import app as cli
from heron.cli.observer import seed_range
from heron.contracts import Observation
from heron.errors import InputError
from heron.eval.calibration.streams import read, record, write
from heron.eval.observers import observer_port
from heron.models.tiny_gguf import write_tiny_gguf
from heron.observer.calibration import read_calibration
from heron.scenarios.loader import load_suite

WINDOW = 12288
"""The tiny model has a token for every character."""


@pytest.fixture(autouse=True)
def scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of scores that holds none."""
    folder = tmp_path / "scores"
    monkeypatch.setenv("HERON_SCORES", str(folder))
    return folder


def heron(*arguments: object) -> int:
    """The exit code of ``heron`` with these arguments."""
    with pytest.raises(SystemExit) as end:
        cli.main([str(argument) for argument in arguments])
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1000:1003", [1000, 1001, 1002]), ("7", [7]), ("0:1", [0])],
)
def test_seeds_are_a_half_open_range(text: str, expected: list[int]) -> None:
    assert list(seed_range(text)) == expected


@pytest.mark.parametrize("text", ["", "a", "3:3", "5:1", "1:x", "-2:3"])
def test_what_is_no_range_of_seeds_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="FIRST:END"):
        seed_range(text)


def test_streams_of_a_part_are_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "streams.jsonl"
    given = ("--part", "dev", "--seeds", "1000:1002", "--scenarios", 3)
    assert heron("observer", "streams", *given, "--out", file) == 0
    streams = list(read(file))
    assert [stream.seed for stream in streams] == [1000] * 3 + [1001] * 3
    assert {stream.part for stream in streams} == {"dev"}
    assert "6 streams, 60 observations" in capsys.readouterr().out


def test_what_is_for_scoring_is_refused_before_a_model_is_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "streams.jsonl"
    write([record(load_suite("smoke", part="dev").scenarios[0], 0)], file)
    given = ("--streams", file, "--out", tmp_path / "out.json")
    assert heron("observer", "calibrate", "no-such-model", *given) == 2
    error = capsys.readouterr().err
    assert "under training seeds, from 1000 on" in error
    assert error.count("\n") == 1
    assert heron("observer", "calibrate", "no-such-model", *given, "--costs", "1:2") == 2
    assert "interruption:missed:joule" in capsys.readouterr().err


@pytest.mark.slow
def test_from_scenarios_to_an_observer_that_decides_by_them(
    tmp_path: Path, scores: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = write_tiny_gguf(tmp_path / "tiny.gguf", trained_window=16384)
    given = ("--window", WINDOW, "--scenarios", 12)
    fitting = ("observer", "calibrate", model, *given, "--probe")
    assert heron(*fitting) == 0
    file = tmp_path / "tiny.calibration.json"
    found = read_calibration(file)
    assert found.probe is not None
    assert (found.sources.part, found.sources.seeds) == ("dev", (1000,))
    kept = {path.name: path.stat().st_mtime_ns for path in scores.iterdir()}
    assert len(kept) == 12

    assert heron(*fitting, "--costs", "5:1:0") == 0
    assert kept == {path.name: path.stat().st_mtime_ns for path in scores.iterdir()}  # resumed
    dear = read_calibration(file)
    assert dear.gate.curve == found.gate.curve
    assert dear.costs.break_even == pytest.approx(5 / 6)
    assert dear.gate.threshold >= dear.costs.break_even

    capsys.readouterr()
    assert heron("observer", "assess", model, *given, "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["part"], result["in_sample"], result["seeds"]) == ("test", False, [0])
    names = {figure["name"] for figure in result["figures"]}
    assert {"brier_raw", "brier_calibrated", "ece_constant", "cost_probe", "auroc_raw"} <= names
    assert heron("observer", "assess", model, *given, "--seeds", "1000") == 2
    assert "under evaluation seeds" in capsys.readouterr().err

    _watch(f"probe:{model}", window=WINDOW)
    _watch(f"calibrated:{model}?calibration={file}", window=WINDOW)
    with pytest.raises(InputError, match=f"window is {WINDOW} and not 8192"):
        _watch(f"calibrated:{model}", window=8192)


def _watch(spec: str, *, window: int) -> None:
    """Have an observer in its own process answer a stream."""
    scenario = load_suite("smoke").scenarios[0]
    port = observer_port(spec, window=window)
    try:
        port.begin(None, 0)
        observations: tuple[Observation, ...] = record(scenario, 0).observations
        for observation in observations[:1]:
            answer, _ = port.observe(observation)
            assert answer.type == "wait"  # nothing was shown yet
    finally:
        port.close()
