"""Small makers of records for the tests of this room."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from heron.contracts import (
    Act,
    Change,
    Check,
    Decision,
    EpisodeConfig,
    EpisodeCosts,
    EpisodeRecord,
    FaultRecord,
    LogEntry,
    Outcome,
    Proposal,
    ScreenView,
    TurnRecord,
    UserStep,
    Verdict,
)

START = datetime(2026, 3, 10, 9, 0)


def change(op: str, ref: str, kind: str = "reminder", **fields: tuple[Any, Any]) -> Change:
    """A change of one record."""
    return Change.model_validate(
        {"app": kind, "kind": kind, "ref": ref, "op": op, "fields": fields}
    )


def entry(actor: str, *changes: Change, turn: int = 1, **more: Any) -> LogEntry:
    """A log entry; the assistant's are under grant g1."""
    grant = {"grant_id": "g1"} if actor == "assistant" else {}
    content = {
        "seq": 0,
        "time": START,
        "turn": turn,
        "actor": actor,
        "name": "x.y",
        "effect": "write",
        "arguments": {},
        "changes": changes,
        **grant,
        **more,
    }
    return LogEntry.model_validate(content)


def turn(number: int, decision: str | None = None, proposal: str | None = None) -> TurnRecord:
    """A turn in which the open proposal p1 was decided on, or ``proposal`` was made."""
    return TurnRecord(
        turn=number,
        time=START,
        view=ScreenView(app="system", screen="Home", title="Home"),
        step=UserStep(move=Act(app="system", action="go_home")),
        decision=None
        if decision is None
        else Decision.model_validate({"proposal_id": "p1", "turn": number, "answer": decision}),
        proposal=None
        if proposal is None
        else Proposal(proposal_id=proposal, turn=number, text="Shall I?"),
    )


def episode(
    outcome: Outcome = "success",
    *turns: TurnRecord,
    scenario: str = "s1",
    kind: str = "goal",
    run: int = 0,
    log: tuple[LogEntry, ...] = (),
    fault: bool = False,
    costs: EpisodeCosts | None = None,
) -> EpisodeRecord:
    """An episode of ten turns."""
    return EpisodeRecord.model_validate(
        {
            "scenario": scenario,
            "scenario_hash": "0" * 64,
            "type": kind,
            "kind": "scheduling",
            "seed": run,
            "run": run,
            "config": EpisodeConfig(observer="rules", executor="oracle", user="scripted"),
            "turns": turns,
            "log": log,
            "state": "0" * 64,
            "verdict": Verdict(outcome=outcome, checks=(Check(name="goal", passed=True),)),
            "fault": FaultRecord(part="observer", turn=1, message="gone") if fault else None,
            "costs": costs or EpisodeCosts(),
        }
    )
