"""The pipe and the process behind it, with a fake worker in a real process."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from heron.errors import ModelFault, ModelFileError, WorkerDied
from heron.eval.workers.process import WorkerProcess

MODULE = "tests.eval.fake_worker"


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    process = WorkerProcess("observer", MODULE, {})
    yield process
    process.stop()
    assert not process.alive


def test_records_cross_the_pipe_both_ways(worker: WorkerProcess) -> None:
    assert worker.ready == {"ready": {"name": "fake"}}
    value = {"text": "Grüße\nzwei Zeilen \u2028 und mehr", "numbers": [1, 2.5, None]}
    assert worker.ask({"do": "echo", "value": value}) == {"answer": value}


def test_half_a_character_arrives_as_a_replacement_and_whole_ones_as_they_are(
    worker: WorkerProcess,
) -> None:
    value = ["\ud800 x", {"\udc00": "\U0001f600"}]
    assert worker.ask({"do": "echo", "value": value}) == {
        "answer": ["\ufffd x", {"\ufffd": "\U0001f600"}]
    }


def test_what_a_library_prints_does_not_disturb_the_pipe(worker: WorkerProcess) -> None:
    assert worker.ask({"do": "print", "value": 1}) == {"answer": 1}


def test_a_worker_can_ask_back(worker: WorkerProcess) -> None:
    assert worker.ask({"do": "ask"}) == {"call": "what?"}
    assert worker.ask({"result": 7}) == {"answer": 7}


def test_a_fault_is_raised_as_what_it_is_and_the_worker_lives_on(worker: WorkerProcess) -> None:
    with pytest.raises(ModelFault, match="not numbers"):
        worker.ask({"do": "fault"})
    assert worker.ask({"do": "echo", "value": 2}) == {"answer": 2}


def test_a_refusal_at_the_start_reaches_the_caller() -> None:
    with pytest.raises(ModelFileError, match="no such file"):
        WorkerProcess("observer", MODULE, {"refuse": "no such file"})


@pytest.mark.parametrize(
    ("do", "told"), [("die", "signal SIGKILL"), ("exit", r"exit code 3\): giving up")]
)
def test_a_death_is_told_in_one_line(worker: WorkerProcess, do: str, told: str) -> None:
    with pytest.raises(WorkerDied, match=told) as caught:
        worker.ask({"do": do})
    assert "\n" not in str(caught.value)


def test_a_process_killed_from_outside_is_noticed(worker: WorkerProcess) -> None:
    os.kill(worker.pid, signal.SIGKILL)
    with pytest.raises(WorkerDied):
        worker.ask({"do": "echo"})


def test_a_worker_that_hangs_is_ended(worker: WorkerProcess) -> None:
    with pytest.raises(WorkerDied, match="no answer within"):
        worker.ask({"do": "hang"}, timeout=0.2)
    assert not worker.alive
