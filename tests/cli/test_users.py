"""``heron users``: what is printed, what is kept, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from heron.cli.app import main
from heron.contracts import EpisodeConfig, StepCost
from heron.errors import HeronError
from heron.eval.batch import Bench, Plan
from heron.eval.judging import answerers
from heron.eval.judging.answerers import Answered, ScriptedAnswerer
from heron.eval.judging.points import DecisionPoint
from heron.eval.store import EpisodeStore
from heron.models.scripted import ScriptedChatModel
from heron.models.serve import ChatServer
from heron.models.store import resolve
from heron.scenarios.loader import load_suite

SMOKE = load_suite("smoke").sound().scenarios
MODEL = "smollm2-135m-instruct-q4_1"


def call(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as end:
        main(["users", *map(str, arguments)])
    assert isinstance(end.value.code, int)
    return end.value.code


def store(folder: Path, user: str, observer: str) -> Path:
    config = EpisodeConfig(observer=observer, executor="oracle", user=user)
    bench = Bench(Plan(config=config))
    with EpisodeStore(folder) as episodes:
        for episode in bench.episodes(SMOKE):
            episodes.append(episode)
    bench.close()
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two users × two observers."""
    folder = tmp_path_factory.mktemp("runs")
    return [
        store(folder / f"{user}-{observer}", f"scripted:{user}", observer)
        for user in ("neutral", "lenient")
        for observer in ("always", "oracle")
    ]


def points(file: Path, *said: str) -> Path:
    """Points of no scenario; the proposal tells a scripted answerer what to say."""
    file.write_text(
        "".join(
            json.dumps(
                {
                    "point_id": f"p{number}",
                    "user": "somebody",
                    "observer": "something",
                    "context": [{"turn": 1}],
                    "proposal": text,
                    "decision": "accept",
                }
            )
            + "\n"
            for number, text in enumerate(said)
        )
    )
    return file


class Parrot(ScriptedAnswerer):
    """Says what the proposal says; a stand-in where no process is wanted."""

    asked: list[str]

    def __init__(self) -> None:
        super().__init__("")
        self.asked = []

    def answer(self, point: DecisionPoint) -> Answered:
        if point.proposal == "ctrl-c":
            raise KeyboardInterrupt
        self.asked.append(point.point_id)
        return Answered.model_validate(
            {"said": point.proposal, "cost": StepCost(wall_s=0.1, cpu_s=0.1)}
        )


@pytest.fixture
def parrot(monkeypatch: pytest.MonkeyPatch) -> Parrot:
    bird = Parrot()
    monkeypatch.setattr(answerers, "answerer_of", lambda *_args, **_settings: bird)
    return bird


