"""Whoever plays a unit, and after whatever else, the row is the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.errors import InputError, Unavailable
from heron.eval.digest import digest_of, episode_digest
from heron.eval.engine.choice import engine_of
from heron.eval.engine.engine import LocalEngine
from heron.eval.engine.processes import ProcessEngine
from heron.eval.engine.queue import Queue
from heron.eval.engine.unit import Keyring, Shard, Unit
from heron.eval.scoring.extraction import features_of
from heron.eval.store import config_hash, key_of
from heron.seeds import stream


def name_of(episode: EpisodeRecord) -> tuple[object, ...]:
    """The key but for the code, which may be edited while a test runs."""
    return key_of(episode)[:4]


def rows(episodes: list[EpisodeRecord]) -> dict[tuple[object, ...], str]:
    return {name_of(episode): episode_digest(episode) for episode in episodes}


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_processes_play_what_this_one_plays(
    units: list[Unit], local: list[EpisodeRecord], workers: int
) -> None:
    with ProcessEngine(workers) as engine:
        found = list(engine.play(units))
        assert len(engine.pids) == workers
    assert rows(found) == rows(local)
    assert len(found) == len(local)
    assert set(engine.info) == {config_hash(unit.config) for unit in units}
    assert engine.pids == []


def test_the_order_of_units_makes_no_difference(
    units: list[Unit], local: list[EpisodeRecord]
) -> None:
    mixed = list(units)
    stream(7, "order").shuffle(mixed)
    with LocalEngine() as engine:
        assert digest_of(engine.play(mixed)) == digest_of(local)


def test_keys_are_known_before_units_are_played(
    units: list[Unit], local: list[EpisodeRecord]
) -> None:
    ring = Keyring()
    assert [ring.key(unit) for unit in units] == [key_of(episode) for episode in local]


@pytest.mark.parametrize("count", [1, 3, 8])
def test_shards_hold_every_unit_once_whatever_the_order(units: list[Unit], count: int) -> None:
    shards = [Shard.of(f"{number}/{count}") for number in range(1, count + 1)]
    held = Counter(unit.name for shard in shards for unit in units if shard.holds(unit))
    assert held == Counter(unit.name for unit in units)
    assert set(held.values()) == {1}


def test_a_worker_that_dies_costs_nothing_where_the_next_one_lives(
    units: list[Unit],
    local: list[EpisodeRecord],
    deadly: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HERON_DEADLY", f"{units[2].scenario.id}@{tmp_path / 'died'}")
    with ProcessEngine(2, module=deadly) as engine:
        found = list(engine.play(units))
    assert engine.deaths == 1
    assert rows(found) == rows(local)


def test_an_episode_that_kills_two_workers_is_a_fault_of_the_harness(
    units: list[Unit], local: list[EpisodeRecord], deadly: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = units[2].scenario.id
    monkeypatch.setenv("HERON_DEADLY", name)
    with ProcessEngine(2, module=deadly) as engine:
        found = list(engine.play(units[:16]))
    lost = [episode for episode in found if episode.scenario == name]
    assert len(lost) == 2
    assert engine.deaths == 4
    for episode in lost:
        assert episode.fault is not None
        assert episode.fault.part == "harness"
        assert "SIGKILL" in episode.fault.message
        assert not episode.verdict.passed
        assert features_of(episode).fault == 1
    kept = rows([episode for episode in found if episode.scenario != name])
    assert kept == {key: own for key, own in rows(local).items() if key in kept}
    assert {name_of(e) for e in found} == {name_of(e) for e in local[:16]}


def test_a_worker_that_is_killed_while_it_waits_is_replaced(
    units: list[Unit], local: list[EpisodeRecord]
) -> None:
    with ProcessEngine(2) as engine:
        first = list(engine.play(units[:16]))
        for pid in engine.pids:
            os.kill(pid, signal.SIGKILL)
            while psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                pass
        rest = list(engine.play(units[16:]))
    assert rows([*first, *rest]) == rows(local)
    assert all(episode.fault is None for episode in rest)


def test_an_error_that_ends_a_run_comes_after_what_is_being_played(
    units: list[Unit], deadly: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERON_RAISES", units[1].scenario.id)
    with ProcessEngine(2, module=deadly) as engine:
        played = engine.play(units)
        assert next(played).fault is None
        with pytest.raises(InputError, match="no such"):
            list(played)


def test_workers_end_with_their_engine(units: list[Unit]) -> None:
    engine = ProcessEngine(2)
    played = engine.play(units)
    next(played)
    pids = engine.pids
    engine.close()
    assert len(pids) == 2
    assert not [pid for pid in pids if psutil.pid_exists(pid)]


CHILD = """
import sys
from heron.contracts import EpisodeConfig
from heron.eval.batch import Plan
from heron.eval.engine.processes import ProcessEngine
from heron.eval.engine.unit import units_of
from heron.scenarios.loader import load_suite
plan = Plan(config=EpisodeConfig(observer="rules", executor="none", user="scripted"), runs=900)
engine = ProcessEngine(2)
for episode in engine.play(units_of(plan, load_suite("smoke").scenarios)):
    print(*engine.pids, flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_worker_outlives_a_process_that_is_killed(how: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as parent:
        assert parent.stdout is not None
        pids: list[int] = []
        while len(pids) < 2:
            pids = [int(word) for word in parent.stdout.readline().split()]
        workers = [psutil.Process(pid) for pid in pids]
        parent.send_signal(how)
        parent.wait(20)
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert alive == []


def groups(queue: Queue, last: Unit | None = None) -> Iterator[Unit]:
    while (unit := queue.take(last)) is not None:
        last = unit
        yield unit


def test_a_worker_stays_with_what_it_has_loaded(units: list[Unit]) -> None:
    queue = Queue(units)
    one, two = queue.take(None), queue.take(None)
    assert one is not None
    assert two is not None
    assert (one.group, one.run) != (two.group, two.run)
    left = len(queue)
    again = queue.take(one)
    assert again is not None
    assert (again.group, again.run) == (one.group, one.run)
    queue.put_back(again)
    assert len(queue) == left
    assert queue.take(one) == again
    rest = list(groups(queue, two))
    changes = sum(a.group != b.group for a, b in zip([two, *rest], rest, strict=False))
    assert changes <= 2
    assert len({u.name for u in [one, two, again, *rest]}) == len(units)


def test_engines_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(engine_of(None, None), LocalEngine)
    assert isinstance(engine_of(None, 2), ProcessEngine)
    assert isinstance(engine_of("processes", None), ProcessEngine)
    with pytest.raises(InputError, match="one process"):
        engine_of("local", 2)
    with pytest.raises(InputError, match="needs --engine ray"):
        engine_of("processes", 2, "auto")
    with pytest.raises(InputError, match="1 or more"):
        engine_of(None, 0)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Unavailable, match=r"pip install 'heron-observer\[ray\]'"):
        engine_of("ray", 2)


def test_a_unit_names_itself_alike_on_every_machine(units: list[Unit]) -> None:
    assert len({unit.name for unit in units}) == len(units)
    other = Unit(
        config=EpisodeConfig.model_validate(units[0].config.model_dump()),
        scenario=units[0].scenario,
        seed=units[0].seed,
        run=units[0].run,
    )
    assert other.name == units[0].name
