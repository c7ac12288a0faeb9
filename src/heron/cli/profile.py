"""``heron profile``: what observers cost on a device, on a fixed stream and without users."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from enum import StrEnum
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli import options
from heron.cli.errors import SETTINGS
from heron.errors import InputError, Unavailable

if TYPE_CHECKING:
    from heron.eval.profiling.records import Comparison, Decided, Profiled
    from heron.eval.profiling.stream import FixedStream

app = typer.Typer(**SETTINGS)

PROFILE = "profile.json"
DECISIONS = "decisions.jsonl"
REPORT = "profile.md"

EXAMPLES = """Measure what observers cost on a device, on a fixed stream and without users.

Models are names of the catalogue or GGUF files, also NAME@q8_0 for a tuned one; or observers, as
calibrated:NAME. Writes profile.json, profile.md and decisions.jsonl. The exit code is 1 where a
figure breaks the budget, or cannot be held against it. Ctrl-C keeps what is done.

Examples:

  heron profile smollm2-135m-instruct-q4_1

  heron profile smollm2-135m smollm2-135m@q8_0 --threads 1,2 --window 2048,4096 --events 50

  heron profile qwen2.5-coder-0.5b --budget 'p95=500ms,rss=600MB,cpu=5%' --json

  heron profile smollm2-135m --memory-limit 600M --cpu-limit 50% --energy cpu:4.5 --usage heavy
"""


class Metric(StrEnum):
    """What counts as quality."""

    success = "success"
    acceptance = "acceptance"


@app.command(help=EXAMPLES)
def profile(
    models: Annotated[list[str], typer.Argument(help="Models or observers.")],
    threads: Annotated[
        str, typer.Option("--threads", help="Threads, and cores to run on; commas for several.")
    ] = "1",
    window: Annotated[
        str, typer.Option("--window", help="Tokens of the context; commas for several.")
    ] = "4096",
    events: Annotated[
        int, typer.Option("--events", min=2, max=100_000, help="Observations of the stream.")
    ] = 100,
    seed: options.Seed = 0,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            help="Limits for p50, p95, p99, first, rss, anonymous, cpu, energy, day: "
            "p95=500ms,rss=600MB,cpu=5%.",
        ),
    ] = None,
    usage: Annotated[
        str, typer.Option("--usage", help="Day to project to: light, typical, heavy, or FILE.yaml.")
    ] = "typical",
    energy: Annotated[
        str,
        typer.Option(
            "--energy",
            help="rapl (the processor's counters), or an estimate: cpu:WATTS per busy core, "
            "token:JOULES per token evaluated.",
        ),
    ] = "rapl",
    memory_limit: Annotated[
        str | None, typer.Option("--memory-limit", help="Memory of the emulated device: 600M.")
    ] = None,
    cpu_limit: Annotated[
        str | None, typer.Option("--cpu-limit", help="Processor time, per cent of one core: 50%.")
    ] = None,
    prompt_tokens: Annotated[
        int, typer.Option("--prompt-tokens", min=0, help="Of the speed test; 0 leaves it out.")
    ] = 128,
    decode_tokens: Annotated[
        int, typer.Option("--decode-tokens", min=0, help="Of the speed test; 0 leaves it out.")
    ] = 32,
    quality: Annotated[
        list[Path] | None,
        typer.Option("--quality", help="Folder of a stored run to take quality from; repeat."),
    ] = None,
    metric: Annotated[
        Metric, typer.Option("--quality-metric", help="Success on goals, or acceptance.")
    ] = Metric.success,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the results [runs/profile-DATE-TIME].")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Measure what observers cost on a device, on a fixed stream and without users."""
    from heron.eval.profiling import measure
    from heron.eval.profiling.figures import budget_of
    from heron.eval.profiling.quality import StoredQuality
    from heron.eval.usage import load_usage
    from heron.models.device import DeviceLimits, share_of, size_of
    from heron.models.energy import EnergyEstimate

    settings = [
        measure.setting_of(model, count, size)
        for model, count, size in product(
            models, _numbers("--threads", threads), _numbers("--window", window)
        )
    ]
    limits = DeviceLimits(
        memory=None if memory_limit is None else size_of(memory_limit),
        cpu=None if cpu_limit is None else share_of(cpu_limit),
    )
    chosen = measure.Options(
        usage=load_usage(usage),
        limits=limits,
        estimate=None if energy == "rapl" else EnergyEstimate.parse(energy),
        prompt_tokens=prompt_tokens,
        decode_tokens=decode_tokens,
        tell=lambda line: typer.echo(line, err=True),
    )
    stored = StoredQuality(quality or (), metric.value)
    allowed = budget_of(budget) if budget else {}
    folder = out or measure.default_folder()
    if (folder / PROFILE).exists():
        raise InputError(f"{folder} already holds {PROFILE}; choose another --out")
    _try_to_write(folder)
    results = Results(folder, allowed, limits.model_dump(mode="json"), energy)
    stream = _stream(events, seed)

    def keep(found: Profiled, decided: Sequence[Decided]) -> None:
        results.add(found.model_copy(update={"quality": stored.of(found.setting.observer)}))
        results.write(decided)

    try:
        measure.profile_all(settings, stream, chosen, keep)
    finally:
        # Also after Ctrl-C: what was measured is shown.
        if results.profiles:
            _show(results.comparison(), folder, as_json=as_json)
    if results.comparison().excesses:
        raise typer.Exit(1)


