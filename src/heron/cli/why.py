"""``heron why``: what went wrong in stored episodes, and whose fault it was.

What it does not know: how a cause is found (see ``heron.eval.attribution``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heron.cli import options
from heron.cli.errors import SETTINGS
from heron.errors import InputError, UnknownName
from heron.registry import nearest

if TYPE_CHECKING:
    from heron.contracts import EpisodeRecord

app = typer.Typer(**SETTINGS)

HELP = """Say why stored episodes failed: the observer, the user simulator, the executor, or the
infrastructure.

With a scenario's id its episodes are told in a few lines each; without one, every failed episode is
told in one line, and the causes are counted.

Examples:

  heron why runs/20260310-090000

  heron why runs/20260310-090000 train_late_for_client --seed 0

  heron why runs/20260310-090000 --json

  heron why runs/20260310-090000 --html why.html
"""


@app.command(help=HELP)
def why(
    run: Annotated[Path, typer.Argument(help="Folder of a run.")],
    scenario: Annotated[str | None, typer.Argument(help="Id of a scenario in it.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Only this seed.")] = None,
    as_json: options.Json = False,
    html: options.Html = None,
) -> None:
    """See ``HELP``."""
    from heron.eval.account import account
    from heron.eval.store import read_episodes

    episodes = _chosen(list(read_episodes(run)), scenario, seed, run)
    if html is not None:
        from heron.eval.reporting.viewer.page import save

        save(episodes, html, f"Episodes of {run.name}")
    if as_json:
        typer.echo(json.dumps(_data(episodes), indent=2, ensure_ascii=False))
    elif scenario is None:
        _list(episodes)
    else:
        for episode in episodes:
            for line in account(episode):
                typer.echo(line)


def _chosen(
    episodes: Sequence[EpisodeRecord], scenario: str | None, seed: int | None, run: Path
) -> list[EpisodeRecord]:
    known = sorted({episode.scenario for episode in episodes})
    if scenario is not None and scenario not in known:
        raise UnknownName(f"{run} holds no episode of {scenario!r}; {nearest(scenario, known)}")
    found = [e for e in episodes if scenario in (None, e.scenario) and seed in (None, e.seed)]
    if not found:
        raise InputError(f"{run} holds no such episode; leave out --seed to see which there are")
    return found


def _list(episodes: Sequence[EpisodeRecord]) -> None:
    from heron.eval.account import headline
    from heron.eval.attribution import attribute, kinds

    failed = [episode for episode in episodes if attribute(episode) is not None]
    for episode in failed:
        typer.echo(headline(episode))
    for kind, count in kinds(episodes).items():
        typer.echo(f"{count:>6}  {kind.replace('_', ' ')}", err=True)
    typer.echo(f"{len(failed)} of {len(episodes)} episodes failed", err=True)


def _data(episodes: Sequence[EpisodeRecord]) -> list[dict[str, object]]:
    from heron.eval.attribution import attribute

    return [
        {
            "scenario": episode.scenario,
            "seed": episode.seed,
            "run": episode.run,
            "outcome": episode.verdict.outcome,
            "attribution": None if cause is None else cause.model_dump(),
        }
        for episode in episodes
        for cause in [attribute(episode)]
    ]
