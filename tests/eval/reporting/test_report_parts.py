"""The parts of a report by small cases: frontier, names, ends, calibration, marks of the best."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import plotly.graph_objects as go
import pytest

from heron.eval.reporting.blame import ENDS, end_of
from heron.eval.reporting.build import build, figures_of
from heron.eval.reporting.calibrated import Reliability
from heron.eval.reporting.contrasts import borne_out, contrasts, pairs
from heron.eval.reporting.drawing import Point, front, span
from heron.eval.reporting.figures import show_as
from heron.eval.reporting.marks import letter, short
from heron.eval.reporting.material import Material, read_material
from heron.eval.reporting.pieces import Chart, Report, Row, Table
from heron.eval.reporting.published import ROWS, published_table
from heron.eval.table import percent


@pytest.fixture(scope="module")
def material(runs: tuple[Path, ...]) -> Material:
    return read_material(runs)


@pytest.fixture(scope="module")
def report(material: Material) -> Report:
    return build(material, figures_of(material))


def _charts(report: Report) -> list[Chart]:
    found: list[Chart] = []
    for section in report.sections:
        for piece in section.pieces:
            if isinstance(piece, Chart):
                found.append(piece)
            elif isinstance(piece, Row):
                found += piece.charts
    return found


def _resolved(value: object) -> object:
    """A figure with a colour in place of each name of one."""
    if isinstance(value, str) and value.startswith("var("):
        return "Arial" if value == "var(--sans)" else "#123456"
    if isinstance(value, dict):
        return {key: _resolved(one) for key, one in value.items()}
    return [_resolved(one) for one in value] if isinstance(value, list) else value


def test_every_chart_is_one_that_plotly_takes(report: Report) -> None:
    charts = _charts(report)
    assert len(charts) >= 8
    for chart in charts:
        go.Figure(_resolved(dict(chart.figure)))  # raises on an unknown property or value
        assert chart.said.endswith(".")
        assert chart.table.rows


def test_the_frontier_keeps_what_no_other_beats() -> None:
    points = [(1.0, 0.2), (2.0, 0.2), (2.0, 0.5), (3.0, 0.4), (4.0, 0.9)]
    assert front(points) == [(1.0, 0.2), (2.0, 0.5), (4.0, 0.9)]
    assert front([]) == []


def test_intervals_name_their_unit_once() -> None:
    assert span(Point(0.4, 0.3, 0.5), percent) == "30.0–50.0"
    assert span(Point(0.4, 0.4, 0.4), percent) == ""
    assert span(Point(0.4), percent) == ""
    assert span(Point(0.2, 0.1, 1.5), show_as("s")) == "100 ms–1.5 s"


def test_names_are_short_and_letters_go_on() -> None:
    assert short("gguf:a-model") == "a-model"
    assert short("calibrated:a-model") == "calibrated:a-model"
    assert [letter(0), letter(25), letter(26)] == ["A", "Z", "A2"]


def test_configurations_are_named_by_what_differs(material: Material) -> None:
    names = [one.mark.full for one in figures_of(material)]
    assert sorted(names) == ["always", "oracle", "oracle, tools fail 40%", "rules"]


def test_calibration_counts_into_tenths() -> None:
    own = Reliability()
    for share, needed in ((0.05, 0), (0.07, 1), (1.0, 1)):
        place = min(int(share * 10), 9)
        own.counts[place] += 1
        own.shares[place] += share
        own.needed[place] += needed
    first, last = own.bins
    assert (first.count, first.needed) == (2, 0.5)
    assert first.share == pytest.approx(0.06)
    assert (last.count, last.share, last.needed) == (1, 1.0, 1.0)
    assert own.error == pytest.approx(2 / 3 * 0.44)
    assert Reliability().error is None


def test_each_goal_episode_ends_in_one_way(material: Material) -> None:
    rows = [row for row in material.features if row.goal]
    assert {end_of(row) for row in rows} <= set(ENDS)
    row = rows[0]
    assert end_of(replace(row, outcome="success", cause=None)) == "success"
    broken = replace(row, outcome="success", cause="infrastructure", what="observer")
    assert end_of(broken) == "infrastructure"
    assert end_of(replace(row, outcome="failure", cause="observer", what="nothing")) == "no offer"
    assert end_of(replace(row, outcome="done_by_user", cause="observer")) == ENDS[1]


def test_best_is_marked_only_where_it_is_borne_out(material: Material) -> None:
    figures = figures_of(material)
    found, refused = contrasts(figures)
    assert refused == []
    assert len(pairs(figures)) == 6
    # Four goal scenarios: no permutation of their signs can be below 0.05 after correction.
    assert borne_out(figures, found) == set()
    others = [one for one in found if one.metric == "success_rate"]
    told = [replace(one, verdict="first is better") for one in others]
    assert borne_out(figures, told) == {(0, "success_rate")}


def test_noise_is_drawn_where_it_varies_and_not_elsewhere(
    report: Report, runs: tuple[Path, ...]
) -> None:
    assert [s.name for s in report.sections].count("noise") == 1
    alone = read_material(runs[:1])
    names = [section.name for section in build(alone, figures_of(alone)).sections]
    assert "noise" not in names
    assert "leaders" in names


def test_published_rows_are_marked_as_another_benchmark() -> None:
    table = published_table()
    assert table.foreign
    assert "not comparable" in table.caption
    assert len(ROWS) == 7
    assert [cell.text for cell in table.rows[2]] == [
        "GPT-5", "37.4 %", "57.3 %", "17.5 %", "28.1 %", "70.2 %"
    ]  # fmt: skip


def test_a_configuration_with_another_model_file_is_another_one(material: Material) -> None:
    assert len(material.played) == 4
    assert sum(len(one.features) for one in material.played) == material.episodes == 56


def test_success_over_k_is_told_for_as_many_runs_as_all_have(report: Report) -> None:
    table = next(p for p in report.sections[0].pieces if isinstance(p, Table))
    assert "success@2" in [column.title for column in table.columns]
