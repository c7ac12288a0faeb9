"""``heron bench``: play a split of scenarios, show progress, store episodes, print the table."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli import options
from heron.cli.errors import SETTINGS
from heron.cli.scenario_choice import PartOption, chosen
from heron.errors import InputError, Unavailable

if TYPE_CHECKING:
    from heron.contracts import EpisodeRecord
    from heron.eval.batch import Bench
    from heron.eval.store import EpisodeStore
    from heron.scenarios.schema import Scenario

app = typer.Typer(**SETTINGS)

EXAMPLES = """Play a split of scenarios and report score and cost.

Writes episodes.jsonl, summary.json and report.md; each episode is on disk before the next begins.

Examples:

  heron bench

  heron bench --observer rules --executor oracle --runs 4

  heron bench --observer gguf:smollm2-135m-instruct-q4_1 --executor none --threads 2

  heron bench --split full,quiet,restraint --part test --observer rules --executor oracle

  heron bench --executor litellm:gpt-5-mini --split smoke --json

  heron bench --observer rules --user litellm:gpt-5-mini#strict
"""


@app.command(help=EXAMPLES)
@options.plays
def bench(
    *,
    split: Annotated[str, typer.Option("--split", help="Which; commas for several.")] = "smoke",
    part: PartOption = None,
    scenarios: Annotated[
        list[str] | None,
        typer.Option("--scenarios", help="Ids or files instead of a split; repeat or use commas."),
    ] = None,
    runs: Annotated[int, typer.Option("--runs", min=1, help="Runs per scenario (k).")] = 1,
    play: options.Play,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the results [runs/DATE-TIME].")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Play a split of scenarios and report score and cost."""
    from heron.eval.batch import Bench
    from heron.eval.store import EPISODES, EpisodeStore

    suite = chosen(split, scenarios, part)
    player = Bench(play.plan(runs))
    folder = out or Path("runs") / f"{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    if (folder / EPISODES).exists():
        raise InputError(f"{folder} already holds {EPISODES}; choose another --out")
    episodes: list[EpisodeRecord] = []
    try:
        player.start()
        with EpisodeStore(folder) as store:
            _play(player, suite, store, episodes)
    finally:
        # Also after Ctrl-C: what was played is counted and shown.
        player.close()
        if episodes:
            summary = _summary(player, episodes, suite, len(suite) * runs)
            _write(folder, summary, episodes)
            _show(summary, folder, as_json=as_json)


def _play(
    player: Bench, suite: Sequence[Scenario], store: EpisodeStore, episodes: list[EpisodeRecord]
) -> None:
    from heron.cli.progress import episodes_progress

    with episodes_progress(len(suite) * player.plan.runs) as progress:
        for episode in player.episodes(suite, progress.starts):
            store.append(episode)
            episodes.append(episode)
            progress.ended(episode)


def _summary(
    player: Bench, episodes: list[EpisodeRecord], suite: Sequence[Scenario], planned: int
) -> dict[str, Any]:
    from heron import __version__
    from heron.eval.in_sample import in_sample
    from heron.eval.summary import summarise
    from heron.models.machine import machine_line

    summary = summarise(episodes, player.plan.runs)
    parts = Counter[str](scenario.part for scenario in suite)
    summary["planned_episodes"] = planned
    summary["parts"] = dict(sorted(parts.items()))
    summary["in_sample"] = in_sample(player.plan.config.observer, parts)
    summary["run"] = {
        "command": shlex.join(["heron", *sys.argv[1:]]),
        "config": player.plan.config.model_dump(mode="json"),
        "seed": player.plan.seed,
        "threads": player.plan.threads,
        "window": player.plan.window,
        "model": player.observer.info,
        "user_model": player.user.info,
        "machine": machine_line(),
        "version": __version__,
    }
    return summary


def _write(folder: Path, summary: dict[str, Any], episodes: list[EpisodeRecord]) -> None:
    from heron.eval.report import markdown
    from heron.eval.store import REPORT, SUMMARY
    from heron.eval.summary import write_json

    try:
        write_json(folder / SUMMARY, summary)
        (folder / REPORT).write_text(markdown(summary, episodes), encoding="utf-8")
    except OSError as error:
        raise Unavailable(f"cannot write to {folder}: {error.strerror}") from error


def _show(summary: dict[str, Any], folder: Path, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(summary, indent=2, ensure_ascii=False))
        return
    from heron.cli.progress import print_summary

    print_summary(summary, folder)
