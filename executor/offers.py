"""Which tools a model is offered at a step: all for a remote model, the plan's for a local one.

What it does not know: how a tool is written for the model, and which ids it may name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from heron.contracts import Task, ToolSpec
from heron.executor.closings import Closing
from heron.executor.progress import Progress
from heron.executor.references import kinds_in


class Offer(Protocol):
    """What is put before a model at a step, and how much of it."""

    @property
    def prose(self) -> int:
        """Characters allowed in a free string."""

    @property
    def result(self) -> int:
        """Characters of a tool's answer that are shown; the rest is cut and said to be."""

    def tools(self, task: Task, progress: Progress) -> Sequence[ToolSpec]:
        """The tools of a step, by preference."""

    def closings(self, task: Task, progress: Progress) -> Sequence[Closing]:
        """The pseudo-tools of a step."""


@dataclass(frozen=True, kw_only=True)
class Everything:
    """All that the grant covers, always: for remote models."""

    prose: int = 2000
    result: int = 8000

    def tools(self, task: Task, progress: Progress) -> Sequence[ToolSpec]:
        return task.tools

    def closings(self, task: Task, progress: Progress) -> Sequence[Closing]:
        return ("finish", "ask_user", "give_up")


@dataclass(frozen=True, kw_only=True)
class Planned:
    """The plan's writes and what has to be read for them: for local models.

    Writes of the plan that are still open come alone, so that a small model does not repeat the
    one it knows; when none is open all of the plan's are offered again. Then come the read tools
    of their apps, then the read tools of apps whose records the plan's writes need and of which
    the evidence has none. Without a plan the writes that can name a record of the evidence take its
    place. ``finish`` comes only when something was done, unless the plan has nothing to do: a
    small model likes to report success first.
    """

    prose: int = 300
    result: int = 1200
    most: int = 12
    """Tools, those that close included: the prompt is evaluated on a CPU, and a small model
    chooses worse among many."""

    def tools(self, task: Task, progress: Progress) -> Sequence[ToolSpec]:
        plan = task.proposal.plan
        writes = [s for s in task.tools if s.effect == "write" and s.name in plan]
        writes = writes or _by_evidence(task)
        left = progress.left_of(plan)
        still_open = [spec for spec in writes if spec.name in left] or writes
        reads = _reads_for(writes, task)
        return [*still_open, *reads][: self.most - len(self.closings(task, progress))]

    def closings(self, task: Task, progress: Progress) -> Sequence[Closing]:
        if progress.left_of(task.proposal.plan) and not progress.written:
            return ("ask_user", "give_up")
        return ("finish", "ask_user", "give_up")


def _reads_for(writes: Sequence[ToolSpec], task: Task) -> list[ToolSpec]:
    """Read tools of the writes' apps, then of the apps that keep what the writes still need.

    An app keeps the kinds of record that its own writes must name.
    """
    known = {record.kind for record in task.proposal.evidence}
    needed = {kind for spec in writes for kind in kinds_in(spec.parameters, required=True)} - known
    keepers = [
        _app(spec)
        for spec in task.tools
        if spec.effect == "write" and needed.intersection(kinds_in(spec.parameters, required=True))
    ]
    apps = dict.fromkeys([*map(_app, writes), *keepers])
    return [s for app in apps for s in task.tools if s.effect == "read" and _app(s) == app]


def _by_evidence(task: Task) -> list[ToolSpec]:
    kinds = {record.kind for record in task.proposal.evidence}
    return [
        spec
        for spec in task.tools
        if spec.effect == "write" and kinds.intersection(kinds_in(spec.parameters))
    ]


def _app(spec: ToolSpec) -> str:
    return spec.name.partition(".")[0]
