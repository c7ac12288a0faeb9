"""A proof as a table of mutants, and as data.

What it does not know: how mutants are made; the terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from heron.eval.prover.across import MOST, Across
from heron.eval.prover.trials import KINDS, MEANING, Count, Kind, Proof

HEADING = ("mutant", "played", "killed", "survivors", "left out", "what it is")


def counts(proofs: Sequence[Proof]) -> dict[Kind, Count]:
    """Mutants by kind, in the order of the kinds; kinds of which there was none are not in it."""
    found: dict[Kind, Count] = {}
    for kind in KINDS:
        count = Count()
        for trial in (t for proof in proofs for t in proof.trials if t.kind == kind):
            if trial.state == "left_out":
                count.left_out += 1
                count.reasons[trial.detail] = count.reasons.get(trial.detail, 0) + 1
                continue
            count.generated += 1
            count.killed += trial.state == "killed"
            count.survived += trial.state == "survived"
        if count.generated or count.left_out:
            found[kind] = count
    return found


def rows(proofs: Sequence[Proof], found: Across) -> list[tuple[str, ...]]:
    """The table: a heading, a row for each kind, one for the proof across scenarios, the sum."""
    table: list[tuple[str, ...]] = [HEADING]
    total = Count()
    for kind, count in counts(proofs).items():
        cells = (count.generated, count.killed, count.survived, count.left_out)
        table.append((kind, *map(str, cells), MEANING[kind]))
        total.generated += count.generated
        total.killed += count.killed
        total.survived += count.survived
        total.left_out += count.left_out
    sums = (total.generated, total.killed, total.survived, total.left_out)
    table.append(("in all", *map(str, sums), ""))
    if found.share is not None:
        strays = len(found.strays)
        meaning = f"other scenarios' proposals; {found.share:.2%} accepted, at most {MOST:.0%}"
        refused = str(found.judged - strays)
        table.append(("across", str(found.judged), refused, str(strays), "", meaning))
    return table


def reasons(proofs: Sequence[Proof]) -> Iterator[str]:
    """What was left out and why, one line for each scenario and mutant."""
    found: dict[str, list[int]] = {}
    for proof in proofs:
        for trial in proof.trials:
            if trial.state == "left_out":
                line = f"{proof.scenario}: {trial.kind}: {trial.mutant}: left out: {trial.detail}"
                found.setdefault(line, []).append(trial.seed)
    for line, seeds in found.items():
        yield f"{line} (seeds {', '.join(map(str, seeds))})"


def strays(found: Across) -> Iterator[str]:
    """Proposals that are accepted where they do not belong, one line for each pair."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for stray in found.strays:
        pairs.setdefault((stray.source, stray.target), []).append(
            f"{stray.source} → {stray.target}{' (siblings)' if stray.siblings else ''}, "
            f"seed {stray.seed}: {stray.text!r}"
        )
    for lines in pairs.values():
        more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
        yield f"across: accepted in another scenario: {lines[0]}{more}"


def data(proofs: Sequence[Proof], found: Across, seeds: Sequence[int]) -> dict[str, Any]:
    """Everything, as JSON has it."""
    return {
        "seeds": list(seeds),
        "scenarios": len(proofs),
        "episodes": sum(proof.episodes for proof in proofs),
        "cpu_s": sum(proof.cpu_s for proof in proofs),
        "mutants": {kind: asdict(count) for kind, count in counts(proofs).items()},
        "survivors": [asdict(each) for proof in proofs for each in proof.survivors],
        "errors": [proof.error for proof in proofs if proof.error is not None],
        "across": {
            "judged": found.judged,
            "accepted": len(found.strays),
            "share": found.share,
            "most": MOST,
            "strays": [asdict(stray) for stray in found.strays],
        },
    }
