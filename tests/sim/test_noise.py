"""Noise on the phone itself: observed rates, seeds, and that what fails leaves no trace."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime, timedelta

import pytest

from heron.contracts import Arguments, Grant, ToolCall, ToolResult
from heron.errors import InputError
from heron.sim.app import Owner
from heron.sim.installed import choose
from heron.sim.noise import FailureSettings, FlakyTools, ToolFailures, arrivals
from heron.sim.pace import pass_time
from heron.sim.queue import Event
from heron.sim.toolset import GrantedTools, ReadTools
from heron.sim.world import World

START = datetime(2026, 3, 10, 9, 0)
GRANT = Grant(grant_id="g1", proposal_id="p1", turn=1)
ADD = ToolCall(
    name="reminder.add_reminder",
    arguments={"title": "Buy stamps", "due_datetime": "2026-03-10 10:00"},
)
LIST = ToolCall(name="reminder.get_all_reminders")
TOOLS = [f"reminder.tool_{number}" for number in range(40)]


def phone(*events: Event) -> World:
    world = World(Owner("Ann Lee", "ann@example.org"), START, choose(["reminder"]), events)
    world.open_grant(GRANT)
    return world


def flaky(
    world: World, *, seed: int = 0, p: float = 0.0, lasting: float = 0.0, latency: float = 0.0
) -> FlakyTools:
    settings = FailureSettings(probability=p, lasting=lasting, latency_s=latency)
    return FlakyTools(GrantedTools(world, GRANT), ToolFailures(settings, seed))


def mail(key: str, at: float, *, noise: bool = True) -> Event:
    arguments: Arguments = {
        "sender": "shop@example.org",
        "subject": key,
        "content": "Everything must go.",
    }
    return Event(key=key, name="email.receive", arguments=arguments, at=at, noise=noise)


def within_binomial_bounds(hits: int, trials: int, p: float, deviations: float = 4.0) -> bool:
    return abs(hits - trials * p) <= deviations * math.sqrt(trials * p * (1 - p))


# --- tools that fail ----------------------------------------------------------------------------


@pytest.mark.parametrize("p", [0.1, 0.2, 0.4])
@pytest.mark.parametrize("lasting", [0.0, 0.25])
def test_every_call_fails_at_the_rate_that_is_set(p: float, lasting: float) -> None:
    settings = FailureSettings(probability=p, lasting=lasting)
    first: list[bool] = []
    third: list[bool] = []
    for seed in range(100):
        failures = ToolFailures(settings, seed)
        for tool in TOOLS:
            drawn = [failures.of_next_call(tool) for _ in range(3)]
            first.append(drawn[0] is not None)
            third.append(drawn[2] is not None)
    assert within_binomial_bounds(sum(first), len(first), p)
    assert within_binomial_bounds(sum(third), len(third), p)


@pytest.mark.parametrize("lasting", [0.0, 0.25, 1.0])
def test_the_kinds_have_their_shares_and_a_lasting_failure_lasts(lasting: float) -> None:
    p, seeds = 0.4, 100
    settings = FailureSettings(probability=p, lasting=lasting)
    down = 0
    for seed in range(seeds):
        failures = ToolFailures(settings, seed)
        for tool in TOOLS:
            drawn = {failures.of_next_call(tool) for _ in range(6)}
            assert "lasting" not in drawn or drawn == {"lasting"}
            down += drawn == {"lasting"}
    assert within_binomial_bounds(down, seeds * len(TOOLS), p * lasting)


def test_a_transient_failure_passes() -> None:
    failures = ToolFailures(FailureSettings(probability=0.5), seed=1)
    drawn = [failures.of_next_call("reminder.add_reminder") for _ in range(64)]
    assert {drawn[n + 1] for n in range(63) if drawn[n]} == {None, "transient"}


def test_failures_depend_on_the_tool_and_its_own_calls_alone() -> None:
    settings = FailureSettings(probability=0.5, lasting=0.2)
    alone, among_others = ToolFailures(settings, 3), ToolFailures(settings, 3)
    expected = [alone.of_next_call(TOOLS[0]) for _ in range(30)]
    found = []
    for number in range(30):
        among_others.of_next_call(TOOLS[1 + number % 7])
        found.append(among_others.of_next_call(TOOLS[0]))
    assert found == expected
    assert [ToolFailures(settings, 4).of_next_call(tool) for tool in TOOLS] != [
        ToolFailures(settings, 3).of_next_call(tool) for tool in TOOLS
    ]


@pytest.mark.parametrize("lasting", [0.0, 0.5, 1.0])
def test_at_probability_one_nothing_is_written(lasting: float) -> None:
    world = phone()
    before = world.digest()
    tools = flaky(world, p=1.0, lasting=lasting)
    results = [tools.call(call) for call in (ADD, LIST, ADD) for _ in range(3)]
    assert not any(result.ok for result in results)
    assert world.digest() == before
    assert not world.journal
    log = [entry.record(world.app_of) for entry in world.log]
    assert [entry.error for entry in log] == [result.error for result in results]
    assert all(not entry.changes and entry.noise in ("transient", "lasting") for entry in log)
    kinds = {"transient"} if lasting == 0 else {"lasting"} if lasting == 1 else None
    assert kinds is None or {entry.noise for entry in log} == kinds


def test_a_failed_write_leaves_no_trace_and_the_next_works() -> None:
    for seed in range(40):
        world = phone()
        tools = flaky(world, seed=seed, p=0.5)
        results: list[ToolResult] = []
        while not (results and results[-1].ok):
            before = world.digest()
            results.append(tools.call(ADD))
            assert results[-1].ok or world.digest() == before
        assert [line.ref for line in tools.call(LIST).shown] in (["r1"], [])
        assert len(list(world.apps["reminder"].tables["reminders"])) == 1


def test_a_failure_says_what_it_is_in_one_line() -> None:
    for lasting, word in ((0.0, "another try may work"), (1.0, "out of service")):
        result = flaky(phone(), p=1.0, lasting=lasting).call(ADD)
        assert word in (result.error or "")
        assert "did nothing" in (result.error or "")
        assert "\n" not in (result.error or "")


def test_refusals_are_told_apart_from_failures() -> None:
    world = phone()
    result = flaky(world, p=1.0).call(ToolCall(name="reminder.no_such_tool"))
    assert "no tool" in (result.error or "")
    assert world.log[-1].noise is None
    reads = FlakyTools(ReadTools(world), ToolFailures(FailureSettings(probability=1.0), 0))
    assert "no read tool" in (reads.call(ADD).error or "")


def test_without_noise_the_tools_are_as_they_are() -> None:
    plain, wrapped = phone(), phone()
    GrantedTools(plain, GRANT).call(ADD)
    flaky(wrapped).call(ADD)
    assert wrapped.digest() == plain.digest()
    assert not FailureSettings().any


def test_a_call_takes_its_time_on_the_clock_and_events_happen_meanwhile() -> None:
    event = Event(
        key="late",
        name="device.change",
        arguments={"battery": 3},
        at=4,
    )
    world = phone(event)
    flaky(world, latency=5).call(LIST)
    assert world.now == START + timedelta(seconds=5)
    assert world.device.battery == 3
    assert [entry.name for entry in world.log] == ["device.change", LIST.name]


# --- events of the surroundings -----------------------------------------------------------------


@pytest.mark.parametrize("rate", [0.5, 2.0, 6.0])
def test_arrivals_keep_their_rate(rate: float) -> None:
    minutes, seeds = 30, range(60)
    times = [list(arrivals(seed, rate, minutes)) for seed in seeds]
    expected = rate * minutes * len(seeds)
    assert abs(sum(map(len, times)) - expected) <= 4 * math.sqrt(expected)
    assert all(0 < moment < minutes * 60 for each in times for moment in each)
    assert all(list(each) == sorted(each) for each in times)
    assert times[0] == list(arrivals(0, rate, minutes))
    assert times[0] != times[1]
    assert not list(arrivals(0, 0.0, minutes))


def post(*events: Event) -> World:
    return World(Owner("Ann Lee", "ann@example.org"), START, choose(["email"]), events)


def seen(world: World) -> list[tuple[str, str | None]]:
    names: Iterable[str] = (str(entry.arguments["subject"]) for entry in world.log)
    return list(zip(names, [entry.noise for entry in world.log], strict=True))


def test_noise_happens_in_order_of_time_after_what_the_scenario_brings() -> None:
    world = post(mail("own", 20, noise=False))
    world.add_events([mail("late", 30), mail("same", 20), mail("early", 10)])
    world.advance(60)
    assert seen(world) == [("early", "event"), ("own", None), ("same", "event"), ("late", "event")]
    assert {entry.actor for entry in world.log} == {"environment"}


def test_idling_passes_noise_over() -> None:
    quiet, loud = (post(mail("own", 200, noise=False)) for _ in range(2))
    loud.add_events(mail(f"noise{number}", 10.0 * number) for number in range(1, 60))
    for world in (quiet, loud):
        pass_time(world, 0)
    assert quiet.now == loud.now == START + timedelta(seconds=200)
    for world in (quiet, loud):
        pass_time(world, 0)
    assert quiet.now == loud.now == START + timedelta(seconds=500)
    assert len(loud.log) == 51


def test_restore_takes_noise_back_exactly() -> None:
    world = post()
    before = world.snapshot()
    world.add_events([mail("a", 10), mail("b", 20)])
    with_noise = world.snapshot()
    world.advance(15)
    world.restore(with_noise)
    world.advance(60)
    assert [name for name, _ in seen(world)] == ["a", "b"]
    world.restore(before)
    world.advance(60)
    assert not world.log


def test_noise_cannot_wait_for_anything() -> None:
    world = post()
    for event in (
        mail("x", 1).model_copy(update={"at": None, "after": "y"}),
        mail("x", 1).model_copy(update={"depends_on": ("y",)}),
    ):
        with pytest.raises(InputError, match="noise and needs a time of its own"):
            world.add_events([event])
