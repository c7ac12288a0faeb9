"""Agreement of two raters, held against scikit-learn."""

from __future__ import annotations

import math
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from heron.eval.agreement import accuracy, cohen_kappa, confusion

LABELS = ("accept", "reject", "gather_context")
PAIRS = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1)


@given(PAIRS)
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    first, second = zip(*pairs, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it divides by nought where kappa is not defined
        expected = float(cohen_kappa_score(first, second))
    found = cohen_kappa(pairs)
    if math.isnan(expected):
        assert found is None
    else:
        assert found == pytest.approx(expected)


@given(PAIRS)
def test_the_table_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    first, second = zip(*pairs, strict=True)
    table = confusion(pairs, LABELS, LABELS)
    expected = confusion_matrix(first, second, labels=LABELS).tolist()
    assert [[table[a][b] for b in LABELS] for a in LABELS] == expected


def test_kappa_by_hand() -> None:
    """Cohen's own kind of example: 20 and 15 agree, 5 and 10 do not: (0.7 - 0.5) / 0.5."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen_kappa(pairs) == pytest.approx(0.4)
    assert accuracy(pairs) == pytest.approx(0.7)


def test_raters_who_oppose_each_other_are_below_chance() -> None:
    assert cohen_kappa([("y", "n"), ("n", "y")]) == -1


def test_nothing_to_agree_on_has_no_kappa() -> None:
    assert accuracy([]) is None
    assert cohen_kappa([]) is None
    assert cohen_kappa([("y", "y")] * 5) is None


def test_a_label_that_the_table_does_not_know_is_told() -> None:
    with pytest.raises(KeyError):
        confusion([("accept", "perhaps")], LABELS, LABELS)
