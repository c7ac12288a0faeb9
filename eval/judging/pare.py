"""Reads the decision points that PARE (arXiv 2604.00842) publishes for its user study.

Its decisions are yes or no: a proposal that the user looked into first is recorded by what came of
it in the end. What it does not know: files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictBool

from heron.eval.judging.points import DecisionPoint, Moment, Step

NOTHING_RECORDED = "No observation recorded."
"""What PARE writes where it has no observation; no words for a user to read."""


class _Action(BaseModel):
    model_config = ConfigDict(extra="ignore")

    action: str
    observation: str = ""


class _Turn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    turn_number: int
    notifications: list[str] = []
    actions: list[_Action] = []


class _Context(BaseModel):
    model_config = ConfigDict(extra="ignore")

    turns: list[_Turn]


class _Sample(BaseModel):
    """The keys that count; others are left alone."""

    model_config = ConfigDict(extra="ignore")

    sample_id: str
    scenario_id: str = ""
    proactive_model_id: str
    user_model_id: str
    user_agent_decision: StrictBool
    agent_proposal: str
    meta_task_description: str = ""
    context: _Context


def is_pare(value: Mapping[str, Any]) -> bool:
    """Whether a line is meant to be in PARE's format."""
    return "sample_id" in value or "user_agent_decision" in value


def point_of_pare(value: Any) -> DecisionPoint:
    """A line of PARE's as a decision point.

    Raises:
        ValueError: it is not in the format; pydantic's error names the key.
    """
    sample = _Sample.model_validate(value)
    return DecisionPoint(
        point_id=sample.sample_id,
        scenario=sample.scenario_id,
        user=sample.user_model_id,
        observer=sample.proactive_model_id,
        goal=sample.meta_task_description.strip(),
        context=tuple(map(_moment, sample.context.turns)),
        proposal=sample.agent_proposal,
        decision="accept" if sample.user_agent_decision else "reject",
    )


def _moment(turn: _Turn) -> Moment:
    return Moment(
        turn=turn.turn_number,
        notifications=tuple(turn.notifications),
        steps=tuple(Step(action=a.action, result=_result(a.observation)) for a in turn.actions),
    )


def _result(observation: str) -> str:
    return "" if observation == NOTHING_RECORDED else observation
