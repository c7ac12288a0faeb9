"""``heron scenarios prove``: mutants of solution, offer and consent, and which of them survive.

What it does not know: how mutants are made and judged (see ``heron.eval.prover``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from heron.cli import options
from heron.cli.columns import columns
from heron.cli.scenario_choice import PartOption, SplitOption, selection
from heron.errors import InputError

if TYPE_CHECKING:
    from heron.eval.prover.across import Across
    from heron.eval.prover.trials import Proof

HELP = """Prove scenarios: play mutants of each solution and offer, and tell which survive.

Exit code 1 where one survives, 2 where a file is broken; see docs/proof.md.

Examples:

  heron scenarios prove my_scenario.yaml

  heron scenarios prove --split full,quiet,restraint --json > proof.json
"""

Names = Annotated[
    list[str] | None, typer.Argument(metavar="[ID|FILE]…", help="All, if none is given.")
]
Seeds = Annotated[int, typer.Option("--seeds", min=1, max=1000, help="Seeds 0 to N-1 are proved.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", min=1, help="Processes; as many as there are cores.")
]
Verbose = Annotated[bool, typer.Option("--verbose", help="Also say what was left out and why.")]


def prove(
    names: Names = None,
    split: SplitOption = None,
    part: PartOption = None,
    seeds: Seeds = 3,
    jobs: Jobs = None,
    as_json: options.Json = False,
    verbose: Verbose = False,
) -> None:
    """See ``HELP``."""
    from heron.cli.progress import counting
    from heron.eval.prover import table
    from heron.eval.prover.run import cores, prove_all

    suite = selection(split, names, part)
    broken = [str(error) for error in suite.errors]
    if not suite.scenarios and not broken:
        raise InputError("there is no scenario to prove")
    with counting(len(suite), "proving", lambda proof: proof.scenario, _found) as told:
        proofs, across = prove_all(suite.scenarios, range(seeds), jobs or cores(), told)
    broken += [proof.error for proof in proofs if proof.error is not None]
    if as_json:
        told_all = {**table.data(proofs, across, range(seeds)), "errors": broken}
        typer.echo(json.dumps(told_all, indent=2, ensure_ascii=False))
    else:
        _print(proofs, across, verbose=verbose)
    for line in broken:
        typer.echo(f"heron: {line}", err=True)
    if any(proof.survivors for proof in proofs) or not across.passed:
        raise typer.Exit(1)
    if broken:
        raise typer.Exit(InputError.exit_code)


def _print(proofs: Sequence[Proof], across: Across, *, verbose: bool) -> None:
    from heron.eval.prover import table

    for proof in proofs:
        for survivor in proof.survivors:
            typer.echo(survivor.line)
    for line in table.strays(across):
        typer.echo(line)
    if verbose:
        for line in table.reasons(proofs):
            typer.echo(line)
    typer.echo(columns(table.rows(proofs, across), right=(1, 2, 3, 4)))
    cpu, episodes = sum(p.cpu_s for p in proofs), sum(p.episodes for p in proofs)
    if episodes:
        each = f"{cpu / episodes * 1000:.1f} ms CPU each"
        typer.echo(f"{len(proofs)} scenarios, {episodes} episodes, {each}", err=True)


def _found(proof: Proof) -> str:
    """A proof in a line, for logs."""
    found = "an error" if proof.error else f"{len(proof.survivors)} survivors"
    return f"{proof.scenario}: {found}"
