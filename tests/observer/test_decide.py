"""From logits to a decision."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heron.contracts import Scores
from heron.observer.decide import Thresholds, decide, scores_from, shares

logits = st.lists(st.floats(-50, 0), min_size=3, max_size=3)


def test_raw_scores_keep_the_mass() -> None:
    scores = scores_from([log(0.5), log(0.2), log(0.1)])
    assert scores == Scores(wait=0.5, look=0.2, propose=0.1)


@given(logits)
def test_shares_add_up_and_keep_the_order(logprobs: list[float]) -> None:
    found = shares(logprobs)
    values = [found.wait, found.look, found.propose]
    assert sum(values) == pytest.approx(1.0)
    assert max(values) == pytest.approx(values[logprobs.index(max(logprobs))])


@given(logits)
def test_what_equals_its_baseline_is_undecided(logprobs: list[float]) -> None:
    found = shares(logprobs, logprobs)
    assert [found.wait, found.look, found.propose] == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize(
    ("scores", "may_look", "may_propose", "expected"),
    [
        ((0.9, 0.05, 0.05), True, True, "wait"),
        ((0.5, 0.1, 0.4), True, True, "propose"),
        ((0.5, 0.1, 0.4), True, False, "wait"),
        ((0.4, 0.5, 0.1), True, True, "look"),
        ((0.4, 0.5, 0.1), False, True, "wait"),
        ((0.0, 0.5, 0.5), True, True, "propose"),
        ((0.0, 0.8, 0.2), True, True, "look"),
        ((0.0, 0.8, 0.2), False, True, "propose"),
    ],
)
def test_thresholds_and_masks(
    scores: tuple[float, float, float], may_look: bool, may_propose: bool, expected: str
) -> None:
    wait, look, propose = scores
    made = decide(
        Scores(wait=wait, look=look, propose=propose),
        Thresholds(propose=0.2, look=0.4),
        may_look=may_look,
        may_propose=may_propose,
    )
    assert made == expected


def test_after_a_look_another_threshold_counts() -> None:
    scores, thresholds = Scores(wait=0.9, look=0.0, propose=0.1), Thresholds(after_look=0.05)
    for has_looked, expected in ((False, "wait"), (True, "propose")):
        made = decide(scores, thresholds, may_look=True, may_propose=True, has_looked=has_looked)
        assert made == expected