def test_points_of_runs_are_judged_by_their_own_user(
    runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "points.jsonl"
    assert call("points", *runs[:2], "--out", file) == 0
    assert "decision points of" in capsys.readouterr().out
    assert call("points", runs[0], "--out", file) == 2
    assert "is there already" in capsys.readouterr().err
    assert call("judge", file, "--user", "scripted", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["points"] == found["answered"] == len(file.read_text().splitlines())
    assert found["three_answers"]["accuracy"] == 1
    assert found["three_answers"]["kappa"] == 1
    assert call("judge", file, "--user", "scripted:lenient", "--limit", "3") == 0
    out, err = capsys.readouterr()
    assert "RECORDED \\ SAID" in out
    assert len(err.splitlines()) == 3


def test_bad_lines_are_told_and_the_others_judged(
    parrot: Parrot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = points(tmp_path / "points.jsonl", "accept", "reject")
    file.write_text("nonsense\n" + file.read_text())
    assert call("judge", file, "--user", "gguf:x") == 2
    out, err = capsys.readouterr()
    assert err.splitlines()[0].startswith(f"heron: {file}:1: no decision point: no JSON")
    assert "accuracy of 2" in out
    assert parrot.asked == ["p0", "p1"]


def test_an_interrupt_keeps_and_shows_what_is_done_and_another_call_goes_on(
    parrot: Parrot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "judged.jsonl"
    file = points(tmp_path / "points.jsonl", "accept", "reject", "ctrl-c")
    assert call("judge", file, "--user", "gguf:x", "--out", out, "--json") == 130
    found = json.loads(capsys.readouterr().out)
    assert (found["points"], found["of_points"]) == (2, 3)
    assert len(out.read_text().splitlines()) == 2
    points(file, "accept", "reject", "gather_context")
    assert call("judge", file, "--user", "gguf:x", "--out", out, "--json") == 0
    assert parrot.asked == ["p0", "p1", "p2"]
    found = json.loads(capsys.readouterr().out)
    assert (found["points"], found["kept"], found["gathered"]) == (3, 2, 1)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--user", "scripted"], "a scripted user judges by its scenario's rubric"),
        (["--user", "scripted:nobody"], "a scripted user judges by its scenario's rubric"),
        (["--user", "robot"], "no user 'robot' answers decision points"),
    ],
)
def test_a_user_that_cannot_judge_is_one_line(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = points(tmp_path / "points.jsonl", "accept")
    assert call("judge", file, *arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


def test_a_file_without_points_is_one_line_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_text("\n")
    assert call("judge", file, "--user", "scripted") == 2
    assert "holds no decision points" in capsys.readouterr().err


def test_the_ablation_of_stored_runs(runs: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert call("ablation", *runs, "--draws", "50") == 0
    out, err = capsys.readouterr()
    assert "2 users × 2 observers, 8 scenarios, 32 episodes" in out
    assert "KENDALL'S TAU-B" in out
    assert "no model is both a user and an observer" in out
    assert "fewer than 3 observers" in err
    assert call("ablation", *runs, "--draws", "50", "--json") == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [k["tau"] for k in found["kendall"]] == pytest.approx([1, 1])
    oracle = [c["success_rate"] for c in found["cells"] if c["observer"] == "oracle"]
    assert oracle == [1, 1]


def test_a_user_against_itself_ranks_alike_and_cannot_be_given_twice(
    runs: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("ablation", runs[0], runs[0]) == 2
    assert "played twice" in capsys.readouterr().err


def test_personas_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("personas") == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("neutral")
    assert call("personas", "--json") == 0
    names = [persona["name"] for persona in json.loads(capsys.readouterr().out)]
    assert {"neutral", "strict", "lenient", "tired"} <= set(names)


LOADED = """
import sys
from heron.cli.app import main
run, file = sys.argv[1:]
for arguments in (
    ["points", run, "--out", file],
    ["judge", file, "--user", "scripted", "--limit", "1"],
    ["judge", file, "--user", "gguf:no_such_model"],
    ["ablation", run, "--draws", "5"],
):
    try:
        main(["users", *arguments])
    except SystemExit as end:
        print("ENDED", end.code)
print("LOADED", *sorted({"llama_cpp", "litellm", "openai", "sklearn"} & set(sys.modules)))
"""


@pytest.mark.slow
def test_the_command_itself_loads_no_model_library(runs: list[Path], tmp_path: Path) -> None:
    command = [sys.executable, "-c", LOADED, str(runs[1]), str(tmp_path / "points.jsonl")]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("ENDED")] == [
        "ENDED 0",
        "ENDED 0",
        "ENDED 2",
        "ENDED 0",
    ], done.stderr
    assert lines[-1] == "LOADED"


@pytest.mark.slow
def test_a_model_behind_a_server_on_this_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = points(tmp_path / "points.jsonl", "Shall I?", "Or shall I?")
    model = ScriptedChatModel(['{"decision": "accept", "reason": "yes"}', "I would say no."])
    with ChatServer(model) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        assert call("judge", file, "--user", "litellm:openai/heron", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["answered"], found["invalid"], found["faults"]) == (1, 1, 0)
    assert found["costs"]["bytes_out"] > 0
    assert found["costs"]["egress_bytes"] == 0
    assert all(request.schema is not None for request in model.requests)


@pytest.mark.weights
def test_a_model_on_real_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        resolve(MODEL)
    except HeronError as error:
        pytest.skip(str(error))
    file = points(tmp_path / "points.jsonl", "Shall I set a reminder?", "Hello!")
    assert call("judge", file, "--user", f"gguf:{MODEL}", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["answered"], found["invalid"], found["faults"]) == (2, 0, 0)
    assert found["costs"]["cpu_s"]["total"] > 0
    assert found["memory"]["anonymous"] > 0
