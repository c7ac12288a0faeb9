"""The clustered bootstrap: seeded, covering, and honest about what it cannot say."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heron.eval.resampling import Interval, cluster_bootstrap, cluster_draws, interval_of

CLUSTERS = st.dictionaries(
    st.text(max_size=3),
    st.lists(st.floats(-5, 5), min_size=1, max_size=4),
    min_size=2,
    max_size=8,
)


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def test_the_same_seed_gives_the_same_interval_whatever_the_order() -> None:
    values = {f"s{i}": [i, i + 1.0] for i in range(12)}
    turned = dict(reversed(values.items()))
    assert cluster_bootstrap(values, mean, 3) == cluster_bootstrap(turned, mean, 3)
    assert cluster_bootstrap(values, mean, 3) != cluster_bootstrap(values, mean, 4)


@given(CLUSTERS)
def test_a_mean_lies_within_what_it_is_the_mean_of(values: dict[str, list[float]]) -> None:
    everything = [value for own in values.values() for value in own]
    found = cluster_bootstrap(values, mean, draws=100)
    assert found is not None
    assert min(everything) - 1e-9 <= found.low <= found.high <= max(everything) + 1e-9


def test_what_is_the_same_everywhere_has_no_width() -> None:
    found = cluster_bootstrap({"a": [1.0] * 3, "b": [1.0]}, mean)
    assert found is not None
    assert (found.low, found.high, found.clusters) == (1.0, 1.0, 2)


def test_a_draw_is_of_whole_clusters_with_replacement() -> None:
    drawn = list(cluster_draws(["a", "b", "c"], 0, 200))
    assert {len(names) for names in drawn} == {3}
    assert any(len(set(names)) == 1 for names in drawn)
    assert any(len(set(names)) == 3 for names in drawn)


def test_copies_within_a_cluster_add_no_certainty() -> None:
    """Ten equal runs of a scenario tell as much as one: resampling runs would say otherwise."""
    once = {f"s{i}": [float(i % 2)] for i in range(20)}
    often = {name: values * 10 for name, values in once.items()}
    assert cluster_bootstrap(once, mean, 1) == cluster_bootstrap(often, mean, 1)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = random.Random(5)
    hits = 0
    for trial in range(200):
        values: dict[str, list[float]] = {}
        for i in range(40):
            own = rng.gauss(0.0, 1.0)
            values[f"s{i}"] = [own + rng.gauss(0.0, 0.5) for _ in range(rng.randint(1, 4))]
        found = cluster_bootstrap(values, mean, trial, draws=200)
        assert found is not None
        hits += found.low <= 0.0 <= found.high
    assert 0.88 <= hits / 200 <= 0.98


def test_one_cluster_has_no_interval() -> None:
    assert cluster_bootstrap({"s": [1.0, 2.0]}, mean, 0) is None
    assert cluster_bootstrap({}, mean, 0) is None


@pytest.mark.parametrize(("undefined", "has"), [(5, True), (6, False)])
def test_undefined_draws_are_left_out_and_counted(undefined: int, has: bool) -> None:
    values = [None] * undefined + [1.0] * (10 - undefined)
    found = interval_of(values, clusters=4)
    assert (found is not None) is has
    if found is not None:
        assert (found.draws, found.undefined) == (10 - undefined, undefined)


def test_percentiles() -> None:
    found = interval_of([float(i) for i in range(101)], clusters=9, level=0.9)
    assert isinstance(found, Interval)
    assert (found.low, found.high) == pytest.approx((5.0, 95.0))
