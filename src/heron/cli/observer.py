"""``heron observer``: record streams, fit a calibration, say what it is worth."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli import options
from heron.cli.errors import SETTINGS
from heron.cli.scenario_choice import Part, chosen
from heron.errors import InputError

if TYPE_CHECKING:
    from heron.eval.calibration.assess import Assessment
    from heron.eval.calibration.streams import Stream
    from heron.eval.gating import GateReport, GateSaving
    from heron.observer.calibration import Calibration

app = typer.Typer(**SETTINGS)

Model = Annotated[str, typer.Argument(help="Name of the catalogue, or path of a GGUF file.")]
Seeds = Annotated[
    str, typer.Option("--seeds", help="FIRST:END, without END; one seed alone is FIRST.")
]
Most = Annotated[
    int | None,
    typer.Option("--scenarios", min=2, help="At most so many, spread over the families."),
]
Recorded = Annotated[
    Path | None,
    typer.Option("--streams", help="Streams that were recorded, instead of playing them."),
]
Resume = Annotated[
    bool,
    typer.Option("--resume/--no-resume", help="Take scores that an earlier run left on disk."),
]

TRAINING, EVALUATION = "1000:1001", "0:1"


@app.callback()
def observer() -> None:
    """Calibrate an observer's model, and say what that is worth."""


@app.command()
def streams(
    out: Annotated[Path, typer.Option("--out", help="File for the streams, JSON lines.")],
    part: Annotated[Part, typer.Option("--part", help="Families to tune or to score on.")],
    seeds: Seeds = TRAINING,
    scenarios: Most = None,
) -> None:
    """Record what an observer sees of users whom nobody helps, and when an offer is of use.

    heron observer streams --part dev --seeds 1000:1003 --out dev.jsonl
    """
    from heron.eval.calibration.streams import write

    found = _played(part, seed_range(seeds), scenarios)
    count = write(found, out)
    useful = sum(sum(stream.useful) for stream in found)
    total = sum(len(stream.useful) for stream in found)
    typer.echo(f"{count} streams, {total} observations, {useful} where an offer is of use: {out}")


@app.command()
def calibrate(
    model: Model,
    seeds: Seeds = TRAINING,
    scenarios: Most = None,
    recorded: Recorded = None,
    probe: Annotated[
        bool, typer.Option("--probe", help="Fit a probe of the hidden state as well.")
    ] = False,
    costs: Annotated[
        str, typer.Option("--costs", help="Of an interruption : a missed chance : a joule.")
    ] = "1:2:0",
    joules: Annotated[
        float, typer.Option("--joules", min=0, help="What wording an offer takes.")
    ] = 0.0,
    out: Annotated[
        Path | None, typer.Option("--out", help="The calibration file [beside the model].")
    ] = None,
    resume: Resume = True,
    threads: options.Threads = 1,
    window: options.Window = 4096,
) -> None:
    """Fit what turns a model's scores into probabilities, on families to tune on (dev).

    heron observer calibrate smollm2-135m-instruct-q4_1 --seeds 1000:1003 --probe --costs 1:2:0
    """
    from heron.eval.calibration import run
    from heron.eval.calibration.fit import check_for_fitting
    from heron.observer.calibration import Costs

    stated = Costs.parse(costs, joules)
    file = out or run.default_out(model)
    found = _streams(recorded, Part.dev, seeds, scenarios)
    check_for_fitting(found)
    loading = run.Loading(model=model, threads=threads, window=window)
    reading = run.Reading(loading, hidden=probe, resume=resume, tell=_progress(len(found)))
    calibration = run.calibrate(reading, found, stated, _command())
    run.write_calibration(calibration, file)
    _tell_calibration(calibration, file)


@app.command()
def assess(
    model: Model,
    calibration: Annotated[
        Path | None,
        typer.Option("--calibration", help="The file [beside the model, else Heron's own]."),
    ] = None,
    part: Annotated[Part, typer.Option("--part", help="dev is in-sample.")] = Part.test,
    seeds: Seeds = EVALUATION,
    scenarios: Most = None,
    recorded: Recorded = None,
    resume: Resume = True,
    threads: options.Threads = 1,
    window: options.Window = 4096,
    as_json: options.Json = False,
) -> None:
    """Say what a calibration is worth on families that it was not fitted on (test).

    heron observer assess smollm2-135m-instruct-q4_1
    """
    from heron.eval.calibration import run
    from heron.eval.calibration.assess import check_for_assessing

    fitted, file = run.load_calibration(model, calibration)
    found = _streams(recorded, part, seeds, scenarios)
    check_for_assessing(found)
    loading = run.Loading(model=model, threads=threads, window=window)
    reading = run.Reading(
        loading, hidden=fitted.probe is not None, resume=resume, tell=_progress(len(found))
    )
    result = run.assess_model(reading, found, fitted, str(file))
    if as_json:
        typer.echo(result.model_dump_json(indent=1))
    else:
        _tell_assessment(result)


@app.command()
def gate(
    model: Annotated[
        str | None, typer.Argument(help="Measure with it what the gate saves; else only count.")
    ] = None,
    which: Annotated[
        str, typer.Option("--gate", help="rules, linear (Heron's own), or a gate's file.")
    ] = "rules",
    part: Annotated[Part, typer.Option("--part", help="Families to tune or to score on.")] = (
        Part.test
    ),
    seeds: Seeds = EVALUATION,
    scenarios: Most = None,
    recorded: Recorded = None,
    threads: options.Threads = 1,
    window: options.Window = 4096,
    as_json: options.Json = False,
) -> None:
    """Say how often a gate wakes the model, what it sleeps through, and what that saves.

    heron observer gate smollm2-135m-instruct-q4_1 --scenarios 20
    """
    from heron.eval.gating import report, saving
    from heron.models.decision import load_decision_model
    from heron.observer.gate import gate_from

    chosen_gate = gate_from({"gate": which})
    if chosen_gate is None:
        raise InputError("--gate off: without a gate the model is always awake")
    found = _streams(recorded, part, seeds, scenarios)
    counted = report(found, chosen_gate)
    saved = None
    if model is not None:
        loaded = load_decision_model(model, threads=threads, window=window)
        saved = saving(loaded, found, chosen_gate)
        loaded.close()
    if as_json:
        told = {"gate": counted.model_dump(), "saving": saved.model_dump() if saved else None}
        typer.echo(json.dumps(told, indent=1))
    else:
        _tell_gate(counted, saved)


