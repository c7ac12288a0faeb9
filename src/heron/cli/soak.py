"""``heron soak``: an observer's process under a day of events and more, and what becomes of it."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli import options
from heron.cli.errors import SETTINGS
from heron.errors import HeronError, InputError

if TYPE_CHECKING:
    from heron.eval.soak.records import Sample, SoakFolder, SoakPlan

app = typer.Typer(**SETTINGS)

EXAMPLES = """Keep an observer's process under a day of events or more, and watch it.

Every observation is written to OUT/soak.jsonl at once; Ctrl-C keeps and sums up what there is.

Examples:

  heron soak --observer rules --events 20000

  heron soak --observer gguf:smollm2-135m-instruct-q4_1 --window 2048 --events 3000

  heron soak --observer gguf:smollm2-135m-instruct-q4_1 --rate 6/min --hours 8 --clock real

  heron soak --resume --out soaks/monday
"""


class SoakClockName(StrEnum):
    """How time passes."""

    virtual = "virtual"
    real = "real"
    measured = "measured"


@app.command(help=EXAMPLES)
def soak(
    observer: options.Observer = options.DEFAULT_OBSERVER,
    rate: Annotated[
        str | None,
        typer.Option("--rate", help="Events and actions all day, as 6/min [as the usage says]."),
    ] = None,
    hours: Annotated[
        float | None, typer.Option("--hours", min=0.001, help="Hours of the phone's time.")
    ] = None,
    events: Annotated[
        int | None,
        typer.Option("--events", min=1, help="Events and actions; a day, if neither is given."),
    ] = None,
    clock: Annotated[
        SoakClockName,
        typer.Option(
            "--clock",
            help="virtual: jumps, thinking takes no time; measured: jumps, thinking takes what it "
            "took; real: the wall clock.",
        ),
    ] = SoakClockName.virtual,
    usage: Annotated[
        str, typer.Option("--usage", help="light, typical, heavy, or a .yaml file.")
    ] = "typical",
    background: options.BackgroundOption = options.Background.light,
    seed: options.Seed = 0,
    kill_every: Annotated[
        int | None,
        typer.Option("--kill-every", min=1, help="Kill the process every so many observations."),
    ] = None,
    threads: options.Threads = 1,
    window: options.Window = 4096,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the soak [soaks/DATE-TIME].")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the soak in --out, under its own settings.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Run a soak and tell its figures."""
    from heron.eval.soak.records import SoakFolder, SoakPlan

    if resume:
        if out is None:
            raise InputError("--resume needs the folder of the soak: give --out")
        if not out.is_dir():
            raise InputError(f"there is no soak to resume in {out}")
        folder = SoakFolder(out)
        plan = folder.plan()
        if events is not None or hours is not None:
            plan = plan.model_copy(update={"events": events, "hours": hours})
    else:
        folder = SoakFolder(out or _new_folder())
        plan = SoakPlan(
            observer=observer,
            clock=clock.value,
            usage=usage,
            rate=rate,
            hours=24.0 if hours is None and events is None else hours,
            events=events,
            seed=seed,
            background=background.value if background else "light",
            kill_every=kill_every,
            threads=threads,
            window=window,
        )
    _run(plan, folder, resume=resume, as_json=as_json)


def _new_folder() -> Path:
    from datetime import datetime

    return Path("soaks") / f"{datetime.now().astimezone():%Y%m%d-%H%M%S}"


def _run(plan: SoakPlan, folder: SoakFolder, *, resume: bool, as_json: bool) -> None:
    from heron.cli.scenario_choice import chosen
    from heron.eval.soak.measures import summarise
    from heron.eval.soak.session import soaking
    from heron.eval.soak.table import lines

    broken: HeronError | None = None
    interrupted = False
    try:
        with soaking(plan, chosen("full,quiet,restraint", None), folder, resume=resume) as samples:
            for sample in samples:
                _tell_progress(sample, plan)
    except KeyboardInterrupt:
        interrupted = True
    except HeronError as error:
        broken = error
    summary = summarise(list(folder.samples()))
    if summary is not None:
        folder.write_summary(summary.model_dump_json(indent=2))
        if as_json:
            typer.echo(summary.model_dump_json(indent=2))
        else:
            typer.echo("\n".join(lines(plan, summary)))
            typer.echo(f"written to {folder.path}")
    if broken is not None:
        raise broken
    if interrupted:
        typer.echo(f"interrupted; go on with: heron soak --resume --out {folder.path}", err=True)
        raise KeyboardInterrupt


def _tell_progress(sample: Sample, plan: SoakPlan) -> None:
    """A line now and then."""
    marks: list[Any] = [*sample.faults, *(["killed"] if sample.killed else [])]
    if sample.observation % 100 and not marks:
        return
    aim = f"/{plan.events}" if plan.events else ""
    memory = f", {sample.anonymous / 1e6:.1f} MB" if sample.anonymous is not None else ""
    trims = f", {sample.trims} trims" if sample.trims else ""
    print(  # noqa: T201
        f"{sample.events}{aim} events, hour {sample.at_s / 3600:.1f}, "
        f"{sample.wall_s * 1000:.0f} ms{memory}{trims}" + "".join(f"; {mark}" for mark in marks),
        file=sys.stderr,
        flush=True,
    )
