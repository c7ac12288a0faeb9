"""``heron bench``: play a split of scenarios, show progress, store episodes, print the table.

What it does not know: how a run is begun, gone on with and summed up (see ``heron.eval.session``).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli import export_beside, options
from heron.cli.errors import SETTINGS
from heron.cli.options import Stale
from heron.cli.scenario_choice import Part, PartOption, chosen
from heron.errors import InputError

if TYPE_CHECKING:
    from heron.eval.engine.engine import Engine
    from heron.eval.runs import RunPlan
    from heron.eval.session import Session

app = typer.Typer(**SETTINGS)

EXAMPLES = """Play a split of scenarios and report score and cost.

Writes run.json, episodes.jsonl, summary.json and report.md; each episode is on disk before the next
begins, so a run that was killed goes on where it was.

Examples:

  heron bench

  heron bench --observer rules --executor oracle --runs 4

  heron bench --observer gguf:smollm2-135m-instruct-q4_1 --executor none --threads 2

  heron bench --split full,quiet,restraint --part test --observer rules --executor oracle

  heron bench --executor litellm:gpt-5-mini --split smoke --json

  heron bench --observer rules --user litellm:gpt-5-mini#strict

  heron bench --observer rules --executor gguf:qwen2.5-coder-1.5b --decompose

  heron bench --resume runs/20260310-090000

  heron bench --observer rules --executor oracle --export inspect

  heron bench --split full --runs 4 --workers 8

  heron bench --split full --runs 4 --out runs/big --shard 3/16

  heron bench --executor litellm:gpt-5-mini --workers 4 --rpm 60 --max-usd 5
"""


def _folder(text: str) -> Path:
    if not text.strip():
        raise typer.BadParameter("name a folder; it is empty")
    return Path(text)


@app.command(help=EXAMPLES)
@options.plays
def bench(
    context: typer.Context,
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
        Path | None,
        typer.Option(
            "--out", parser=_folder, metavar="FOLDER", help="For the results [runs/DATE-TIME]."
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume", parser=_folder, metavar="FOLDER", help="Go on with the run in this folder."
        ),
    ] = None,
    stale: options.StaleOption = Stale.refuse,
    decompose: Annotated[
        bool,
        typer.Option(
            "--decompose",
            help="Play it with an oracle executor, an oracle observer and both as well, and split "
            "the loss between observer and executor.",
        ),
    ] = False,
    scale: options.Scale,
    export: export_beside.ExportOption = None,
    as_json: options.Json = False,
) -> None:
    """Play a split of scenarios and report score and cost."""
    from heron.eval.runs import Choice, RunPlan
    from heron.eval.session import Session
    from heron.models.allowance import in_force

    _check_shard(scale, out or resume, decompose=decompose)
    export_beside.check(export or ())

    if resume is not None:
        plan = _begun(context, resume, out)
    else:
        choice = Choice(
            split=None if scenarios else split,
            part=part.value if part else None,
            scenarios=tuple(scenarios or ()),
        )
        asked = play.plan(runs)
        plan = RunPlan(
            config=asked.config, choice=choice, runs=runs, seed=asked.seed, threads=asked.threads
        )
    suite = chosen(
        plan.choice.split,
        plan.choice.scenarios,
        Part(plan.choice.part) if plan.choice.part else None,
    )
    folder = resume or out or Path("runs") / f"{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    with ExitStack() as opened:
        engine = opened.enter_context(scale.open_engine()) if scale.elsewhere else None
        session = opened.enter_context(
            Session(
                folder,
                plan,
                suite,
                ["heron", *sys.argv[1:]],
                resume=resume is not None,
                stale=stale.value,
                engine=engine,
                shard=scale.part(),
            )
        )
        opened.enter_context(in_force(folder, scale.limits()))
        more: dict[str, Any] = {}
        try:
            _play(session)
            if decompose:
                session.player.close()
                more["decomposition"] = _decomposed(
                    session, resume=resume is not None, stale=stale, engine=engine
                )
        finally:
            # Also after Ctrl-C: what was played is counted and shown.
            session.player.close()
            if engine is not None:
                engine.close()
            _show(session, more, as_json=as_json)
        export_beside.write(export or (), folder)


def _check_shard(scale: options.Scale, folder: Path | None, *, decompose: bool) -> None:
    """That a part of a run has a place among the others.

    Raises:
        InputError: it has none.
    """
    if scale.shard is None:
        return
    if folder is None:
        raise InputError("--shard needs --out: all parts of a run lie in one folder")
    if decompose:
        raise InputError("give --decompose when all shards are played, with --resume, not before")


def _begun(context: typer.Context, folder: Path, out: Path | None) -> RunPlan:
    """The plan of the run in a folder.

    Raises:
        InputError: an option says something else, or the folder holds no run of ``heron bench``.
    """
    from heron.eval.runs import read_run

    if out is not None:
        raise InputError("give --out for a new run or --resume for one that is there, not both")
    plan = read_run(folder).plan
    if plan is None:
        raise InputError(f"{folder} is no run of heron bench: go on with it as it was begun")
    there = _options(plan)
    for name, value in context.params.items():
        source = context.get_parameter_source(name)
        given = source is not None and source.name not in ("DEFAULT", "DEFAULT_MAP")
        if given and name in there and _plain(value) != there[name]:
            option = f"--{name.replace('_', '-')}"
            raise InputError(
                f"{option} {_told(_plain(value))} does not fit {folder}, which was begun with "
                f"{_told(there[name])}; leave it out, or choose another --out"
            )
    return plan


def _options(plan: RunPlan) -> dict[str, Any]:
    """Option's name → its value in a run that is there."""
    config = plan.config.model_dump(mode="json")
    config["tool_latency"] = config.pop("tool_latency_s")
    choice = plan.choice
    return {
        **config,
        "seed": plan.seed,
        "threads": plan.threads,
        "runs": plan.runs,
        "split": choice.split,
        "part": choice.part,
        "scenarios": list(choice.scenarios),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, str):
        return options.placed(value)
    return list(value) if isinstance(value, (list, tuple)) else value


