"""``heron sweep``: many configurations from one file into one folder.

What it does not know: what a file means, and how a sweep is played (see ``heron.eval.sweep``).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli import options
from heron.cli.columns import columns
from heron.cli.errors import SETTINGS
from heron.cli.scenario_choice import Part, chosen
from heron.errors import InputError

if TYPE_CHECKING:
    from heron.contracts import EpisodeConfig, EpisodeRecord
    from heron.eval.engine.unit import Unit
    from heron.eval.sweep.estimate import Estimate, Recorded
    from heron.eval.sweep.matrix import Part as SweepPart
    from heron.eval.sweep.reading import SweepFile
    from heron.eval.sweep.schema import Scenarios
    from heron.eval.sweep.session import SweepSession
    from heron.models.limits import Limits
    from heron.scenarios.schema import Scenario

app = typer.Typer(**SETTINGS)

HELP = """Play every combination that a file names, on the same scenarios, into one folder.

SWEEP is a .yaml file or the name of a ready-made one (--list). Writes sweep.yaml, run.json,
episodes.jsonl and summary.json; 'heron report' and 'heron compare' read the folder. See
docs/sweeps.md.

Examples:

  heron sweep --list

  heron sweep tool-failure --dry-run

  heron sweep main --out runs/main --workers 8

  heron sweep mine.yaml --out runs/mine --shard 3/16

  heron sweep --resume runs/main

  heron sweep mine.yaml --workers 4 --rpm 60 --max-usd 5
"""


@app.command(help=HELP)
@options.plays
def sweep(
    *,
    name: Annotated[
        str | None, typer.Argument(metavar="SWEEP", help="A file, or a ready-made one's name.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the ready-made ones.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the results [runs/NAME-DATE-TIME].")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Go on with the sweep in this folder.")
    ] = None,
    stale: options.StaleOption = options.Stale.refuse,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count episodes, hours and money; play nothing.")
    ] = False,
    estimate_from: Annotated[
        list[Path] | None,
        typer.Option("--estimate-from", help="With --dry-run: runs that tell what episodes take."),
    ] = None,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate",
            help="With --dry-run: play one episode of each configuration that no run tells of, and "
            "store none.",
        ),
    ] = False,
    scale: options.Scale,
    as_json: options.Json = False,
) -> None:
    """See ``HELP``."""
    if listed:
        _list(as_json=as_json)
        return
    from heron.eval.sweep.matrix import parts_of

    file = _file(name, out, resume)
    parts = parts_of(file, _find)
    limits = _limits(file.sweep.limits, scale.limits())
    if dry_run:
        found = _estimated(parts, resume or out, estimate_from or [], limits, scale, calibrate)
        _tell(found, parts, as_json=as_json)
        return
    if scale.shard is not None and (out or resume) is None:
        raise InputError("--shard needs --out: all parts of a sweep lie in one folder")
    stamp = f"{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    folder = resume or out or Path("runs") / f"{file.sweep.name}-{stamp}"
    _play(file, parts, folder, limits, scale, stale.value, resume is not None, as_json=as_json)


def _file(name: str | None, out: Path | None, resume: Path | None) -> SweepFile:
    """The sweep that is meant.

    Raises:
        InputError: none is, or two are.
    """
    from heron.eval.sweep.reading import load_sweep
    from heron.eval.sweep.session import SWEEP

    if resume is None:
        if name is None:
            raise InputError("name a sweep: a .yaml file, or one of heron sweep --list")
        return load_sweep(name)
    if out is not None:
        raise InputError("give --out for a new sweep or --resume for one that is there, not both")
    there = resume / SWEEP
    if not there.is_file():
        raise InputError(f"cannot go on with {resume}: it holds no {SWEEP}; begin it with --out")
    kept = load_sweep(str(there))
    if name is not None and load_sweep(name).kept != kept.kept:
        raise InputError(f"{name} is not the sweep in {resume}; leave it out, or choose an --out")
    return kept


def _find(choice: Scenarios) -> Sequence[Scenario]:
    split = ",".join(choice.splits) or None
    part = Part(choice.part) if choice.part else None
    return chosen(split, choice.names, part)


def _limits(own: Limits, given: Limits) -> Limits:
    """The file's, with what the command line says instead."""
    said = {name: getattr(given, name) for name in ("max_usd", "rpm", "tpm")}
    return own.model_copy(update={name: value for name, value in said.items() if value is not None})


