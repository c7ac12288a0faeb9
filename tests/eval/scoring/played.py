"""Makers of episodes in which offers are made, taken, turned down and left alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from heron.contracts import (
    Assessment,
    Decision,
    EpisodeConfig,
    EpisodeCosts,
    EpisodeRecord,
    FaultRecord,
    Idle,
    LogEntry,
    ObserverTurn,
    OfferAssessed,
    Proposal,
    Propose,
    ScreenView,
    TurnRecord,
    UserErrors,
    UserStep,
    Verdict,
    Wait,
)
from heron.eval.gathering import gatherings

START = datetime(2026, 3, 10, 9, 0)
TURN_S = 20

Script = Sequence[str]
"""One word per turn, of what happens in it: ``-`` nothing; ``offer`` the observer offers; ``yes``,
``no``, ``look``, ``ignore`` the user's answer; ``expired``; ``withdraw``; several joined by ``+``;
``mute``: the observer is not asked."""


def at(turn: int) -> datetime:
    """When a turn begins."""
    return START + timedelta(seconds=TURN_S * (turn - 1))


def entry(actor: str, name: str = "x.y", turn: int = 1, **more: Any) -> LogEntry:
    """A log entry."""
    content = {"seq": 0, "time": at(turn), "turn": turn, "effect": "write", "arguments": {}, **more}
    return LogEntry.model_validate({"actor": actor, "name": name, **content})


def played(
    *script: str,
    scenario: str = "s1",
    seed: int = 0,
    type: str = "goal",  # noqa: A002 - the field's name
    outcome: str | None = None,
    log: Sequence[LogEntry] = (),
    senses: Sequence[str] = (),
    opened: int | None = 1,
    closes: int | None = None,
    assessed: bool = True,
    fault: bool = False,
    costs: EpisodeCosts | None = None,
    config: EpisodeConfig | None = None,
    assessment: dict[str, Any] | None = None,
) -> EpisodeRecord:
    """An episode by a script.

    Args:
        senses: of the offers in order; all ``fits``, unless given.
        opened: turn with which help begins to be useful.
        closes: last turn in which it is.
        assessment: further fields of it.
    """
    turns, offers = _turns(script)
    worth = [*senses, *["fits"] * len(offers)]
    return EpisodeRecord.model_validate(
        {
            "scenario": scenario,
            "scenario_hash": "0" * 64,
            "type": type,
            "kind": "scheduling",
            "seed": seed,
            "run": seed,
            "config": config or EpisodeConfig(observer="rules", executor="oracle", user="scripted"),
            "turns": turns,
            "gatherings": gatherings(turns),
            "user_errors": UserErrors(),
            "log": tuple(log),
            "state": "0" * 64,
            "verdict": Verdict.model_validate(
                {"outcome": outcome or ("failure" if type == "goal" else "silent"), "checks": ()}
            ),
            "fault": FaultRecord(part="observer", turn=1, message="gone") if fault else None,
            "assessment": Assessment.model_validate(
                {
                    "family": "tests",
                    "part": "test",
                    "opened": at(opened) if opened is not None and type == "goal" else None,
                    "closes": at(closes) if closes is not None else None,
                    "offers": [
                        OfferAssessed.model_validate({"proposal_id": name, "sense": sense})
                        for name, sense in zip(offers, worth, strict=False)
                    ],
                    **(assessment or {}),
                }
            )
            if assessed
            else None,
            "costs": costs or EpisodeCosts(),
        }
    )


def _turns(script: Script) -> tuple[tuple[TurnRecord, ...], list[str]]:
    offers: list[str] = []
    turns = []
    answers = {"yes": "accept", "no": "reject", "look": "gather_context", "ignore": "ignore"}
    for number, text in enumerate(script, 1):
        words = text.split("+")
        current = offers[-1] if offers else "p0"
        said = next((answers[word] for word in words if word in answers), None)
        offered = "offer" in words
        if offered:
            offers.append(f"p{len(offers) + 1}")
        answer = Propose(text="Shall I?") if offered else Wait()
        turns.append(
            TurnRecord(
                turn=number,
                time=at(number),
                view=ScreenView(app="system", screen="Home", title="Home"),
                step=UserStep(move=Idle(), looking="look" in words),
                decision=None
                if said is None
                else Decision.model_validate(
                    {"proposal_id": current, "turn": number, "answer": said}
                ),
                expired=current if "expired" in words else None,
                withdrawn=current if "withdraw" in words else None,
                observer=() if "mute" in words else (ObserverTurn(step=0, answer=answer),),
                proposal=Proposal(proposal_id=offers[-1], turn=number, text="Shall I?")
                if offered
                else None,
            )
        )
    return tuple(turns), offers
