"""A run on what an observer was tuned on says so, and no other run does."""

from __future__ import annotations

import pytest

from heron.eval.in_sample import in_sample

BOTH = {"dev": 100, "test": 100}


@pytest.mark.parametrize(
    "observer",
    ["calibrated:m", "probe:m", "gguf:m?gate=linear", "gguf:m?quiet=22:00-07:00&gate=linear"],
)
def test_what_was_fitted_on_dev_is_told(observer: str) -> None:
    assert in_sample(observer, BOTH) == "100 of 200 scenarios: use --part test"
    assert in_sample(observer, {"test": 100}) is None


@pytest.mark.parametrize("observer", ["rules", "oracle", "gguf:m", "gguf:m?gate=rules"])
def test_what_was_not_is_not(observer: str) -> None:
    assert in_sample(observer, BOTH) is None
