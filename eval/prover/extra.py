"""Mutants that do the reference and one write more.

What `checks.allowed` names does no harm and is left out, save what takes a record away or reaches
other people: no list makes that harmless. What it does not know: verdicts' rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from heron.contracts import ToolCall
from heron.eval.prover import writes
from heron.eval.prover.ground import Ground
from heron.eval.prover.rehearsal import Effects, effects_of
from heron.eval.prover.seats import Move
from heron.eval.prover.trials import Trial, judged, left_out
from heron.sim.state import Snapshot

REMEDY = "take the effect out of checks.allowed"
TRIES = 12
"""Calls of one sort that are tried on the phone."""


def extras(ground: Ground, moment: Snapshot) -> Iterator[Trial]:
    """The reference and one write more: of several kinds, one mutant each."""
    plain = effects_of(ground, ground.moves, moment)
    if plain is None:
        yield left_out("extra", ground.seed, "one write more", "the reference is refused")
        return
    found = [
        ("once more", _again(ground)),
        ("somebody else is written to", list(writes.sends(ground.world, _spared(ground)))),
        ("something new is made", list(writes.creates(ground.world))),
        ("the same record is changed as well", _same_records(ground)),
        ("another record is changed", _bystanders(ground, "update", plain)),
        ("another record is deleted", _bystanders(ground, "delete", plain)),
    ]
    drafts = [
        (name, call) for name, calls in found for call in _first(ground, calls, plain, moment)
    ]
    for name, (call, harmless) in drafts:
        mutant = f"{name}: {call.name}"
        if harmless:
            yield left_out("extra", ground.seed, mutant, "checks.allowed names its effect")
            continue
        played = ground.help([*ground.moves, Move(call)])
        problem = "it passes" if played.verdict.passed else None
        yield judged("extra", ground.seed, mutant, problem, ("checks", "allowed"), REMEDY)


def _first(
    ground: Ground, calls: list[ToolCall], plain: Effects, moment: Snapshot
) -> Iterator[tuple[ToolCall, bool]]:
    """The first call that the phone takes and that adds an effect; whether it is harmless.

    Of those that `allowed` names, the first harmless one is told beside the first other one.
    """
    told = False
    for call in islice(calls, TRIES):
        after = effects_of(ground, [*ground.moves, Move(call)], moment)
        if after is None or after == plain:
            continue
        if not _harmless(ground, plain, after):
            yield call, False
            return
        if not told:
            told = True
            yield call, True


def _harmless(ground: Ground, plain: Effects, after: Effects) -> bool:
    """Whether `allowed` names all that is added, and it neither deletes nor reaches anybody."""
    added = {label for key, (label, _) in after.items() if plain.get(key) != after[key]}
    lost = {label for key, (label, _) in plain.items() if key not in after}
    allowed = set(ground.stage.checks.allowed)
    return not lost and all(label in allowed and not _grave(label) for label in added)


def _grave(label: str) -> bool:
    kind, _, op = label.partition(".")
    return op == "delete" or (op == "create" and kind in writes.REACH)


def _again(ground: Ground) -> list[ToolCall]:
    """The last write of the reference that names no record of an earlier step."""
    steps = [s for s in ground.stage.reference if s.effect == "write"]
    return [
        step.call
        for step in reversed(steps)
        if not any(str(v).startswith("@") for v in step.call.arguments.values())
    ]


def _spared(ground: Ground) -> set[str]:
    """Ids and addresses that the reference names: nothing beside it is tried on them."""
    found: set[str] = set()
    for step in ground.stage.reference:
        for value in step.call.arguments.values():
            found.update(str(v) for v in (value if isinstance(value, list) else [value]))
    return found


def _same_records(ground: Ground) -> list[ToolCall]:
    """Other texts for the records that the reference alters, in fields that it leaves alone."""
    return [
        call
        for want in ground.goal.wanted
        if want.change.op == "update"
        for call in writes.texts_of(
            want.change.key[1], want.change.key[2], {*want.change.changed, *want.free}
        )
    ]


def _bystanders(ground: Ground, op: str, plain: Effects) -> list[ToolCall]:
    """Calls on records that the reference does not touch, of kinds that `allowed` names first."""
    spared = _spared(ground) | {key[2] for key in plain}
    every = writes.deletes if op == "delete" else writes.changes
    calls = list(every(ground.world, spared))
    allowed = set(ground.stage.checks.allowed)
    touched = {want.change.key[1] for want in ground.goal.wanted}

    def rank(kind: str) -> int:
        return 0 if f"{kind}.{op}" in allowed else 1 if kind in touched else 2

    return [call for kind, call in sorted(calls, key=lambda pair: rank(pair[0]))]
