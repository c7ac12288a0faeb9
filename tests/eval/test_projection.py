"""From decisions to hours and days: sums by hand, seeded intervals, nothing made up."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.eval.records import START, episode

from heron.contracts import (
    EnergySample,
    EpisodeCosts,
    EpisodeRecord,
    Idle,
    MemorySample,
    ObserverTurn,
    Preview,
    ScreenView,
    StepCost,
    TurnRecord,
    UserStep,
    Wait,
)
from heron.errors import InputError, UnknownName
from heron.eval import costs
from heron.eval.projection import Unit, per_day, phone_seconds, unit_of, units_of
from heron.eval.table import rows
from heron.eval.usage import Usage, load_usage, usage_names

DAY = Usage(name="test", events=(1.0,) * 24, actions=(0.0,) * 12 + (10.0,) * 12)


def unit(kind: Any, cpu: float | None, joules: float | None = None, of: str = "a") -> Unit:
    return Unit(cluster=of, kind=kind, cpu_s=cpu, joules=joules)


def test_a_day_is_what_an_event_and_an_action_cost_times_how_often_they_come() -> None:
    units = [unit("event", 2.0), unit("event", 4.0), unit("action", 0.5), unit("idle", 99.0)]
    found = per_day(units, DAY, "cpu_s")
    assert found.estimate == pytest.approx(24 * 3 + 120 * 0.5)
    assert (found.events, found.actions, found.interval) == (2, 1, None)


def test_energy_is_in_milliwatt_hours() -> None:
    found = per_day([unit("event", 1, 3.6), unit("action", 1, 7.2)], DAY, "mwh")
    assert found.estimate == pytest.approx(24 + 2 * 120)


def test_the_interval_resamples_scenarios_and_repeats() -> None:
    units = [
        unit(kind, cost, of=name)
        for name, cost in zip("abcdefgh", range(1, 9), strict=True)
        for kind in ("event", "action")
    ]
    found = per_day(units, DAY, "cpu_s", seed=3)
    assert found.interval is not None
    assert found.estimate == pytest.approx(144 * 4.5)
    assert found.interval.low < 144 * 4.5 < found.interval.high
    assert found.interval.clusters == 8
    assert found == per_day(list(reversed(units)), DAY, "cpu_s", seed=3)
    assert found != per_day(units, DAY, "cpu_s", seed=4)


def test_a_day_of_something_never_seen_cannot_be_told() -> None:
    found = per_day([unit("event", 2.0)], DAY, "cpu_s")
    assert found.estimate is None
    assert "none of an action" in str(found.reason)
    quiet = DAY.model_copy(update={"actions": (0.0,) * 24})
    assert per_day([unit("event", 2.0)], quiet, "cpu_s").estimate == 48


def test_one_unknown_cost_makes_the_day_unknown_and_not_cheaper() -> None:
    units = [unit("event", 2.0), unit("event", None), unit("action", 1.0)]
    assert per_day(units, DAY, "cpu_s").reason == "CPU time unknown"
    assert per_day(units, DAY, "mwh").reason == "energy unknown"


def test_a_units_cost_is_the_sum_of_its_decisions() -> None:
    joule = EnergySample(joules=1.5, source="rapl")
    steps = [StepCost(wall_s=1, cpu_s=0.25, energy=joule), StepCost(wall_s=1, cpu_s=0.5)]
    found = unit_of("a", "event", steps)
    assert (found.cpu_s, found.joules) == (0.75, None)
    assert unit_of("a", "event", steps[:1] * 2).joules == 3.0


def test_the_last_turn_takes_as_long_as_the_others_on_the_mean() -> None:
    times = [START + timedelta(seconds=s) for s in (0, 20, 60)]
    assert phone_seconds(times) == 90
    assert phone_seconds(times[:1]) is None
    assert phone_seconds([]) is None


def turn(number: int, decisions: int, *, note: bool = False, idle: bool = False) -> TurnRecord:
    preview = Preview(app="email", title="A", preview="B")
    fields: dict[str, Any] = {} if not idle else {"step": UserStep(move=Idle())}
    return TurnRecord.model_validate(
        {
            "turn": number,
            "time": START + timedelta(seconds=30 * number),
            "view": ScreenView(app="system", screen="Home", title="Home"),
            "step": {"move": {"type": "act", "app": "system", "action": "go_home"}},
            "previews": (preview,) if note else (),
            "observer": tuple(ObserverTurn(step=s, answer=Wait()) for s in range(decisions)),
            **fields,
        }
    )


def played(*cpu: float, energy: EnergySample | None = None) -> EpisodeRecord:
    memory = MemorySample(anonymous=5_000_000, file_backed=1, kv=4_000_000)
    steps = tuple(
        StepCost(
            wall_s=2 * spent,
            cpu_s=spent,
            queued_s=0.001,
            first_token_s=spent,
            memory=memory,
            energy=energy,
        )
        for spent in cpu
    )
    turns = (turn(0, 1), turn(1, 2, note=True), turn(2, 1, idle=True))
    return episode("success", *turns, costs=EpisodeCosts(steps=steps, wall_s=10.0))


def test_stored_turns_become_units_with_their_looks() -> None:
    kinds = [(u.kind, u.cpu_s) for u in units_of([played(1.0, 2.0, 4.0, 8.0)])]
    assert kinds == [("action", 1.0), ("event", 6.0), ("idle", 8.0)]


def test_an_episode_cut_short_gives_the_units_that_it_has() -> None:
    assert [u.cpu_s for u in units_of([played(1.0, 2.0)])] == [1.0, 2.0]
    assert units_of([played()]) == []


def test_a_run_tells_duty_cycle_and_energy_over_both_clocks() -> None:
    joule = EnergySample(joules=2.0, source="rapl", detail="package-0, whole machine")
    found = costs.observer_costs([played(1.0, 2.0, 4.0, 2.0, energy=joule)])
    hourly = found["hourly"]
    assert hourly["phone_s"] == 90
    assert hourly["duty_cycle"] == pytest.approx(9 / 90)
    assert hourly["duty_cycle_wall"] == pytest.approx(9 / 10)
    assert hourly["cpu_s_per_hour"] == pytest.approx(360)
    assert hourly["mwh_per_hour"] == pytest.approx(8 / 3.6 * 40)
    assert found["energy"]["joules"]["total"] == 8
    assert found["energy"]["decisions"] == 4
    assert found["first_token_s"]["p50"] == 2.0
    assert found["memory_kv"] == 4_000_000
    assert (found["wakes"], found["skips"]) == (None, None)


def test_partly_measured_energy_gives_no_hourly_figure_and_says_how_many() -> None:
    none = EnergySample(joules=None, reason="no RAPL")
    steps = [
        StepCost(wall_s=1, cpu_s=1, energy=EnergySample(joules=1.0, source="rapl")),
        StepCost(wall_s=1, cpu_s=1, energy=none),
    ]
    assert costs.hourly(steps, 60, 60)["mwh_per_hour"] is None
    found = costs.energy_of(steps)
    assert (found["decisions"], found["reason"]) == (1, "no RAPL")
    assert costs.energy_of([])["reason"] == "not measured"
    assert costs.hourly([], 0, 0)["duty_cycle"] is None


def test_a_gate_s_wakes_and_skips_are_counted_where_there_is_one() -> None:
    steps = [StepCost(wall_s=0, woken=woken) for woken in (True, False, False)]
    assert costs.gate_counts(steps) == {"wakes": 1, "skips": 2}
    assert costs.gate_counts([StepCost(wall_s=0)]) == {"wakes": None, "skips": None}


def test_the_table_shows_denominators_and_reasons() -> None:
    from heron.eval.summary import summarise

    none = EnergySample(joules=None, reason="no RAPL here")
    found = {row.name: row.value for row in rows(summarise([played(1, 2, 4, 2, energy=none)], 1))}
    assert found["energy, mean"] == "– (no RAPL here)"
    assert found["CPU per second of use, 90.00 s"] == "10.0 %"
    assert found["CPU of a typical day (64 events, 600 actions)"].startswith("984 s, from 1 event")
    assert found["energy of a typical day (64 events, 600 actions)"] == "– (energy unknown)"


def test_the_named_usages_hold_a_day_each() -> None:
    assert usage_names() == ["heavy", "light", "typical"]
    days = {name: load_usage(name) for name in usage_names()}
    assert all(day.name == name for name, day in days.items())
    assert days["light"].actions_per_day < days["typical"].actions_per_day
    assert days["typical"].events_per_day == 64


def test_an_own_usage_is_a_file_and_its_faults_are_told_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    hours = ", ".join(["1"] * 24)
    file.write_text(f"name: mine\nevents: [{hours}]\nactions: [{hours}]\n")
    assert load_usage(str(file)).events_per_day == 24
    for text, told in (
        (f"name: mine\nevents: [{hours}]\nactions: [1, 2]\n", "actions"),
        (f"name: mine\nevents: [{hours}]\nactions: [-{hours}]\n", r"actions\.0"),
        (f"name: mine\nevents: [{', '.join('0' * 24)}]\nactions: [{', '.join('0' * 24)}]", "noth"),
        ("name: [", "no YAML"),
        ("just text", "24 numbers"),
    ):
        file.write_text(text)
        with pytest.raises(InputError, match=told) as caught:
            load_usage(str(file))
        assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="No such file"):
        load_usage(str(tmp_path / "none.yaml"))
    with pytest.raises(UnknownName, match="did you mean 'typical'"):
        load_usage("typicl")


def test_times_are_the_phones() -> None:
    assert phone_seconds([datetime(2026, 3, 10, 9), datetime(2026, 3, 10, 10)]) == 7200
