"""What happens in a soak, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import islice

import pytest

from heron.contracts import Seen
from heron.errors import InputError
from heron.eval.soak.clocks import MeasuredClock, RealClock, VirtualClock
from heron.eval.soak.phone import KEPT, SoakPhone
from heron.eval.soak.stream import Coming, Rates, arrivals, rate_from, rates_of
from heron.eval.usage import load_usage
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario

START = datetime(2026, 3, 11, 8, 20)


@pytest.fixture(scope="module")
def scenarios() -> Sequence[Scenario]:
    return load_suite("quiet").sound().scenarios[:6]


def test_the_same_seed_gives_the_same_arrivals_and_another_one_others() -> None:
    rates = rates_of(load_usage("typical"))
    first = list(islice(arrivals(3, rates, START), 400))
    assert first == list(islice(arrivals(3, rates, START), 400))
    assert first != list(islice(arrivals(4, rates, START), 400))
    assert [one.number for one in first] == list(range(1, 401))
    assert [one.at_s for one in first] == sorted(one.at_s for one in first)


def test_the_rates_are_those_of_the_usage_hour_by_hour() -> None:
    usage = load_usage("heavy")
    days, counts = 20, Counter[tuple[str, int]]()
    for one in arrivals(0, rates_of(usage), datetime(2026, 3, 11)):
        if one.at_s >= days * 86400:
            break
        counts[one.kind, int(one.at_s // 3600) % 24] += 1
    for hour in (3, 9, 18):
        assert counts["action", hour] / days == pytest.approx(usage.actions[hour], rel=0.15)
        assert counts["event", hour] / days == pytest.approx(usage.events[hour], abs=2.5)
    total = sum(count for (kind, _), count in counts.items() if kind == "event")
    assert total / days == pytest.approx(usage.events_per_day, rel=0.1)


def test_a_rate_of_its_own_holds_all_day_with_bursts() -> None:
    rates = rates_of(load_usage("heavy"), rate_from("6/min"))
    found = list(islice(arrivals(0, rates, START), 6000))
    assert found[-1].at_s == pytest.approx(60_000, rel=0.1)
    events = [one.at_s for one in found if one.kind == "event"]
    assert len(events) - len(set(events)) > 50


@pytest.mark.parametrize(("text", "per_s"), [("6/min", 0.1), ("2/s", 2), ("1800/h", 0.5)])
def test_rates_are_read(text: str, per_s: float) -> None:
    assert rate_from(text) == pytest.approx(per_s)


@pytest.mark.parametrize("text", ["6", "6/day", "-1/min", "0/min", "x/min", "6 / min"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="6/min"):
        rate_from(text)


def test_what_waits_is_counted_and_not_lost() -> None:
    rates = Rates(events=(0.0,) * 24, actions=(60.0,) * 24)
    coming, plain = Coming(arrivals(1, rates, START)), list(islice(arrivals(1, rates, START), 50))
    late = plain[9].at_s
    assert coming.waiting(late) == 10
    assert [coming.take() for _ in range(4)] == plain[:4]
    assert coming.waiting(late) == 6
    assert [coming.take() for _ in range(46)] == plain[4:]


def test_thinking_takes_time_on_the_measured_clock_alone() -> None:
    virtual, measured = VirtualClock(), MeasuredClock(5.0)
    for clock in (virtual, measured):
        clock.wait_until(10.0)
        clock.spend(2.5)
        clock.wait_until(3.0)
    assert (virtual.now, measured.now) == (10.0, 12.5)


def test_the_real_clock_sleeps_until_the_moment() -> None:
    at, slept = [100.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        at[0] += seconds / 2 + 0.5

    clock = RealClock(20.0, read=lambda: at[0], sleep=sleep)
    assert clock.now == 20.0
    clock.wait_until(24.0)
    assert clock.now >= 24.0
    assert slept[0] == 4.0
    clock.wait_until(1.0)
    clock.spend(50.0)
    assert clock.now < 26.0


def played(phone: SoakPhone, count: int) -> list[Seen]:
    seen: list[Seen] = []
    for one in islice(arrivals(0, rates_of(load_usage("heavy")), phone.start), count):
        phone.happen(one)
        seen += phone.take()
    return seen


def test_the_same_seed_makes_the_same_day(scenarios: Sequence[Scenario]) -> None:
    first = played(SoakPhone(scenarios, 1), 300)
    assert first == played(SoakPhone(scenarios, 1), 300)
    assert first != played(SoakPhone(scenarios, 2), 300)
    kinds = Counter(seen.app for seen in first if seen.type == "notification")
    assert kinds["email"] > 5
    assert kinds["messaging"] > 5
    actions = [seen for seen in first if seen.type == "action"]
    assert len({f"{seen.app}.{seen.action}" for seen in actions}) > 40
    assert sum(seen.error is not None for seen in actions) < len(actions) / 5


def test_the_phone_does_not_grow(scenarios: Sequence[Scenario]) -> None:
    phone = SoakPhone(scenarios, 0)
    before = {name: len(table) for name, table in tables(phone)}
    played(phone, 8000)
    after = {name: len(table) for name, table in tables(phone)}
    assert after["email.emails"] == before["email.emails"] + KEPT
    assert not phone.world.log
    assert not phone.world.journal
    assert not phone.world.notifications


def tables(phone: SoakPhone) -> list[tuple[str, list[object]]]:
    return [
        (f"{app.NAME}.{name}", list(table))
        for app in phone.world.apps.values()
        for name, table in app.tables.items()
    ]


def test_without_scenarios_there_is_no_phone() -> None:
    with pytest.raises(InputError, match="at least one scenario"):
        SoakPhone([], 0)
