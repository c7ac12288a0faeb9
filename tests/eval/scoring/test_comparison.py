"""Comparisons of configurations whose figures are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.eval.scoring.played import played

from heron.errors import InputError, UnknownName
from heron.eval.scoring.catalogue.all_metrics import METRICS, metric_named
from heron.eval.scoring.cautions import cautions
from heron.eval.scoring.columns import Columns
from heron.eval.scoring.comparison import Settings, compare
from heron.eval.scoring.extraction import features_of
from heron.eval.scoring.features import Features

SUCCESS = [METRICS["success_rate"]]


def side(wins: Callable[[int, int], bool], scenarios: int = 40, runs: int = 2) -> list[Features]:
    """A configuration that succeeds where it is told to."""
    return [
        features_of(
            played(scenario=f"s{s:02}", seed=r, outcome="success" if wins(s, r) else "failure")
        )
        for s in range(scenarios)
        for r in range(runs)
    ]


NEVER = side(lambda _s, _r: False)
ALWAYS = side(lambda _s, _r: True)
HALF = side(lambda s, _r: s % 2 == 0)


def test_a_clear_difference_is_found() -> None:
    told = compare({"good": ALWAYS, "bad": NEVER}, SUCCESS)
    only = told.differences[0]
    assert (only.difference, only.verdict) == (1.0, "first is better")
    assert only.corrected is not None
    assert only.corrected < 0.01
    assert (told.scenarios, told.episodes, told.left_out, told.tests) == (40, 80, 0, 1)


def test_down_is_better_where_it_is() -> None:
    told = compare({"bad": ALWAYS, "good": NEVER}, [METRICS["usd_per_episode"]])
    assert told.differences[0].verdict == "not told apart"
    dear = [replace(row, cost_usd=1.0) for row in ALWAYS]
    told = compare({"dear": dear, "cheap": NEVER}, [METRICS["usd_per_episode"]])
    assert told.differences[0].verdict == "second is better"


def test_what_both_find_hard_takes_no_part() -> None:
    """Paired: one more success in every other scenario is found although each varies by 50 %."""
    more = side(lambda s, r: s % 2 == 0 or (s % 4 == 1 and r == 0))
    told = compare({"more": more, "half": HALF}, SUCCESS)
    only = told.differences[0]
    assert only.verdict == "first is better"
    assert any("overlap" in line for line in told.warnings)


def test_all_comparisons_are_corrected_together_and_their_number_told() -> None:
    sides = {"a": ALWAYS, "b": HALF, "c": NEVER}
    told = compare(sides, [*SUCCESS, METRICS["failures_by_observer"]])
    assert told.tests == len([d for d in told.differences if d.test is not None])
    assert all((d.corrected or 0) >= d.test.p for d in told.differences if d.test is not None)
    first = compare(sides, SUCCESS, Settings(with_first=True))
    assert [(d.first, d.second) for d in first.differences] == [("a", "b"), ("a", "c")]


def test_only_what_all_have_is_compared_and_the_rest_is_told() -> None:
    told = compare({"a": ALWAYS, "b": NEVER[:50]}, SUCCESS)
    assert (told.episodes, told.left_out) == (50, 30)
    assert "30 episodes are left out: other configurations lack their counterparts" in told.warnings


def test_a_difference_that_could_not_be_shown_is_warned_of() -> None:
    one_more = side(lambda s, r: s % 2 == 0 or (s, r) == (1, 0))
    told = compare({"a": one_more, "b": HALF}, SUCCESS)
    assert told.differences[0].verdict == "not told apart"
    assert any("smaller than what so many runs can show" in line for line in told.warnings)


def test_a_detectable_difference_for_more_runs() -> None:
    more = side(lambda s, r: (s + r) % 2 == 0)
    played_, eight = (
        compare({"a": more, "b": HALF}, SUCCESS, Settings(runs=runs)).differences[0].detectable
        for runs in (None, 8)
    )
    assert played_ is not None and eight is not None  # noqa: PT018
    assert (eight.difference or 0) < (played_.difference or 0)
    assert (played_.runs, eight.runs) == (2, 8)


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        ({"a": ALWAYS}, "nothing to compare"),
        ({"a": ALWAYS, "b": [replace(r, scenario_hash="1") for r in NEVER]}, "different versions"),
        ({"a": ALWAYS, "b": [replace(r, seed=9 + r.seed) for r in NEVER]}, "in common"),
        ({"a": [*ALWAYS, ALWAYS[0]], "b": NEVER}, "played twice with a"),
    ],
)
def test_what_cannot_be_compared_is_told(sides: dict[str, list[Features]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        compare(sides, SUCCESS)


def test_cautions_of_one_configuration() -> None:
    few = Columns(side(lambda _s, _r: True, scenarios=3))
    assert cautions(few) == ["3 scenarios only: intervals of fewer than 20 are not to be trusted"]
    assert cautions(Columns(ALWAYS)) == []
    broken = [replace(row, fault=int(at < 2)) for at, row in enumerate(ALWAYS)]
    assert cautions(Columns(broken)) == ["a part broke in 2 of 80 episodes; they count as failures"]
    tuned = [replace(row, observer="calibrated:x", part="dev") for row in ALWAYS]
    assert "scored on what it was tuned on" in cautions(Columns(tuned))[0]
    mixed = [replace(row, code=str(row.seed)) for row in ALWAYS]
    assert cautions(Columns(mixed)) == ["its episodes were played by 2 versions of the code"]
    assert "1 to 2 runs each" in cautions(Columns(ALWAYS[1:]))[0]


def test_pooled_types_and_versions_are_warned_of() -> None:
    quiet = [replace(row, goal=0, quiet=1, type="quiet", success=0) for row in NEVER[:40]]
    offers = [replace(row, proposals=1) for row in [*quiet, *NEVER[40:]]]
    newer = [replace(row, code="new") for row in offers]
    told = compare({"a": offers, "b": newer}, [METRICS["acceptance_rate"]])
    assert any("pools 40 goal episodes with 40" in line for line in told.warnings)
    assert any("same version of the code" in line for line in told.warnings)


def test_metrics_go_by_short_names() -> None:
    assert metric_named("success").name == "success_rate"
    assert metric_named("timely").name == "timely_share"
    with pytest.raises(UnknownName, match="success_rate"):
        metric_named("succes_rate")
