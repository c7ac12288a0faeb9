"""Which episodes lie in the page."""

from __future__ import annotations

import pytest

from heron.eval.reporting.viewer.choosing import choose
from heron.eval.reporting.viewer.rows import Row


def _row(number: int, *, passed: bool = True, kind: str = "lateness", size: int = 10) -> Row:
    return Row(
        key=f"k{number}",
        scenario=f"s{number}",
        seed=0,
        run=0,
        type="goal",
        kind=kind,
        observer="rules",
        executor="oracle",
        user="scripted",
        setting="",
        outcome="success" if passed else "failure",
        passed=passed,
        cause="" if passed else "observer",
        what="" if passed else "wrong",
        detail="",
        proposals=0,
        accepts=0,
        size=size,
    )


ROWS = [_row(n, passed=n % 4 != 0, kind="gifts" if n < 8 else "lateness") for n in range(400)]


def test_all_failures_and_so_many_others() -> None:
    chosen = set(choose(ROWS, embed=20))
    assert {row.key for row in ROWS if not row.passed} <= chosen
    assert len(chosen) == 120


def test_rare_strata_are_among_the_others() -> None:
    chosen = set(choose(ROWS, embed=12))
    assert {row.key for row in ROWS if row.kind == "gifts" and row.passed} <= chosen


def test_order_of_rows_does_not_count_and_the_seed_does() -> None:
    assert choose(ROWS, embed=20) == choose(ROWS[::-1], embed=20)
    assert choose(ROWS, embed=20) != choose(ROWS, embed=20, seed=1)


@pytest.mark.parametrize("budget", [0, 55, 700, 1_000_000])
def test_a_budget_holds_and_leaves_room_for_those_that_passed(budget: int) -> None:
    chosen = choose(ROWS, embed=50, budget=budget)
    assert len(chosen) * 10 <= budget
    by_key = {row.key: row for row in ROWS}
    if budget == 700:
        assert sum(by_key[key].passed for key in chosen) >= 10
    if budget == 1_000_000:
        assert len(chosen) == 150
