"""Which tools a model is offered: all for a remote model, the plan's for a local one.

What it does not know: how a tool is written for the model, and which ids it may name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from heron.contracts import Task, ToolSpec
from heron.executor.closings import CLOSINGS
from heron.executor.progress import Progress
from heron.executor.references import kinds_in

MOST_GUESSED = 5
"""Writes that take the place of a plan."""


MOST_READS = 6
"""Read tools; a small model tries them all."""

MOST_BEYOND = 2
"""Writes beyond the plan, which names a tool once that may be needed for several records."""


MOST_LOOKS = 3
"""Reads without a write between them, failed ones included."""

PATIENCE = 2
"""Calls beyond the plan's number, after which work on an open plan may end."""


class Offer(Protocol):
    """What is put before a model, and how much of it."""

    @property
    def prose(self) -> int:
        """Characters allowed in a free string."""

    @property
    def result(self) -> int:
        """Characters of a tool's answer that are shown; the rest is cut and said to be."""

    @property
    def near(self) -> bool:
        """Times can only be of last year, this or the next."""

    @property
    def grounded(self) -> bool:
        """Optional arguments are held to what was accepted and shown (see ``grounding``)."""

    @property
    def steady(self) -> bool:
        """Tools that cannot be called now stay in the list, with a schema that allows nothing."""

    def tools(self, task: Task) -> Sequence[ToolSpec]:
        """The tools of the whole execution, by preference; the pseudo-tools come by themselves."""

    def closed(self, task: Task, progress: Progress) -> frozenset[str]:
        """Tools and pseudo-tools that may not be called at this step."""


@dataclass(frozen=True, kw_only=True)
class Everything:
    """All that the grant covers, always: for remote models."""

    prose: int = 2000
    result: int = 8000
    near: bool = False
    grounded: bool = False
    steady: bool = False

    def tools(self, task: Task) -> Sequence[ToolSpec]:
        return task.tools

    def closed(self, task: Task, progress: Progress) -> frozenset[str]:
        return frozenset()


@dataclass(frozen=True, kw_only=True)
class Planned:
    """The plan's writes and what can be read for them: for local models.

    Without a plan the writes that can name a record of the evidence take its place. For the reads
    see ``_reads``.

    A small model repeats the write it knows, reads on and on, reports success too early, and gives
    up or asks back before it tried. So a write that is done is closed while others of the plan are
    open, and all are after ``MOST_BEYOND`` more than the plan names; reads are closed after
    ``MOST_LOOKS`` without a write, and when the plan is done; the pseudo-tools are closed while the
    plan is open and few calls were made, ``finish`` also until something was written, and
    ``ask_user`` when nothing is open.
    """

    prose: int = 300
    result: int = 1200
    near: bool = True
    grounded: bool = True
    steady: bool = False
    """For a model that is held to schemas and evaluates its prompt on a CPU: as long as the list
    of tools stays the same, only what is new is evaluated."""
    most: int = 12
    """Tools, the pseudo-tools included: a small model chooses worse among many."""

    def tools(self, task: Task) -> Sequence[ToolSpec]:
        writes = _writes(task)
        return [*writes, *_reads(writes, task)][: self.most - len(CLOSINGS)]

    def closed(self, task: Task, progress: Progress) -> frozenset[str]:
        plan = task.proposal.plan
        left = progress.left_of(plan)
        closed = set()
        if len(progress.written) >= len(plan) + MOST_BEYOND:
            closed |= {spec.name for spec in _writes(task)}
        elif left:
            closed |= {spec.name for spec in _writes(task) if spec.name not in left}
        if progress.looks >= MOST_LOOKS or (plan and not left):
            closed |= {spec.name for spec in task.tools if spec.effect == "read"}
        return frozenset(closed | self._endings(progress, plan, bool(left)))

    def _endings(self, progress: Progress, plan: Sequence[str], open_: bool) -> set[str]:
        """The pseudo-tools that are closed."""
        if not open_:
            return {"ask_user"}
        if progress.calls < len(plan) + PATIENCE:
            return set(CLOSINGS)
        return set() if progress.written else {"finish"}


def _writes(task: Task) -> list[ToolSpec]:
    writes = [spec for spec in task.tools if spec.effect == "write"]
    kinds = {record.kind for record in task.proposal.evidence}
    return [spec for spec in writes if spec.name in task.proposal.plan] or [
        spec for spec in writes if kinds.intersection(kinds_in(spec.parameters))
    ][:MOST_GUESSED]


def _reads(writes: Sequence[ToolSpec], task: Task) -> list[ToolSpec]:
    """Read tools by use: the best of each app in turn, at most ``MOST_READS``.

    Apps that keep records which the writes must name and the evidence lacks are one round ahead;
    apps whose records the evidence has come last in a round, since they were looked into already.
    Of apps that the writes do not touch only searches are taken.
    """
    known = {record.kind for record in task.proposal.evidence}
    wanted = {kind for spec in writes for kind in kinds_in(spec.parameters, required=True)} - known
    ahead, behind = _keepers(wanted, task), _keepers(known, task)
    touched = ahead.union(map(_app, writes))
    apps: dict[str, list[ToolSpec]] = {}
    for spec in task.tools:
        if spec.effect == "read" and (_effort(spec) == 0 or _app(spec) in touched):
            apps.setdefault(_app(spec), []).append(spec)
    ranked = [
        ((place - (app in ahead), app in behind, _effort(spec)), spec)
        for app, reads in apps.items()
        for place, spec in enumerate(sorted(reads, key=_effort))
    ]
    return [spec for _, spec in sorted(ranked, key=lambda pair: pair[0])][:MOST_READS]


def _keepers(kinds: set[str], task: Task) -> set[str]:
    """The apps that keep records of these kinds: those whose own writes must name one."""
    return {
        _app(spec)
        for spec in task.tools
        if spec.effect == "write" and kinds.intersection(kinds_in(spec.parameters, required=True))
    }


def _effort(spec: ToolSpec) -> int:
    """What a read asks for: a search one word, a list nothing, the rest something to be known."""
    needed = cast("list[str]", spec.parameters.get("required", []))
    if kinds_in(spec.parameters, required=True):
        return 3
    searches = spec.name.partition(".")[2].startswith("search")
    return 0 if searches and len(needed) == 1 else 1 + len(needed)


def _app(spec: ToolSpec) -> str:
    return spec.name.partition(".")[0]
