"""The split of the loss, by hand and by its identity."""

from __future__ import annotations

import pytest
from tests.eval.scoring.played import played

from heron.contracts import EpisodeConfig
from heron.errors import InputError
from heron.eval.counterfactual import PARTS, counterpart, counterparts
from heron.eval.scoring.decomposition import decompositions
from heron.eval.scoring.extraction import features_of
from heron.eval.scoring.features import Features

OWN = EpisodeConfig(observer="rules", executor="none", user="scripted")
OBSERVER, EXECUTOR, CEILING = (counterpart(OWN, part) for part in PARTS)


def wins(count: int, config: EpisodeConfig, *, of: int = 20) -> list[Features]:
    """The first so many of the scenarios succeed."""
    return [
        features_of(
            played(
                scenario=f"s{at:02}", outcome="success" if at < count else "failure", config=config
            )
        )
        for at in range(of)
    ]


def sides(
    own: int, observer: int, executor: int, ceiling: int
) -> dict[EpisodeConfig, list[Features]]:
    counts = {OWN: own, OBSERVER: observer, EXECUTOR: executor, CEILING: ceiling}
    return {config: wins(count, config) for config, count in counts.items()}


def test_by_hand() -> None:
    (found,) = decompositions(sides(4, 8, 10, 20))
    assert found.success.value == pytest.approx(0.2)
    assert found.observer_alone.value == pytest.approx(0.4)
    assert found.executor_alone.value == pytest.approx(0.5)
    # ½ (0.5 - 0.2) + ½ (1 - 0.4), and ½ (0.4 - 0.2) + ½ (1 - 0.5)
    assert found.to_observer.value == pytest.approx(0.45)
    assert found.to_executor.value == pytest.approx(0.35)
    assert found.rest.value == 0.0
    assert found.warnings == ()


def test_the_shares_add_up_to_the_loss_and_a_ceiling_below_one_is_told() -> None:
    (found,) = decompositions(sides(4, 8, 10, 18))
    parts = found.to_observer.value + found.to_executor.value + found.rest.value
    assert parts == pytest.approx(found.loss.value)
    assert found.rest.value == pytest.approx(0.1)
    assert "with both oracles not every episode succeeds" in found.warnings[0]


def test_an_oracle_loses_nothing() -> None:
    own = OBSERVER
    (found,) = decompositions({own: wins(5, own), CEILING: wins(20, CEILING)})
    assert found.to_observer.value == pytest.approx(0.75)
    assert found.to_executor.value == 0.0
    assert found.to_executor.interval is not None
    assert (found.to_executor.interval.low, found.to_executor.interval.high) == (0.0, 0.0)


def test_intervals_hold_the_values_and_are_drawn_for_all_four_at_once() -> None:
    (found,) = decompositions(sides(4, 8, 10, 20))
    for share in (found.to_observer, found.to_executor, found.loss):
        assert share.interval is not None
        assert share.interval.low <= share.value <= share.interval.high
    assert found == decompositions(sides(4, 8, 10, 20))[0]


def test_what_lacks_its_counterparts_says_which() -> None:
    with pytest.raises(InputError, match="lacks its counterpart with observer oracle and executor"):
        decompositions({OWN: wins(1, OWN), OBSERVER: wins(2, OBSERVER), CEILING: wins(20, CEILING)})
    with pytest.raises(InputError, match="nothing to decompose"):
        decompositions({CEILING: wins(20, CEILING)})


def test_counterparts_leave_out_what_is_the_same() -> None:
    assert list(counterparts(OWN)) == ["observer", "executor", "ceiling"]
    assert list(counterparts(OBSERVER)) == ["executor"]
    assert counterparts(CEILING) == {}