def _told(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(value) or "none"
    return "none" if value is None else str(value)


def _play(session: Session) -> None:
    from heron.cli.progress import episodes_progress

    session.start()
    for note in session.notes:
        typer.echo(f"heron: note: {note}", err=True)
    if session.left < session.planned:
        typer.echo(f"{session.left} of {session.planned} episodes are left to play", err=True)
    with episodes_progress(session.left) as progress:
        for episode in session.play(progress.starts):
            progress.ended(episode)


def _decomposed(
    session: Session, *, resume: bool, stale: Stale, engine: Engine | None
) -> list[dict[str, Any]]:
    """Play the counterfactual runs, each in a folder of its own, and split the loss."""
    from heron.eval.counterfactual import FOLDER, counterparts
    from heron.eval.runs import RUN
    from heron.eval.scoring.configurations import by_configuration
    from heron.eval.scoring.decomposition import decompositions
    from heron.eval.session import Session
    from heron.eval.store import read_episodes

    folders = [session.folder]
    for part, config in counterparts(session.plan.config).items():
        folder = session.folder / FOLDER / part
        folders.append(folder)
        typer.echo(f"now with observer {config.observer}, executor {config.executor}", err=True)
        plan = session.plan.model_copy(update={"config": config})
        again = resume and (folder / RUN).exists()
        command = ["heron", *sys.argv[1:]]
        with Session(
            folder, plan, session.suite, command, resume=again, stale=stale.value, engine=engine
        ) as other:
            try:
                _play(other)
            finally:
                other.finish()
    found = decompositions(by_configuration(read_episodes(*folders)))
    return [own.model_dump(mode="json") for own in found]


def _show(session: Session, more: Mapping[str, Any], *, as_json: bool) -> None:
    found = session.finish(more)
    if found is None:
        if session.planned == 0:
            typer.echo("no episode of the run falls into this shard", err=True)
        return
    summary, _ = found
    if as_json:
        typer.echo(json.dumps(summary, indent=2, ensure_ascii=False))
        return
    from heron.cli.progress import print_summary

    print_summary(summary, session.folder)
