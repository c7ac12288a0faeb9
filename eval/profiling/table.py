"""A comparison as rows of text: figures down, settings across. What it does not know: terminals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from heron.contracts import StepCost
from heron.eval.profiling.figures import figure
from heron.eval.profiling.records import Comparison, Profiled, Speed
from heron.eval.table import DASH, number, percent, projected, seconds, size

Cell = Callable[[Profiled], str]


def grid(comparison: Comparison) -> list[list[str]]:
    """Rows of cells; the first is the heading, the first column names the figure."""
    profiles = comparison.profiles
    rows = [[name, *(cell(one) for one in profiles)] for name, cell in _rows()]
    return [row for row in rows if any(value not in ("", DASH) for value in row[1:])]


def markdown(comparison: Comparison) -> str:
    """The whole, as a document."""
    first, *rest = grid(comparison)
    lines = ["# Heron: profile", "", f"`{comparison.command}`", ""]
    lines += [f"- machine: {comparison.machine}", f"- heron: {comparison.heron}"]
    lines += [f"- energy: {comparison.energy}", "", _line(first)]
    lines += ["|" + "---|" * len(first), *(_line(row) for row in rest)]
    lines += ["", *(f"- over budget: {excess.text}" for excess in comparison.excesses)]
    return "\n".join(lines).rstrip() + "\n"


def _line(row: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def _rows() -> list[tuple[str, Cell]]:
    return [
        ("observer", lambda one: one.setting.model),
        ("threads / window", lambda one: f"{one.setting.threads} / {one.setting.window}"),
        ("quantisation", lambda one: str(one.info.get("quantisation", DASH))),
        ("stream", _stream),
        ("decisions", _decisions),
        ("faults", lambda one: f"{one.faults}, first: {one.fault}" if one.faults else ""),
        ("load before / after", _load),
        *_speeds(),
        *_per_decision(),
        *_memory(),
        *_over_time(),
        ("quality", _quality),
        ("on the Pareto front", _front),
        ("cores", lambda one: one.in_force.cores or ""),
        ("memory limit", lambda one: one.in_force.memory or ""),
        ("CPU limit", lambda one: one.in_force.cpu or ""),
    ]


def _speeds() -> list[tuple[str, Cell]]:
    return [
        ("prompt tok/s", lambda one: _speed(one.prompt)),
        ("decode tok/s", lambda one: _speed(one.decode)),
        ("  per CPU second", _cpu_speeds),
        ("first decision, prefix cold, CPU", lambda one: _cpu(one.cold)),
        ("first decision, prefix kept, CPU", lambda one: _cpu(one.kept)),
    ]


def _per_decision() -> list[tuple[str, Cell]]:
    return [
        ("wall per decision p50 / p95 / p99", lambda one: _spread(one, "wall_s")),
        ("CPU per decision p50 / p95 / p99", lambda one: _spread(one, "cpu_s")),
        ("time to first logits p50 / p95 / p99", lambda one: _spread(one, "first_token_s")),
        ("queued p50 / p95 / p99", lambda one: _spread(one, "queued_s")),
        ("woken / left asleep by a gate", _gate),
        ("tokens evaluated / reused / generated, mean", _tokens),
        ("energy per decision, mean", _energy),
    ]


def _memory() -> list[tuple[str, Cell]]:
    return [
        ("resident memory", lambda one: _size(one, "rss")),
        ("  anonymous", lambda one: _size(one, "anonymous")),
        ("  file-backed", lambda one: _size(one, "file_backed")),
        ("llama.cpp: window (KV)", lambda one: size(one.info.get("kv"))),
        ("llama.cpp: compute", lambda one: size(one.info.get("compute"))),
        ("llama.cpp: weights", lambda one: size(one.info.get("weights"))),
        ("llama.cpp: repacked weights", lambda one: size(one.info.get("repacked"))),
    ]


def _over_time() -> list[tuple[str, Cell]]:
    return [
        ("CPU per second of use", lambda one: percent(_hourly(one, "duty_cycle"))),
        ("CPU seconds per hour of use", lambda one: number(_hourly(one, "cpu_s_per_hour"))),
        ("mWh per hour of use", lambda one: number(_hourly(one, "mwh_per_hour"))),
        ("usage of the day", _usage),
        ("CPU per day", lambda one: _day(one, "cpu_s", "s")),
        ("energy per day", lambda one: _day(one, "mwh", "mWh")),
    ]


def _front(one: Profiled) -> str:
    return DASH if one.on_front is None else "yes" if one.on_front else "no"


def _stream(one: Profiled) -> str:
    facts = one.stream
    return f"{facts.digest}, seed {facts.seed}, {facts.phone_s / 3600:.2f} h of {facts.scenarios}"


def _decisions(one: Profiled) -> str:
    kinds = ", ".join(f"{count} {name}" for name, count in one.answers.items())
    whole = f"{one.observations} of {one.stream.observations} observations"
    return f"{one.decisions} ({kinds or 'none'}) on {whole}"


def _load(one: Profiled) -> str:
    return DASH if one.load is None else f"{one.load[0]:.1f} / {one.load[1]:.1f}"


def _speed(speed: Speed | None) -> str:
    if speed is None:
        return DASH
    spread = "" if speed.sd is None else f" ± {speed.sd:.1f}"
    return f"{speed.mean:.1f}{spread} ({len(speed.per_s)} × {speed.tokens})"


def _cpu_speeds(one: Profiled) -> str:
    pair = [s for s in (one.prompt, one.decode) if s is not None and s.per_cpu_s]
    return " / ".join(f"{sum(s.per_cpu_s) / len(s.per_cpu_s):.1f}" for s in pair) or DASH


def _cpu(cost: StepCost | None) -> str:
    return DASH if cost is None else seconds(cost.cpu_s)


def _spread(one: Profiled, name: str) -> str:
    values = one.costs.get(name)
    if not values:
        return DASH
    return " / ".join(seconds(values[key]) for key in ("p50", "p95", "p99"))


def _gate(one: Profiled) -> str:
    wakes, skips = one.costs.get("wakes"), one.costs.get("skips")
    return DASH if wakes is None else f"{wakes} / {skips}"


def _tokens(one: Profiled) -> str:
    means = [figure(one.costs, (name, "mean")) for name in ("evaluated", "reused", "generated")]
    return DASH if means == [None] * 3 else " / ".join(number(value) for value in means)


def _energy(one: Profiled) -> str:
    energy: dict[str, Any] = one.costs.get("energy") or {}
    mean = figure(energy, ("joules", "mean"))
    if mean is None:
        return f"{DASH} ({str(energy.get('reason')).partition(' (')[0]})"
    return f"{mean:.3g} J ({energy['source']}: {energy['detail']})"


def _size(one: Profiled, name: str) -> str:
    value = figure(one.costs, ("memory", name))
    reason = (one.costs.get("memory") or {}).get("reason")
    return f"{DASH} ({reason})" if value is None and reason else size(value)


def _hourly(one: Profiled, name: str) -> float | None:
    return figure(one.costs, ("hourly", name))


def _usage(one: Profiled) -> str:
    day = one.costs.get("day")
    return (
        "" if not day else f"{day['usage']}: {day['events']:g} events, {day['actions']:g} actions"
    )


def _day(one: Profiled, name: str, unit: str) -> str:
    day = one.costs.get("day")
    return DASH if not day else projected(day[name], unit)


def _quality(one: Profiled) -> str:
    quality = one.quality
    if quality is None:
        return DASH
    counted = "goal episodes" if quality.metric == "success" else "proposals"
    return f"{percent(quality.value)} {quality.metric} of {quality.counted} {counted}"
