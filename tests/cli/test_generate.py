"""``heron scenarios new``, ``generate`` and ``review``: a scripted model, a queue, decisions."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from heron.cli import app as cli
from heron.errors import RemoteFault
from heron.models import litellm_chat
from heron.models.scripted import ScriptedChatModel
from heron.scenarios import loader
from heron.scenarios.generator import examples
from heron.scenarios.generator.answers import STAGES
from heron.scenarios.loader import load_file

Script = Callable[[Sequence[Any]], ScriptedChatModel]


def scenarios(*arguments: object) -> int:
    """The exit code of ``heron scenarios``."""
    with pytest.raises(SystemExit) as end:
        cli.main(["scenarios", *map(str, arguments)])
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run where nothing else lies, and nothing is known but the queue."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(loader, "load_suite", lambda *_, **__: loader.Suite(()))
    monkeypatch.setattr(examples, "example_scenarios", lambda: ())


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """Let ``--model`` be a scripted one."""

    def use(answers: Sequence[Any]) -> ScriptedChatModel:
        model = ScriptedChatModel(answers)
        monkeypatch.setattr(litellm_chat, "chat_model", lambda *_, **__: model)
        return model

    return use


def texts() -> list[str]:
    """Answers to all stages. The example's times fit the evening of seed 0's first scenario."""
    return [json.dumps(examples.example("goal")[stage]) for stage in STAGES]


@pytest.fixture
def queued(script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    """A queue with one ready scenario."""
    script(texts())
    assert scenarios("generate", "--model", "litellm:fake") == 0
    capsys.readouterr()


# --- new ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "type_", "kind"),
    [
        ([], "goal", "upstream_change"),
        (["--kind", "joke"], "quiet", "joke"),
        (["--type", "restraint", "--locale", "de_DE"], "restraint", "driving"),
    ],
)
def test_new_writes_a_scenario_that_is_sound(
    options: list[str], type_: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert scenarios("new", "mat_key", "--family", "house", *options) == 0
    assert capsys.readouterr().out == "scenarios/house/mat_key.yaml\n"
    scenario = load_file(Path("scenarios/house/mat_key.yaml"))
    assert (scenario.id, scenario.family, scenario.type) == ("mat_key", "house", type_)
    assert scenario.kind == kind
    assert scenarios("check", "scenarios/house/mat_key.yaml") == 0


def test_new_overwrites_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("new", "mat_key", "--out", "own") == 0
    file = Path("own/mat_key/mat_key.yaml")
    file.write_text("mine")
    assert scenarios("new", "mat_key", "--out", "own") == 2
    assert file.read_text() == "mine"
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [("new", "mat_key"), ("generate", "--model", "litellm:openai/gpt-5-mini")],
    ids=["new", "generate"],
)
def test_a_folder_that_cannot_be_made_is_told_in_a_line(
    command: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("taken").write_text("mine")
    assert scenarios(*command, "--out", "taken") == 3
    assert capsys.readouterr().err.startswith("heron: error: cannot write to taken")
    assert Path("taken").read_text() == "mine"


@pytest.mark.parametrize(
    "arguments",
    [["Mat"], ["mat", "--kind", "jok"], ["mat", "--locale", "xx"], ["mat", "--family", "../up"]],
)
def test_new_refuses_what_it_cannot_name(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert scenarios("new", *arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(Path().iterdir()) == []


# --- generate -----------------------------------------------------------------------------------


def test_generate_tells_each_step_and_fills_the_queue(
    script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    script(texts())
    assert scenarios("generate", "--model", "litellm:fake", "--out", "q") == 0
    said = capsys.readouterr()
    steps = [line.split(":")[0] for line in said.err.splitlines()]
    assert steps == [f"0-001 {stage}" for stage in (*STAGES, "proof")]
    assert said.out == "0-001 ready: kiln_cools_longer (nothing survives its proof)\n"
    came = load_file(Path("q/kiln_cools_longer.yaml")).provenance
    assert came is not None
    assert came.model == "litellm:fake"


def test_generate_keeps_what_failed_with_its_reasons(
    script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    script(["no JSON", "no JSON"])
    assert scenarios("generate", "--model", "litellm:fake", "--json") == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["state"], entry["stage"]) == ("failed", "idea")
    assert "no JSON object" in entry["reasons"][0]


def test_generate_refuses_what_is_in_the_queue(
    script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second has another id and is otherwise the first."""
    idea, *rest = texts()
    other = json.dumps({**json.loads(idea), "id": "another_kiln"})
    script([idea, *rest, other, *rest])
    assert scenarios("generate", "--model", "litellm:fake", "--count", 2) == 0
    assert (
        "0-002 failed at events: another_kiln\n  idea: near-duplicate of kiln_cools_longer"
        in capsys.readouterr().out
    )