# --- before ---------------------------------------------------------------------------------------


def _list(*, as_json: bool) -> None:
    from heron.eval.sweep.reading import load_sweep, ready_made

    found = {name: load_sweep(name).sweep for name in ready_made()}
    if as_json:
        plain = {name: own.model_dump(mode="json") for name, own in found.items()}
        typer.echo(json.dumps(plain, indent=2, ensure_ascii=False))
        return
    typer.echo(columns([(name, own.description) for name, own in found.items()]))


def _estimated(
    parts: Sequence[SweepPart],
    folder: Path | None,
    runs: Sequence[Path],
    limits: Limits,
    scale: options.Scale,
    calibrate: bool,
) -> Estimate:
    """What is still to be played, and what that takes."""
    from heron.eval.engine.unit import Keyring
    from heron.eval.store import key_of, read_episodes
    from heron.eval.sweep.estimate import Recorded, estimate
    from heron.eval.sweep.matrix import units_of_parts
    from heron.eval.sweep.session import check_names

    check_names(parts)
    own = [folder] if folder is not None and any(folder.glob("episodes*.jsonl")) else []
    recorded, done = Recorded(), set()
    for episode in read_episodes(*own, tell=lambda _: None) if own else ():
        recorded.add(episode)
        done.add(key_of(episode))
    for episode in read_episodes(*runs, tell=lambda _: None) if runs else ():
        recorded.add(episode)
    keys, shard = Keyring(), scale.part()
    units = [
        unit
        for unit in units_of_parts(parts)
        if keys.key(unit) not in done and (shard is None or shard.holds(unit))
    ]
    if calibrate:
        _calibrate(units, recorded)
    left = Counter(unit.config for unit in units)
    return estimate(parts, left, recorded, limits, scale.workers or 1)


def _calibrate(units: Sequence[Unit], recorded: Recorded) -> None:
    """Play the first episode of each configuration of which nothing is known."""
    from heron.eval.engine.engine import LocalEngine

    first = {unit.config: unit for unit in reversed(units)}
    unknown = [unit for unit in first.values() if recorded.nearest(unit.config) is None]
    with LocalEngine() as engine:
        for episode in engine.play(unknown):
            recorded.add(episode)
            typer.echo(f"tried {episode.config.observer}: {episode.costs.wall_s:.1f} s", err=True)


def _tell(found: Estimate, parts: Sequence[SweepPart], *, as_json: bool) -> None:
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
        return
    names = _labels([part.config for part in parts])
    rows = [("configuration", "scenarios", "runs", "episodes", "hours", "USD")]
    rows += [
        (
            names[own.config],
            str(own.scenarios),
            str(own.runs),
            str(own.episodes),
            _number(None if own.seconds is None else own.seconds / 3600, 3),
            _number(own.usd, 2),
        )
        for own in found.parts
    ]
    typer.echo(columns(rows, right=(1, 2, 3, 4, 5)))
    typer.echo(f"\n{found.episodes} episodes of {len(found.parts)} configurations")
    workers = "1 worker" if found.workers == 1 else f"{found.workers} workers, if none waits"
    hours = found.hours_reason if found.hours is None else f"{found.hours:.3f}, {workers}"
    typer.echo(f"hours: {hours if found.hours is not None else f'unknown ({hours})'}")
    usd = f"unknown ({found.usd_reason})" if found.usd is None else f"{found.usd:.2f}"
    cap = "" if found.max_usd is None else f", stopped at {found.max_usd:g}"
    typer.echo(f"US dollars: {usd}{cap}")
    for basis, count in Counter(own.basis for own in found.parts if own.basis).items():
        typer.echo(f"{count} configurations: by {basis}")


