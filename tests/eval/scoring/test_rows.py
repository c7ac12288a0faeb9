"""The scored part of a run's table, and numbers in their units."""

from __future__ import annotations

import pytest
from tests.eval.scoring.played import played

from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.scoring.rows import scored_rows
from heron.eval.summary import summarise
from heron.eval.table import apart, between, figure, rows


def test_a_summary_holds_every_metric_with_its_interval_or_the_reason() -> None:
    episodes = [
        played("offer", "yes", scenario=f"s{at}", outcome="success" if at < 2 else "failure")
        for at in range(4)
    ]
    summary = summarise(episodes, 1)
    assert set(summary["metrics"]) == set(METRICS)
    assert summary["metrics"]["success_rate"]["value"] == summary["success_rate"] == 0.5
    assert summary["metrics"]["success_rate"]["interval"]["clusters"] == 4
    silence = summary["metrics"]["silence_rate"]
    assert (silence["value"], silence["interval"]) == (None, None)
    assert silence["reason"] == "no quiet or restraint scenario was played"
    shown = {row.name.strip(): row.value for row in rows(summary)}
    assert shown["success rate"] == "50.0 % (0.0 to 100.0)"
    assert shown["precision / recall / F1"] == "100.0 % / 100.0 % / 100.0 %"
    assert shown["offers in time / early / late"] == "100.0 % / 0.0 % / 0.0 %"
    assert shown["1"].startswith("4 scenarios only")


def test_runs_that_were_summed_up_before_show_nothing() -> None:
    assert scored_rows({"success_rate": 0.5}) == []


@pytest.mark.parametrize(
    ("value", "unit", "text", "difference"),
    [
        (0.125, "share", "12.5 %", "+12.5 pp"),
        (1.5, "s", "1.50 s", "+1.50 s"),
        (2_500_000.0, "bytes", "2.5 MB", "+2.5 MB"),
        (0.25, "USD", "0.2500 USD", "+0.2500 USD"),
        (3.0, "turns", "3.00 turns", "+3.00 turns"),
        (3.0, "count", "3.00", "+3.00"),
        (None, "share", "–", "–"),
    ],
)
def test_numbers_in_their_units(value: float | None, unit: str, text: str, difference: str) -> None:
    assert (figure(value, unit), apart(value, unit)) == (text, difference)
    if value is not None:
        assert apart(-value, unit) == difference.replace("+", "-")


def test_intervals_carry_the_unit_once_where_it_stands_before_them() -> None:
    assert between(0.1, 0.2, "share") == "(10.0 to 20.0)"
    assert between(-0.1, 0.2, "share", signed=True) == "(-10.0 to +20.0)"
    assert between(1.0, 2.0, "turns") == "(1.00 to 2.00)"
    assert between(0.001, 2.0, "s") == "(1.0 ms to 2.00 s)"