def test_generate_goes_on_after_a_break(script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    whole = texts()
    script([*whole[:3], RemoteFault("the line is dead")])
    assert scenarios("generate", "--model", "litellm:fake") == 1
    assert "the line is dead" in capsys.readouterr().err
    assert scenarios("generate", "--model", "litellm:fake") == 2
    assert "--resume goes on with it" in capsys.readouterr().err
    model = script(whole[3:])
    assert scenarios("generate", "--model", "litellm:fake", "--resume") == 0
    assert len(model.requests) == 3
    idle = script([])
    assert scenarios("generate", "--model", "litellm:fake", "--resume") == 0
    assert idle.requests == []


def test_generate_resumes_under_the_same_options_only(
    script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    script([RemoteFault("gone")])
    assert scenarios("generate", "--model", "litellm:fake") == 1
    assert scenarios("generate", "--model", "litellm:other", "--resume") == 2
    assert "begun with model 'litellm:fake', not 'litellm:other'" in capsys.readouterr().err


def test_two_do_not_write_into_one_queue(
    script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    script([])
    Path("q").mkdir()
    with FileLock("q/.lock"):
        assert scenarios("generate", "--model", "litellm:fake", "--out", "q") == 2
    assert "another process generates into q" in capsys.readouterr().err


# --- review -------------------------------------------------------------------------------------


def test_a_queue_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("review", "--queue", "nowhere") == 2
    assert "there is no queue nowhere" in capsys.readouterr().err


@pytest.mark.usefixtures("queued")
def test_review_lists_and_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("review", "--list") == 0
    assert "0-001  kiln_cools_longer  ready" in capsys.readouterr().out
    assert scenarios("review", "--list", "--json", "--state", "failed") == 0
    assert json.loads(capsys.readouterr().out) == []
    assert scenarios("review", "--show", "0-001") == 0
    told = capsys.readouterr().out
    assert "by litellm:fake, seed 0, Heron" in told
    assert "Help is useful after" in told
    assert scenarios("review", "--list", "--state", "redy") == 2


@pytest.mark.usefixtures("queued")
def test_review_accepts(capsys: pytest.CaptureFixture[str]) -> None:
    name = "kiln_cools_longer"
    assert scenarios("review", "--accept", name) == 2
    assert "--family" in capsys.readouterr().err
    accept = ["--accept", name, "--family", "pottery"]
    assert scenarios("review", *accept, "--splits", "ful") == 2
    assert scenarios("review", *accept, "--splits", "full", "--to", "own") == 0
    assert load_file(Path(f"own/pottery/{name}.yaml")).splits == ["full"]


@pytest.mark.usefixtures("queued")
def test_review_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("review", "--refuse", "0-001") == 2
    assert scenarios("review", "--refuse", "0-001", "--reason", "dull") == 0
    capsys.readouterr()
    assert scenarios("review", "--list", "--json") == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["state"], entry["reasons"]) == ("refused", ["dull"])


@pytest.mark.usefixtures("queued")
def test_review_edits_and_checks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    assert scenarios("review", "--edit", "0-001") == 2
    assert "set EDITOR" in capsys.readouterr().err
    editor = tmp_path / "edit.py"
    editor.write_text(
        "import pathlib, sys\n"
        "file = pathlib.Path(sys.argv[-1])\n"
        "file.write_text(file.read_text().replace('@outing', sys.argv[1]))\n"
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {editor} @outign")
    assert scenarios("review", "--edit", "0-001") == 0
    assert "unknown label 'outign'" in capsys.readouterr().out
    monkeypatch.setenv("EDITOR", "false")
    assert scenarios("review", "--edit", "0-001") == 2


@pytest.mark.usefixtures("queued")
@pytest.mark.parametrize(
    ("typed", "state"),
    [
        ("a\npottery\n\n", "accepted"),
        ("r\ndull\n", "refused"),
        ("s\n", "ready"),
        ("x\nq\n", "ready"),
        ("a\nNo Family\n\na\npottery\nfull\n", "accepted"),
    ],
)
def test_review_asks(
    typed: str,
    state: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert scenarios("review") == 0
    assert "--- 1 of 1" in capsys.readouterr().out
    assert scenarios("review", "--list", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["state"] == state


def test_review_takes_one_thing_at_a_time(tmp_path: Path) -> None:
    (tmp_path / "queue").mkdir()
    assert scenarios("review", "--list", "--accept", "x") == 2
