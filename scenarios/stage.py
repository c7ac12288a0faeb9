"""The stage: a scenario built for one seed, ready to be played.

What it does not know: observers, executors, turns, scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import Field

from heron.contracts import Record, ToolCall
from heron.scenarios.schema import Scenario
from heron.sim.users.brief import Need, UserBrief
from heron.sim.world import World


class Moment(Record):
    """When the window opens and closes."""

    event: str | None = None
    """Key of the event that opens it."""
    ref: str | None = None
    """Id of the record that this event creates."""
    opens: datetime | None = None
    """Known from the start, or ``None``: as soon as it makes sense."""
    closes: datetime | None = None


class Cue(Record):
    """What an observer that knows the solution says, and when."""

    text: str
    """One of the reference proposals, chosen by the seed."""
    plan: tuple[str, ...]
    """Names of the reference's write tools, each once."""
    refs: tuple[str, ...]
    """Ids of the records that the offer rests on: needs, then the reference's arguments."""
    after: tuple[str, ...] = ()
    """Ids of the records that must have appeared first."""
    opens: datetime | None = None
    closes: datetime | None = None
    looks: tuple[ToolCall, ...] = ()
    """Reads that show those of ``refs`` that no event brings."""


class ReferenceStep(Record):
    """A call of the reference solution."""

    call: ToolCall
    """Its arguments name records by id; one that an earlier step creates is still ``@label``."""
    effect: Literal["read", "write"]
    facts: dict[str, tuple[tuple[str, ...], ...]]
    """Argument → groups of phrases; of each group one has to stand in the text."""
    free: frozenset[str] = frozenset()
    """Arguments in which any value will do."""
    label: str | None = None
    """Name of the record that it creates."""


class Checks(Record):
    """Effects (``kind.op``) beyond the reference's own."""

    allowed: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()


class WrongProposal(Record):
    """An offer that the user must not take."""

    text: str
    why: Literal["vague", "object", "act"]


class Proposals(Record):
    """Offers to prove the scenario with."""

    reference: tuple[str, ...] = ()
    wrong: tuple[WrongProposal, ...] = ()
    bait: tuple[str, ...] = ()


class Privacy(Record):
    """What is sensitive, and who may know."""

    sensitive: tuple[Need, ...] = ()
    may_know: dict[str, tuple[Need, ...]] = Field(default_factory=dict)


@dataclass(frozen=True)
class Stage:
    """A scenario and a seed, as a phone and everything that is known of the matter."""

    scenario: Scenario
    seed: int
    world: World
    """At its start, the events queued."""
    brief: UserBrief
    moment: Moment
    cue: Cue | None
    """``None`` where no help is wanted."""
    reference: tuple[ReferenceStep, ...]
    report: str
    checks: Checks
    proposals: Proposals
    privacy: Privacy
    labels: Mapping[str, str]
    """Label → id, of the phone's records and of those that events will create."""

    @property
    def scenario_hash(self) -> str:
        """sha256 of the scenario's content."""
        return self.scenario.hash
