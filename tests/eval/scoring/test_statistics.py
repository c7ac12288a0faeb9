"""Permutation test, correction and power, against SciPy, statsmodels and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import permutation_test as scipys
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from heron.eval.scoring.multiple import holm
from heron.eval.scoring.permutation import common_ratio_parts, permutation_test
from heron.eval.scoring.power import detectable, variances


def exact_p(parts: list[int]) -> float:
    """Two-sided, by adding up the distribution of all flips of whole numbers."""
    chances = {0: 1.0}
    for part in parts:
        moved: dict[int, float] = {}
        for total, chance in chances.items():
            for other in (total + part, total - part):
                moved[other] = moved.get(other, 0.0) + chance / 2
        chances = moved
    return sum(chance for total, chance in chances.items() if abs(total) >= abs(sum(parts)))


@pytest.mark.parametrize("count", [3, 8, 13])
def test_exact_where_few_scenarios_differ(count: int) -> None:
    rng = np.random.default_rng(count)
    first, second = rng.integers(0, 5, count), rng.integers(0, 5, count)
    ours = permutation_test((first - second) / 7.0)
    theirs = scipys(
        (first, second),
        lambda a, b, axis: (a - b).mean(axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=2**count,
    )
    assert ours.exact
    assert ours.p == pytest.approx(theirs.pvalue)
    assert ours.p == pytest.approx(exact_p([int(x) for x in first - second]))
    assert ours.scenarios == int((first != second).sum())


def test_drawn_where_many_differ_and_near_the_exact_value() -> None:
    rng = np.random.default_rng(2)
    parts = rng.integers(-3, 5, 60)
    ours = permutation_test(parts.astype(float))
    assert not ours.exact
    assert ours.p == pytest.approx(exact_p([int(x) for x in parts]), abs=0.01)
    assert ours == permutation_test(parts.astype(float))


def test_p_is_never_nothing() -> None:
    assert permutation_test(np.ones(60)).p == pytest.approx(1 / 10_000)


def test_nothing_differs() -> None:
    found = permutation_test(np.zeros(30))
    assert (found.p, found.scenarios) == (1.0, 0)


def test_what_scenarios_add_to_a_ratios_difference_adds_up_to_it() -> None:
    rng = np.random.default_rng(3)
    first, second = (rng.integers(1, 6, (2, 20)).astype(np.float64) for _ in range(2))
    second *= [[1], [3]]
    parts = common_ratio_parts(first, second)
    assert parts is not None
    whole = first.sum(1), second.sum(1)
    assert parts.sum() == pytest.approx(whole[0][0] / whole[0][1] - whole[1][0] / whole[1][1])
    assert common_ratio_parts(first, np.zeros((2, 20))) is None


def test_two_accepts_among_thousands_of_offers_are_no_finding() -> None:
    # One that seldom offers and was taken twice, one that offers all the time and never is.
    first = np.array([[1.0, 1.0] + [0.0] * 40, [1.0] * 42])
    second = np.array([[0.0] * 42, [9.0] * 42])
    parts = common_ratio_parts(first, second)
    assert parts is not None
    assert permutation_test(parts).p > 0.2


def test_the_test_keeps_its_level_for_ratios_with_unlike_denominators() -> None:
    rng = np.random.default_rng(5)
    found = []
    for _ in range(300):
        easy = rng.beta(1, 3, 40)
        below = rng.poisson(1, 40) + 1.0, rng.poisson(8, 40) + 1.0
        sums = [np.array([rng.binomial(n.astype(int), easy), n]) for n in below]
        parts = common_ratio_parts(sums[0], sums[1])
        assert parts is not None
        found.append(permutation_test(parts, flips=499).p)
    assert np.mean(np.array(found) < 0.05) < 0.09


def test_holm_is_statsmodels() -> None:
    rng = np.random.default_rng(0)
    for count in (1, 2, 9):
        values = rng.random(count) ** 3
        assert holm(values.tolist()) == pytest.approx(multipletests(values, method="holm")[1])
    assert holm([]) == ()


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))


@pytest.mark.parametrize("count", [3, 12, 143])
def test_the_detectable_difference_is_that_of_statsmodels_paired_t_test(count: int) -> None:
    rng = np.random.default_rng(count)
    values = rng.normal(0, 2, count)
    effect = TTestPower().solve_power(nobs=count, alpha=0.05, power=0.8)
    found = detectable({str(at): [float(value)] for at, value in enumerate(values)})
    assert found.difference == pytest.approx(float(effect) * values.std(ddof=1), rel=1e-4)


def test_variance_components_by_hand() -> None:
    # Means 1, 3, 5 of two runs each, which lie 1 to either side: within 2, of means 4 = b + 2 / 2.
    found = variances({"a": [0, 2], "b": [2, 4], "c": [4, 6]})
    assert found is not None
    assert found.within == pytest.approx(2.0)
    assert found.between == pytest.approx(3.0)


def test_more_runs_show_smaller_differences_down_to_what_scenarios_vary_by() -> None:
    rng = np.random.default_rng(7)
    runs = {str(s): list(rng.normal(rng.normal(0, 1), 2, 4)) for s in range(40)}
    sizes = [detectable(runs, n).difference or 0.0 for n in (1, 2, 4, 10_000)]
    assert sizes == sorted(sizes, reverse=True)
    found = variances(runs)
    assert found is not None
    effect = float(TTestPower().solve_power(nobs=40, alpha=0.05, power=0.8))
    assert sizes[-1] == pytest.approx(effect * found.between**0.5, rel=1e-3)


def test_a_true_difference_of_that_size_is_found_four_times_in_five() -> None:
    rng = np.random.default_rng(11)
    between, within, scenarios, runs = 0.04, 0.2, 50, 3
    pilot = {
        str(s): list(rng.normal(rng.normal(0, between**0.5), within**0.5, runs))
        for s in range(4000)
    }
    spread = variances(pilot)
    assert spread is not None
    effect = float(TTestPower().solve_power(nobs=scenarios, alpha=0.05, power=0.8))
    truth = effect * (spread.between + (spread.within or 0) / runs) ** 0.5
    means = rng.normal(truth, (between + within / runs) ** 0.5, (2000, scenarios))
    hits = np.mean(ttest_1samp(means, 0, axis=1).pvalue < 0.05)
    assert hits == pytest.approx(0.8, abs=0.03)


def test_what_cannot_be_told_says_why() -> None:
    one = {"a": [1.0], "b": [0.0]}
    assert detectable({"a": [1.0]}).reason == "fewer than two scenarios"
    told = "one run per scenario does not tell what more of them would bring"
    assert detectable(one, 4).reason == told
    assert detectable({"a": [0.0], "b": [0.0]}).reason == "the two did the same everywhere"
