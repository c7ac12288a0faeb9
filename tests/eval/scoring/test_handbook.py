"""docs/metrics.md and the table of metrics say the same, and every metric says enough."""

from __future__ import annotations

from pathlib import Path

import pytest

from heron.eval.scoring.catalogue.all_metrics import FILES, METRICS
from heron.eval.scoring.columns import EPISODES
from heron.eval.scoring.features import Features
from heron.eval.scoring.handbook import BEGIN, END, markdown

PAGE = Path(__file__).parents[3] / "docs" / "metrics.md"


def test_the_page_is_in_step() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.partition(BEGIN)[2].partition(END)[0].strip() == markdown().strip(), (
        "put what python -m heron.eval.scoring.handbook prints between the marks in docs/metrics.md"
    )


def test_names_are_given_once() -> None:
    assert len(METRICS) == sum(map(len, FILES.values()))


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_told_in_full(name: str) -> None:
    metric = METRICS[name]
    assert metric.title and metric.formula and metric.empty  # noqa: PT018
    assert metric.meaning.endswith(".")
    assert "|" not in metric.formula + metric.meaning + metric.empty


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_reads_fields_that_there_are(name: str) -> None:
    assert set(METRICS[name].fields) <= {*Features.__slots__, EPISODES}
