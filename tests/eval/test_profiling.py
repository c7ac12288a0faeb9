"""Profiles: a fixed stream, scripted observers, figures by hand, budgets that can break."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.eval.records import episode, turn

from heron.contracts import (
    EnergySample,
    Evidence,
    Look,
    LookSeen,
    MemorySample,
    NotificationSeen,
    Observation,
    ObserverAnswer,
    Propose,
    StepCost,
    ToolCall,
    Wait,
)
from heron.errors import InputError, ModelFault, UnknownName, WorkerDied
from heron.eval.profiling import figures
from heron.eval.profiling.measure import Options, Profiler, profile_all, setting_of
from heron.eval.profiling.quality import StoredQuality
from heron.eval.profiling.records import (
    Decided,
    Profiled,
    Quality,
    Setting,
    Speed,
    StreamFacts,
    speed_of,
)
from heron.eval.profiling.stream import FixedStream, Looks, fixed_stream, kind_of
from heron.eval.store import EpisodeStore
from heron.eval.usage import load_usage
from heron.models.device import DeviceLimits
from heron.models.energy import EnergyEstimate
from heron.models.tiny_gguf import write_tiny_gguf
from heron.scenarios.loader import load_suite

SMOKE = load_suite("smoke").sound().scenarios
USAGE = load_usage("typical")
SETTING = Setting(observer="plugged:in")


@pytest.fixture(scope="module")
def stream() -> FixedStream:
    return fixed_stream(SMOKE, 24, 0)


Script = Callable[[Observation], ObserverAnswer]


class ScriptedPort:
    """An observer that answers by a script at stated costs; the newest one counts its processes."""

    processes = 0
    asked: list[Observation]

    def __init__(self, script: Script, **settings: Any) -> None:
        self._script, self.settings = script, settings
        self.info: dict[str, Any] = {"quantisation": "none", "kv": 7}
        self.in_force: dict[str, Any] = {}
        self._open = False

    @property
    def pid(self) -> int | None:
        return None

    def begin(self, cue: None, seed: int) -> None:
        self._open = True
        type(self).processes += 1

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]:
        if not self._open:
            raise WorkerDied("the process is gone")
        type(self).asked.append(observation)
        cost = StepCost(
            wall_s=0.2,
            cpu_s=0.1 if kind_of(observation) == "action" else 0.3,
            evaluated=20,
            reused=800,
            generated=0,
            first_token_s=0.15,
            queued_s=0.01,
            memory=MemorySample(anonymous=100, file_backed=50, kv=7),
        )
        try:
            return self._script(observation), cost
        except ModelFault:
            self.close()
            raise

    def close(self) -> None:
        self._open = False


def profiled(stream: FixedStream, script: Script, **more: Any) -> tuple[Profiler, Profiled]:
    """Profile a script, with a fresh count."""
    ScriptedPort.processes, ScriptedPort.asked = 0, []

    def make(_observer: str, **settings: Any) -> ScriptedPort:
        return ScriptedPort(script, **settings)

    profiler = Profiler(SETTING, stream, Options(usage=USAGE, make=make, **more))
    profiler.run()
    return profiler, profiler.result()


def silent(_observation: Observation) -> ObserverAnswer:
    return Wait()


# --- the stream ---


def test_the_stream_is_the_same_each_time_and_says_so(stream: FixedStream) -> None:
    again = fixed_stream(SMOKE, 24, 0)
    assert again == stream
    assert again.digest == stream.digest
    assert stream.observations == 24
    assert fixed_stream(SMOKE, 24, 1).digest != stream.digest
    assert fixed_stream(SMOKE, 23, 0).digest != stream.digest
    assert all(visit.observations[0].brief is not None for visit in stream.visits)
    assert {kind_of(o) for v in stream.visits for o in v.observations} >= {"event", "action"}


def test_training_seeds_and_too_many_events_are_refused() -> None:
    with pytest.raises(InputError, match="not for evaluation"):
        fixed_stream(SMOKE, 10, 1000)
    with pytest.raises(InputError, match="ask for fewer"):
        fixed_stream(SMOKE[:1], 11, 0)


def test_a_look_brings_what_the_stream_has_shown_last(stream: FixedStream) -> None:
    looks = Looks()
    first = stream.visits[0].observations[0]
    notes = tuple(
        NotificationSeen(
            app="email", title="A", text="B", record=Evidence(ref=f"m{i}", kind="email", text="B")
        )
        for i in range(5)
    )
    seen = first.model_copy(update={"new": notes, "looks_left": 2})
    looks.note(seen)
    after = looks.after(seen, ToolCall(name="email.search_emails"))
    (found,) = after.new
    assert isinstance(found, LookSeen)
    assert [record.ref for record in found.result.shown] == ["m2", "m3", "m4"]
    assert (after.step, after.looks_left, after.brief) == (seen.step + 1, 1, None)
    looks.note(first)
    (found,) = looks.after(first, ToolCall(name="x")).new
    assert isinstance(found, LookSeen)
    assert len(found.result.shown) <= sum(isinstance(s, NotificationSeen) for s in first.new)


# --- measuring ---


def test_the_whole_stream_is_measured_after_cold_start_and_warm_up(stream: FixedStream) -> None:
    profiler, found = profiled(stream, silent)
    assert found.complete
    assert (found.decisions, found.observations) == (24, 24)
    assert found.answers == {"wait": 24}
    assert found.cold is not None
    assert found.kept is not None
    assert ScriptedPort.processes == 2
    warm = 1 + len(stream.visits[0].observations)
    assert len(ScriptedPort.asked) == warm + 24
    measured = [o for visit in stream.visits for o in visit.observations]
    assert ScriptedPort.asked[warm:] == measured
    assert found.stream.digest == stream.digest
    assert found.costs["memory"] == {
        "anonymous": 100,
        "file_backed": 50,
        "rss": 150,
        "kv": 7,
        "reason": None,
    }
    spent = sum(one.cost.cpu_s or 0 for one in profiler.decided)
    assert found.costs["hourly"]["phone_s"] == pytest.approx(stream.phone_s)
    assert found.costs["hourly"]["duty_cycle"] == pytest.approx(spent / stream.phone_s)
    day = found.costs["day"]["cpu_s"]
    assert day["estimate"] == pytest.approx(64 * 0.3 + 600 * 0.1)


def test_looks_are_answered_and_cost_decisions_of_the_same_observation(
    stream: FixedStream,
) -> None:
    def curious(observation: Observation) -> ObserverAnswer:
        if observation.looks_left > 3:
            return Look(call=ToolCall(name="email.search_emails"))
        return Propose(text="Shall I?")

    profiler, found = profiled(stream, curious)
    assert found.answers == {"look": 48, "propose": 24}
    assert (found.decisions, found.observations) == (72, 24)
    assert found.complete
    units = figures.units(profiler.decided)
    assert len(units) == 24
    looked = next(u for u in units if u.kind == "action")
    # A look's answer is no action, so the script asks 0.3 s for it.
    assert looked.cpu_s == pytest.approx(0.1 + 0.3 + 0.3)


def test_a_fault_ends_its_scenario_and_a_fresh_process_goes_on(stream: FixedStream) -> None:
    broken = stream.visits[1].observations[2]

    def fragile(observation: Observation) -> ObserverAnswer:
        if observation == broken:
            raise ModelFault("the logits are not numbers")
        return Wait()

    _, found = profiled(stream, fragile)
    assert (found.faults, found.fault) == (1, "the logits are not numbers")
    assert ScriptedPort.processes == 3
    assert not found.complete
    assert found.observations == 24 - (len(stream.visits[1].observations) - 2)


def test_an_observer_that_cannot_start_is_a_fault_and_no_endless_loop(
    stream: FixedStream,
) -> None:
    def dead(_observation: Observation) -> ObserverAnswer:
        raise ModelFault("broken")

    _, found = profiled(stream, dead)
    assert (found.decisions, found.fault) == (0, "broken")
    assert ScriptedPort.processes == 1


def test_energy_is_estimated_only_where_that_was_asked_for(stream: FixedStream) -> None:
    _, plain = profiled(stream, silent)
    assert plain.costs["energy"]["joules"] is None
    _, found = profiled(stream, silent, estimate=EnergyEstimate.parse("token:0.5"))
    assert found.costs["energy"]["joules"]["mean"] == 10
    assert found.costs["energy"]["source"] == "estimate"
    assert found.costs["day"]["mwh"]["estimate"] == pytest.approx(664 * 10 / 3.6)


def test_what_was_measured_before_ctrl_c_is_kept(stream: FixedStream) -> None:
    last = stream.visits[-1].observations[-1]

    def interrupted(observation: Observation) -> ObserverAnswer:
        if observation == last:
            raise KeyboardInterrupt
        return Wait()

    ScriptedPort.processes, ScriptedPort.asked = 0, []
    options = Options(usage=USAGE, make=lambda _observer, **_more: ScriptedPort(interrupted))
    kept: list[Profiled] = []
    with pytest.raises(KeyboardInterrupt):
        profile_all([SETTING, SETTING], stream, options, lambda one, _decided: kept.append(one))
    assert [one.observations for one in kept] == [23]
    assert not kept[0].complete


def test_limits_reach_the_process_with_the_threads_as_cores(stream: FixedStream) -> None:
    made: list[ScriptedPort] = []

    def make(_observer: str, **settings: Any) -> ScriptedPort:
        made.append(ScriptedPort(silent, **settings))
        return made[-1]

    ScriptedPort.asked = []
    setting = SETTING.model_copy(update={"threads": 2, "window": 2048})
    options = Options(usage=USAGE, make=make, limits=DeviceLimits(memory=5, cpu=0.5))
    Profiler(setting, stream, options).run()
    assert made[0].settings["limits"] == {"cores": 2, "memory": 5, "cpu": 0.5}
    assert made[0].settings["window"] == 2048
    assert made[0].settings["prefixes"] == made[1].settings["prefixes"]


def test_a_setting_names_a_model_or_an_observer_with_a_process(tmp_path: Path) -> None:
    model = str(write_tiny_gguf(tmp_path / "tiny.gguf"))
    assert setting_of(model, 1, 512).observer == f"gguf:{model}"
    assert setting_of(f"calibrated:{model}", 1, 512).observer == f"calibrated:{model}"
    assert setting_of(model, 2, 512).name == "tiny.gguf, 2 threads, window 512"
    with pytest.raises(InputError, match="runs in the harness"):
        setting_of("rules", 1, 512)
    with pytest.raises(UnknownName):
        setting_of("smollm3", 1, 512)


# --- figures ---


def test_speeds_are_mean_and_deviation_of_the_sample() -> None:
    speed = speed_of(10, [(1.0, 0.5), (0.5, 0.5)])
    assert speed is not None
    assert list(speed.per_s) == [10, 20]
    assert speed.mean == 15
    assert speed.sd == pytest.approx(50**0.5)
    assert list(speed.per_cpu_s) == [20, 20]
    assert speed_of(10, []) is None
    alone = speed_of(10, [(1.0, 1.0)])
    assert alone == Speed(tokens=10, per_s=(10,), per_cpu_s=(10,))
    assert getattr(alone, "sd", 0) is None


def of(complete: bool = True, quality: float | None = None, **costs: Any) -> Profiled:
    facts = StreamFacts(digest="d", seed=0, observations=1, scenarios=1, phone_s=1)
    found = Quality(metric="success", value=quality, counted=9, runs=("r",))
    return Profiled(
        setting=SETTING,
        stream=facts,
        complete=complete,
        costs=costs,
        quality=None if quality is None else found,
    )


def test_a_budget_breaks_by_the_figure_that_exceeds_it() -> None:
    limits = figures.budget_of("p95=500ms,rss=600MB,cpu=5%")
    assert limits == {"p95": 0.5, "rss": 600_000_000, "cpu": 0.05}
    good: dict[str, Any] = {
        "wall_s": {"p95": 0.5},
        "memory": {"rss": 5},
        "hourly": {"duty_cycle": 0.01},
    }
    assert figures.excesses(of(**good), limits) == []
    (broken,) = figures.excesses(of(**{**good, "wall_s": {"p95": 0.51}}), limits)
    assert broken.figure == "p95"
    assert "is 510.0 ms, more than 500.0 ms" in broken.text
    (unknown,) = figures.excesses(of(**{**good, "memory": {"rss": None}}), limits)
    assert "rss (resident memory) is not known" in unknown.text
    cut = figures.excesses(of(complete=False, **good), limits)
    assert [one.figure for one in cut] == ["p95", "rss", "cpu"]


@pytest.mark.parametrize(
    "text", ["", "p95", "p95=", "p95=500", "p95=-1ms", "p95=nans", "rss=lots", "cpu=5", "energy=x"]
)
def test_a_budget_that_is_none_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match="write"):
        figures.budget_of(text)


def test_an_unknown_figure_says_what_there_is() -> None:
    with pytest.raises(UnknownName, match="known: anonymous, cpu"):
        figures.budget_of("ram=5M")


def test_the_front_holds_what_nothing_beats() -> None:
    def at(quality: float | None, cost: float | None, complete: bool = True) -> Profiled:
        return of(complete, quality, hourly={"cpu_s_per_hour": cost})

    points = [at(0.9, 10), at(0.5, 1), at(0.5, 2), at(0.9, 10), at(None, 0), at(1.0, 1, False)]
    marked = figures.mark_front([*points, at(0.4, 5)])
    assert [one.on_front for one in marked] == [True, True, False, True, None, None, False]


def test_quality_comes_from_stored_runs_of_the_same_observer(tmp_path: Path) -> None:
    for name, outcome in (("a", "success"), ("b", "failure")):
        with EpisodeStore(tmp_path / name) as store:
            store.append(episode(outcome, turn(1, proposal="p1"), turn(2, "accept")))  # type: ignore[arg-type]
    runs = [tmp_path / "a", tmp_path / "b"]
    found = StoredQuality(runs, "success").of("rules")
    assert found is not None
    assert (found.value, found.counted, len(found.runs)) == (0.5, 2, 2)
    accepted = StoredQuality(runs, "acceptance").of("rules")
    assert accepted is not None
    assert (accepted.value, accepted.counted) == (1.0, 2)
    assert StoredQuality(runs, "success").of("gguf:x") is None
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "episodes.jsonl").touch()
    with pytest.raises(InputError, match="holds no episodes"):
        StoredQuality([tmp_path / "c"], "success")
    with pytest.raises(InputError, match="cannot read"):
        StoredQuality([tmp_path / "none"], "success")


def test_partly_known_memory_is_no_resident_sum() -> None:
    memory = MemorySample(anonymous=None, file_backed=None, reason="not Linux")
    cost = StepCost(wall_s=1, memory=memory, energy=EnergySample(joules=None, reason="none"))
    one = Decided(scenario="s", turn=1, step=0, kind="event", answer="wait", cost=cost)
    found = figures.decision_figures([one], 60, 60, USAGE)
    assert found["memory"]["rss"] is None
    assert found["memory"]["reason"] == "not Linux"
    assert found["hourly"]["duty_cycle"] is None
    assert json.dumps(found)
