"""The figures of a judging as rows of text, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from heron.eval.judging.results import RECORDED, SAID
from heron.eval.table import DASH, number, percent, seconds, size


def facts(results: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(what, value) of the whole."""
    return [
        ("points", _counts(results)),
        *_agreement("yes or no", results["yes_or_no"]),
        *(_agreement("three answers", results["three_answers"]) if _three(results) else ()),
        *_costs(results["costs"], results.get("memory")),
    ]


def confusion_rows(results: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Recorded × said, with a heading; lines and columns of noughts are left out."""
    table = results["confusion"]
    columns = [said for said in SAID if any(table[row][said] for row in RECORDED)]
    rows = [row for row in RECORDED if any(table[row].values())]
    return [
        ("RECORDED \\ SAID", *columns),
        *((row, *(str(table[row][said]) for said in columns)) for row in rows),
    ]


def group_rows(groups: Sequence[Mapping[str, Any]], heading: str) -> list[tuple[str, ...]]:
    """A line for each recorded user or observer, with a heading."""
    head = (heading, "POINTS", "RECORDED YES", "SAID YES", "YES OR NO", "ACCURACY", "KAPPA")
    return [head, *map(_group, groups)]


def _group(group: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        group["name"],
        str(group["points"]),
        percent(group["recorded_accept"]),
        percent(group["said_accept"]),
        str(group["n"]),
        percent(group["accuracy"]),
        _kappa(group["kappa"]),
    )


def _three(results: Mapping[str, Any]) -> bool:
    return results["three_answers"] is not None


def _counts(results: Mapping[str, Any]) -> str:
    parts = [f"{results['points']}, answered {results['answered']}"]
    for key, words in (
        ("gathered", "of these goes to look"),
        ("ignored", "of these not taken up"),
        ("invalid", "invalid"),
        ("faults", "faults"),
    ):
        if results[key] or key == "invalid":
            parts.append(f"{words} {results[key]}")
    return ", ".join(parts)


def _agreement(name: str, figures: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    kappa = _kappa(figures["kappa"]) + _interval(figures["kappa_interval"])
    if figures["kappa_reason"]:
        kappa = f"{DASH} ({figures['kappa_reason']})"
    share = percent(figures["accuracy"]) + _share_interval(figures["accuracy_interval"])
    yield f"{name}: accuracy of {figures['n']}", share
    yield f"{name}: Cohen's kappa", kappa


def _costs(costs: Mapping[str, Any], memory: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    for key, name in (("wall_s", "wall time per point"), ("cpu_s", "CPU time per point")):
        found = costs[key]
        if found is not None:
            total = seconds(found["total"])
            yield (
                f"{name}, mean / p95",
                f"{seconds(found['mean'])} / {seconds(found['p95'])}, {total} in all",
            )
    if costs["tokens_in"]:
        yield "tokens in / out", f"{number(costs['tokens_in'])} / {number(costs['tokens_out'])}"
    if costs["egress_bytes"]:
        money = DASH if costs["cost_usd"] is None else f"{costs['cost_usd']:.4f} USD"
        yield "off the device", f"{size(costs['egress_bytes'])}, {money}"
    if memory is not None and memory["anonymous"] is not None:
        own, mapped = size(memory["anonymous"]), size(memory["file_backed"])
        yield "memory of its process", f"{own} own + {mapped} mapped"


def _kappa(value: float | None) -> str:
    return DASH if value is None else f"{value:.2f}"


def _interval(interval: Mapping[str, Any] | None) -> str:
    if interval is None:
        return ""
    return f" ({interval['level']:.0%} interval {interval['low']:.2f} to {interval['high']:.2f})"


def _share_interval(interval: Mapping[str, Any] | None) -> str:
    if interval is None:
        return ""
    return f" ({percent(interval['low'])} to {percent(interval['high'])})"
