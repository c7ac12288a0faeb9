"""``heron import are``: scenario files of ARE, PARE and Gaia2 become Heron scenarios.

What it does not know: the format, and how a file is taken over (see ``heron.eval.importing``).
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli import options
from heron.cli.errors import SETTINGS
from heron.errors import InputError

if TYPE_CHECKING:
    from heron.eval.importing.importer import Imported

app = typer.Typer(**SETTINGS)

HELP = """Take over scenario files of ARE, PARE and Gaia2: one Heron scenario each.

A file that holds something without a counterpart is refused with its name; what was mapped with a
difference is told in remarks; see docs/import-are.md. Exit code 1 where a file is refused.

Examples:

  heron import are scenarios/*.json --out taken_over

  heron import are scenario.json --out taken_over --force --json --report report.json
"""


@app.command(help=HELP)
def are(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="ARE's JSON files.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the scenarios; it is made.")],
    report: Annotated[
        Path | None, typer.Option("--report", help="Write what became of each file, as JSON.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over scenarios there.")] = False,
    as_json: options.Json = False,
) -> None:
    """See ``HELP``."""
    from heron.cli.progress import counting
    from heron.eval.importing.importer import import_all

    if report is not None and report.resolve() in {file.resolve() for file in files}:
        raise InputError(f"--report {report} is one of the files to import; name another")
    done: list[Imported] = []
    try:
        with counting(len(files), "importing", lambda one: Path(one.file).name, _line) as told:

            def note(one: Imported) -> None:
                done.append(one)
                told(one)

            import_all(files, out, force=force, told=note)
    finally:
        # An interrupted import has told of all that is written.
        _report(done, report)
    if as_json:
        typer.echo(json.dumps(_data(done), indent=2, ensure_ascii=False))
    else:
        _print(done)
    if any(one.status == "refused" for one in done):
        raise typer.Exit(1)


def _line(one: Imported) -> str:
    return one.line


def _data(done: list[Imported]) -> dict[str, Any]:
    counted = Counter(one.status for one in done)
    kinds = Counter(kind for one in done for kind in {remark.kind for remark in one.remarks})
    return {
        "files": [one.data for one in done],
        "counts": {status: counted[status] for status in ("clean", "remarks", "refused")},
        "remarks": dict(sorted(kinds.items())),
    }


def _report(done: list[Imported], report: Path | None) -> None:
    if report is None:
        return
    try:
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(json.dumps(_data(done), indent=2, ensure_ascii=False) + "\n", "utf-8")
    except OSError as error:
        raise InputError(f"{report} cannot be written: {error.strerror}") from error


def _print(done: list[Imported]) -> None:
    for one in done:
        typer.echo(one.line)
        for remark in one.remarks:
            typer.echo(f"  {remark.line()}")
    counts = _data(done)["counts"]
    typer.echo(", ".join(f"{number} {status}" for status, number in counts.items()), err=True)
