"""What a proof is made of: the kinds of mutants, one mutant's trial, a scenario's proof.

What it does not know: how a mutant is made or played.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from heron.scenarios.document import Path_
from heron.sim.users.brief import Rubric

Kind = Literal[
    "reference",
    "accepted",
    "nothing",
    "dropped",
    "failed",
    "blanked",
    "no_consent",
    "extra",
    "wrong_object",
    "by_hand",
    "vague",
    "wrong",
    "unseen",
    "early",
    "late",
    "preview",
    "silence",
    "bait",
    "write",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

MEANING: dict[Kind, str] = {
    "reference": "the reference solution, offered in time: must succeed",
    "accepted": "each reference proposal, offered in time: must be accepted",
    "nothing": "nobody offers, or the executor does nothing",
    "dropped": "one write left out",
    "failed": "one write fails",
    "blanked": "one text says nothing",
    "no_consent": "the solution without an accepted offer",
    "extra": "one write more",
    "wrong_object": "one argument names another record, person, time or amount",
    "by_hand": "the user does it alone, on the screens",
    "vague": "an offer that says nothing: must be refused at once",
    "wrong": "an offer of the wrong thing or act: must be refused after looking",
    "unseen": "the right offer before all is seen: must lead to looking",
    "early": "the right offer before the window opens",
    "late": "the right offer after the window has closed",
    "preview": "what must be seen can be read off a notification's preview",
    "silence": "quiet and restraint: silence must pass",
    "bait": "quiet and restraint: one bait proposal at one turn",
    "write": "quiet and restraint: one write without consent",
}

State = Literal["killed", "survived", "left_out"]


@dataclass(frozen=True, slots=True)
class Trial:
    """One mutant under one seed."""

    kind: Kind
    seed: int
    mutant: str
    """What was altered, in words; up to a colon they are the same under all seeds."""
    state: State
    detail: str = ""
    """What happened to a survivor; why a mutant was left out."""
    path: Path_ = ()
    """Where in the file to mend it."""
    remedy: str = ""


def judged(
    kind: Kind,
    seed: int,
    mutant: str,
    problem: str | None,
    path: Path_ = (),
    remedy: str = "",
) -> Trial:
    """The trial of a mutant that was played.

    Args:
        kind: of the mutant.
        seed: under which it was played.
        mutant: what was altered.
        problem: why it counts as a survivor; ``None`` if it was killed.
        path: where in the file to mend it.
        remedy: what to do about a survivor.
    """
    if problem is None:
        return Trial(kind, seed, mutant, "killed")
    return Trial(kind, seed, mutant, "survived", problem, path, remedy)


def left_out(kind: Kind, seed: int, mutant: str, why: str) -> Trial:
    """The trial of a mutant that would be none, or that cannot be made here."""
    return Trial(kind, seed, mutant, "left_out", why)


@dataclass(frozen=True, slots=True)
class Offered:
    """What a scenario brings to the proof across scenarios, for one seed."""

    scenario: str
    family: str
    seed: int
    rubric: Rubric
    wanted: bool
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that should not have passed, for readers."""

    scenario: str
    kind: Kind
    seeds: tuple[int, ...]
    mutant: str
    """As under the first of the seeds."""
    line: str
    """One line: file, line, key, what happened, remedy."""


@dataclass(frozen=True, slots=True)
class Proof:
    """All trials of one scenario."""

    scenario: str
    type: str
    trials: tuple[Trial, ...] = ()
    survivors: tuple[Survivor, ...] = ()
    offered: tuple[Offered, ...] = ()
    error: str | None = None
    """Why the scenario could not be proved: its file or its build is at fault."""
    episodes: int = 0
    """Episodes played."""
    cpu_s: float = 0.0


@dataclass
class Count:
    """How the mutants of one kind came off."""

    generated: int = 0
    killed: int = 0
    survived: int = 0
    left_out: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    """Why mutants were left out → how many."""
