"""``heron replay``: show recorded runs to observers, open loop, and tell how they compare.

What it does not know: how a record is opened, shown and counted (see ``heron.eval.replaying``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli import options
from heron.cli.columns import columns
from heron.cli.errors import SETTINGS
from heron.errors import InputError, Unavailable

if TYPE_CHECKING:
    from heron.eval.replaying.results import Shown

app = typer.Typer(**SETTINGS)

HELP = """Show recorded runs to observers, open loop.

Tells when each would have spoken, what, and at what cost, beside what the recorded assistant did
and how the user took it.

A TRACE is a recorded stream (heron import trace), a run of ARE as it is, a folder of a run of
heron bench, or its episodes.jsonl. What an observer does changes nothing in the record; see
docs/replay.md. Ctrl-C shows what is done.

Examples:

  heron replay run.stream.jsonl --observer rules --observer gguf:smollm2-135m-instruct-q4_1

  heron replay runs/20260310-090000 --observer rules --episode train_late_for_client#0

  heron replay run.stream.jsonl --observer gguf:smollm2-135m-instruct-q4_1 --thresholds 0.3,0.5,0.7
"""


@app.command(help=HELP)
def replay(
    traces: Annotated[list[Path], typer.Argument(metavar="TRACE…", help="What is recorded.")],
    observer: Annotated[
        list[str], typer.Option("--observer", help="As for heron bench; several may be given.")
    ],
    episode: Annotated[
        str | None, typer.Option("--episode", help="Only SCENARIO, or SCENARIO#SEED, of a run.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first N records.")
    ] = None,
    slack: Annotated[
        int, typer.Option("--slack", min=0, help="Turns by which an offer may miss a recorded one.")
    ] = 1,
    thresholds: Annotated[
        str | None,
        typer.Option("--thresholds", help="Count also as if it spoke from these scores on."),
    ] = None,
    show_recorded: Annotated[
        bool,
        typer.Option("--show-recorded", help="Tell observers also of offers they did not make."),
    ] = False,
    threads: options.Threads = 1,
    window: options.Window = 4096,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write all of it to this file, as JSON.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """See ``HELP``."""
    from heron.cli.progress import counting
    from heron.eval.replaying.opening import opened
    from heron.eval.replaying.showing import Showing

    levels = _levels(thresholds)
    sources, left = opened(traces, episode, limit)
    for line in left:
        typer.echo(f"heron: left out: {line}", err=True)
    if not sources:
        raise InputError("there is nothing to replay in what was named")
    # All are named before the first is shown, so that a wrong name is told at once.
    showings = [
        Showing(spec, threads=threads, window=window, show_recorded=show_recorded)
        for spec in dict.fromkeys(observer)
    ]
    done: list[Shown] = []
    try:
        with counting(len(sources) * len(showings), "replaying", _name, _line) as told:
            for showing in showings:
                try:
                    showing.start(sources)
                    for source in sources:
                        done.append(showing.show(source))
                        told(done[-1])
                finally:
                    showing.close()
    finally:
        # Also after Ctrl-C: what was shown is counted.
        if done:
            _report(done, levels, slack, out, as_json=as_json)


def _levels(thresholds: str | None) -> tuple[float, ...]:
    try:
        found = tuple(float(part) for part in (thresholds or "").split(",") if part.strip())
    except ValueError as error:
        raise InputError(f"--thresholds {thresholds}: write numbers, as in 0.3,0.5,0.7") from error
    if not all(0 < level <= 1 for level in found):
        raise InputError(f"--thresholds {thresholds}: each lies above 0 and at most at 1")
    return found


def _name(shown: Shown) -> str:
    return shown.stream.header.name


def _line(shown: Shown) -> str:
    offers = sum(each.offer is not None for each in shown.moments)
    ended = f"; ended: {shown.fault}" if shown.fault else ""
    return f"{shown.observer}: {_name(shown)}: {len(shown.moments)} turns, {offers} offers{ended}"


def _report(
    done: Sequence[Shown], levels: Sequence[float], slack: int, out: Path | None, *, as_json: bool
) -> None:
    from heron.eval.replaying.results import agreement, cost
    from heron.models.machine import machine_line

    groups = [[s for s in done if s.observer == spec] for spec in dict.fromkeys(_specs(done))]
    sums = [
        agreement(group, slack, level)
        for group in groups
        for level in (None, *(levels if _scored(group) else ()))
    ]
    costs = [cost(group) for group in groups]
    data: dict[str, Any] = {
        "slack": slack,
        "machine": machine_line(),
        "agreement": [one.model_dump(mode="json") for one in sums],
        "costs": [one.model_dump(mode="json") for one in costs],
        "replays": [_data(one) for one in done],
    }
    if out is not None:
        try:
            out.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        except OSError as error:
            raise Unavailable(f"cannot write {out}: {error.strerror}") from error
    if as_json:
        typer.echo(json.dumps(data, indent=2, ensure_ascii=False))
        return
    from heron.eval.replaying.table import agreement_rows, cost_rows, turns

    for digest in dict.fromkeys(one.stream.digest for one in done):
        same = [one for one in done if one.stream.digest == digest]
        header = same[0].stream.header
        typer.echo(f"{header.name}: {header.assistant or '?'} helped {header.user or '?'}")
        typer.echo(columns(list(turns(same))))
        typer.echo("")
    typer.echo(columns(list(agreement_rows(sums)), right=range(1, 15)))
    typer.echo("")
    typer.echo(columns(list(cost_rows(costs)), right=range(1, 10)))
    if len(sums) > len(groups):
        typer.echo("rows at a threshold are approximate: see docs/replay.md", err=True)


def _specs(done: Sequence[Shown]) -> list[str]:
    return [one.observer for one in done]


def _scored(group: Sequence[Shown]) -> bool:
    return any(each.score is not None for one in group for each in one.moments)


def _data(shown: Shown) -> dict[str, Any]:
    header = shown.stream.header
    return {
        "name": header.name,
        "stream": shown.stream.digest,
        "observer": shown.observer,
        "fault": shown.fault,
        "diverged": shown.diverged,
        "turns": [
            {**each.model_dump(mode="json"), "score": each.score, "recorded": recorded}
            for each, moment in zip(shown.moments, shown.stream.moments, strict=False)
            for recorded in [moment.done.model_dump(mode="json")]
        ],
    }
