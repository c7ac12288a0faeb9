"""One run as rows of (what, value): the same for the terminal, Markdown and readers.

Numbers are formatted here and nowhere else. What it does not know: how a table is drawn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

DASH = "–"


class Row(NamedTuple):
    """A line of the table."""

    section: str
    name: str
    value: str


def percent(value: float | None) -> str:
    """A share; a dash where the denominator is empty."""
    return DASH if value is None else f"{100 * value:.1f} %"


def seconds(value: float | None) -> str:
    """A duration, in the unit in which it reads best."""
    if value is None:
        return DASH
    if value >= 1:
        return f"{value:.2f} s"
    return f"{1e3 * value:.1f} ms" if value >= 1e-3 else f"{1e6 * value:.0f} µs"


def size(value: float | None) -> str:
    """Bytes, in MB (10^6) from one up."""
    if value is None:
        return DASH
    return f"{value / 1e6:.1f} MB" if value >= 1e6 else f"{value:,.0f} B"


def number(value: float | None) -> str:
    """A mean or a count."""
    if value is None:
        return DASH
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def rows(summary: dict[str, Any]) -> list[Row]:
    """The table of one run's summary."""
    device = [*_score(summary), *_observer(summary["observer"]), *_executor(summary)]
    return [*device, *_simulator(summary.get("simulator"))]


def _score(summary: dict[str, Any]) -> list[Row]:
    k = summary["k"]
    first = summary["first_answers"]
    answers = DASH if first is None else ", ".join(f"{a} {percent(v)}" for a, v in first.items())
    pairs = [
        ("episodes (goal + quiet)", _counts(summary)),
        ("faults", number(summary["faults"])),
        ("success rate", percent(summary["success_rate"])),
        (f"success@{k}", percent(summary["success_at_k"])),
        (f"success^{k}", percent(summary["success_pow_k"])),
        ("silence rate (quiet)", percent(summary["silence_rate"])),
        ("proposals per turn", percent(summary["proposal_rate"])),
        ("acceptance", percent(summary["acceptance_rate"])),
        ("  on goal scenarios", percent(summary["goal_acceptance_rate"])),
        ("  on quiet scenarios", percent(summary["quiet_acceptance_rate"])),
        ("looked before answering", percent(summary["gather_context_share"])),
        ("  looks / time until the answer", _looked(summary)),
        ("first answers", answers),
        ("reads / writes per episode", _pair(summary["read_actions"], summary["write_actions"])),
        ("failed because of", _causes(summary.get("attribution"))),
        ("outcomes", ", ".join(f"{n} {o}" for o, n in summary["outcomes"].items()) or DASH),
    ]
    return [Row("score", name, value) for name, value in pairs]


def _looked(summary: dict[str, Any]) -> str:
    looks, time = summary.get("gathering_looks"), summary.get("gathering_seconds")
    return f"{number(looks)} / {seconds(time)}"


def _causes(shares: dict[str, float] | None) -> str:
    if shares is None:
        return DASH
    return ", ".join(f"{cause} {percent(share)}" for cause, share in shares.items() if share)


def _observer(costs: dict[str, Any]) -> list[Row]:
    wall, cpu = costs["wall_s"], costs["cpu_s"]
    anonymous, backed = costs["memory_anonymous"], costs["memory_file_backed"]
    memory = costs["memory_reason"] or DASH
    if anonymous is not None:
        memory = f"{size(anonymous)} own + {size(backed)} mapped"
    pairs = [
        ("decisions", number(costs["decisions"])),
        ("wall time p50 / p95 / p99", _spread(wall)),
        ("CPU time p50 / p95 / p99", _spread(cpu)),
        (
            "tokens evaluated / reused / generated",
            " / ".join(
                number(costs[f"{kind}_tokens"]) for kind in ("evaluated", "reused", "generated")
            ),
        ),
        ("memory of its process", memory),
    ]
    return [Row("observer, per decision", name, value) for name, value in pairs]


def _executor(summary: dict[str, Any]) -> list[Row]:
    costs = summary["executor"]
    mean = costs["wall_s"]["mean"] if costs["wall_s"] else None
    money = DASH if costs["cost_usd"] is None else f"{costs['cost_usd']:.4f} USD"
    pairs = [
        ("executions", number(costs["executions"])),
        ("wall time, mean", seconds(mean)),
        ("tokens in / out", _pair(costs["tokens_in"], costs["tokens_out"])),
        ("bytes to the executor's model", number(costs["bytes_to_executor"])),
        ("of these off the device", number(costs["egress_bytes"])),
        ("off the device before an accept", number(summary["egress_bytes_before_accept"])),
        ("money", money),
    ]
    return [Row("executor and egress", name, value) for name, value in pairs]


def _simulator(figures: dict[str, Any] | None) -> list[Row]:
    """Nothing, where the user is no model."""
    if figures is None:
        return []
    counts = f"{percent(figures['invalid_share'])} ({figures['invalid']} of {figures['outputs']})"
    money = DASH if figures["cost_usd"] is None else f"{figures['cost_usd']:.4f} USD"
    pairs = [
        ("steps", number(figures["steps"])),
        ("outputs that were no legal move", counts),
        ("  steps repaired / given up", _pair(figures["repaired"], figures["gave_up"])),
        ("actions that the phone refused", percent(figures["refused_share"])),
        ("wall time p50 / p95 / p99", _spread(figures["wall_s"])),
        ("CPU time p50 / p95 / p99", _spread(figures["cpu_s"])),
        ("tokens in / out", _pair(figures["tokens_in"], figures["tokens_out"])),
        ("bytes to the user's model", number(figures["bytes_to_model"])),
        ("of these to a remote one", number(figures["remote_bytes"])),
        ("money", money),
    ]
    return [Row("simulated user, not the device's", name, value) for name, value in pairs]


def _counts(summary: dict[str, Any]) -> str:
    played, planned = summary["episodes"], summary.get("planned_episodes", summary["episodes"])
    count = f"{played}" if played == planned else f"{played} of {planned} planned"
    return f"{count} ({summary['goal_episodes']} + {summary['quiet_episodes']})"


def _spread(values: dict[str, float] | None) -> str:
    if values is None:
        return DASH
    return " / ".join(seconds(values[key]) for key in ("p50", "p95", "p99"))


def _pair(first: float | None, second: float | None) -> str:
    return f"{number(first)} / {number(second)}"
