"""``heron regrade``: score stored episodes anew with today's checks, and say what changed.

What it does not know: how an episode is scored (see ``heron.eval.regrading``).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heron.cli import options
from heron.cli.errors import SETTINGS
from heron.errors import InputError, Unavailable

if TYPE_CHECKING:
    from heron.contracts import EpisodeRecord
    from heron.eval.regrading import Regraded
    from heron.scenarios.schema import Scenario

app = typer.Typer(**SETTINGS)

REGRADED = "regraded.jsonl"

HELP = """Score stored episodes anew with today's checks, and say what changed.

No model runs: what was done stands in the episode's log, and what was wanted is found again from
its scenario and seed. The rows of the run stay as they are; regraded ones are written to
regraded.jsonl beside them, which every command reads in place of a run's folder.

Examples:

  heron regrade runs/20260310-090000

  heron regrade runs/a runs/b --out regraded.jsonl --json

  heron regrade runs/mine --scenarios my_scenario.yaml
"""


@app.command(help=HELP)
def regrade(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs, or files.")],
    scenarios: Annotated[
        list[str] | None,
        typer.Option(
            "--scenarios", help="Files of scenarios that are not in the suite; repeat for several."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="One file for all of it [regraded.jsonl in each run's folder]."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """See ``HELP``."""
    from heron.eval.regrading import counts

    if out is not None and out.exists():
        raise InputError(f"{out} is there already; choose another --out")
    known = _known(scenarios or ())
    found: list[Regraded] = []
    for paths, target in [(runs, out)] if out else [([run], _beside(run)) for run in runs]:
        assert target is not None  # noqa: S101  (``out`` or one beside the run)
        _write(target, _graded(paths, known, found))
        typer.echo(f"written to {target}", err=True)
    if as_json:
        changed = [one.model_dump(mode="json") for one in found if _is_told(one)]
        typer.echo(json.dumps({**counts(found), "told": changed}, indent=2, ensure_ascii=False))
        return
    for one in found:
        if _is_told(one):
            typer.echo(_line(one))
    typer.echo(_total(counts(found)))


def _known(files: Iterable[str]) -> dict[str, Scenario]:
    """The suite's scenarios by id, and those of some files, which come before."""
    from heron.cli.scenario_choice import selection

    # One that is broken today cannot be graded with; the others can.
    suite = {scenario.id: scenario for scenario in selection(None, None)}
    more = list(files)
    return {**suite, **({s.id: s for s in selection(None, more).sound()} if more else {})}


def _beside(run: Path) -> Path:
    return (run if run.is_dir() else run.parent) / REGRADED


def _graded(
    paths: Iterable[Path], known: dict[str, Scenario], found: list[Regraded]
) -> Iterator[EpisodeRecord]:
    from heron.eval.regrading import regrade as graded
    from heron.eval.store import read_episodes

    for episode, told in graded(read_episodes(*paths), known):
        found.append(told)
        yield episode


def _write(target: Path, episodes: Iterable[EpisodeRecord]) -> None:
    """All of it or nothing."""
    part = target.with_name(target.name + ".part")
    try:
        with part.open("wb") as file:
            for episode in episodes:
                file.write(episode.model_dump_json().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise Unavailable(f"cannot write to {target}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


def _is_told(one: Regraded) -> bool:
    return one.changed or one.content != "same"


def _line(one: Regraded) -> str:
    what = f"{one.scenario} seed {one.seed} ({one.observer}): "
    if one.after is None:
        return f"{what}{one.before}, not graded: {one.reason}"
    outcome = one.before if one.before == one.after else f"{one.before} → {one.after}"
    checks = [
        f"{check.name} {_word(check.before)} → {_word(check.after)}"
        + (f" ({check.detail})" if check.detail else "")
        for check in one.checks
    ]
    notes = ["scenario changed"] if one.content == "changed" else []
    notes += ["the user's errors"] if one.user_errors else []
    return what + "; ".join([outcome, *checks, *notes])


def _word(passed: bool | None) -> str:
    return {True: "passed", False: "failed", None: "none"}[passed]


def _total(numbers: dict[str, int]) -> str:
    told = [
        (numbers["changed"], "changed"),
        (numbers["outcome_changed"], "with another outcome"),
        (numbers["scenario_changed"], "of scenarios that changed, graded by today's file"),
        (numbers["scenario_gone"], "of scenarios that are gone, left as they were"),
        (numbers["scenario_unplayable"], "of scenarios that cannot be built, left as they were"),
    ]
    more = "".join(f", {number} {what}" for number, what in told[1:] if number)
    return f"{numbers['episodes']} episodes, {numbers['changed']} changed{more}"
