"""Episodes as ARE's recorded runs, and back: the observation stream is the stored episode's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heron.cli.app import build
from heron.cli.errors import run
from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.eval.are_export.trace import export_episode
from heron.eval.batch import Bench, Plan
from heron.eval.judging.replay import LeftBehind
from heron.eval.judging.scenes import Scenes
from heron.eval.replaying.sources import EpisodeSource
from heron.eval.replaying.stream import Moment, RecordedStream
from heron.eval.replaying.trace import trace_in
from heron.eval.replaying.turning import stream_of
from heron.scenarios.loader import load_suite

NAMES = ["train_late_for_client", "bill_before_the_return", "registry_slot_pulled_forward"]
Play = Callable[..., EpisodeRecord]


@pytest.fixture(scope="module")
def play() -> Play:
    def made(name: str, observer: str, **more: Any) -> EpisodeRecord:
        config = EpisodeConfig(observer=observer, executor="oracle", user="scripted", **more)
        scenario = load_suite(ids=[name]).scenarios[0]
        return next(iter(Bench(Plan(config=config)).episodes([scenario])))

    return made


def _data(episode: EpisodeRecord) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(json.dumps(export_episode(episode, Scenes()).data))
    return read


def _stream(data: dict[str, Any]) -> RecordedStream:
    return stream_of(trace_in(json.dumps(data)))


@pytest.mark.parametrize("observer", ["rules", "oracle", "always"])
@pytest.mark.parametrize("name", NAMES)
def test_the_stream_comes_back_as_it_was(name: str, observer: str, play: Play) -> None:
    episode = play(name, observer)
    assert _stream(_data(episode)) == EpisodeSource(episode, Scenes()).stream


@pytest.mark.parametrize("observer", ["rules", "oracle"])
@pytest.mark.parametrize("name", NAMES)
def test_ares_part_says_the_same_by_itself(name: str, observer: str, play: Play) -> None:
    """Up to what an observer learns of executions a turn later, times, and how lines are worded."""
    episode = play(name, observer)
    data = _data(episode)
    del data["metadata"]["heron"]
    found, own = _stream(data), EpisodeSource(episode, Scenes()).stream
    assert [_gist(m) for m in found.moments] == [_gist(m) for m in own.moments]
    assert sum(len(moment.new) for moment in own.moments) > 3


def _gist(moment: Moment) -> tuple[Any, ...]:
    told = [
        (seen.type, seen.app)
        if seen.type == "notification"
        else (seen.type, seen.app, seen.action)
        if seen.type == "action"
        else (seen.type, seen.answer, seen.reason)
        for seen in moment.new
        if seen.type in ("notification", "action", "answer")
    ]
    offer = moment.done.offer
    looks = [result.call.name for result in moment.done.looks]
    said = None if offer is None else (offer.text, offer.answer, offer.gathered)
    return moment.turn, sorted(told, key=str), said, looks


def test_who_did_what_in_which_turn(play: Play) -> None:
    data = _data(play("train_late_for_client", "oracle"))
    rows = data["completed_events"]
    assert {row["event_type"] for row in rows} == {"ENV", "USER", "AGENT"}
    turns = [row["metadata"]["turn_number"] for row in rows]
    assert turns == sorted(turns)
    assert turns[0] == 0
    modes = {row["metadata"].get("proactive_mode") for row in rows if row["event_type"] == "AGENT"}
    assert modes == {"observe", "execute"}
    functions = [row["action"]["function"] for row in rows]
    offered, agreed = functions.index("send_message_to_user"), functions.index("accept_proposal")
    assert offered < agreed
    writes = [r for r in rows if r["metadata"].get("proactive_mode") == "execute"]
    assert all(rows.index(row) > agreed for row in writes)
    assert data["metadata"]["simulation"]["model_id"] == (
        "user:scripted|observe:oracle|execute:oracle"
    )


def test_events_that_were_altered_are_read_as_they_stand(play: Play) -> None:
    data = _data(play("train_late_for_client", "oracle"))
    said = next(
        arg
        for row in data["completed_events"]
        if row["action"]["function"] == "send_message_to_user"
        for arg in row["action"]["args"]
    )
    said["value"] = "Shall I do something else?"
    stream = _stream(data)
    assert [offer.text for _, offer in stream.offers] == ["Shall I do something else?"]
    assert any("altered" in remark for remark in stream.header.remarks)


@pytest.mark.parametrize("stream", [{"a": 1}, [{"format": "heron-stream"}], []])
def test_a_broken_stream_is_not_restored(stream: Any, play: Play) -> None:
    data = _data(play("train_late_for_client", "rules"))
    data["metadata"]["heron"]["stream"] = stream
    assert _stream(data).header.source == "are"


def test_a_scenario_that_changed_is_refused(play: Play) -> None:
    episode = play("train_late_for_client", "rules")
    with pytest.raises(LeftBehind, match="has changed"):
        export_episode(episode.model_copy(update={"scenario_hash": "0" * 64}), Scenes())


def test_a_run_of_the_measured_clock_has_events_and_no_stream(play: Play) -> None:
    episode = play("train_late_for_client", "rules", clock="measured")
    data = _data(episode)
    heron = data["metadata"]["heron"]
    assert heron["stream"] is None
    assert any("measured" in one for one in heron["left_out"])
    assert len(_stream(data).moments) == len(episode.turns)


# --- the commands -------------------------------------------------------------------------------


def heron(*words: str) -> int:
    return run(lambda: build().main(list(words), prog_name="heron", standalone_mode=False))


def test_the_way_round_by_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played, traces, streams = (str(tmp_path / name) for name in ("run", "traces", "streams"))
    words = ["--observer", "rules", "--executor", "oracle", "--out", played]
    assert heron("bench", "--scenarios", "bill_before_the_return", *words) == 0
    assert heron("export", "are-trace", played, "--out", traces) == 0
    file = tmp_path / "traces" / "bill_before_the_return_run_0.json"
    assert heron("export", "are-trace", played, "--out", traces) == 1
    assert "--force" in capsys.readouterr().err
    assert heron("import", "trace", str(file), "--out", streams) == 0
    capsys.readouterr()
    tables = []
    for source in (played, str(tmp_path / "streams" / "bill_before_the_return_run_0.stream.jsonl")):
        assert heron("replay", source, "--observer", "rules", "--json") == 0
        told = json.loads(capsys.readouterr().out)
        answers = [[a["answer"] for a in t["answers"]] for t in told["replays"][0]["turns"]]
        tables.append((told["agreement"], answers))
    assert tables[0] == tables[1]
    assert tables[0][0][0]["proposals"] > 0
    assert heron("export", "are-trace", played, "--episode", "nothing#0", "--out", traces) == 2
    assert "there is no episode" in capsys.readouterr().err


def test_scenarios_by_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, back = str(tmp_path / "are"), str(tmp_path / "back")
    words = ["train_late_for_client", "--seed", "2", "--runs", "2", "--out", out]
    assert heron("export", "are", *words, "--classes", "are", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counts"] == {"written": 2, "refused": 0}
    files = [one["file"] for one in told["files"]]
    assert heron("import", "are", files[0], "--out", back) == 0
    assert (tmp_path / "back" / "train_late_for_client.yaml").is_file()
    assert heron("export", "are", "no_such_scenario", "--out", out) == 2
    assert len(capsys.readouterr().err.strip().splitlines()[-1:]) == 1
