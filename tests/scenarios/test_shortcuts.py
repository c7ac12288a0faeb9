"""Nothing but understanding tells goal scenarios from quiet ones."""

from __future__ import annotations

import pytest
from tests.scenarios.shortcuts import Row, rows, shortcuts

NO_BETTER = 0.65
"""Area under the ROC curve that a classifier without understanding may reach."""


@pytest.mark.slow
def test_words_length_and_app_do_not_tell_goal_from_quiet() -> None:
    found = shortcuts(rows(range(3)))
    assert {name: value for name, value in found.items() if value > NO_BETTER} == {}


def test_a_word_that_gives_it_away_is_found_out() -> None:
    told = [
        Row(
            family=f"f{number % 16}",
            wanted=number % 2 == 0,
            trigger="hello there, an offer today" if number % 2 else "hello there, a matter",
            everything=("an offer" if number % 2 else "a matter") + " well" * (number % 2),
            app="email" if number % 2 else "notes",
        )
        for number in range(64)
    ]
    assert min(shortcuts(told).values()) > 0.95
