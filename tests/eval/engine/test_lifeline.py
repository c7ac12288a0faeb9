"""A worker ends with the other end of its pipe, whatever it is doing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil

HARNESS = """
from heron.eval.workers.process import WorkerProcess
worker = WorkerProcess("fake", "fake_worker", {})
worker.send({"do": "hang"})
print(worker.pid, flush=True)
worker.receive()
"""


def test_a_worker_in_the_middle_of_its_work_ends_with_a_harness_that_is_killed() -> None:
    path = f"{Path(__file__).parents[1]}:{os.environ.get('PYTHONPATH', '')}"
    with subprocess.Popen(
        [sys.executable, "-c", HARNESS],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as harness:
        assert harness.stdout is not None
        worker = psutil.Process(int(harness.stdout.readline()))
        harness.send_signal(signal.SIGKILL)
        harness.wait(20)
    _, alive = psutil.wait_procs([worker], timeout=20)
    assert alive == []