def _try_to_write(folder: Path) -> None:
    """Make the folder and take it away again, so that a wrong one is told before the work.

    Raises:
        Unavailable: it cannot be made.
    """
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"cannot write to {folder}: {error.strerror}") from error
    for place in missing:
        place.rmdir()


class Results:
    """What was measured so far, in a folder.

    Args:
        folder: made when there is something to write.
        allowed: the budget.
        limits: of the emulated device.
        energy: how energy is told.
    """

    def __init__(
        self, folder: Path, allowed: dict[str, float], limits: dict[str, Any], energy: str
    ) -> None:
        self.folder, self._allowed, self._limits, self._energy = folder, allowed, limits, energy
        self.profiles: list[Profiled] = []

    def add(self, found: Profiled) -> None:
        """One more setting; who is on the front may change."""
        from heron.eval.profiling.figures import mark_front

        self.profiles = mark_front([*self.profiles, found])

    def comparison(self) -> Comparison:
        """All of it."""
        from heron import __version__
        from heron.eval.profiling.figures import excesses
        from heron.eval.profiling.records import Comparison
        from heron.models.machine import machine_line

        return Comparison(
            command=shlex.join(["heron", *sys.argv[1:]]),
            machine=machine_line(),
            heron=__version__,
            limits=self._limits,
            energy=self._energy,
            profiles=tuple(self.profiles),
            excesses=tuple(e for one in self.profiles for e in excesses(one, self._allowed)),
        )

    def write(self, decided: Sequence[Decided]) -> None:
        """Write everything, and append the decisions of the newest setting."""
        from heron.errors import Unavailable
        from heron.eval.profiling.table import markdown
        from heron.eval.summary import write_json

        found = self.comparison()
        setting = self.profiles[-1].setting.model_dump_json()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_json(self.folder / PROFILE, found.model_dump(mode="json"))
            (self.folder / REPORT).write_text(markdown(found), encoding="utf-8")
            with (self.folder / DECISIONS).open("a", encoding="utf-8") as lines:
                for one in decided:
                    lines.write(f'{{"setting":{setting},"decided":{one.model_dump_json()}}}\n')
        except OSError as error:
            raise Unavailable(f"cannot write to {self.folder}: {error.strerror}") from error


def _numbers(option: str, text: str) -> list[int]:
    """``1,2`` as numbers.

    Raises:
        InputError: not all are numbers from 1 on.
    """
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        found = [0]
    if min(found) < 1:
        raise InputError(f"{option} {text!r}: write numbers from 1 on, with commas, as 1,2")
    return list(dict.fromkeys(found))


def _stream(events: int, seed: int) -> FixedStream:
    from heron.cli.scenario_choice import selection
    from heron.eval.profiling.stream import fixed_stream

    typer.echo(f"making a stream of {events} observations", err=True)
    return fixed_stream(selection(None, None).sound().scenarios, events, seed)


def _show(found: Comparison, folder: Path, *, as_json: bool) -> None:
    from heron.cli.columns import columns
    from heron.eval.profiling.table import grid

    if as_json:
        typer.echo(found.model_dump_json(indent=1))
    else:
        typer.echo(columns(grid(found)))
        typer.echo(f"written to {folder}")
    for excess in found.excesses:
        typer.echo(f"over budget: {excess.text}", err=True)
