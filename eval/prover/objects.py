"""Mutants that do the right thing to the wrong object: one argument of a write is another.

Left out: arguments that the step lists under ``free``, values that the phone refuses (then the
write fails, which is a mutant of its own), and values whose effect differs from the reference's
in nothing but free fields. Whom a write reaches is never free. What it does not know: verdicts'
rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from pydantic import JsonValue

from heron.eval.prover.ground import Ground
from heron.eval.prover.rehearsal import Effects, effects_of
from heron.eval.prover.seats import Move
from heron.eval.prover.trials import Trial, judged, left_out
from heron.eval.prover.values import others
from heron.sim.state import Snapshot

REACHES = frozenset(
    {"recipients", "cc", "conversation_id", "participant_ids", "user_id", "user_ids"}
)
"""Arguments and fields that say whom a write reaches: another one is wrong, free or not."""
TRIES = 12
"""Values of an argument that are tried on the phone."""


def objects(ground: Ground, moment: Snapshot) -> Iterator[Trial]:
    """One mutant for each argument of a write that has another legal value."""
    plain = effects_of(ground, ground.moves, moment)
    if plain is None:
        return
    for index, step in enumerate(ground.stage.reference):
        if step.effect != "write":
            continue
        for name, value in step.call.arguments.items():
            mutant = f"write {index + 1} ({step.call.name}): another {name}"
            if name in step.free and name not in REACHES:
                yield left_out("wrong_object", ground.seed, mutant, "the step lists it as free")
                continue
            found = _swapped(ground, index, name, value, plain, moment)
            if isinstance(found, str):
                if found:
                    yield left_out("wrong_object", ground.seed, mutant, found)
                continue
            other, moves = found
            played = ground.help(moves)
            problem = "it passes" if played.verdict.passed else None
            told = f"{mutant}, {other!r} for {value!r}"
            path = ("reference", index, "free")
            remedy = (
                "take out of free, or say in facts, what tells them apart; "
                f"or list {name} under free if any will do"
            )
            yield judged("wrong_object", ground.seed, told, problem, path, remedy)


def _swapped(
    ground: Ground, index: int, name: str, value: JsonValue, plain: Effects, moment: Snapshot
) -> tuple[JsonValue, list[Move]] | str:
    """Another value and the calls with it, or why there is none; empty if none is thinkable."""
    step = ground.stage.reference[index]
    _, tool = ground.world.directory.tool(step.call.name)
    ground.rehearse(ground.moves[:index], moment)
    values = list(islice(others(ground.world, tool, name, value), TRIES))
    refused = same = 0
    for other in values:
        arguments = {**step.call.arguments, name: other}
        moves = list(ground.moves)
        moves[index] = replace(
            moves[index], call=step.call.model_copy(update={"arguments": arguments})
        )
        after = effects_of(ground, moves, moment)
        if after is None:
            refused += 1
        elif _equal(ground, plain, after):
            same += 1
        else:
            return other, moves
    if same:
        return "other values differ in nothing that is not free"
    return "the phone refuses other values" if refused else ""


def _equal(ground: Ground, plain: Effects, after: Effects) -> bool:
    """Whether two effects differ in nothing but free fields."""
    if plain.keys() != after.keys():
        return False
    wants = {want.change.key: want for want in ground.goal.wanted}
    for key, (label, fields) in plain.items():
        if after[key][0] != label or key not in wants:
            return False
        for name in {**fields, **after[key][1]}:
            free = name in wants[key].free and name not in REACHES
            if not free and fields.get(name) != after[key][1].get(name):
                return False
    return True
