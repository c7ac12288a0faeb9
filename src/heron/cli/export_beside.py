"""``--export`` of commands that play a run: writes an export beside its episodes.

What it does not know: formats.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Export(StrEnum):
    """For which tool."""

    inspect = "inspect"
    otel = "otel"


FILES = {Export.inspect: "inspect.eval", Export.otel: "traces.jsonl"}

ExportOption = Annotated[
    list[Export] | None,
    typer.Option(
        "--export",
        help="At the end write inspect.eval (a log that 'inspect view' opens) or traces.jsonl "
        "(OpenTelemetry) into the run's folder; repeat for both.",
    ),
]


def check(kinds: Sequence[Export]) -> None:
    """That the libraries are here, before anything is played.

    Raises:
        Unavailable: one is not.
    """
    from heron.eval.exporting.extras import need

    for kind in kinds:
        need({Export.inspect: "inspect_ai", Export.otel: "opentelemetry.sdk"}[kind], kind.value)


def write(kinds: Sequence[Export], folder: Path) -> None:
    """Write the exports of a run's folder, in place of those of its earlier sessions.

    Raises:
        HeronError: one cannot be written.
    """
    from heron.eval.exporting.inspect_log import write_logs
    from heron.eval.exporting.otel import write_traces
    from heron.eval.exporting.stored import stored

    for kind in dict.fromkeys(kinds):
        found = stored([folder], lambda _: None)
        file = folder / FILES[kind]
        file.unlink(missing_ok=True)
        if kind is Export.inspect:
            files = [log.file for log in write_logs(found, file, lambda _: None)]
        else:
            files = [write_traces(found, file, lambda _: None).to]
        for name in files:
            typer.echo(f"written to {name}", err=True)
