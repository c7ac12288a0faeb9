"""The bootstrap: whole clusters are drawn, seeded, and the interval covers what it should."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heron.eval.statistics import clustered_mean, paired_difference

CLUSTERS = st.dictionaries(
    st.text(max_size=3), st.lists(st.floats(-5, 5), max_size=4), min_size=1, max_size=8
)


@given(CLUSTERS)
def test_the_estimate_is_the_plain_mean_within_its_interval(values: dict[str, list[float]]) -> None:
    everything = [value for own in values.values() for value in own]
    found = clustered_mean(values, draws=200)
    if not everything:
        assert found is None
        return
    assert found is not None
    assert found.estimate == pytest.approx(sum(everything) / len(everything), abs=1e-9)
    assert min(everything) - 1e-9 <= found.low <= found.high <= max(everything) + 1e-9
    assert found.values == len(everything)


def test_what_is_the_same_everywhere_has_no_width() -> None:
    found = paired_difference({"a": [(1, 0)] * 3, "b": [(1, 0)], "none": []})
    assert found is not None
    assert (found.low, found.estimate, found.high, found.clusters) == (1, 1, 1, 2)
    assert found.excludes_zero


def test_the_same_seed_draws_the_same() -> None:
    noise = random.Random(1)
    values = {str(i): [noise.random() for _ in range(3)] for i in range(20)}
    turned = dict(reversed(values.items()))
    assert clustered_mean(values, 1) == clustered_mean(turned, 1)
    assert clustered_mean(values, 1) != clustered_mean(values, 2)


def test_copies_within_a_cluster_tell_nothing_new() -> None:
    """Were single values drawn, a hundred copies of each would make the interval narrow."""
    noise = random.Random(2)
    once = {str(i): [noise.gauss(0, 1)] for i in range(30)}
    copied = {name: values * 100 for name, values in once.items()}
    assert clustered_mean(once) is not None
    narrow, wide = clustered_mean(copied), clustered_mean(once)
    assert narrow is not None
    assert wide is not None
    assert narrow.high - narrow.low == pytest.approx(wide.high - wide.low, rel=1e-6)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    noise = random.Random(3)
    covered = 0
    for seed in range(200):
        values: dict[str, list[float]] = {}
        for i in range(40):
            own = noise.gauss(0.3, 1)
            values[str(i)] = [own + noise.gauss(0, 0.5) for _ in range(noise.randint(1, 4))]
        found = clustered_mean(values, seed, draws=400)
        assert found is not None
        covered += found.low <= 0.3 <= found.high
    assert 0.90 <= covered / 200 <= 0.985
