"""Tokens per second of a setting, measured in a process of its own as llama-bench does.

What it does not know: streams, observers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Final

from heron.eval.profiling.records import Setting, Speed, speed_of
from heron.eval.workers.process import WorkerProcess
from heron.models.device import DeviceLimits, Governor, InForce, remove_group
from heron.observer.registry import NEEDS_MODEL
from heron.observer.setup import model_of
from heron.registry import split_spec

WORKER: Final = "heron.eval.workers.speed"
REPETITIONS: Final = 5
"""As llama-bench does, after a warm-up."""


def measure_speeds(
    setting: Setting,
    limits: DeviceLimits,
    tests: Iterable[tuple[str, int]],
    tell: Callable[[str], None],
) -> dict[str, Speed]:
    """Tokens per second by test; nothing for an observer whose model is not known here.

    Args:
        setting: the model, its threads and window.
        limits: of the emulated device.
        tests: ``prompt`` or ``decode``, with the number of tokens; 0 leaves it out.
        tell: told before each.

    Raises:
        Fault: the model failed, or its process died.
    """
    name, argument = split_spec(setting.observer)
    wanted = [(test, tokens) for test, tokens in tests if tokens]
    if name not in NEEDS_MODEL or not wanted:
        return {}
    settings = {
        "model": model_of(argument),
        "threads": setting.threads,
        "window": setting.window,
        "limits": limits.model_dump(mode="json"),
    }
    found = {}
    with ExitStack() as stack:
        worker = WorkerProcess("speed", WORKER, settings)
        in_force = InForce.model_validate(worker.ready["in_force"])
        stack.callback(remove_group, in_force)
        stack.callback(worker.stop)
        stack.enter_context(governed(worker.pid, in_force))
        for test, tokens in wanted:
            tell(f"{test} speed, {REPETITIONS} times {tokens} tokens after a warm-up")
            taken = []
            for _ in range(1 + REPETITIONS):
                run = worker.ask({"test": test, "tokens": tokens})["taken"]
                taken.append((run["wall_s"], run["cpu_s"]))
            speed = speed_of(tokens, taken[1:])
            if speed is not None:
                found[test] = speed
    return found


@contextmanager
def governed(pid: int | None, in_force: InForce) -> Iterator[None]:
    """Hold a process to its share of processor time, where nothing else does."""
    share = in_force.governor
    with nullcontext() if share is None or pid is None else Governor(pid, share):
        yield
