"""``heron export are`` and ``heron export are-trace``: files that ARE's tools read.

What it does not know: the format, and how a file is made (see ``heron.eval.are_export``).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heron.cli import options
from heron.cli.scenario_choice import SplitOption, chosen

if TYPE_CHECKING:
    from heron.eval.are_export.writing import Written

ARE = """Write scenarios as ARE's JSON, one file for each scenario and seed.

What ARE has no counterpart for is told, and carried beside ARE's part of the file, so that heron
import are restores the scenario; see docs/export-are.md. Exit code 1 where a scenario is refused.

Examples:

  heron export are train_late_for_client --seed 3 --out are

  heron export are --split smoke --out are --classes are --json
"""


TRACE = """Write stored episodes as recorded runs in ARE's JSON, one file each.

The observation stream is carried in it, so that heron import trace restores it; see
docs/export-are.md. Exit code 1 where an episode is refused.

Examples:

  heron export are-trace runs/mine --out traces

  heron export are-trace runs/mine --episode train_late_for_client#0 --out traces
"""


class Classes(StrEnum):
    """Whose classes a file names."""

    pare = "pare"
    are = "are"


Out = Annotated[Path, typer.Option("--out", help="Folder of the files; it is made.")]
Force = Annotated[bool, typer.Option("--force", help="Write over files there.")]
ClassesOption = Annotated[
    Classes,
    typer.Option("--classes", help="pare: as PARE's scenarios have them; are: as ARE itself."),
]


def add(app: typer.Typer) -> None:
    """Put the commands into the group."""
    app.command("are", help=ARE)(are)
    app.command("are-trace", help=TRACE)(are_trace)


def are(
    out: Out,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCENARIO…",
            help="Ids or files; all of the suite, if neither these nor a split is given.",
        ),
    ] = None,
    seed: options.Seed = 0,
    runs: Annotated[int, typer.Option("--runs", min=1, help="Seeds, from --seed on.")] = 1,
    split: SplitOption = None,
    classes: ClassesOption = Classes.pare,
    force: Force = False,
    as_json: options.Json = False,
) -> None:
    """See ``ARE``."""
    from heron.cli.progress import counting
    from heron.eval.are_export.writing import write_scenarios

    scenarios = chosen(split, names)
    done: list[Written] = []
    with counting(len(scenarios) * runs, "exporting", _name, _line) as told:

        def note(one: Written) -> None:
            done.append(one)
            told(one)

        seeds = range(seed, seed + runs)
        write_scenarios(scenarios, seeds, out, note, force=force, dialect=classes.value)
    _show(done, as_json=as_json)


def are_trace(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs, or files.")],
    out: Out,
    episode: Annotated[
        str | None, typer.Option("--episode", help="SCENARIO or SCENARIO#SEED: only these.")
    ] = None,
    force: Force = False,
    as_json: options.Json = False,
) -> None:
    """See ``TRACE``."""
    from heron.eval.are_export.writing import write_traces

    done: list[Written] = []

    def note(one: Written) -> None:
        done.append(one)
        if len(done) % 100 == 0:
            typer.echo(f"{len(done)} episodes", err=True)

    write_traces(runs, out, note, chosen=episode, force=force)
    _show(done, as_json=as_json)


def _name(one: Written) -> str:
    return one.name


def _line(one: Written) -> str:
    return one.line


def _show(done: Sequence[Written], *, as_json: bool) -> None:
    refused = [one for one in done if one.status == "refused"]
    left_out = Counter(what for one in done if one not in refused for what in one.left_out)
    if as_json:
        rows = [one.model_dump(mode="json") for one in done]
        counted = {"written": len(done) - len(refused), "refused": len(refused)}
        told = {"files": rows, "counts": counted, "left_out": dict(left_out.most_common())}
        typer.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        for what, number in left_out.most_common():
            typer.echo(f"no counterpart in ARE: {what} ({number} of {len(done)} files)")
        for one in refused:
            typer.echo(f"heron: {one.line}", err=True)
        typer.echo(f"{len(done) - len(refused)} of {len(done)} files written to {out_of(done)}")
    if refused:
        raise typer.Exit(1)


def out_of(done: Sequence[Written]) -> str:
    """The folder that was written to."""
    return next((str(Path(one.file).parent) for one in done if one.file is not None), "nowhere")