@app.command()
def fit_gate(
    out: Annotated[Path, typer.Option("--out", help="The gate's file.")],
    keep: Annotated[
        float, typer.Option("--keep", min=0.5, max=1.0, help="Share of chances to wake for.")
    ] = 0.98,
    seeds: Seeds = TRAINING,
    scenarios: Most = None,
    recorded: Recorded = None,
) -> None:
    """Fit a linear gate on event features, on families to tune on (dev).

    heron observer fit-gate --seeds 1000:1003 --out gate.json
    """
    from heron.eval import gating

    found = _streams(recorded, Part.dev, seeds, scenarios)
    fitted = gating.fit_gate(found, keep, _command())
    try:
        out.write_text(fitted.model_dump_json(indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out}: {error.strerror}") from error
    typer.echo(f"{out}: wakes from {fitted.threshold:.3f} on; in-sample:")
    _tell_gate(gating.report(found, fitted), None)


def seed_range(text: str) -> range:
    """``"1000:1003"`` is 1000, 1001, 1002; ``"7"`` is 7.

    Raises:
        InputError: it is neither, or empty.
    """
    first, colon, end = text.partition(":")
    try:
        found = range(int(first), int(end) if colon else int(first) + 1)
    except ValueError as error:
        raise InputError(f"seeds {text!r}: write FIRST:END, as 1000:1003") from error
    if not found or found.start < 0:
        raise InputError(f"seeds {text!r}: there are none; write FIRST:END, as 1000:1003")
    return found


def _streams(
    recorded: Path | None, part: Part, seeds: str, scenarios: int | None
) -> tuple[Stream, ...]:
    from heron.eval.calibration.streams import read

    if recorded is not None:
        return tuple(read(recorded))
    return _played(part, seed_range(seeds), scenarios)


def _played(part: Part, seeds: range, most: int | None) -> tuple[Stream, ...]:
    from heron.eval.calibration.streams import record, sample

    suite = sample(chosen(None, None, part), most)
    return tuple(record(scenario, seed) for seed in seeds for scenario in suite)


def _progress(total: int) -> Callable[[Any], None]:
    """A line on stderr now and then."""
    done = 0

    def tell(_stream: object) -> None:
        nonlocal done
        done += 1
        if done % 10 == 0 or done == total:
            typer.echo(f"{done}/{total} streams", err=True)

    return tell


def _command() -> str:
    return shlex.join(["heron", *sys.argv[1:]])


def _tell_calibration(calibration: Calibration, file: Path) -> None:
    origin, gate, probe = calibration.sources, calibration.gate, calibration.probe
    typer.echo(
        f"{calibration.name}: {origin.scenarios} scenarios of {origin.families} families, "
        f"{origin.observations} observations, an offer of use at {origin.useful:.1%}"
    )
    before, after = gate.before, gate.after
    if before is not None:
        typer.echo(f"raw shares: Brier {before.brier:.3f}, calibration error {before.ece:.3f}")
    typer.echo(
        f"{gate.curve.form}, cross-validated: Brier {after.brier:.3f}, calibration error "
        f"{after.ece:.3f}; speaks from {gate.threshold:.3f}, {gate.cost:.3f} a stream"
    )
    if probe is not None:
        quality = probe.fitted.after
        typer.echo(
            f"probe, cross-validated: Brier {quality.brier:.3f}, calibration error "
            f"{quality.ece:.3f}; speaks from {probe.fitted.threshold:.3f}, "
            f"{probe.fitted.cost:.3f} a stream"
        )
    typer.echo(f"written to {file}")


def _tell_gate(counted: GateReport, saved: GateSaving | None) -> None:
    from heron.eval.table import percent

    typer.echo(
        f"{counted.streams} streams, {counted.observations} observations: woken at "
        f"{counted.wakes} ({percent(counted.wake_rate)})"
    )
    typer.echo(
        f"useful moments slept through: {counted.slept_useful} of {counted.useful}; chances "
        f"missed whole: {counted.missed} of {counted.chances} ({percent(counted.missed_share)})"
    )
    if saved is not None:
        typer.echo(
            f"the model read the same streams twice: tokens {saved.evaluated_awake:,} always "
            f"awake, {saved.evaluated_gated:,} behind the gate; CPU {saved.cpu_awake_s:.1f} s and "
            f"{saved.cpu_gated_s:.1f} s"
        )


def _tell_assessment(result: Assessment) -> None:
    note = "; in-sample: these families were fitted on" if result.in_sample else ""
    typer.echo(
        f"{result.name} on part {result.part}: {result.scenarios} scenarios of {result.families} "
        f"families, {result.observations} observations, an offer of use at {result.useful:.1%}; "
        f"{result.form}, speaks from {result.threshold:.3f}{note}"
    )
    width = max(len(figure.name) for figure in result.figures)
    for figure in result.figures:
        shown = "–" if figure.value is None else f"{figure.value:.3f}"
        between = figure.interval
        more = f"  [{between.low:.3f}, {between.high:.3f}]" if between else ""
        typer.echo(f"{figure.name:<{width}}  {shown}{more}")
