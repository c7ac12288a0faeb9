"""One real run of two configurations, and an episode with everything in it, by hand."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from heron.cli.app import build
from heron.cli.errors import run
from heron.contracts import Answered as AnsweredMove
from heron.contracts import (
    Check,
    Decision,
    EpisodeConfig,
    EpisodeCosts,
    EpisodeRecord,
    Evidence,
    Execution,
    FaultRecord,
    Idle,
    LogEntry,
    Look,
    ObserverTurn,
    Proposal,
    Propose,
    Scores,
    ScreenView,
    StepCost,
    ToolCall,
    ToolResult,
    TurnRecord,
    Usage,
    UserStep,
    Verdict,
    Wait,
)

START = datetime(2026, 3, 10, 9, 0)


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Observer (``oracle``, ``rules``) → the folder of its run: two scenarios, two seeds."""
    base = tmp_path_factory.mktemp("runs")
    for observer in ("oracle", "rules"):
        words = ["bench", "--observer", observer, "--executor", "oracle", "--runs", "2"]
        words += ["--scenarios", "club_session_earlier,class_move_already_entered"]
        words += ["--out", str(base / observer)]
        done = run(partial(build().main, words, prog_name="heron", standalone_mode=False))
        assert done == 0
    return {"oracle": base / "oracle", "rules": base / "rules"}


def _turn(number: int, *answers: ObserverTurn, **more: object) -> TurnRecord:
    return TurnRecord.model_validate(
        {
            "turn": number,
            "time": START,
            "view": ScreenView(app="system", screen="Home", title="Home"),
            "step": UserStep(move=Idle()),
            "observer": answers,
            **more,
        }
    )


@pytest.fixture(scope="session")
def full() -> EpisodeRecord:
    """A look, an offer, an accept, an execution with a refused call, then the observer breaks."""
    call = ToolCall(name="email.get_email", arguments={"email_id": "m1"})
    write = ToolCall(name="reminder.add", arguments={"title": "Milk"})
    offer = Proposal(proposal_id="p1", turn=1, text="Shall I?", plan=("reminder.add",))
    return EpisodeRecord(
        scenario="s1",
        scenario_hash="h1",
        type="goal",
        kind="tasks_reminders",
        seed=7,
        run=0,
        config=EpisodeConfig(observer="gguf:small", executor="litellm:acme/large", user="scripted"),
        code="0+a",
        models={"observer": "ab" * 32},
        turns=(
            _turn(
                1,
                ObserverTurn(step=0, answer=Look(call=call)),
                ObserverTurn(
                    step=1,
                    answer=Propose(
                        text="Shall I?",
                        plan=("reminder.add",),
                        refs=("m1",),
                        scores=Scores(wait=0.1, look=0.2, propose=0.7),
                    ),
                ),
                proposal=offer,
            ),
            _turn(
                2,
                ObserverTurn(step=0, answer=Wait()),
                step=UserStep(move=AnsweredMove(answer="accept", reason="Yes.")),
                decision=Decision(proposal_id="p1", turn=2, answer="accept", reason="Yes."),
                execution=Execution(
                    grant_id="g1",
                    end="done",
                    message="Done.",
                    calls=(
                        ToolResult(call=write, ok=False, error="no such list"),
                        ToolResult(
                            call=write,
                            ok=True,
                            value="r1",
                            shown=(Evidence(ref="r1", kind="reminder", text="Milk"),),
                        ),
                    ),
                    steps=3,
                    usage=Usage(calls=3, tokens_in=300, tokens_out=30, bytes_out=900, remote=True),
                ),
            ),
            _turn(3),
        ),
        log=(
            LogEntry(
                seq=0,
                time=START,
                turn=1,
                actor="environment",
                name="email.receive",
                effect="write",
                arguments={"subject": "Milk"},
            ),
            LogEntry(
                seq=1,
                time=START,
                turn=1,
                actor="assistant",
                name="email.get_email",
                effect="read",
                arguments={"email_id": "m1"},
                error="the mail app is down",
            ),
        ),
        state="0" * 64,
        verdict=Verdict(
            outcome="failure", checks=(Check(name="goal", passed=False, detail="no milk"),)
        ),
        fault=FaultRecord(part="observer", turn=3, message="gone"),
        costs=EpisodeCosts(
            steps=(
                StepCost(wall_s=1.0, queued_s=0.5, evaluated=40, reused=60, generated=0),
                StepCost(wall_s=2.0, evaluated=10, reused=100, generated=12),
                StepCost(wall_s=0.25, evaluated=0, generated=0, woken=False),
            ),
            executor=(StepCost(wall_s=4.0),),
            usage=(Usage(calls=3, tokens_in=300, tokens_out=30, bytes_out=900, remote=True),),
            wall_s=9.0,
        ),
    )


@pytest.fixture
def full_run(full: EpisodeRecord, tmp_path: Path) -> Path:
    """That episode alone in a folder, which says nothing of its run."""
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "episodes.jsonl").write_text(full.model_dump_json() + "\n")
    return folder
