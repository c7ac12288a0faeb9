"""``heron profile``: what is printed and kept, how it ends, and what is said of wrong options."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from heron.cli.app import main
from heron.errors import HeronError
from heron.eval.profiling import measure
from heron.eval.profiling.records import Decided, Profiled, StreamFacts
from heron.models.store import resolve
from heron.models.tiny_gguf import write_tiny_gguf

MODEL = "smollm2-135m-instruct-q4_1"
WAITS = 4
"""Seed of the tiny fake's weights under which it never words an offer."""


def call(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as end:
        main(["profile", *map(str, arguments)])
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_tiny_gguf(tmp_path / "tiny.gguf", seed=WAITS, trained_window=32768)


@pytest.mark.slow
def test_a_tiny_model_is_profiled_in_its_own_process_under_limits(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    few = ("--window", "16384", "--events", "12", "--prompt-tokens", "16", "--decode-tokens", "4")
    limits = ("--cpu-limit", "80%", "--memory-limit", "2G", "--energy", "cpu:4")
    budget = ("--budget", "p95=60s,rss=1MB")
    assert call(tiny, *few, *limits, *budget, "--out", out, "--json") == 1
    shown, err = capsys.readouterr()
    found = json.loads(shown)
    assert json.loads((out / "profile.json").read_text()) == found
    (one,) = found["profiles"]
    assert one["observations"] == one["stream"]["observations"] == 12
    assert one["complete"]
    assert one["cold"]["evaluated"] > one["kept"]["evaluated"]
    assert one["kept"]["reused"] > 1000
    assert one["cold"]["first_token_s"] > 0
    assert len(one["prompt"]["per_s"]) == len(one["decode"]["per_s"]) == 5
    assert one["in_force"]["memory"]
    assert one["in_force"]["cpu"]
    assert one["costs"]["energy"]["source"] == "estimate"
    assert one["costs"]["memory"]["kv"] == one["info"]["kv"] > 0
    assert [excess["figure"] for excess in found["excesses"]] == ["rss"]
    assert "over budget: tiny.gguf" in err
    assert "12/12 observations" in err
    lines = (out / "decisions.jsonl").read_text().splitlines()
    assert len(lines) == one["decisions"]
    assert json.loads(lines[0])["decided"]["cost"]["memory"]["anonymous"] > 2**20
    assert "over budget" in (out / "profile.md").read_text()
    assert call(tiny, "--out", out) == 2
    assert "choose another --out" in capsys.readouterr().err


def facts(complete: bool) -> dict[str, Any]:
    stream = StreamFacts(digest="d", seed=0, observations=4, scenarios=1, phone_s=60)
    return {"stream": stream, "complete": complete, "observations": 4 if complete else 2}


Keep = Callable[[Profiled, Sequence[Decided]], None]


def test_what_was_measured_before_ctrl_c_is_shown_and_on_disk(
    tiny: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(settings: Any, _stream: object, _options: object, keep: Keep) -> None:
        keep(Profiled(setting=settings[0], **facts(True)), ())
        keep(Profiled(setting=settings[1], **facts(False)), ())
        raise KeyboardInterrupt

    monkeypatch.setattr(measure, "profile_all", interrupted)
    assert call(tiny, "--threads", "1,2", "--events", "10", "--out", tmp_path / "out") == 130
    shown, err = capsys.readouterr()
    assert "0 (none) on 2 of 4 observations" in shown
    assert "interrupted" in err
    stored = json.loads((tmp_path / "out" / "profile.json").read_text())
    assert [one["setting"]["threads"] for one in stored["profiles"]] == [1, 2]
    assert [one["complete"] for one in stored["profiles"]] == [True, False]


def test_settings_are_all_combinations_in_order(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int]] = []

    def note(settings: Any, _stream: object, _options: object, _keep: Keep) -> None:
        seen.extend((one.threads, one.window) for one in settings)

    monkeypatch.setattr(measure, "profile_all", note)
    lists = ("--threads", "1,2,1", "--window", "512,1024")
    assert call(tiny, *lists, "--events", "5", "--out", tmp_path / "out") == 0
    assert seen == [(1, 512), (1, 1024), (2, 512), (2, 1024)]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--threads", "0", "numbers from 1 on"),
        ("--threads", "one", "numbers from 1 on"),
        ("--budget", "p95=fast", "as 500ms"),
        ("--budget", "speed=5ms", "unknown figure 'speed'"),
        ("--memory-limit", "much", "as 600M"),
        ("--cpu-limit", "50", "as 50%"),
        ("--energy", "coal", "cpu:WATTS"),
        ("--usage", "hevy", "did you mean 'heavy'"),
        ("--seed", "1000", "not for evaluation"),
        ("--quality", "nowhere", "cannot read"),
        ("--window", "99999999", "trained for at most"),
    ],
)
def test_a_wrong_option_is_told_in_one_line(
    tiny: Path,
    tmp_path: Path,
    option: str,
    value: str,
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call(tiny, "--events", "5", "--out", tmp_path / "out", option, value) == 2
    err = [line for line in capsys.readouterr().err.splitlines() if line.startswith("heron:")]
    assert len(err) == 1
    assert told in err[0]
    assert not (tmp_path / "out").exists()


def test_a_model_that_is_not_here_is_told_before_anything_is_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call("smolm2") == 2
    assert "making a stream" not in capsys.readouterr().err


@pytest.mark.weights
def test_a_real_model_keeps_its_prefix_and_its_tokens(tmp_path: Path) -> None:
    try:
        resolve(MODEL)
    except HeronError as error:
        pytest.skip(str(error))
    digests, tokens = set(), []
    for name in ("a", "b"):
        out = tmp_path / name
        few = ("--events", "6", "--prompt-tokens", "32", "--decode-tokens", "0")
        assert call(MODEL, *few, "--out", out) == 0
        (one,) = json.loads((out / "profile.json").read_text())["profiles"]
        digests.add(one["stream"]["digest"])
        lines = map(json.loads, (out / "decisions.jsonl").read_text().splitlines())
        tokens.append([line["decided"]["cost"]["evaluated"] for line in lines])
        assert one["complete"]
        assert one["cold"]["cpu_s"] > 2 * one["kept"]["cpu_s"]
        assert one["prompt"]["per_s"][0] > 1
        assert one["decode"] is None
    assert len(digests) == 1
    assert tokens[0] == tokens[1]
