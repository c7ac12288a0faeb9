"""Tries calls on the phone at the moment of help, to see whether they are mutants at all.

A call that the phone refuses is the same as one that fails; one whose effects equal the
reference's is no mutant. What it does not know: episodes, verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heron.eval.net import Key, NetChange, net_effects
from heron.eval.prover.ground import Ground
from heron.eval.prover.seats import Move
from heron.eval.verdict import Goal
from heron.sim.state import Snapshot

Effects = Mapping[Key, tuple[str, Mapping[str, Any]]]
"""Record → what was done to it (``kind.op``), and the fields that differ afterwards."""


def effects_of(ground: Ground, moves: Sequence[Move], moment: Snapshot) -> Effects | None:
    """What calls do in all; ``None`` if the phone refuses one of them."""
    refused, world = ground.rehearse(moves, moment)
    if refused:
        return None
    entries = [entry.record(world.app_of) for entry in world.log[moment.log :]]
    net = net_effects(entries, "assistant")
    return {key: (change.label, _seen(ground.goal, change)) for key, change in net.items()}


def _seen(goal: Goal, change: NetChange) -> dict[str, Any]:
    """The fields that differ, without ids and what nobody compares."""
    marks = goal.marks.get(change.key[1], {})
    return {
        name: after
        for name, (_, after) in change.changed.items()
        if not {mark.meaning for mark in marks.get(name, ())} & {"id", "volatile"}
    }
