"""A run on a Ray cluster of this machine, a worker of which is killed, equals the local run.

Ray is run in a process of its own: it starts others, and warns.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from heron.contracts import EpisodeRecord
from heron.eval.digest import episode_digest
from heron.eval.engine.unit import Unit
from heron.eval.store import key_of

pytest.importorskip("ray")
pytestmark = pytest.mark.slow

RUN = """
import json, os, signal, sys
import psutil
from heron.contracts import EpisodeConfig
from heron.eval.batch import Plan
from heron.eval.digest import episode_digest
from heron.eval.engine.ray_cluster import RayEngine
from heron.eval.engine.unit import units_of
from heron.eval.store import key_of
from heron.scenarios.loader import load_suite

suite = load_suite("smoke").sound().scenarios
units = [
    unit
    for observer in ("rules", "oracle")
    for unit in units_of(
        Plan(config=EpisodeConfig(observer=observer, executor="oracle", user="scripted"), runs=2),
        suite,
    )
]
rows, outside = [], set()
with RayEngine(2) as engine:
    for episode in engine.play(units):
        rows.append([list(key_of(episode)[:4]), episode_digest(episode)])
        if len(rows) == 5:
            os.kill(engine.pids[0], signal.SIGKILL)
        if len(rows) == 20:
            mine = {p.pid for p in psutil.Process().children(recursive=True)} | {os.getpid()}
            outside = {
                c.laddr.ip
                for c in psutil.net_connections("inet")
                if c.pid in mine and c.status in ("LISTEN", "ESTABLISHED")
            }
print(json.dumps({"rows": rows, "deaths": engine.deaths, "addresses": sorted(outside)}))
"""


def test_ray_plays_what_this_process_plays_also_with_a_worker_killed(
    units: list[Unit], local: list[EpisodeRecord]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["deaths"] == 1
    want = sorted([list(key_of(episode)[:4]), episode_digest(episode)] for episode in local)
    assert sorted(found["rows"]) == want
    assert found["addresses"]
    assert {ip.removeprefix("::ffff:") for ip in found["addresses"]} <= {"127.0.0.1", "::1"}
