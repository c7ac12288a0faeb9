"""Figures of a soak, on made-up samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from heron.eval.soak.measures import coalescing, counted, drift, memory_slope, summarise
from heron.eval.soak.records import Sample
from heron.seeds import stream


def samples(count: int, of: Callable[[int], dict[str, Any]]) -> list[Sample]:
    made = []
    for n in range(1, count + 1):
        given: dict[str, Any] = {
            "observation": n,
            "events": 2 * n,
            "handed": 2,
            "at_s": 10.0 * n,
            "answer": "wait",
            "stale_s": None,
            "oldest_s": None,
            "backlog": 0,
            "wall_s": 0.1,
            "cpu_s": 0.1,
            "anonymous": 100_000_000,
            "process": 1,
        }
        made.append(Sample(**{**given, **of(n)}))
    return made


def test_a_leak_is_found_with_its_size_in_spite_of_jumps() -> None:
    rng = stream(0, "jumps")
    leak = memory_slope(
        samples(
            500,
            lambda n: {"anonymous": 10**8 + 5000 * n + rng.randint(0, 4) // 4 * 10**7},
        )
    )
    assert leak.bytes_per_event == pytest.approx(2500, rel=0.05)
    assert leak.low is not None
    assert leak.low > 1000


def test_steady_memory_has_no_slope() -> None:
    rng = stream(0, "jumps")
    found = memory_slope(samples(500, lambda n: {"anonymous": 10**8 + 4096 * rng.randint(-9, 9)}))
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 0 <= found.high
    assert abs(found.bytes_per_event or 0) < 10


def test_growth_while_the_window_is_first_filled_is_no_leak() -> None:
    def filled(n: int) -> dict[str, Any]:
        return {"anonymous": 10**8 + 10**5 * min(n, 150), "trims": int(n >= 150)}

    found = memory_slope(samples(400, filled))
    assert (found.bytes_per_event, found.after_trim) == (0, True)
    assert not memory_slope(samples(400, lambda n: {"trims": int(n > 300)})).after_trim


def test_the_slope_is_that_of_one_process() -> None:
    def restarted(n: int) -> dict[str, Any]:
        return {"process": n // 100 + 1, "anonymous": 10**8 + n // 100 * 10**7}

    found = memory_slope(samples(399, restarted))
    assert found.bytes_per_event == 0
    assert found.samples == 90


def test_without_enough_samples_the_slope_is_unknown_and_says_why() -> None:
    few = memory_slope(samples(9, lambda _: {}))
    assert few.bytes_per_event is None
    assert "10 are needed" in (few.reason or "")
    unmeasured = memory_slope(samples(50, lambda _: {"anonymous": None}))
    assert unmeasured.bytes_per_event is None


def test_a_drift_is_found() -> None:
    found = drift([0.1] * 100 + [0.3] * 10)
    assert found.ratio == pytest.approx(3)
    assert drift([0.1] * 110).ratio == 1
    few = drift([0.1] * 49)
    assert few.ratio is None
    assert "at least 50" in (few.first.reason or "")
    assert drift([0.0] * 100).ratio is None


def test_shared_observations_are_counted() -> None:
    found = coalescing(samples(10, lambda n: {"handed": 4 if n == 3 else 1}))
    assert (found.shared, found.most, found.ratio) == (1, 4, 1.3)
    assert coalescing([]).ratio is None


def test_counters_add_up_over_processes() -> None:
    def counter(n: int) -> dict[str, Any]:
        return {"process": 1 if n <= 5 else 2, "trims": n if n <= 5 else n - 5}

    made = samples(8, counter)
    assert counted(made, [sample.trims for sample in made]) == 5 + 3
    assert counted(made, [None] * 8) is None


def test_what_was_not_measured_is_unknown_and_never_nothing() -> None:
    assert summarise([]) is None
    found = summarise(samples(60, lambda n: {"cpu_s": None if n == 7 else 0.1}))
    assert found is not None
    assert found.cpu_per_event_s is None
    assert found.evaluated is None
    assert found.trims is None
    assert found.stale_s.p50 is None
    assert "virtual clock" in (found.stale_s.reason or "")
    assert found.duty_cycle == pytest.approx(60 * 0.1 / 600)


def test_a_restart_is_left_out_of_the_drift() -> None:
    slow_start = {1: {"restart_s": 1.0, "wall_s": 50.0}}
    found = summarise(samples(101, lambda n: slow_start.get(n, {})))
    assert found is not None
    assert found.drift_wall.first.most == 0.1
    assert found.restarts == 1
