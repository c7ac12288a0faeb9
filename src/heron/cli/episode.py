"""``heron episode``: play one scenario and tell it turn by turn, or tell one that was stored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heron.cli import options
from heron.cli.errors import SETTINGS
from heron.errors import InputError

app = typer.Typer(**SETTINGS)

EXAMPLES = """Play one scenario and tell it turn by turn.

Examples:

  heron episode ID --observer oracle --executor oracle

  heron episode ID --seed 3 --json

  heron episode ID --observer oracle --user gguf:qwen2.5-coder-1.5b

  heron episode ID --from runs/20260310-090000

  heron episode ID --observer oracle --executor oracle --html episode.html
"""


@app.command(help=EXAMPLES)
@options.plays
def episode(
    *,
    scenario: Annotated[str, typer.Argument(help="Id of a scenario, or a file.")],
    play: options.Play,
    stored: Annotated[
        Path | None, typer.Option("--from", help="Tell the episode as stored in a run's folder.")
    ] = None,
    as_json: options.Json = False,
    html: options.Html = None,
) -> None:
    """Play one scenario and tell it turn by turn."""
    from heron.cli.scenario_choice import chosen
    from heron.eval.batch import Bench
    from heron.eval.store import read_episodes
    from heron.eval.story import tell

    if stored is not None:
        found = [e for e in read_episodes(stored) if e.scenario == scenario and e.seed == play.seed]
        if not found:
            raise InputError(f"{stored} holds no episode of {scenario} with seed {play.seed}")
        record = found[0]
    else:
        player = Bench(play.plan())
        try:
            record = player.episode(chosen(None, [scenario])[0], 0)
        finally:
            player.close()
    if html is not None:
        from heron.eval.reporting.viewer.page import save

        save([record], html, f"{record.scenario}, seed {record.seed}")
    if as_json:
        typer.echo(record.model_dump_json(indent=2))
        return
    for line in tell(record):
        typer.echo(line)
