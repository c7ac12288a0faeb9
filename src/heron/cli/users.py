"""``heron users``: personas, judging of recorded decisions, and the user-model ablation.

What it does not know: how users decide.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from heron.cli import options
from heron.cli.ablation import HELP as ABLATION_HELP
from heron.cli.ablation import ablation
from heron.cli.columns import columns
from heron.cli.errors import SETTINGS
from heron.cli.judge import HELP as JUDGE_HELP
from heron.cli.judge import judge
from heron.errors import InputError

app = typer.Typer(
    help="Personas, agreement with recorded decisions, user-model ablation.", **SETTINGS
)
app.command("judge", help=JUDGE_HELP)(judge)
app.command("ablation", help=ABLATION_HELP)(ablation)

POINTS_HELP = """Make decision points of stored episodes: each proposal at its first answer.

Proposals that were never answered make none.

Examples:

  heron users points runs/20260310-090000 --out points.jsonl

  heron users points runs/a/episodes.jsonl runs/b --out points.jsonl
"""


@app.command("points", help=POINTS_HELP)
def points(
    episodes: Annotated[
        list[Path], typer.Argument(metavar="EPISODES…", help="Folders of runs, or their files.")
    ],
    out: Annotated[Path, typer.Option("--out", help="File to write, JSON lines.")],
) -> None:
    """See ``POINTS_HELP``."""
    from heron.eval import metrics
    from heron.eval.judging.export import points_of
    from heron.eval.judging.points import write_points
    from heron.eval.judging.scenes import Scenes
    from heron.eval.store import read_episodes

    if out.exists():
        raise InputError(f"{out} is there already; choose another --out")
    # Each once, also where a run is named twice or lies in two of the folders.
    played = list(read_episodes(*episodes))
    count = write_points(out, points_of(played, Scenes()))
    proposals = metrics.proposals(played)
    typer.echo(
        f"{count} decision points of {proposals} proposals in {len(played)} episodes "
        f"written to {out}"
    )


@app.command("personas")
def list_personas(as_json: options.Json = False) -> None:
    """List the personas of scripted users."""
    from heron.sim.users.persona import personas

    shipped = personas()
    if as_json:
        told = [persona.model_dump(mode="json") for persona in shipped]
        typer.echo(json.dumps(told, indent=2, ensure_ascii=False))
        return
    typer.echo(columns([("NAME", "SUMMARY"), *((p.name, p.summary) for p in shipped)]))