def _labels(configs: Sequence[EpisodeConfig]) -> dict[EpisodeConfig, str]:
    from heron.eval.scoring.configurations import Place, labels

    return {place.config: name for place, name in labels([Place(c, "") for c in configs]).items()}


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


# --- playing --------------------------------------------------------------------------------------


def _play(
    file: SweepFile,
    parts: Sequence[SweepPart],
    folder: Path,
    limits: Limits,
    scale: options.Scale,
    stale: Any,
    resume: bool,
    *,
    as_json: bool,
) -> None:
    from heron.eval.sweep.session import SweepSession
    from heron.models.allowance import in_force

    with ExitStack() as opened:
        engine = opened.enter_context(scale.open_engine())
        session = opened.enter_context(
            SweepSession(
                folder,
                file,
                parts,
                ["heron", *sys.argv[1:]],
                engine=engine,
                resume=resume,
                stale=stale,
                shard=scale.part(),
            )
        )
        try:
            session.start()
            opened.enter_context(in_force(folder, limits))
            _episodes(session)
        finally:
            # Also after Ctrl-C: what was played is counted and shown.
            engine.close()
            _show(session, as_json=as_json)


def _episodes(session: SweepSession) -> None:
    from heron.cli.progress import episodes_progress

    for note in session.notes:
        typer.echo(f"heron: note: {note}", err=True)
    to_come = session.to_come
    if len(to_come) < len(session.units):
        typer.echo(f"{len(to_come)} of {len(session.units)} episodes are left to play", err=True)
    names = _labels([part.config for part in session.parts])
    left = Counter((unit.config, unit.run) for unit in to_come)
    with episodes_progress(len(to_come)) as progress:
        for episode in session.play(lambda unit: progress.starts(unit.scenario, unit.seed)):
            progress.ended(episode)
            _note(episode, left, names)


def _note(
    episode: EpisodeRecord,
    left: Counter[tuple[EpisodeConfig, int]],
    names: dict[EpisodeConfig, str],
) -> None:
    """Say when a configuration is through with a seed."""
    left[episode.config, episode.run] -= 1
    if left[episode.config, episode.run] == 0:
        rounds = len({run for _, run in left})
        through = len({c for (c, run), n in left.items() if run == episode.run and n == 0})
        count = len({c for c, run in left if run == episode.run})
        typer.echo(
            f"{names[episode.config]}: run {episode.run + 1} of {rounds} is done "
            f"({through}/{count} configurations)",
            err=True,
        )


def _show(session: SweepSession, *, as_json: bool) -> None:
    summary = session.finish()
    if summary is None:
        return
    if as_json:
        typer.echo(json.dumps(summary, indent=2, ensure_ascii=False))
        return
    heading = ("configuration", "episodes", "success", "silence", "accepted", "per turn", "p95")
    rows: list[tuple[str, ...]] = [(*heading, "USD")]
    rows += [_row(own) for own in summary["configurations"]]
    typer.echo(columns(rows, right=tuple(range(1, 8))))
    for own in summary["configurations"]:
        if own["in_sample"]:
            typer.echo(f"in-sample: {own['label']}: {own['in_sample']}")
    typer.echo(f"digest {summary['digest']}")
    typer.echo(f"written to {session.folder}")


def _row(own: dict[str, Any]) -> tuple[str, ...]:
    from heron.eval.table import percent, seconds

    value = {name: found["value"] for name, found in own["metrics"].items()}
    return (
        own["label"],
        f"{own['episodes']}/{own['planned_episodes']}",
        percent(value["success_rate"]),
        percent(value["silence_rate"]),
        percent(value["acceptance_rate"]),
        _number(value["proposal_rate"], 3),
        seconds(value["decision_s_p95"]),
        _number(value["usd_per_episode"], 4),
    )
