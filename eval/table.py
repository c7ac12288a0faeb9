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


def figure(value: float | None, unit: str) -> str:
    """A metric's value in its unit (see ``scoring.metric.Unit``)."""
    if value is None:
        return DASH
    if unit in ("share", "per turn"):
        return percent(value)
    plain = {"s": seconds, "bytes": size}.get(unit)
    if plain is not None and value >= 0:
        return plain(value)
    return (
        f"{value:,.4f} USD" if unit == "USD" else f"{value:,.2f} {_UNITS.get(unit, unit)}".strip()
    )


def apart(value: float | None, unit: str) -> str:
    """A difference, with its sign; of shares in percentage points."""
    if value is None:
        return DASH
    if unit in ("share", "per turn"):
        return f"{100 * value:+.1f} pp"
    return f"{'-' if value < 0 else '+'}{figure(abs(value), unit)}"


def between(low: float, high: float, unit: str, *, signed: bool = False) -> str:
    """An interval, in the unit of the value that stands before it."""
    if unit in ("share", "per turn"):
        sign = "+" if signed else ""
        return f"({100 * low:{sign}.1f} to {100 * high:{sign}.1f})"
    if unit not in ("s", "bytes", "USD"):
        sign = "+" if signed else ""
        return f"({low:{sign},.2f} to {high:{sign},.2f})"
    told = apart if signed else figure
    return f"({told(low, unit)} to {told(high, unit)})"


_UNITS = {"count": "", "points": ""}


def rows(summary: dict[str, Any]) -> list[Row]:
    """The table of one run's summary."""
    watching = [*_observer(summary["observer"]), *_network(summary.get("observer_network"))]
    # Here, because what it needs of this file must be there first.
    from heron.eval.scoring.rows import scored_rows

    device = [*_score(summary), *scored_rows(summary), *watching, *_executor(summary)]
    return [*device, *_simulator(summary.get("simulator"))]


def _score(summary: dict[str, Any]) -> list[Row]:
    k = summary["k"]
    first = summary["first_answers"]
    answers = DASH if first is None else ", ".join(f"{a} {percent(v)}" for a, v in first.items())
    pairs = [
        ("episodes (goal + quiet)", _counts(summary)),
        ("faults", number(summary["faults"])),
        ("success rate", _ranged(summary, "success_rate")),
        (f"success@{k}", percent(summary["success_at_k"])),
        (f"success^{k}", percent(summary["success_pow_k"])),
        ("silence rate (quiet)", _ranged(summary, "silence_rate")),
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
    if summary.get("in_sample"):
        pairs.insert(1, ("in-sample", summary["in_sample"]))
    return [Row("score", name, value) for name, value in pairs]


def _ranged(summary: dict[str, Any], name: str) -> str:
    """A share with its interval, where it has one."""
    at = summary.get("metrics", {}).get(name, {}).get("interval")
    told = f" {between(at['low'], at['high'], 'share')}" if at is not None else ""
    return percent(summary[name]) + told


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
        ("queued p50 / p95 / p99", _spread(costs.get("queued_s"))),
        ("time to first logits p50 / p95 / p99", _spread(costs.get("first_token_s"))),
        ("woken / left asleep by a gate", _pair(costs.get("wakes"), costs.get("skips"))),
        (
            "tokens evaluated / reused / generated",
            " / ".join(
                number(costs[f"{kind}_tokens"]) for kind in ("evaluated", "reused", "generated")
            ),
        ),
        ("memory of its process", memory),
        ("  of that the window (KV)", size(costs.get("memory_kv"))),
        ("energy, mean", _energy(costs.get("energy"), costs["decisions"])),
    ]
    found = [Row("observer, per decision", name, value) for name, value in pairs]
    return [*found, *_over_time(costs.get("hourly"), costs.get("day"))]


def _energy(energy: dict[str, Any] | None, decisions: int) -> str:
    if energy is None or energy["joules"] is None:
        return DASH if energy is None else f"{DASH} ({energy['reason']})"
    share = f"{energy['decisions']} of {decisions} decisions"
    return f"{energy['joules']['mean']:.3g} J ({share}; {energy['source']}: {energy['detail']})"


def _over_time(hourly: dict[str, Any] | None, day: dict[str, Any] | None) -> list[Row]:
    """Nothing for runs that were summed up before there were such figures."""
    if hourly is None or day is None:
        return []
    pairs = [
        (f"CPU per second of use, {seconds(hourly['phone_s'])}", percent(hourly["duty_cycle"])),
        (
            f"CPU per second of the run, {seconds(hourly['wall_s'])}",
            percent(hourly["duty_cycle_wall"]),
        ),
        ("CPU seconds / mWh per hour of use", _pair_of_hours(hourly)),
    ]
    what = f"{day['usage']} day ({day['events']:g} events, {day['actions']:g} actions)"
    pairs += [
        (f"CPU of a {what}", projected(day["cpu_s"], "s")),
        (f"energy of a {what}", projected(day["mwh"], "mWh")),
    ]
    return [Row("observer, over time", name, value) for name, value in pairs]


def projected(day: dict[str, Any], unit: str) -> str:
    """A projection with its interval and what it rests on."""
    if day["estimate"] is None:
        return f"{DASH} ({day['reason']})"
    interval = day["interval"]
    between = f" ({interval['low']:,.0f} to {interval['high']:,.0f})" if interval else ""
    units = f"from {day['events']} event and {day['actions']} action observations"
    return f"{day['estimate']:,.0f} {unit}{between}, {units}"


def _pair_of_hours(hourly: dict[str, Any]) -> str:
    return f"{number(hourly['cpu_s_per_hour'])} / {number(hourly['mwh_per_hour'])}"


def _network(figures: dict[str, Any] | None) -> list[Row]:
    """Nothing, where the observer asks no model behind an address."""
    if figures is None:
        return []
    place = "OFF THE DEVICE" if figures["remote"] else "at this machine's own address"
    pairs = [
        ("its model runs", place),
        ("requests", number(figures["calls"])),
        ("tokens in / out", _pair(figures["tokens_in"], figures["tokens_out"])),
        ("bytes to its model", number(figures["bytes_to_model"])),
        ("of these off the device", number(figures["egress_bytes"])),
    ]
    return [Row("observer over the network", name, value) for name, value in pairs]


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
