"""``heron scenarios``: list the suite, show one scenario built, check files, print the format.

Further commands have files of their own: ``coverage``, ``prove``, ``new``, ``generate`` and
``review``.

What it does not know: how a scenario is loaded, built or judged (see ``heron.scenarios``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from heron.cli import coverage, generate, new_scenario, options, prove, review
from heron.cli.columns import columns
from heron.cli.errors import SETTINGS
from heron.cli.scenario_choice import PartOption, SplitOption, chosen, selection
from heron.errors import InputError

if TYPE_CHECKING:
    from heron.scenarios.schema import Scenario

app = typer.Typer(**SETTINGS)


@app.callback()
def scenarios() -> None:
    """List, show, check, count, prove, write and review scenarios."""


LIST = """List the scenarios there are; broken files are told on stderr.

Examples:

  heron scenarios list --split full,quiet --part test

  heron scenarios list --json
"""


@app.command("list", help=LIST)
def list_(
    split: SplitOption = None, part: PartOption = None, as_json: options.Json = False
) -> None:
    """See ``LIST``."""
    suite = selection(split, None, part)
    rows = [_row(scenario) for scenario in suite]
    if as_json:
        typer.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        heading = ("id", "family", "type", "kind", "splits", "part", "setting", "locale")
        table = [[_cell(row[name]) for name in heading] for row in rows]
        typer.echo(columns([heading, *table]))
    for error in suite.errors:
        typer.echo(f"heron: {error}", err=True)
    if suite.errors:
        raise typer.Exit(InputError.exit_code)


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="ID|FILE", help="A scenario's id, or a file.")],
    seed: Annotated[int, typer.Option("--seed", help="Which variant.")] = 0,
    as_json: options.Json = False,
) -> None:
    """Build a scenario for a seed and tell it."""
    from heron.scenarios import describe
    from heron.scenarios.builder import build

    (scenario,) = chosen(None, [name])
    stage = build(scenario, seed)
    if as_json:
        typer.echo(json.dumps(describe.data(stage), indent=2, ensure_ascii=False))
        return
    for line in describe.lines(stage):
        typer.echo(line)


@app.command()
def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[ID|FILE]…", help="All, if none is given.")
    ] = None,
    split: SplitOption = None,
    part: PartOption = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Seeds 0 to N-1 are built.")] = 5,
) -> None:
    """Load, build and replay scenarios; one line per problem, exit code 1 if there is any."""
    from heron.scenarios.check import check as findings

    suite = selection(split, names, part)
    problems = list(suite.errors)
    for scenario in suite:
        problems += findings(scenario, range(seeds))
    for problem in problems:
        typer.echo(str(problem))
    typer.echo(f"{len(suite)} scenarios, {seeds} seeds each, {len(problems)} problems", err=True)
    if problems:
        raise typer.Exit(1)


app.command("coverage", help=coverage.HELP)(coverage.coverage)
app.command("prove", help=prove.HELP)(prove.prove)
app.command("new", help=new_scenario.HELP)(new_scenario.new)
app.command("generate", help=generate.HELP)(generate.generate)
app.command("review", help=review.HELP)(review.review)


@app.command()
def schema() -> None:
    """Print the JSON schema of scenario files."""
    from heron.scenarios.schema import json_schema

    typer.echo(json_schema(), nl=False)


def _cell(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ",".join(value)


def _row(scenario: Scenario) -> dict[str, str | list[str]]:
    return {
        "id": scenario.id,
        "family": scenario.family,
        "type": scenario.type,
        "kind": scenario.kind,
        "splits": list(scenario.splits),
        "part": scenario.part,
        "setting": scenario.setting,
        "locale": scenario.locale,
        "summary": scenario.summary,
        "hash": scenario.hash,
    }
