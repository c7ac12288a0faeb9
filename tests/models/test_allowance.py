"""Limits on calls, tokens and money, with the clock in the test's hand, and from many processes."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heron.errors import CapReached, InputError, Unavailable
from heron.models.allowance import FILE, VARIABLE, Allowance, allowance, in_force
from heron.models.limits import Limits, ModelLimits, TokenPrice
from heron.models.prices import price_of

MODEL = "openai/gpt-5-mini"
OWN = "openai/mine"
PRICED = ModelLimits(usd_per_million=TokenPrice(input=1e6, output=1e6))
"""A dollar a token."""


@dataclass
class Clock:
    now: float = 1000.0
    waits: list[float] = field(default_factory=list)

    def time(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def opened(folder: Path, limits: Limits, clock: Clock) -> Allowance:
    with in_force(folder, limits):
        return Allowance(folder / FILE, clock=clock.time, pause=clock.pause)


def test_without_limits_there_is_none(tmp_path: Path) -> None:
    with in_force(tmp_path, Limits()) as found:
        assert found is None
        assert VARIABLE not in os.environ
    assert allowance({}) is None
    with pytest.raises(Unavailable, match="all machines share"):
        allowance({VARIABLE: str(tmp_path / "nope")})


def test_it_is_in_force_for_what_is_started_meanwhile(tmp_path: Path) -> None:
    with in_force(tmp_path, Limits(rpm=1)) as found:
        assert found is not None
        mine = allowance()
        assert mine is not None
        assert mine.file == found.file == tmp_path / FILE
    assert VARIABLE not in os.environ


@given(rpm=st.integers(1, 5), gaps=st.lists(st.floats(0, 40), min_size=1, max_size=30))
def test_no_minute_holds_more_calls_than_allowed(
    tmp_path_factory: pytest.TempPathFactory, rpm: int, gaps: list[float]
) -> None:
    clock = Clock()
    mine = opened(tmp_path_factory.mktemp("a"), Limits(rpm=rpm), clock)
    times = []
    for gap in gaps:
        clock.now += gap
        mine.tell(mine.ask(MODEL, 1, 1), 2, None)
        times.append(clock.now)
    for at in times:
        assert sum(at - 60 < other <= at for other in times) <= rpm
    free = len(times) <= rpm
    assert not (free and clock.waits)


def test_tokens_per_minute_count_what_came_back(tmp_path: Path) -> None:
    clock = Clock()
    mine = opened(tmp_path, Limits(tpm=100), clock)
    call = mine.ask(MODEL, 50, 40)
    mine.tell(call, 20, None)
    mine.ask(MODEL, 40, 40)
    assert clock.waits == []
    mine.ask(MODEL, 1, 0)
    assert clock.waits == [60.0]
    mine.ask(MODEL, 500, 0)  # larger than the limit: alone in its minute
    assert clock.waits == [60.0, 60.0]


def test_each_model_has_its_own_minute(tmp_path: Path) -> None:
    clock = Clock()
    limits = Limits(rpm=1, models={OWN: ModelLimits(rpm=2)})
    mine = opened(tmp_path, limits, clock)
    for model in (MODEL, OWN, OWN, "other/one"):
        mine.ask(model, 1, 1, priced=False)
    assert clock.waits == []
    mine.ask(OWN, 1, 1, priced=False)
    assert clock.waits == [60.0]


def test_money_is_refused_when_it_is_spent_and_kept_count_of(tmp_path: Path) -> None:
    clock = Clock()
    mine = opened(tmp_path, Limits(max_usd=10, models={OWN: PRICED}), clock)
    mine.tell(mine.ask(OWN, 1, 1), 4, 4.0)
    mine.tell(mine.ask(OWN, 1, 1), 7, 7.0)
    with pytest.raises(CapReached, match=r"\$10 are spent \(\$11.0000\).*--resume"):
        mine.ask(OWN, 1, 1)
    mine.ask("free/one", 1, 1, priced=False)
    again = opened(tmp_path, Limits(), clock)
    with pytest.raises(CapReached):
        again.ask(OWN, 1, 1)
    more = opened(tmp_path, Limits(max_usd=20, models={OWN: PRICED}), clock)
    assert more.spent_usd == 11.0
    more.ask(OWN, 1, 1)


def test_calls_under_way_are_waited_for_before_money_is_called_spent(tmp_path: Path) -> None:
    clock = Clock()
    mine = opened(tmp_path, Limits(max_usd=10, models={OWN: PRICED}), clock)
    call = mine.ask(OWN, 6, 6)

    def back(seconds: float) -> None:
        clock.pause(seconds)
        mine.tell(call, 2, 2.0)

    other = Allowance(tmp_path / FILE, clock=clock.time, pause=back)
    other.ask(OWN, 6, 6)
    assert len(clock.waits) == 1


def test_a_call_that_never_comes_back_counts_as_it_was_estimated(tmp_path: Path) -> None:
    clock = Clock()
    mine = opened(tmp_path, Limits(max_usd=10, models={OWN: PRICED}), clock)
    mine.ask(OWN, 6, 6)
    with pytest.raises(CapReached, match=r"\$12"):
        mine.ask(OWN, 1, 1)
    assert clock.now >= 1180.0
    mine.fail(1)
    mine.ask(OWN, 1, 1)


def test_a_cap_needs_a_price(tmp_path: Path) -> None:
    mine = opened(tmp_path, Limits(max_usd=1), Clock())
    with pytest.raises(InputError, match="price of openai/mine is not known"):
        mine.ask(OWN, 1, 1)
    mine.ask(MODEL, 1, 1)


def test_prices_are_listed_or_given() -> None:
    found = price_of(MODEL)
    assert found is not None
    assert 0 < found.input < found.output < 1e-3
    assert price_of("openai/no-such-model") is None
    given_one = Limits(models={MODEL: PRICED}).price(MODEL)
    assert given_one is not None
    assert given_one.of(2, 3) == 5.0


MANY = """
import sys
from pathlib import Path
from heron.errors import CapReached
from heron.models.allowance import Allowance
mine, done = Allowance(Path(sys.argv[1])), 0
try:
    while True:
        mine.tell(mine.ask("openai/mine", 1, 0), 1, 1.0)
        done += 1
except CapReached:
    print(done)
"""


def test_several_processes_together_spend_no_more_than_the_cap(tmp_path: Path) -> None:
    with in_force(tmp_path, Limits(max_usd=60, models={OWN: PRICED})) as found:
        assert found is not None
        each = [
            subprocess.Popen(
                [sys.executable, "-c", MANY, str(found.file)], stdout=subprocess.PIPE, text=True
            )
            for _ in range(3)
        ]
        calls = [int(process.communicate()[0]) for process in each]
        assert sum(calls) == 60
        assert found.spent_usd == 60.0
