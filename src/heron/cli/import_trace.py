"""``heron import trace``: recorded runs of ARE and PARE become recorded observation streams.

What it does not know: the format, and how a run is taken over (see ``heron.eval.replaying``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heron.cli import options
from heron.cli.errors import SETTINGS

if TYPE_CHECKING:
    from heron.eval.replaying.importing import TakenOver

app = typer.Typer(**SETTINGS)

HELP = """Take over recorded runs of ARE and PARE: one recorded observation stream each.

What has no counterpart is told in remarks; a file that is no recorded run is refused, and the exit
code is then 1. Streams are shown to observers by heron replay; see docs/replay.md.

Examples:

  heron import trace runs/*.json --out streams

  heron import trace run.json --out streams --force --json
"""


@app.command(help=HELP)
def trace(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Runs, JSON files.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the streams; it is made.")],
    force: Annotated[bool, typer.Option("--force", help="Write over streams there.")] = False,
    as_json: options.Json = False,
) -> None:
    """See ``HELP``."""
    from heron.eval.replaying.importing import take_over

    done: list[TakenOver] = []
    try:
        for file in files:
            done.append(take_over(file, out, force=force))
            if not as_json:
                _print(done[-1])
    finally:
        if as_json:
            rows = [one.model_dump(mode="json") for one in done]
            typer.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    refused = sum(one.status == "refused" for one in done)
    typer.echo(f"{len(done) - refused} of {len(done)} files taken over", err=True)
    if refused:
        raise typer.Exit(1)


def _print(one: TakenOver) -> None:
    if one.status == "refused":
        typer.echo(f"heron: {one.file}: refused: {'; '.join(one.remarks)}", err=True)
        return
    typer.echo(
        f"{one.written}: {one.moments} moments, {one.offers} offers, {one.accepted} accepted"
    )
    for remark in one.remarks:
        typer.echo(f"  {remark}")
